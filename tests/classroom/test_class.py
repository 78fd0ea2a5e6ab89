"""A class handed in and graded: each gets the mark it deserves, and nobody loses anything.

There is one test class for each class of students (see :mod:`tests.classroom.intakes`). Its
tests look at one and the same class, so they belong on one worker: ``--dist loadscope``.
"""

import csv
import io
import os

from nbgrader.plugins import CsvExportPlugin

from tests.classroom.intakes import FEW, HARD, intakes
from tests.classroom.students import class_of
from tests.classroom.tricks import TRICKS, WAITING
from tools.pipeline.layout import HERE

FULL = bool(os.environ.get("COURSE_FULL"))
CHOSEN = intakes(FULL)
DAMAGED = {"Deleted", "Tests-edited", "Doubled", "Not-a-notebook"}
CHEATS = {"Rebinds-all", "Reads-solutions"}


def test_every_assignment_has_its_class():
    for full in (False, True):
        assert sorted({intake.stem for intake in intakes(full).values()}) == sorted(HERE.manifest())


def test_every_trick_is_tried_in_every_run():
    for full in (False, True):
        hard, waiting = (intakes(full)[name] for name in ("Hard", "Waiting"))
        assert sorted({*hard.tricks, *waiting.tricks}) == sorted(TRICKS)
        names = {student.name for student in class_of(HARD, hard.tricks).students}
        assert names >= DAMAGED | CHEATS | set(FEW) | set(TRICKS.values()) - set(WAITING.values())
        assert set(waiting.only) == set(WAITING.values())


def test_a_full_run_has_everybody_everywhere():
    for name, intake in intakes(full=True).items():
        names = {
            student.name for student in class_of(intake.stem, intake.tricks, intake.only).students
        }
        assert name == "Waiting" or names >= DAMAGED | CHEATS | {*FEW, "Right-3", "Wrong-3"}
    assert len(intakes(full=True)) == len(HERE.manifest()) + 2


class Graded:
    """What must hold of the class of each assignment."""

    def test_each_gets_the_mark_it_deserves(self, graded):
        group = graded.group
        assert set(graded.folders) == {student.name for student in group.students}
        given = {student.name: graded.given(student) for student in group.students}
        expected = {student.name: group.expected(student) for student in group.students}
        assert given == expected, "\n".join(graded.table())
        for student in group.students:
            row = graded.row(student)
            assert float(row["score"]) == sum(expected[student.name].values())
            assert float(row["max_score"]) == sum(group.tasks.values())

    def test_what_happened_is_said(self, graded):
        for student in graded.group.students:
            assert student.remark in graded.row(student)["remarks"], student.name
            if student.name.startswith(("Right", "Wrong", "Untouched", "Half", "Doubled")):
                assert graded.row(student)["remarks"] == "", student.name

    def test_no_submission_stops_the_others(self, graded):
        assert graded.failed == unreadable(graded)
        assert sorted(graded.rows) == sorted(graded.folders.values())

    def test_nothing_handed_in_is_lost_or_changed(self, graded):
        assert sorted(graded.collected.new) == sorted(graded.folders.values())
        assert graded.collected.left == ["notes.txt: is no notebook (.ipynb)"]
        for student in graded.group.students:
            path = graded.classroom.submitted(graded.folders[student.name], graded.group.stem)
            assert path.read_bytes() == student.bytes(), student.name

    def test_the_release_is_the_exercise_of_the_course(self, graded):
        stem = graded.group.stem
        released = graded.classroom.folder / "exercises" / stem / f"{stem}.ipynb"
        assert released.read_bytes() == HERE.notebook(f"exercises/{stem}").read_bytes()

    def test_each_gets_a_page_without_the_hidden_tests(self, graded):
        assert len(graded.pages) == len(graded.group.students) - len(unreadable(graded))
        pages = {page.parts[-3]: page.read_text("utf-8") for page in graded.pages}
        for student in graded.group.students:
            page = pages.get(graded.folders[student.name])
            if page is None:
                continue
            assert "HIDDEN TESTS" not in page
            assert "strict=True" not in page
            if student.essay and graded.group.essays:
                assert f"A word to {graded.folders[student.name]}." in page

    def test_nbgraders_own_export_says_the_same(self, graded):
        plugin = CsvExportPlugin(to=str(graded.classroom.folder / "nbgrader.csv"))
        with graded.classroom.gradebook() as gradebook:
            plugin.export(gradebook)
        text = (graded.classroom.folder / "nbgrader.csv").read_text()
        theirs = {
            row["student_id"]: float(row["score"]) for row in csv.DictReader(io.StringIO(text))
        }
        assert theirs == {name: float(row["score"]) for name, row in graded.rows.items()}


class Everyday(Graded):
    """A class of a few, who try the tasks."""

    def test_the_few_are_there(self, graded):
        assert set(graded.folders) == set(FEW)


class Waiting(Graded):
    """Those who keep the grader waiting."""

    def test_all_who_wait_are_there(self, graded):
        assert set(graded.folders) == set(WAITING.values())


class Everybody(Graded):
    """A class with those who damage and cheat, too."""

    def test_everybody_is_there(self, graded):
        assert len(graded.group.students) >= 13
        assert {"Right-3", "Wrong-3", "Untouched", "Doubled", "Rebinds-all"} <= set(graded.folders)
        assert unreadable(graded) == [graded.folders["Not-a-notebook"]]

    def test_no_answer_could_read_the_course(self, graded):
        student = next(s for s in graded.group.students if s.name == "Reads-solutions")
        path = graded.classroom.autograded(graded.folders[student.name], graded.group.stem)
        ran = path.read_text("utf-8")
        assert "no: a notebook that is graded may not open a database" in ran
        assert "no: a notebook that is graded may not start another program" in ran
        assert '"read ' not in ran


def unreadable(graded):
    """Return the folders of those whose file is no notebook."""
    return [graded.folders[name] for name in ("Not-a-notebook",) if name in graded.folders]


def kind(intake):
    """Return the tests that a class is put to."""
    return {FEW: Everyday, None: Everybody}.get(intake.only, Waiting)


for name, intake in CHOSEN.items():
    globals()[f"Test{name}"] = type(f"Test{name}", (kind(intake),), {"intake": intake})
