"""What makes the diagnosis quick changes no verdict."""

from collections import Counter
from unittest import mock

import numpy as np
import pytest

from casebook import checks
from casebook.checks.engine import compare
from casebook.checks.engine.family import Family

NUMBERS = [0.0, 1.0, -1.0, 1 + 1e-7, 1 + 1e-3, 1e-12, 1e300, -1e300, np.nan, np.inf, -np.inf]


def test_a_mistake_is_made_once_for_each_input(capsys):
    made = Counter()
    results = Family.results

    def counted(family, inputs, mistakes=()):
        made[id(inputs), tuple(mistakes)] += bool(mistakes)
        return results(family, inputs, mistakes)

    with mock.patch.object(Family, "results", counted):
        checks.check_turn(lambda X, positions: np.sin(3 * X) + X**2)
    assert "[x] turn: " in capsys.readouterr().out
    pairs = [mistakes for _, mistakes in made if len(mistakes) == 2]
    assert len(pairs) > 100
    assert max(made.values()) == 1


def test_a_pair_is_looked_for_no_further_than_it_is_found(capsys):
    from casebook.checks.tasks.turn import FAMILY

    first, *_ = FAMILY.sets(2)
    with mock.patch.object(Family, "results", autospec=True, side_effect=Family.results) as made:
        checks.check_turn(lambda *given: FAMILY.compute(*given, **stages(first))[0])
    assert "; and ".join(mistake.says for mistake in first) in capsys.readouterr().out
    tried = {call.args[2] for call in made.call_args_list if len(call.args) > 2}
    assert [mistakes for mistakes in tried if len(mistakes) == 2] == [first]


def stages(mistakes):
    return {mistake.stage: mistake.does for mistake in mistakes}


@pytest.mark.parametrize("dtype", [float, np.float32])
@pytest.mark.parametrize("absolute", [None, 1e-2])
def test_a_first_number_that_is_far_off_decides_as_all_of_them_do(dtype, absolute, monkeypatch):
    def told():
        return [
            compare.same([np.array(got, dtype=dtype)], [np.array(expected)], absolute)
            for first in NUMBERS
            for other in NUMBERS
            for got, expected in (
                ([first], [other]),
                ([first, 1], [other, 1]),
                ([first, np.nan], [other, np.nan]),
                ([1, first], [1, other]),
            )
        ]

    with np.errstate(all="ignore"):
        quick = told()
        monkeypatch.setattr(compare, "_far_at_once", lambda *given: False)
        assert quick == told()
    assert True in quick
    assert False in quick
