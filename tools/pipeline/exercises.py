"""From solutions to exercises, by nbgrader's own preprocessors (see nbgrader_config.py).

``make`` lets nbgrader make an exercise and run it. ``cleared`` stops before the run: where the
stored outputs can stay, that is enough. Both give the same bytes, and tools/gates/drift.py makes
sure of it.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import nbformat
from traitlets.config.loader import PyFileConfigLoader

from tools.gates.rules import output_problems
from tools.pipeline.execution import kernel_environment
from tools.pipeline.layout import ASSIGNMENTS, HERE, CourseError
from tools.pipeline.made_from import hash_of, pins, without_words

CONFIG = "nbgrader_config.py"
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
            problems = exercise_problems(_read(made / stem / f"{stem}.ipynb"))
            if problems:
                raise CourseError(f"exercises/{stem}: " + f"\nexercises/{stem}: ".join(problems))
        return {
            stem: _put_in_place(made / stem, course.root / "exercises" / stem) for stem in stems
        }


def cleared(course, stem):
    """Return the exercise of a solution as nbgrader clears it, not yet run.

    Raises: CourseError with nbgrader's own words if it cannot be cleared.
    """
    from nbgrader.preprocessors import Execute, SaveCells  # takes seconds: only where needed

    with mock.patch.object(sys, "path", list(sys.path)):  # the configuration adds to it
        config = PyFileConfigLoader(CONFIG, path=str(course.root)).load_config()
    steps = config.GenerateAssignment.preprocessors
    notebook = nbformat.read(course.notebook(f"solutions/{stem}"), as_version=4)
    resources = {"unique_key": stem}
    for step in steps[: steps.index(Execute)]:
        if step is not SaveCells:  # it writes down for the grader what was hidden
            try:
                notebook, resources = step(config=config)(notebook, resources)
            except (RuntimeError, ValueError) as problem:
                raise CourseError(f"nbgrader made no exercise of {stem}: {problem}") from None
    return notebook


def beside_differ(course, stem):
    """Return whether other files than notebooks lie beside the solution and the exercise."""
    folders = [course.root / kind / stem for kind in ASSIGNMENTS]
    found = [{p.relative_to(f): p.read_bytes() for p in _others(f)} for f in folders]
    return found[0] != found[1]


def mark(course, stem):
    """Return a hash of the stored exercise and of what made it, which its solution remembers."""
    versions = pins(course)
    how = [f"{name}=={versions.get(name)}" for name in ("nbgrader", "nbconvert")]
    config = without_words((course.root / CONFIG).read_text("utf-8"))
    stored = course.notebook(f"exercises/{stem}").read_text("utf-8")
    return hash_of("\n".join([*how, config, stored]))


def exercise_problems(notebook):
    """Return a sentence for each thing in a made exercise that a learner must not meet."""
    problems = output_problems(notebook)
    for cell in notebook.cells:
        problems += [
            f"cell {cell.id}: still holds '{mark}'" for mark in MARKS if mark in cell.source
        ]
    return problems


def _read(path):
    return nbformat.read(path, as_version=4)


def _others(folder):
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".ipynb")
    return [path for path in found if not {".ipynb_checkpoints", "__pycache__"} & set(path.parts)]


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
