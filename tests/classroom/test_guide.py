"""The instructor's guide: its commands are run, from its own text; its tables are complete."""

import re
import shlex
import shutil
import subprocess
import sys
import zipfile

import pytest
import yaml

from tests.classroom.cycle import NAMES
from tests.classroom.students import class_of
from tools.grading import essays, marks
from tools.grading.names import student_of
from tools.pipeline.execution import kernel_environment
from tools.pipeline.layout import HERE

sys.path.insert(0, str(HERE.root / "_ext"))
from coursebook import assignments  # noqa: E402

GUIDE = (HERE.root / "instructor" / "guide.md").read_text("utf-8")
STEM = "03_saturation"
BLOCKS = re.findall(r"```bash\n(.*?)```", GUIDE, re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines()]
FEW = ("Right-2", "Untouched", "Deleted", "Not-a-notebook")
NOT_COPIED = (".git", ".venv", "_build", "work", ".hypothesis", "__pycache__", "*.db", "submitted")

# course.py as it is, but that the set-up is not made a second time.
COURSE = """
import sys, course
course.is_set_up = lambda requirements: True
course.PYTHON = sys.executable
sys.exit(course.main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def group():
    """Return a small class."""
    group = class_of(STEM)
    group.students = [student for student in group.students if student.name in FEW]
    return group


@pytest.fixture(scope="module")
def followed(group, tmp_path_factory):
    """Follow the guide in a copy of the course; return the folder and what each command said."""
    folder = tmp_path_factory.mktemp("guide") / "course"
    shutil.copytree(HERE.root, folder, ignore=shutil.ignore_patterns(*NOT_COPIED))
    with zipfile.ZipFile(folder / "submissions.zip", "w") as archive:
        for number, student in enumerate(group.students):
            path = NAMES[number][0].format(name=student.name, number=number, stem=STEM)
            archive.writestr(path, student.bytes())
    said = {}
    for command in COMMANDS:
        python, script, *arguments = shlex.split(command)
        assert (python, script) == ("python3", "course.py"), command
        if "--back" in arguments:
            mark_by_hand(group, folder / "essays.csv")
        said[command] = subprocess.run(
            [sys.executable, "-c", COURSE, *arguments],
            cwd=folder,
            # The copy is the course, also for the kernels.
            env=kernel_environment() | {"PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
        )
    return folder, said


def mark_by_hand(group, path):
    rows = marks.read_csv(path, essays.COLUMNS)
    for row in rows:
        student = next(s for s in group.students if row["student"].startswith(s.name))
        row["mark"] = student.essay * float(row["out_of"])
    marks.write_csv(path, essays.COLUMNS, rows)


def test_the_guide_goes_through_all_six_steps():
    verbs = ("release", "collect", "run", "essays", "feedback", "export")
    steps = [verb for command in COMMANDS for verb in shlex.split(command) if verb in verbs]
    assert list(dict.fromkeys(steps)) == list(verbs)


def test_the_private_variant_is_another_exercise(followed):
    folder, _ = followed
    released = folder.parent / "autumn-2027" / "exercises" / STEM / f"{STEM}.ipynb"
    assert released.read_bytes() != HERE.notebook(f"exercises/{STEM}").read_bytes()


def test_every_command_of_the_guide_works(followed):
    for command, run in followed[1].items():
        failed = 1 if " run " in command else 0  # one file is no notebook, and the guide says so
        assert run.returncode == failed, f"{command}\n{run.stdout}\n{run.stderr}"


def test_the_guide_leads_to_the_right_marks(followed, group):
    folder, _ = followed
    rows = {row["student"]: row for row in marks.read_csv(folder / "marks.csv", marks.COLUMNS)}
    assert len(rows) == len(group.students)
    for student in group.students:
        row = next(row for name, row in rows.items() if name.startswith(student.name))
        assert float(row["score"]) == sum(group.expected(student).values()), student.name
    assert len(list((folder / "feedback").rglob("*.html"))) == len(group.students) - 1


def test_what_each_command_says_is_short_and_has_no_warnings(followed):
    for command, run in followed[1].items():
        if "--help" not in command:
            assert len(run.stdout.splitlines()) <= 10, command
            assert run.stderr == "", (command, run.stderr)


def test_the_table_of_names_is_true():
    rows = re.findall(r"^\| .* \| `(.*\.ipynb)` \| `(.*)` \|$", GUIDE, re.MULTILINE)
    assert len(rows) == 6
    for path, student in rows:
        assert student_of(path, STEM) == student


def test_the_book_puts_the_tables_in():
    listed = yaml.safe_load((HERE.root / "_toc.yml").read_text("utf-8"))
    text = assignments.filled(GUIDE, listed, HERE.manifest(), rubrics=False)
    chapters = re.findall(r"file: (chapters/\S+)", (HERE.root / "_toc.yml").read_text("utf-8"))
    for week, chapter in enumerate(chapters, 1):
        assert re.search(rf"^\| {week} \| \[.*\]\(\.\./{chapter}\.ipynb\) \|", text, re.MULTILINE)
    for stem, entry in HERE.manifest().items():
        points = sum(task["points"] for task in entry["tasks"].values())
        assert f"\n{points} points, {entry['minutes']} minutes.\n" in text, stem
        for name, task in entry["tasks"].items():
            row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
            assert row.endswith(f"| {task['minutes']} | {task['points']} |")
            assert assignments.escaped(task["concept"]) in row
    assert "-->" not in text


def test_rubrics_stand_in_the_instructors_edition_alone():
    entries = HERE.manifest()
    hidden, shown = (
        "\n".join(assignments.assignments(entries, wanted)) for wanted in (False, True)
    )
    lines = [
        assignments.escaped(line)
        for entry in entries.values()
        for task in entry["tasks"].values()
        for line in task.get("rubric", ())
    ]
    assert len(lines) > 15
    assert all(line in shown and line not in hidden for line in lines)


def test_a_guide_without_its_places_is_refused():
    with pytest.raises(ValueError, match="expected this line once: <!-- the timetable"):
        assignments.filled("# Guide", {"parts": []}, {}, rubrics=False)


def test_the_manifest_says_what_the_guide_needs():
    for stem, entry in HERE.manifest().items():
        assert sum(task["minutes"] for task in entry["tasks"].values()) == entry["minutes"], stem
        for name, task in entry["tasks"].items():
            assert task["concept"] and task["misconception"], name
            if "graded by a person" in task["concept"]:
                assert len(task["rubric"]) == task["points"], name
