"""The rules on stored notebooks: the good one keeps them all, each bad one is told which."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.bad_notebooks import spoil
from tools.gates.drift import stored_problems
from tools.gates.rules import form_problems
from tools.pipeline.tidy import to_bytes


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


def hint(number, words="Try 2."):
    return f"<details><summary>Hint {number}</summary>\n\n{words}\n\n</details>\n\n"


HINTS = hint(1) + hint(2) + hint(3)
ESSAY = "\n\n## Task 2: why?"


def with_tasks(lead, between=ESSAY):
    """Return a notebook of a task and an essay, with these texts in front of them."""
    task = {"nbgrader": {"grade_id": "double", "solution": True, "grade": False}}
    check = {"nbgrader": {"grade_id": "check_double", "solution": False, "grade": True}}
    essay = {"nbgrader": {"grade_id": "reason", "solution": True, "grade": True}}
    return new_notebook(
        cells=[
            new_markdown_cell(f"# Exercise\n\n{lead}"),
            new_code_cell("def double(x): ...", metadata=task),
            new_code_cell("check_double(double)", metadata=check),
            new_markdown_cell(between),
            new_markdown_cell("Because.", metadata=essay),
        ]
    )


def test_tasks_with_headings_and_three_hints_are_right():
    assert form_problems(with_tasks("## Task 1: twice\n\n" + HINTS)) == []


FOLD = "<details><summary>What a good answer says</summary>\n\nThat it grows.\n\n</details>\n\n"


def with_a_task_after_the_essay(lead):
    """Return a notebook of a task, an essay and a task, with this text before the last."""
    notebook = with_tasks("## Task 1: twice\n\n" + HINTS)
    task = {"nbgrader": {"grade_id": "halve", "solution": True, "grade": False}}
    return new_notebook(
        cells=[
            *notebook.cells,
            new_markdown_cell(lead),
            new_code_cell("def halve(x): ...", metadata=task),
        ]
    )


def test_a_task_may_follow_an_essay_whose_fold_is_no_hint_of_it():
    lead = FOLD + "## Task 3: half\n\n"
    assert form_problems(with_a_task_after_the_essay(lead + HINTS)) == []


@pytest.mark.parametrize(
    ("lead", "sentence"),
    [
        (FOLD + "## Task 3: half\n\n", "task halve: has no hints before it"),
        (HINTS + "## Task 3: half\n\n", "task halve: has no hints before it"),
        ("## Task 3: half\n\n" + FOLD + HINTS, "has What a good answer says, Hint 1, Hint 2"),
        (FOLD + "## Task 2: half\n\n" + HINTS, "no heading '## Task 3: ...' leads to it"),
    ],
)
def test_what_a_task_after_an_essay_lacks_is_named(lead, sentence):
    assert any(sentence in said for said in form_problems(with_a_task_after_the_essay(lead)))


@pytest.mark.parametrize(
    ("lead", "between", "sentence"),
    [
        ("## Task 1: twice", ESSAY, "task double: has no hints before it"),
        ("## Task 1: twice\n\n" + hint(1) + hint(3), ESSAY, "has Hint 1, Hint 3 before it"),
        ("## Task 1: twice\n\n" + HINTS + hint(4), ESSAY, "has Hint 1, Hint 2, Hint 3, Hint 4"),
        ("## Task 1: twice\n\n" + hint(1) + hint(2) + hint(3, ""), ESSAY, "Hint 3 (empty)"),
        ("## Task 1: twice", HINTS + ESSAY, "task double: has no hints before it"),
        ("## Task 2: twice\n\n" + HINTS, ESSAY, "no heading '## Task 1: ...' leads to it"),
        ("## Task 1: twice\n\n" + HINTS, "Why?", "task reason: no heading '## Task 2: ...'"),
    ],
)
def test_what_a_task_lacks_is_named(lead, between, sentence):
    problems = form_problems(with_tasks(lead, between))
    assert len(problems) == 1
    assert sentence in problems[0]
