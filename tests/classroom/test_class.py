"""A class handed in and graded: each gets the mark it deserves, and nobody loses anything.

There is one test class for each assignment. Its tests look at one and the same class of
students, so they belong on one worker: run with ``--dist loadscope``.
"""

import csv
import io

from nbgrader.plugins import CsvExportPlugin

from tests.classroom.students import stems
from tools.pipeline.layout import HERE

STEMS = stems()


def test_every_assignment_has_its_class():
    assert sorted(HERE.manifest()) == STEMS


class Graded:
    """What must hold of the class of each assignment."""

    def test_each_gets_the_mark_it_deserves(self, graded):
        group = graded.group
        assert len(group.students) >= 13
        assert {"Right-3", "Wrong-3", "Untouched", "Doubled", "Rebinds-all"} <= set(graded.folders)
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
        assert graded.failed == [graded.folders["Not-a-notebook"]]
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
        assert len(graded.pages) == len(graded.group.students) - 1  # one file is no notebook
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

    def test_no_answer_could_read_the_course(self, graded):
        student = next(s for s in graded.group.students if s.name == "Reads-solutions")
        path = graded.classroom.autograded(graded.folders[student.name], graded.group.stem)
        ran = path.read_text("utf-8")
        assert "no: a notebook that is graded may not open a database" in ran
        assert "no: a notebook that is graded may not start another program" in ran
        assert '"read ' not in ran


for stem in STEMS:
    name = f"Test{stem.title().replace('_', '')}"
    globals()[name] = type(name, (Graded,), {"stem": stem})
