"""The form of a notebook is mended in memory: copies, missing cells, edited metadata."""

import copy

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader import utils

from tools.grading.form import restored

TASKS = ("one", "two")


def grading(name, **more):
    """Return nbgrader's metadata of a cell."""
    kind = {"grade": False, "solution": True, "locked": False, "cell_type": "code"} | more
    return {"schema_version": 3, "grade_id": name, "task": False, "checksum": "?", **kind}


def released():
    """Return two tasks and an essay, as the gradebook knows them."""
    cells = {}
    for task in TASKS:
        cells[task] = (grading(task), f"def {task}(): stub")
        test = grading(f"check_{task}", grade=True, solution=False, locked=True, points=3)
        cells[f"check_{task}"] = (test, f"check({task})")
    essay = grading("essay", grade=True, points=5, cell_type="markdown")
    cells["essay"] = (essay, "Write here.")
    for metadata, source in cells.values():
        make = new_code_cell if metadata["cell_type"] == "code" else new_markdown_cell
        checksum = utils.compute_checksum(make(source, metadata={"nbgrader": metadata}))
        metadata["checksum"] = checksum
    return cells


@pytest.fixture
def cells():
    """Return the cells of an untouched submission."""
    made = []
    for name, (metadata, source) in released().items():
        make = new_code_cell if metadata["cell_type"] == "code" else new_markdown_cell
        made.append(make(source, metadata={"nbgrader": dict(metadata)}, id=f"cell-{name}"))
    return made


def names(found):
    return [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in found]


def test_an_intact_notebook_stays_as_it_is(cells):
    assert restored(list(cells), released()) == cells


def test_of_two_copies_the_one_that_was_worked_on_counts(cells):
    answer = new_markdown_cell("My essay.", metadata={"nbgrader": grading("essay")})
    found = restored([answer, *cells], released())
    assert found[0].metadata.nbgrader.points == 5
    assert "nbgrader" not in found[-1].metadata


def test_of_two_equal_copies_one_counts(cells):
    found = restored([*copy.deepcopy(cells), *cells], released())
    assert names(found) == [None] * len(cells) + list(released())


def test_a_missing_test_comes_back_before_the_next_task(cells):
    del cells[1]
    own = new_code_cell("def one(): return 1")
    found = restored([cells[0], own, *cells[1:]], released())
    assert names(found) == ["one", None, "check_one", "two", "check_two", "essay"]
    assert found[2].source == "check(one)"


def test_answer_and_test_both_missing(cells):
    """Nbgrader's own way to put a test back fails here."""
    own = new_code_cell("def one(): return 1")
    found = restored([own, cells[4]], released())
    assert names(found) == [None, "check_one", "check_two", "essay"]


def test_without_any_metadata_the_cells_are_known_by_their_ids(cells):
    for cell, name in zip(cells, released(), strict=True):
        cell.metadata, cell.id = {}, name
    assert names(restored(cells, released())) == list(released())


@pytest.mark.parametrize("change", [{"points": 99}, {"grade": False}, {"schema_version": 0}])
def test_edited_metadata_does_not_count(cells, change):
    cells[1].metadata.nbgrader.update(change)
    assert restored(cells, released())[1].metadata.nbgrader == released()["check_one"][0]


def test_a_cell_of_another_assignment_is_a_plain_cell(cells):
    stranger = new_code_cell("1", metadata={"nbgrader": grading("three")})
    assert "nbgrader" not in restored([stranger, *cells], released())[0].metadata
