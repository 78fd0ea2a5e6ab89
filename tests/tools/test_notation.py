"""From a source text to a notebook: the short notation, the ids, and what is said of mistakes."""

import ast

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.pipeline.layout import CourseError
from tools.pipeline.notation import expand, name_cells, read_source

POINTS = {"double": 3, "reason": 2}


def cells():
    return [
        new_code_cell("def double(x): ...", metadata={"task": "double"}),
        new_code_cell("check_double(double)", metadata={"check": "double"}),
        new_markdown_cell("Because.", metadata={"essay": "reason"}),
        new_code_cell("", metadata={"progress": True}),
    ]


def test_notation_becomes_nbgrader_metadata():
    notebook = new_notebook(cells=cells())
    expand(notebook, POINTS)
    common = {"schema_version": 3, "task": False}
    answer = {"grade": False, "locked": False, "solution": True, **common}
    test = {"grade": True, "locked": True, "solution": False, **common}
    essay = {"grade": True, "locked": False, "solution": True, **common}
    assert [cell.metadata["nbgrader"] for cell in notebook.cells[:3]] == [
        {"grade_id": "double", **answer},
        {"grade_id": "check_double", "points": 3, **test},
        {"grade_id": "reason", "points": 2, **essay},
    ]
    assert notebook.cells[3].metadata == {}


def test_progress_becomes_a_call_with_the_points():
    notebook = new_notebook(cells=cells())
    expand(notebook, POINTS)
    assert notebook.cells[3].source == (
        "from casebook.checks import show_progress\n\n"
        'show_progress(double=3, reason=2, essays=["reason"])'
    )


def test_a_long_call_is_cut_into_lines():
    names = [f"quite_a_long_name_of_a_task_{number}" for number in range(5)]
    pairs = [
        new_code_cell("...", metadata={word: name}) for name in names for word in ("task", "check")
    ]
    notebook = new_notebook(cells=[*pairs, new_code_cell("", metadata={"progress": True})])
    expand(notebook, dict.fromkeys(names, 3))
    call = ast.parse(notebook.cells[-1].source).body[1].value
    assert [(word.arg, word.value.value) for word in call.keywords] == [(n, 3) for n in names]
    assert max(map(len, notebook.cells[-1].source.splitlines())) <= 88


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: c.pop(1), "'task: double' has no 'check: double'"),
        (lambda c: c.pop(2), "the manifest's task 'reason' has neither a check nor an essay"),
        (lambda c: c.insert(0, cells()[0]), "the task 'double' stands more than once"),
        (
            lambda c: c.insert(0, new_markdown_cell("x", metadata={"essay": "more"})),
            "'essay: more' has no entry in instructor/manifest.yml",
        ),
        (
            lambda c: c.insert(0, new_markdown_cell("x", metadata={"task": "double"})),
            "'task: double' stands in a markdown cell, not code",
        ),
        (lambda c: c.pop(3), "has 0 cells 'progress: true'; exactly one ends the tasks"),
        (lambda c: c.append(cells()[3]), "has 2 cells 'progress: true'"),
        (lambda c: c.insert(0, c.pop(3)), "'task: double' stands after 'progress'"),
        (
            lambda c: c.append(new_code_cell("print(1)", metadata=c.pop(3).metadata)),
            "'progress: true' belongs to an empty code cell, which is filled in here",
        ),
        (
            lambda c: c.append(new_markdown_cell("", metadata=c.pop(3).metadata)),
            "'progress: true' belongs to an empty code cell",
        ),
    ],
)
def test_mistake_in_notation_is_named(change, sentence):
    changed = cells()
    change(changed)
    with pytest.raises(CourseError, match=sentence.replace("(", r"\(")):
        expand(new_notebook(cells=changed), POINTS)


def test_ids_follow_from_the_cells():
    notebook = new_notebook(cells=[*cells(), new_code_cell("1"), new_code_cell("1")])
    expand(notebook, POINTS)
    name_cells(notebook)
    ids = [cell.id for cell in notebook.cells]
    assert ids[:3] == ["double", "check_double", "reason"]
    assert ids[5] == f"{ids[4]}-2"
    moved = new_notebook(cells=[new_markdown_cell("new"), new_code_cell("1")])
    name_cells(moved)
    assert moved.cells[1].id == ids[4]


def test_source_is_named_in_its_mistakes(course):
    source = course.source("solutions/02_tiny")
    source.write_text(source.read_text("utf-8").replace("check: double", "check: treble"), "utf-8")
    with pytest.raises(
        CourseError, match="source/solutions/02_tiny.md: 'check: treble' has no entry"
    ):
        read_source(course, "solutions/02_tiny")


def test_solution_without_manifest_is_named(course):
    (course.root / "instructor" / "manifest.yml").unlink()
    with pytest.raises(CourseError, match="02_tiny has no entry in instructor/manifest.yml"):
        read_source(course, "solutions/02_tiny")


def test_notebook_is_valid_and_bare(course):
    notebook = read_source(course, "chapters/02_tiny")
    nbformat.validate(notebook)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata["language_info"] == {"name": "python"}
