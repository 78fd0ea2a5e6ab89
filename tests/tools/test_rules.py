"""The rules on stored notebooks: the good one keeps them all, each bad one is told which."""

import pytest

from tests.bad_notebooks import spoil
from tools.drift import stored_problems
from tools.tidy import to_bytes


@pytest.fixture
def told(spoiled, tmp_path):
    """Return a function that gives what the rules say of the notebook spoiled in one way."""

    def tell(way):
        path = tmp_path / "notebook.ipynb"
        path.write_bytes(to_bytes(spoiled(way)))
        return stored_problems(path)

    return tell


def test_good_notebook_keeps_all_rules(told):
    assert told(lambda notebook: None) == []


@pytest.mark.parametrize("way", spoil.BROKEN_RULES, ids=lambda way: way.__name__)
def test_broken_rule_is_named(told, way):
    assert any(spoil.BROKEN_RULES[way] in problem for problem in told(way))


def test_notebook_written_by_another_program_is_named(spoiled, tmp_path):
    path = tmp_path / "notebook.ipynb"
    path.write_bytes(to_bytes(spoiled(lambda notebook: None)).replace(b" ", b"  "))
    assert stored_problems(path) == [
        "is not stored as the pipeline stores it; make it with 'course.py notebooks'"
    ]


def test_headings_inside_code_fences_do_not_count(told):
    def add_fence(notebook):
        notebook.cells[-2].source += "\n\n```\n# a comment\n```"

    assert told(add_fence) == []
