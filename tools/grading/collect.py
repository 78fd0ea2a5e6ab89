"""From a zip file or a folder to submitted/<student>/<assignment>/, losing nothing.

A notebook is known by its cells, not by its name. Each is stored byte for byte. If a
student hands in again, the earlier file moves to earlier/ and the new one is graded.
"""

import json
import shutil
import zipfile
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

from tools.grading.names import is_junk, number_of_copy, student_of
from tools.pipeline.layout import CourseError

LARGEST = 50_000_000  # bytes; a notebook of this course has some 50 000


@dataclass
class Collected:
    """What became of each file: names of students, and sentences about files left out."""

    new: list = field(default_factory=list)
    again: list = field(default_factory=list)
    same: list = field(default_factory=list)
    left: list = field(default_factory=list)


def collect(classroom, stem, places):
    """Put what lies in ``places`` (zip files, folders, notebooks) into ``submitted/``.

    Returns: a :class:`Collected`. Raises: CourseError if a place is not there or no zip file.
    """
    report, chosen = Collected(), {}
    for place in places:
        for path, content in _files(Path(place), report):
            problem, student = _examine(classroom, stem, path, content)
            if problem:
                report.left.append(f"{path}: {problem}")
            else:
                chosen.setdefault(student, []).append((number_of_copy(path), path, content))
    for student, files in sorted(chosen.items()):
        files.sort(key=lambda file: file[:2])
        for number, (_, path, content) in enumerate(files, 1):
            kept = _store(classroom, student, stem, content)
            if number == len(files):
                getattr(report, kept).append(student)
            else:
                report.left.append(f"{path}: {student} handed in again; kept in earlier/")
    return report


def _files(place, report):
    """Yield path and content of each file that a person may have meant to hand in."""
    for path, size, read in _listed(place):
        if is_junk(path):
            continue
        if size > LARGEST:
            report.left.append(f"{path}: has {size} bytes; a notebook here has at most {LARGEST}")
            continue
        try:
            content = read()
        except (OSError, RuntimeError, zipfile.BadZipFile) as error:  # damaged, or a password
            report.left.append(f"{path}: cannot be read ({error})")
            continue
        yield path, content


def _listed(place):
    """Yield path, size and a function that reads the content, of each file in a place."""
    if not place.exists():
        raise CourseError(f"{place}: is not there; expected a zip file, a folder or a notebook")
    if place.is_dir():
        for path in sorted(place.rglob("*")):
            if path.is_file():
                yield path.relative_to(place).as_posix(), path.stat().st_size, path.read_bytes
    elif zipfile.is_zipfile(place):
        with zipfile.ZipFile(place) as archive:
            for item in archive.infolist():
                if not item.is_dir():
                    name = item.filename.replace("\\", "/")
                    yield name, item.file_size, partial(archive.read, item)
    elif place.suffix == ".ipynb":
        yield place.name, place.stat().st_size, place.read_bytes
    else:
        raise CourseError(f"{place}: is no zip file, no folder and no notebook")


def _examine(classroom, stem, path, content):
    """Return what is wrong with a file, or None and the student whose it is."""
    if PurePosixPath(path).suffix != ".ipynb":
        return "is no notebook (.ipynb)", None
    found = assignment_of(classroom, content)
    if found not in (None, stem):
        return f"is the assignment {found}", None
    if found is None and stem not in path:
        return f"holds no cell of {stem}, nor its name", None
    student = student_of(path, stem)
    return (None, student) if student else ("says nowhere whose it is", None)


def assignment_of(classroom, content):
    """Return the assignment with which a notebook shares most cells; None if it shares none."""
    try:
        cells = json.loads(content)["cells"]
        names = {_name(cell) for cell in cells}
    except (ValueError, KeyError, TypeError, AttributeError):
        return None  # damaged: it is collected all the same if its name says what it is
    shared = {
        stem: len(names & set(entry["tasks"])) for stem, entry in classroom.manifest().items()
    }
    best = max(shared, key=shared.__getitem__, default=None)
    return best if best and shared[best] else None


def _name(cell):
    return cell.get("metadata", {}).get("nbgrader", {}).get("grade_id") or cell.get("id")


def _store(classroom, student, stem, content):
    """Write the file unless it is there; return new, again or same."""
    path = classroom.submitted(student, stem)
    kept = "new"
    if path.exists():
        if path.read_bytes() == content:
            return "same"
        _set_aside(classroom, student, stem)
        kept = "again"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return kept


def _set_aside(classroom, student, stem):
    """Move an earlier file out of the way, and what was made from it."""
    old = classroom.submitted(student, stem)
    folder = classroom.folder / "earlier" / student / stem
    folder.mkdir(parents=True, exist_ok=True)
    number = len(list(folder.glob("*.ipynb"))) + 1
    old.rename(folder / f"{number}.ipynb")
    for made in ("autograded", "feedback"):
        shutil.rmtree(classroom.folder / made / student / stem, ignore_errors=True)
