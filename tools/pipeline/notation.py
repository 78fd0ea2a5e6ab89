"""From a source text to a notebook that is not yet run.

Solutions are written in a short notation, one word a cell, which becomes
nbgrader's metadata (schema 3) here; the points come from instructor/manifest.yml:

    task: NAME      in a code cell: what the learner writes
    check: NAME     in a code cell: the locked test of it, worth the task's points
    essay: NAME     in a text cell: an answer that a person grades
    progress: true  in an empty code cell after all of them: becomes the call that shows
                    what is done and what is open
"""

import hashlib
import textwrap
from collections import Counter

import jupytext
import nbformat

from tools.pipeline.layout import CourseError

NOTATION = ("task", "check", "essay")
PROGRESS = "progress"
LINE = 74  # the longest line of code that a page shows without scrolling
MYST = {"extension": ".md", "format_name": "myst"}


def read_source(course, name):
    """Return the notebook ``name`` (``chapters/02_topic``) as its source says, without outputs."""
    path = course.source(name)
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt=MYST)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    try:
        expand(notebook, _points(course, name))
    except CourseError as problem:
        raise CourseError(f"{course.relative(path)}: {problem}") from None
    name_cells(notebook)
    nbformat.validate(notebook)
    return notebook


def expand(notebook, points):
    """Replace the short notation by nbgrader's metadata.

    points: points of each task by its name, as the manifest says; {} for a chapter.
    """
    used = {word: [] for word in NOTATION}
    tables = []
    for cell in notebook.cells:
        for word in NOTATION:
            if word in cell.metadata:
                if tables:
                    raise CourseError(f"'{word}: {cell.metadata[word]}' stands after 'progress'")
                task = cell.metadata.pop(word)
                used[word].append(task)
                cell.metadata["nbgrader"] = _grading(cell, word, task, points)
        if cell.metadata.pop(PROGRESS, False):
            tables.append(cell)
    _require_agreement(used, points)
    if points and len(tables) != 1:
        raise CourseError(f"has {len(tables)} cells 'progress: true'; exactly one ends the tasks")
    for cell in tables:
        _write_progress(cell, notebook, points)


def _write_progress(cell, notebook, points):
    """Write into the empty cell the call that shows how far the learner is."""
    if cell.cell_type != "code" or cell.source.strip():
        raise CourseError("'progress: true' belongs to an empty code cell, which is filled in here")
    answers = [c.metadata["nbgrader"] for c in notebook.cells if "nbgrader" in c.metadata]
    answers = [answer for answer in answers if answer["solution"]]
    arguments = [f"{answer['grade_id']}={points[answer['grade_id']]}" for answer in answers]
    essays = [f'"{answer["grade_id"]}"' for answer in answers if answer["grade"]]
    if essays:
        arguments.append(f"essays=[{', '.join(essays)}]")
    call = f"show_progress({', '.join(arguments)})"
    if len(call) > LINE:
        lines = textwrap.wrap(", ".join(arguments) + ",", LINE - 4, break_long_words=False)
        call = "\n".join(["show_progress(", *(f"    {line}" for line in lines), ")"])
    cell.source = f"from casebook.checks import show_progress\n\n{call}"


def _grading(cell, word, task, points):
    """Return nbgrader's metadata for one cell."""
    wanted_type = "markdown" if word == "essay" else "code"
    if cell.cell_type != wanted_type:
        raise CourseError(f"'{word}: {task}' stands in a {cell.cell_type} cell, not {wanted_type}")
    if task not in points:
        raise CourseError(f"'{word}: {task}' has no entry in instructor/manifest.yml")
    grading = {
        "grade": word != "task",
        "grade_id": f"check_{task}" if word == "check" else task,
        "locked": word == "check",
        "schema_version": 3,
        "solution": word != "check",
        "task": False,
    }
    if word != "task":
        grading["points"] = points[task]
    return grading


def _require_agreement(used, points):
    """Say which tasks of the manifest and of the source do not fit each other."""
    for answers in (used["task"] + used["essay"], used["check"]):
        twice = [task for task, count in Counter(answers).items() if count > 1]
        if twice:
            raise CourseError(f"the task '{twice[0]}' stands more than once")
    unchecked = set(used["task"]) - set(used["check"])
    if unchecked:
        raise CourseError(f"'task: {min(unchecked)}' has no 'check: {min(unchecked)}'")
    missing = set(points) - set(used["check"]) - set(used["essay"])
    if missing:
        raise CourseError(f"the manifest's task '{min(missing)}' has neither a check nor an essay")


def name_cells(notebook):
    """Give each cell an id that follows from what it is, so that ids never churn.

    Graded cells are called by their grade id: a hash of a solution would follow
    it into the exercise.
    """
    seen = Counter()
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader")
        if grading:
            cell.id = grading["grade_id"]
            continue
        content = f"{cell.cell_type}\n{cell.source}".encode()
        digest = hashlib.sha256(content).hexdigest()[:8]
        seen[digest] += 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def _points(course, name):
    kind, stem = name.split("/")
    if kind != "solutions":
        return {}
    entry = course.manifest().get(stem)
    if not entry:
        raise CourseError(f"{stem} has no entry in instructor/manifest.yml")
    return {task: details["points"] for task, details in entry["tasks"].items()}
