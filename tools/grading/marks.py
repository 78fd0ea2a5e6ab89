"""Release, grade, give back, export: what nbgrader does, one student at a time."""

import csv
import re
from typing import Any

import nbformat

from tools.grading.proctor import trouble
from tools.pipeline.layout import CourseError

COLUMNS = ("assignment", "student", "score", "max_score", "points", "remarks")
OPEN = "open"  # in place of the points of an essay that nobody marked yet

# Words that an answer has no need for; the instructor reads what stands around them.
WORTH_READING = (
    r"casebook\.checks\.\w+",
    r"\b(?:sys\.modules|get_ipython|setattr|ctypes|gc\.get|sys\._getframe|__code__)\b",
)


def release(classroom, stem):
    """Make the assignment from its solution, and note its tasks and points in the gradebook."""
    result = classroom.nbgrader().generate_assignment(stem, force=True)
    if not result["success"]:
        raise CourseError(f"nbgrader could not release {stem}:\n{result.get('log', '')}")
    return classroom.folder / "exercises" / stem / f"{stem}.ipynb"


def grade(classroom, stem, students=(), again=False, say=print, **settings):
    """Run and mark what was handed in, each student apart; return the names that failed.

    students: only these; all if none is named. again: also those who have a mark already.
    settings: see :meth:`Classroom.nbgrader`.
    """
    _require(stem, classroom.released(), "is not in the gradebook: release it first")
    for student in students:
        _require(student, classroom.students(stem), f"handed in no {stem}")
    nbgrader = classroom.nbgrader(**settings)
    failed = []
    for student in students or classroom.students(stem):
        if classroom.autograded(student, stem).exists() and not again:
            say(f"{student}: has a mark already")
            continue
        result = nbgrader.autograde(stem, student, force=True)
        if "KeyboardInterrupt" in result.get("error", ""):  # nbgrader swallows it
            raise KeyboardInterrupt
        problem = None if result["success"] else reason(classroom, student, stem, result)
        say(f"{student}: {problem or _points_in_words(classroom, student, stem)}")
        failed += [student] if problem else []
    return failed


def reason(classroom, student, stem, result):
    """Return why a notebook could not be graded, in one sentence."""
    problem = unreadable(classroom.submitted(student, stem))
    if problem:
        return problem
    lines = [line for line in (result.get("log") or result.get("error", "")).splitlines() if line]
    said = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Entry)\b", line)]
    return f"nbgrader could not grade it: {(said or lines or ['it did not say why'])[-1]}"


def unreadable(path):
    """Return why a file is no notebook, in one sentence; None if it is one."""
    try:
        nbformat.validate(nbformat.reads(path.read_text("utf-8"), as_version=4))
    except (ValueError, KeyError, AttributeError, TypeError, nbformat.ValidationError) as error:
        words = str(error).splitlines() or [type(error).__name__]
        return f"the file is no notebook ({words[0][:80]})"
    return None


def feedback(classroom, stem):
    """Make a page for each student whose notebook was run; return the paths of the pages."""
    result = classroom.nbgrader().generate_feedback(stem, force=True)
    if not result["success"]:
        raise CourseError(f"nbgrader could not make all pages:\n{result.get('log', '')}")
    return sorted((classroom.folder / "feedback").glob(f"*/{stem}/{stem}.html"))


def rows(classroom, stem):
    """Return one dict a student, with :data:`COLUMNS`: marks, and what to look at."""
    _require(stem, classroom.released(), "is not in the gradebook: release it first")
    found = []
    with classroom.gradebook() as gradebook:
        most = gradebook.find_assignment(stem).max_score
        for student in classroom.students(stem):
            points = points_of(classroom, gradebook, student, stem)
            found.append(
                {
                    "assignment": stem,
                    "student": student,
                    "score": sum(value for value in points.values() if value != OPEN),
                    "max_score": most,
                    "points": ", ".join(f"{task} {_short(v)}" for task, v in points.items()),
                    "remarks": "; ".join(remarks(classroom, student, stem)),
                }
            )
    return found


def points_of(classroom, gradebook, student, stem):
    """Return the points of each task by its name, :data:`OPEN` for an essay without a mark."""
    points: dict[str, Any] = dict.fromkeys(classroom.manifest()[stem]["tasks"], 0.0)
    if not classroom.autograded(student, stem).exists():
        return points  # it could not be run; nbgrader would call all of its tasks open
    for mark in gradebook.find_submission(stem, student).notebooks[0].grades:
        is_open = mark.manual_score is None and mark.auto_score is None
        points[mark.name.removeprefix("check_")] = OPEN if is_open else mark.score
    return points


def remarks(classroom, student, stem):
    """Return what an instructor should know of a submission besides its marks."""
    path = classroom.autograded(student, stem)
    if not path.exists():
        return [unreadable(classroom.submitted(student, stem)) or "not graded"]
    notebook, found = nbformat.read(path, as_version=4), []
    for cell in notebook.cells:
        where = cell.metadata.get("nbgrader", {}).get("grade_id", "a cell of their own")
        found += [
            f"{where}: {output.evalue or 'this cell did not end in time.'}"
            for output in trouble(cell)
        ]
        if cell.cell_type == "code" and not cell.metadata.get("nbgrader", {}).get("locked"):
            words = [word for form in WORTH_READING for word in re.findall(form, cell.source)]
            found += [f"{where}: read it, it says {words[0]}"] if words else []
    return found


def export(classroom, stems, path):
    """Write all marks of the assignments ``stems`` to a csv file; return how many rows."""
    found = [row for stem in stems for row in rows(classroom, stem)]
    write_csv(path, COLUMNS, found)
    return len(found)


def write_csv(path, columns, found):
    """Write a csv file that spreadsheets take for UTF-8."""
    with open(path, "w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows({key: _short(value) for key, value in row.items()} for row in found)


def read_csv(path, columns):
    """Return the rows of a csv file; raise CourseError if it or a column is missing."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            # Spreadsheets of some countries write a semicolon between the cells.
            between = ";" if file.readline().count(";") >= len(columns) - 1 > 0 else ","
            file.seek(0)
            reader = csv.DictReader(file, delimiter=between)
            found = [{key: value or "" for key, value in row.items()} for row in reader]
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: cannot be read as a csv file ({error})") from None
    missing = [name for name in columns if name not in (reader.fieldnames or ())]
    if missing:
        raise CourseError(f"{path}: has no column {missing[0]}; expected {', '.join(columns)}")
    return found


def _require(name, known, sentence):
    if name not in known:
        raise CourseError(f"{name}: {sentence}")


def _points_in_words(classroom, student, stem):
    with classroom.gradebook() as gradebook:
        points = points_of(classroom, gradebook, student, stem)
    given = sum(value for value in points.values() if value != OPEN)
    essay = ", an essay to mark" if OPEN in points.values() else ""
    return f"{_short(given)} points{essay}"


def _short(value):
    """Return a whole number without its decimals."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
