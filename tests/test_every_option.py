"""Every option of casebook, but for its checks, is set to another value, and is heeded."""

import importlib
import pkgutil
import types

import pytest

import casebook
from tests.options import (
    Case,
    agree,
    composition,
    drawing,
    mathematics,
    options_of,
    problem,
    retrieval,
    training,
)

TABLES = [mathematics, composition, retrieval, training, drawing]
CASES = [case for table in TABLES for case in table.CASES]
WITHOUT_EFFECT = [case for table in TABLES for case in getattr(table, "WITHOUT_EFFECT", [])]


def modules():
    """Return the modules of casebook, but for its checks."""
    names = [module.name for module in pkgutil.walk_packages(casebook.__path__, "casebook.")]
    return [importlib.import_module(n) for n in names if not n.startswith("casebook.checks")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_option_does_what_it_says(case):
    assert problem(case) is None


@pytest.mark.parametrize("case", WITHOUT_EFFECT, ids=lambda case: case.name)
def test_an_option_without_effect_changes_nothing(case):
    assert "the same comes without it" in problem(case)


def test_no_option_is_left_out():
    left_out = options_of(modules()) - {case.name for case in CASES + WITHOUT_EFFECT}
    assert sorted(left_out) == []


def test_an_option_that_is_ignored_or_in_no_table_is_named():
    def deaf(x, by=1):
        return x

    def heeding(x, by=1):
        return by * x

    assert problem(Case(heeding, "by", 3, {"x": 2}, 6)) is None
    assert "2 instead of 6" in problem(Case(deaf, "by", 3, {"x": 2}, 6))
    assert "nobody would notice" in problem(Case(heeding, "by", 3, {"x": 0}, 0))
    module = types.ModuleType(deaf.__module__)
    deaf.__qualname__, module.deaf = "deaf", deaf
    assert options_of([module]) == {f"{deaf.__module__}.deaf by"}


@pytest.mark.parametrize(
    "one, other",
    [
        ([1.0, 2.0], [1.0]),
        ({"a": 1}, {"b": 1}),
        ("1", 1),
        (None, 0),
        ([1.0], [1.0 + 1e-6]),
        ([["a"]], [["b"]]),
        ([[1, 2]], [[1], [2]]),
    ],
)
def test_results_that_differ_do_not_agree(one, other):
    assert not agree(one, other)
    assert agree(one, one)
    assert agree(other, other)
