"""Whose file is it? What learning platforms and people call the files of a class.

Each form below is one that a platform writes, or a person. ``student_of`` tries them in
this order, on the path inside the zip file or folder.
"""

import re
import unicodedata
from pathlib import PurePosixPath

JUNK = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini")
COPY = re.compile(r"(?:[ _-]*(?:\((\d+)\)|[Cc]opy ?(\d*)|-(\d+)))+$")
BROWSER_COPY = re.compile(r"(?: *\(\d+\)|[ _-]*[Cc]opy ?\d*)+$")  # for a name such as s-12

# Moodle: Surname Given_12345_assignsubmission_file_/name.ipynb, or all of it in one file name.
MOODLE = re.compile(r"^(?P<student>.+_\d+)_assignsubmission_file_?(?P<name>.*)$")
# Canvas: surnamegiven_123_456_name-1.ipynb; LATE stands before the numbers.
CANVAS = re.compile(r"^(?P<student>[^_]+(?:_LATE)?_\d+)_\d+_(?P<name>.+)$")
# Blackboard: Homework 2_s123456_attempt_2026-10-05-12-30-00_name.ipynb
BLACKBOARD = re.compile(r"^.*?_?(?P<student>[^_]+)_attempt_\d{4}(?:-\d{2}){5}(?:_(?P<name>.+))?$")


def is_junk(path):
    """Tell whether a file only says something about the system that packed it."""
    return any(part in JUNK or part.startswith("._") for part in PurePosixPath(path).parts)


def student_of(path, stem):
    """Return the student's name in a path, fit for a folder's name; None if there is none.

    path: as in the zip file or below the folder, with slashes. stem: the assignment's name.
    """
    parts = PurePosixPath(path).with_suffix("").parts
    for part in reversed(parts):
        for form in (MOODLE, CANVAS, BLACKBOARD):
            match = form.match(part)
            if match:
                return cleaned(match["student"].replace("_LATE", ""))
    *folders, name = parts
    around = _around(name, stem)
    if around:
        return cleaned(around)
    folders = [folder for folder in folders if _without_copy(folder) != stem]
    return cleaned(folders[-1]) if folders else None


def number_of_copy(path):
    """Return the highest number that a platform or a browser put behind a name; 0 if none did.

    ``name-2.ipynb``, ``name (2).ipynb`` and ``name-Copy2.ipynb`` are all 2.
    """
    match = COPY.search(PurePosixPath(path).stem)
    numbers = [int(number or 1) for number in match.groups() if number is not None] if match else []
    return max(numbers, default=0)


def cleaned(student):
    """Return a student's name with nothing in it that a folder's name cannot hold everywhere."""
    text = unicodedata.normalize("NFC", student).strip()
    return re.sub(r"[^\w.@-]+", "-", text).strip("-._") or None


def _without_copy(name):
    return COPY.sub("", name)


def _around(name, stem):
    """Return what stands before or behind the assignment's name in a file's name."""
    before, found, behind = name.partition(stem)
    if not found or (not before and not _without_copy(behind)):
        return None
    return before.strip(" _-") or BROWSER_COPY.sub("", behind).strip(" _-") or None
