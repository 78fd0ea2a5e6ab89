"""A class: what each of its students hands in, and the points that each task deserves.

An expected mark is never taken from a run. It is the sum of the points of the tasks whose
answer is a right one of the bank, where a test cell can be trusted.
"""

import copy
from dataclasses import dataclass, field

import nbformat
from nbformat.v4 import new_code_cell

from tests.classroom import answers
from tests.classroom.tricks import (
    ENDLESS_AND_STUBBORN,
    FLOOD,
    FORGET_GRADER,
    HIDE_ERRORS,
    PATCH_CHECKS,
    PATCH_DEEP,
    READ_SOLUTIONS,
    REBIND,
)
from tools.pipeline.layout import HERE

ESSAY = "Because a sum of many terms is large: this is the answer of {student}, in their words."


@dataclass
class Student:
    """One submission. right: names of the tasks that deserve their points."""

    name: str
    notebook: object
    right: set
    essay: float = 0  # share of an essay's points that the teacher gives
    content: bytes | None = None  # in place of the notebook
    remark: str = ""  # what the export must say

    def bytes(self):
        """Return the file that is handed in."""
        if self.content is not None:
            return self.content
        return nbformat.writes(self.notebook).encode("utf-8")


@dataclass
class Class:
    """All submissions of an assignment, and the points that they deserve."""

    stem: str
    tasks: dict  # points by name
    essays: list
    students: list = field(default_factory=list)

    @property
    def coded(self):
        """Return the tasks that a check marks."""
        return [task for task in self.tasks if task not in self.essays]

    def expected(self, student):
        """Return the points of each task that a student deserves."""
        essay = {task: student.essay * self.tasks[task] for task in self.essays}
        return {t: essay.get(t, self.tasks[t] if t in student.right else 0) for t in self.tasks}


def stems():
    """Return the assignments that have a solution and whose tasks are all in the bank."""
    found = sorted(path.parent.name for path in (HERE.root / "solutions").glob("*/*.ipynb"))
    manifest = HERE.manifest()
    return [
        stem
        for stem in found
        if stem in manifest and set(_class(stem).coded) <= set(answers.bank())
    ]


def class_of(stem, tricks=(), only=None):
    """Return a class for the assignment.

    tricks: names of those of :data:`tests.classroom.tricks.TRICKS` that somebody tries.
    only: the names of the students to have, all if not given.
    """
    group = _class(stem)
    maker = _Maker(group)
    maker.right_ones()
    maker.wrong_ones()
    maker.unfinished()
    maker.damaged()
    maker.cheats()
    for name in tricks:
        getattr(maker, name)()
    if only is not None:
        group.students = [student for student in group.students if student.name in only]
    return group


def exercise(stem):
    return nbformat.read(HERE.notebook(f"exercises/{stem}"), as_version=4)


def _class(stem):
    tasks = {task: entry["points"] for task, entry in HERE.manifest()[stem]["tasks"].items()}
    essays = [
        cell.metadata.nbgrader.grade_id
        for cell in exercise(stem).cells
        if cell.cell_type == "markdown" and "nbgrader" in cell.metadata
    ]
    return Class(stem, tasks, essays)


class _Maker:
    """Adds students to a class."""

    def __init__(self, group):
        self.group, self.tasks = group, group.coded
        self.first, self.second, *_ = self.tasks

    def add(self, name, typed, right, essay=0.0, **more):
        """Add a student who types ``typed``: source by task. Return the notebook."""
        notebook = exercise(self.group.stem)
        for cell in notebook.cells:
            task = _name(cell)
            if task in typed:
                cell.source = typed[task]
            if task in self.group.essays and essay:
                cell.source = ESSAY.format(student=name)
        self.group.students.append(Student(name, notebook, set(right), essay, **more))
        return notebook

    def right(self, style=0):
        """Return right answers to all tasks, by task."""
        texts = {task: answers.bank()[task][0] for task in self.tasks}
        return {task: found[style % len(found)] for task, found in texts.items()}

    def wrong(self, which=0):
        """Return wrong answers to all tasks, by task."""
        texts = {task: answers.bank()[task][1] for task in self.tasks}
        return {task: found[which % len(found)] for task, found in texts.items()}

    def right_ones(self):
        for style, essay in enumerate((1.0, 0.5, 0.2)):
            self.add(f"Right-{style + 1}", self.right(style), self.tasks, essay)

    def wrong_ones(self):
        """Students who are wrong in different ways; each after the first is right somewhere."""
        self.add("Wrong-1", self.wrong(), ())
        for number, start in ((2, 0), (3, 1)):
            right = self.tasks[start::2]
            typed = self.wrong(4 * number) | {task: self.right(3)[task] for task in right}
            self.add(f"Wrong-{number}", typed, right, essay=0.4)

    def unfinished(self):
        self.add("Untouched", {}, ())
        half = self.tasks[: len(self.tasks) // 2]
        self.add("Half-done", {task: self.right()[task] for task in half}, half)

    def damaged(self):
        first, second, rest = self.first, self.second, self.tasks[1:]
        cells = self.add("Deleted", self.right(), rest, remark="").cells
        gone = (first, f"check_{first}", f"check_{second}", *self.group.essays)
        cells[:] = [cell for cell in cells if _name(cell) not in gone]

        typed = self.wrong(1) | {task: self.right()[task] for task in rest[1:]}
        for cell in self.add("Tests-edited", typed, rest[1:]).cells:
            if cell.metadata.get("nbgrader", {}).get("locked"):
                cell.source = 'print("[ok] right on every input tried.")'

        cells = self.add("Doubled", self.right(), self.tasks, essay=0.6).cells
        for index in reversed(range(len(cells))):
            if _name(cells[index]) in (first, f"check_{second}", *self.group.essays):
                cells.insert(index, copy.deepcopy(cells[index]))
        self.group.students.append(
            Student("Not-a-notebook", None, set(), content=b'{"cells": [', remark="is no notebook")
        )

    def cheats(self):
        tricks = f"{self.wrong()[self.first]}\n{FORGET_GRADER}{REBIND}"
        self.add("Rebinds-all", self.wrong() | {self.first: tricks}, ())
        self.add("Reads-solutions", {}, ())
        read = new_code_cell(READ_SOLUTIONS.replace("STEM", self.group.stem))
        self.group.students[-1].notebook.cells.insert(2, read)  # before the first task

    def rebinds(self):
        tricks = f"{self.wrong()[self.first]}\n{REBIND}"
        self.add("Rebinds", self.right() | {self.first: tricks}, self._without(self.first))

    def forgets_the_grader(self):
        tricks = f"{self.wrong()[self.first]}\n{FORGET_GRADER}"
        self.add("Forgets", self.right() | {self.first: tricks}, self._without(self.first))

    def changes_its_inputs(self):
        for task in self.tasks:
            text = answers.in_place(task)
            if text:
                right = [other for other in self.tasks if other != task]
                self.add("Changes-inputs", self.right() | {task: text}, right)
                return

    def patches(self):
        self._patch("Patches", PATCH_CHECKS)

    def patches_deep(self):
        self._patch("Patches-deep", PATCH_DEEP)

    def _patch(self, name, patch):
        typed = self.wrong() | {self.first: self.right()[self.first]}
        typed[self.second] += f"\n{patch}"  # from here on no check can be trusted
        self.add(name, typed, {self.first}, remark="this notebook changed")

    def hides_errors(self):
        typed = self.wrong(2)
        typed[self.first] += f"\n{HIDE_ERRORS}"
        self.add("Hides-errors", typed, ())

    def endless_loop(self):
        name = answers.asked_names()[self.second]
        loop = f"def {name}(*inputs):\n    while True:\n        pass"
        self.add("Endless-loop", self.right() | {self.second: loop}, self._without(self.second))

    def endless_and_stubborn(self):
        typed = self.right() | {self.second: ENDLESS_AND_STUBBORN}
        right = self._without(self.second)
        self.add("Endless-and-stubborn", typed, right, remark="did not end in time")

    def crash(self):
        dies = "import os\n\n\ndef {}(*inputs):\n    os._exit(1)"
        typed = self.right() | {self.second: dies.format(answers.asked_names()[self.second])}
        self.add("Crash", typed, self._without(self.second), remark="ended the kernel")

    def killed(self):
        typed = self.right() | {self.first: "import os\nos.kill(os.getpid(), 9)"}
        self.add("Killed", typed, self._without(self.first), remark="ended the kernel")

    def huge_output(self):
        typed = self.right() | {self.first: f"print('x' * 30_000_000)\n{self.right()[self.first]}"}
        self.add("Huge-output", typed, self.tasks)

    def flood(self):
        right = self._without(self.second)
        typed = self.right() | {self.second: FLOOD}
        self.add("Flood", typed, right, remark="did not end in time")

    def _without(self, task):
        return [other for other in self.tasks if other != task]


def _name(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id")
