"""From solutions to exercises, by nbgrader's own preprocessors (see nbgrader_config.py)."""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import nbformat

from tools.gates.rules import output_problems
from tools.pipeline.execution import kernel_environment
from tools.pipeline.layout import HERE, CourseError

MARKS = ("### BEGIN SOLUTION", "### END SOLUTION", "### BEGIN HIDDEN TESTS")


@contextmanager
def derived(course, stems):
    """Give a temporary folder that holds the exercise of each of ``stems``, a folder each.

    Raises: CourseError with nbgrader's own words if it fails.
    """
    with tempfile.TemporaryDirectory(prefix="exercises-") as temporary:
        root = Path(temporary)
        for stem in stems:
            shutil.copytree(course.root / "solutions" / stem, root / "solutions" / stem)
        command = [sys.executable, "-m", "nbgrader", "generate_assignment", "--no-db", "--force"]
        command += [f"--CourseDirectory.root={root}", "--NbGrader.logfile=", "*"]
        environment = kernel_environment() | {"PYTHONPATH": _search_path()}
        run = subprocess.run(
            command, cwd=course.root, env=environment, capture_output=True, text=True
        )
        missing = [stem for stem in stems if not (root / "exercises" / stem).is_dir()]
        if run.returncode or missing:
            raise CourseError(f"nbgrader made no exercise of {missing or stems}:\n{run.stderr}")
        yield root / "exercises"


def make(course, stems):
    """Make the exercises ``stems`` and put them in place.

    Returns: by stem, True if a file changed. Raises: CourseError if an exercise
    holds what it must not; the old one then stays.
    """
    with derived(course, stems) as made:
        for stem in stems:
            problems = exercise_problems(made / stem / f"{stem}.ipynb")
            if problems:
                raise CourseError(f"exercises/{stem}: " + f"\nexercises/{stem}: ".join(problems))
        return {
            stem: _put_in_place(made / stem, course.root / "exercises" / stem) for stem in stems
        }


def exercise_problems(path):
    """Return a sentence for each thing in a made exercise that a learner must not meet."""
    notebook = nbformat.read(path, as_version=4)
    problems = output_problems(notebook)
    for cell in notebook.cells:
        problems += [
            f"cell {cell.id}: still holds '{mark}'" for mark in MARKS if mark in cell.source
        ]
    return problems


def _put_in_place(new, old):
    """Make the folder ``old`` like ``new``; return whether it was not."""
    wanted = {path.relative_to(new) for path in new.rglob("*") if path.is_file()}
    present = {path.relative_to(old) for path in old.rglob("*") if path.is_file()}
    changed = False
    for name in wanted:
        if name not in present or not filecmp.cmp(new / name, old / name, shallow=False):
            (old / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(new / name, old / name)
            changed = True
    for name in present - wanted:
        if ".ipynb_checkpoints" not in name.parts:
            (old / name).unlink()
            changed = True
    return changed


def _search_path():
    given = os.environ.get("PYTHONPATH", "")
    return os.pathsep.join([str(HERE.root), given] if given else [str(HERE.root)])
