"""One assignment from release to export, with a class of simulated students."""

import csv
import shutil
import zipfile
from dataclasses import dataclass

from tests.classroom.students import Class, class_of
from tools.grading import essays, marks
from tools.grading.classroom import Classroom
from tools.grading.collect import collect
from tools.pipeline.layout import HERE

IN_A_HURRY = {"Proctor": {"timeout": 8}}

# How platforms and people name what a student hands in. {name}, {number}, {stem}
NAMES = (
    ("{name}_{number}_assignsubmission_file_/{stem}.ipynb", "{name}_{number}"),
    ("{name}_{number}_9{number}_{stem}-1.ipynb", "{name}_{number}"),
    ("{name}/{stem}/{stem}.ipynb", "{name}"),
    ("class/{name}/{stem} (1).ipynb", "{name}"),
    ("{stem}_{name}.ipynb", "{name}"),
    ("{name}_LATE_{number}_9{number}_{stem}.ipynb", "{name}_{number}"),
)


@dataclass
class Cycle:
    """What came out of a class that was graded."""

    group: Class
    classroom: Classroom
    folders: dict  # of a student's name, the name of their folder
    collected: object
    failed: list
    pages: list
    rows: dict  # of the csv file, by folder

    def given(self, student):
        """Return the points of each task that the csv file says."""
        points = dict(pair.rsplit(" ", 1) for pair in self.row(student)["points"].split(", "))
        return {task: float(value) for task, value in points.items()}

    def row(self, student):
        """Return the row of the csv file."""
        return self.rows[self.folders[student.name]]

    def table(self):
        """Return submissions and marks, expected and given, as lines of text."""
        lines = [
            f"{'submission':22}{'expected':>9}{'given':>7}   by task (expected/given), remarks"
        ]
        for student in self.group.students:
            expected, given = self.group.expected(student), self.given(student)
            tasks = " ".join(f"{expected[task]:g}/{given[task]:g}" for task in expected)
            total, got = sum(expected.values()), float(self.row(student)["score"])
            remarks = self.row(student)["remarks"]
            lines.append(f"{student.name:22}{total:9g}{got:7g}   {tasks}  {remarks[:90]}".rstrip())
        return lines


def run(intake, folder):
    """Take a class through the whole cycle in an empty folder; return the :class:`Cycle`."""
    stem, group = intake.stem, class_of(intake.stem, intake.tricks, intake.only)
    shutil.copytree(HERE.root / "solutions" / stem, folder / "solutions" / stem)
    classroom = Classroom(folder)
    marks.release(classroom, stem)
    archive, folders = pack(group, folder)
    collected = collect(classroom, stem, [archive])
    hurried = [folders[name] for name in intake.hurried if name in folders]
    silent = {"say": lambda line: None}
    failed = marks.grade(classroom, stem, hurried, **silent, **IN_A_HURRY) if hurried else []
    failed += marks.grade(classroom, stem, **silent)
    mark_essays(group, classroom, folders)
    pages = marks.feedback(classroom, stem)
    marks.export(classroom, [stem], folder / "marks.csv")
    with open(folder / "marks.csv", newline="", encoding="utf-8-sig") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    return Cycle(group, classroom, folders, collected, failed, pages, rows)


def pack(group, folder):
    """Write a zip file of all submissions, each named in another way; return it and the names."""
    archive, folders = folder / "class.zip", {}
    with zipfile.ZipFile(archive, "w") as file:
        for number, student in enumerate(group.students):
            path, name = NAMES[number % len(NAMES)]
            words = {"name": student.name, "number": 100 + number, "stem": group.stem}
            file.writestr(path.format(**words), student.bytes())
            folders[student.name] = name.format(**words)
        file.writestr("__MACOSX/._a.ipynb", b"junk of a system")
        file.writestr("notes.txt", b"a letter to the teacher")
    return archive, folders


def mark_essays(group, classroom, folders):
    """Do what a teacher does with the csv file of the essays: write marks into it."""
    path = classroom.folder / "essays.csv"
    essays.write_essays(classroom, group.stem, path)
    rows = marks.read_csv(path, essays.COLUMNS)
    students = {folders[student.name]: student for student in group.students}
    for row in rows:
        row["mark"] = students[row["student"]].essay * float(row["out_of"])
        row["comment"] = f"A word to {row['student']}."
    marks.write_csv(path, essays.COLUMNS, rows)
    essays.read_essays(classroom, group.stem, path)
