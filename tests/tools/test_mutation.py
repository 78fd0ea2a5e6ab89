"""The mutation run: a noticed fault is killed, an unnoticed one survives and is named."""

import pytest

from tools.gates import mutation
from tools.gates.nbval_fork import first_failure
from tools.pipeline.layout import HERE, CourseError

NOTICED = mutation.Mutant("base-two", "attention.py", "np.exp(scores -", "np.exp2(scores -")
UNNOTICED = mutation.Mutant("triangle", "attention.py", "np.tril(", "np.triu(")


def test_killed_and_surviving_mutants_are_told_apart(built):
    said = []
    assert mutation.run(built, [NOTICED, UNNOTICED], say=said.append) == 1
    assert said[0] == "chapters/02_tiny.ipynb: agrees without a fault, notices 1 of 2"
    assert said[3] == "without a fault: all 3 notebooks agree"
    assert "killed by chapters/02_tiny.ipynb, Cell 0" in said[4]
    assert said[5].endswith("SURVIVED")
    assert said[6:] == ["1 of 2 mutants killed", "No notebook notices: triangle"]


def test_notebooks_that_fail_anyway_prove_nothing(course):
    path = course.notebook("chapters/02_tiny")
    path.write_text(path.read_text("utf-8").replace("42 ", "43 "), "utf-8")
    said = []
    assert mutation.run(course, [NOTICED], say=said.append) == 1
    assert said[0] == "chapters/02_tiny.ipynb: fails at Cell 0 without a fault, notices 1 of 1"
    assert said[3:] == [
        "The notebooks fail without any fault, at chapters/02_tiny.ipynb, Cell 0: mend that first."
    ]


def test_a_package_that_is_not_the_one_imported_is_named(built, tmp_path):
    (tmp_path / "casebook").mkdir()  # no package, so that another one is found
    with pytest.raises(CourseError, match=r"casebook came from .*, not .*"):
        first_failure(built.stored()[0], tmp_path, built.root)


def test_a_process_that_dies_is_no_verdict(built):
    dying = mutation.Mutant("dies", "attention.py", "import math", "import os\nos._exit(1)")
    with pytest.raises(CourseError, match="died without an answer"):
        mutation.judge(built, dying)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ('old = "no such text"', "first: its old text occurs 0 times in attention.py"),
        ('old = "return"', "first: its old text occurs [0-9]+ times in attention.py"),
    ],
)
def test_mutant_that_fits_no_single_place_is_named(course, entry, sentence):
    text = f'[[mutant]]\nname = "first"\nfile = "attention.py"\n{entry}\nnew = "x"\n'
    (course.root / "tests" / "mutants.toml").write_text(text, "utf-8")
    with pytest.raises(CourseError, match=sentence):
        mutation.read_mutants(course)


def test_the_same_name_twice_is_named(course):
    entry = '[[mutant]]\nname = "first"\nfile = "attention.py"\nold = "np.tril("\nnew = "x"\n'
    (course.root / "tests" / "mutants.toml").write_text(entry * 2, "utf-8")
    with pytest.raises(CourseError, match="first: the name comes twice"):
        mutation.read_mutants(course)


def test_committed_mutants_fit_the_code():
    assert len(mutation.read_mutants(HERE)) >= 20


def test_likely_killers_go_first(built):
    order = mutation.in_likely_order(built, NOTICED)
    assert built.relative(order[0]) == "chapters/02_tiny.ipynb"
