"""What is judged as untrue, on a check small enough to see through."""

import numpy as np
import pytest

from casebook.checks.engine.family import Case, Deviation, Family
from tests.checking import Examined
from tests.truth import untruth_in

DOUBLE = Family(
    lambda X, factor=2, offset=0, end=lambda product: product: (end(factor * X + offset),),
    (
        Deviation("factor", "three times", 3),
        Deviation("factor", "three times again", 3),
        Deviation("factor", "not at all", 1),
        Deviation("offset", "one more", 1),
        Deviation("end", "breaks", lambda product: product / [1, 2, 3]),
        Deviation("end", "as it was", lambda product: product.copy()),
        Deviation("factor", "nothing is left", 0),
    ),
)
SMALL = Examined("double", [Case("", (np.ones(2),)), Case("for 2", (2 * np.ones(2),))], DOUBLE, "X")
THREE, AGAIN, ONCE, MORE, BREAKS, NOTHING, GONE = DOUBLE.deviations


@pytest.mark.parametrize(
    ("made", "line", "untruth"),
    [
        ([THREE, MORE], "three times; and one more.", None),
        ([THREE, MORE], "three times again; and one more.", None),
        ([AGAIN], "three times.", None),
        ([THREE, MORE], "one more.", None),
        ([THREE, MORE], "not at all; and one more.", "names what was not done"),
        ([ONCE], "three times.", "names what was not done"),
        ([THREE, MORE], "X[0] is 4, expected 2.", "is not found"),
        ([THREE, MORE], "this answer cannot be judged (TypeError: no).", "is not found"),
        ([THREE, MORE], "the result does not depend on X at all.", "depends on it"),
        ([GONE, MORE], "the result does not depend on X at all.", None),
        ([MORE], "only nearly right, off by up to 1 (dtype float64).", None),
        ([MORE], "only nearly right, off by up to 0.001 (dtype float64).", "is further off"),
        ([MORE], "returns 2 results, but the task asks for 1 result: it.", "are other counts"),
        ([THREE, MORE], None, "is accepted"),
        ([NOTHING], None, None),
        ([NOTHING], "as it was.", "is rejected, but right"),
        ([BREAKS, MORE], "ValueError: these mistakes break the computation", None),
        ([BREAKS, MORE], None, "is accepted"),
        ([NOTHING], "ValueError: these mistakes break the computation", "is rejected, but right"),
    ],
)
def test_an_untrue_sentence_is_seen(made, line, untruth):
    line = f"[x] double: {line}" if line else "[ok] double: right on every input tried."
    assert untruth_in(line, made, SMALL) == untruth
