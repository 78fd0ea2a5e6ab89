"""Marks that a person gives, out to a csv file and back: all of them or none."""

import shutil

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from tools.grading.classroom import Classroom
from tools.grading.essays import COLUMNS, read_essays, write_essays
from tools.grading.marks import OPEN, export, points_of, read_csv, write_csv
from tools.pipeline.layout import CourseError

STEM = "02_topic"
MANIFEST = f"{STEM}:\n  tasks:\n    one: {{points: 3}}\n    essay: {{points: 5}}\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the folder of a class of two whose code was marked; only ada wrote an essay."""
    folder = tmp_path_factory.mktemp("essays")
    room = Classroom(folder)
    room.nbgrader()  # so that nbgrader finds the programs that it calls
    (folder / "instructor").mkdir()
    (folder / "instructor" / "manifest.yml").write_text(MANIFEST, "utf-8")
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        gradebook.add_assignment(STEM)
        gradebook.add_notebook(STEM, STEM)
        gradebook.add_grade_cell("check_one", STEM, STEM, max_score=3, cell_type="code")
        gradebook.add_grade_cell("essay", STEM, STEM, max_score=5, cell_type="markdown")
        gradebook.add_solution_cell("essay", STEM, STEM)
        for student, essay in (("ada", None), ("bo", 0)):
            gradebook.add_student(student)
            gradebook.add_submission(STEM, student)
            gradebook.find_grade("check_one", STEM, STEM, student).auto_score = 2
            gradebook.find_grade("essay", STEM, STEM, student).auto_score = essay
        gradebook.db.commit()
    grading = {"grade": True, "solution": True, "grade_id": "essay", "points": 5}
    for student in ("ada", "bo"):
        cell = new_markdown_cell(f"Said {student}, “long”; and\nso on.")
        cell.metadata["nbgrader"] = grading
        for path in (room.autograded(student, STEM), room.submitted(student, STEM)):
            path.parent.mkdir(parents=True)
            nbformat.write(new_notebook(cells=[cell]), path)
    return folder


@pytest.fixture
def classroom(built, tmp_path):
    """Return a copy of the class."""
    return Classroom(shutil.copytree(built, tmp_path / "class"))


@pytest.fixture
def table(classroom, tmp_path):
    """Return the path of the table of essays, and a function that writes marks into it."""
    path = tmp_path / "essays.csv"
    assert write_essays(classroom, STEM, path) == 1

    def fill(**changes):
        rows = [row | changes for row in read_csv(path, COLUMNS)]
        write_csv(path, COLUMNS, rows)

    return path, fill


def points(classroom, student="ada"):
    with classroom.gradebook() as gradebook:
        return points_of(classroom, gradebook, student, STEM)


def test_the_table_holds_the_answers_that_wait_for_a_mark(table):
    (row,) = read_csv(table[0], COLUMNS)
    assert row == {
        "student": "ada",
        "task": "essay",
        "out_of": "5",
        "mark": "",
        "comment": "",
        "answer": "Said ada, “long”; and\nso on.",
    }


def test_marks_come_back_with_their_comments(classroom, table):
    path, fill = table
    assert points(classroom) == {"one": 2, "essay": OPEN}
    fill(mark="3,5", comment="Good.")
    assert read_essays(classroom, STEM, path) == 1
    assert points(classroom) == {"one": 2, "essay": 3.5}
    write_essays(classroom, STEM, path)  # what was given stands in it again
    (row,) = read_csv(path, COLUMNS)
    assert (row["mark"], row["comment"]) == ("3.5", "Good.")


def test_a_spreadsheet_may_write_semicolons(classroom, table):
    path, fill = table
    fill(mark="3,5", answer="cut")
    path.write_text(path.read_text("utf-8-sig").replace(",", ";").replace('"3;5"', "3,5"), "utf-8")
    assert read_essays(classroom, STEM, path) == 1
    assert points(classroom)["essay"] == 3.5


def test_an_empty_mark_leaves_the_essay_open(classroom, table):
    path, fill = table
    fill(comment="Later.")
    assert read_essays(classroom, STEM, path) == 0
    assert points(classroom)["essay"] == OPEN
    assert export(classroom, [STEM], path) == 2
    assert read_csv(path, ())[0]["points"] == "one 2, essay open"
    assert read_csv(path, ())[0]["score"] == "2"


def test_a_person_can_mark_what_a_check_marked(classroom, table):
    path, fill = table
    fill(task="one", mark="3")
    read_essays(classroom, STEM, path)
    assert points(classroom)["one"] == 3


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"mark": "good"}, "ada, essay: 'good' is no number"),
        ({"mark": "6"}, "ada, essay: 6 is not between 0 and 5"),
        ({"mark": "-1"}, "ada, essay: -1 is not between 0 and 5"),
        ({"mark": "nan"}, "ada, essay: nan is not between 0 and 5"),
        ({"mark": "1", "student": "eve"}, "eve, essay: nobody of this name handed in such a task"),
        ({"mark": "1", "task": "poem"}, "ada, poem: nobody of this name handed in such a task"),
    ],
)
def test_a_wrong_row_is_named_and_nothing_is_taken_over(classroom, table, changes, sentence):
    path, fill = table
    rows = read_csv(path, COLUMNS)
    write_csv(path, COLUMNS, [rows[0] | {"mark": "4"}, rows[0] | changes])
    with pytest.raises(CourseError, match=f"{sentence}$"):
        read_essays(classroom, STEM, path)
    assert points(classroom)["essay"] == OPEN


def test_a_table_without_its_columns_is_refused(classroom, tmp_path):
    write_csv(tmp_path / "other.csv", ("name", "mark"), [])
    with pytest.raises(CourseError, match="has no column student; expected student, task"):
        read_essays(classroom, STEM, tmp_path / "other.csv")


def test_a_table_that_is_not_there_is_named(classroom, tmp_path):
    with pytest.raises(CourseError, match="missing.csv: cannot be read"):
        read_essays(classroom, STEM, tmp_path / "missing.csv")


def test_who_handed_in_nothing_readable_has_no_points(classroom):
    classroom.autograded("bo", STEM).unlink()
    assert points(classroom, "bo") == {"one": 0, "essay": 0}
