"""The learner's copies of the exercises, in work/: made once, never overwritten.

``python -m tools.learner.copies`` makes those that are missing and says in one sentence each
what it did and what it left. Started by ``course.py lab``, in the Python of the set-up.
"""

import contextlib
import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

import nbformat.v4
from nbformat.sign import NotebookNotary

ROOT = Path(__file__).resolve().parents[2]
COMMAND = "py course.py" if os.name == "nt" else "python3 course.py"


class CopyError(Exception):
    """What stands in the way, in one sentence for the learner."""


class Copies:
    """The exercises of a course and what a learner has of them.

    root: folder of the course; the copies stand in its folder work/.
    """

    def __init__(self, root):
        self.originals, self.work = root / "exercises", root / "work"
        self.kept = self.work / "kept"  # what a reset puts aside

    def names(self):
        """Return the names of the exercises, such as 02_attention_by_hand."""
        found = self.originals.glob("*/*.ipynb")
        return sorted({path.parent.name for path in found if path.stem == path.parent.name})

    def find(self, text):
        """Return the name of the exercise that is meant: its name, or only its number."""
        number = text.zfill(2) if text.isdecimal() else None
        for name in self.names():
            if text == name or number == name.split("_")[0]:
                return name
        raise CopyError(f"There is no exercise '{text}': choose from {', '.join(self.names())}.")

    def original(self, name):
        """Return the path of the notebook of an exercise, as the course has it now."""
        return self.originals / name / f"{name}.ipynb"

    def mine(self, name):
        """Return the path of the learner's copy of it."""
        return self.work / name / f"{name}.ipynb"

    def shown(self, path):
        """Return a path as it is written in messages, from the course's folder, with slashes."""
        return path.relative_to(self.work.parent).as_posix()


def start(copies):
    """Copy what the learner does not have yet; return a sentence for each thing to know.

    A copy is never overwritten: where the course has a newer exercise than the one that was
    copied, a sentence says how to get it beside.
    """
    versions = Versions(copies)
    copied, left, told = [], [], []
    for name in copies.names():
        try:
            is_new = _copy_missing(copies, name, versions)
            (copied if is_new else left).append(name)
            told += [] if is_new else _what_to_know(copies, name, versions)
        except CopyError as problem:  # the other exercises are none the worse for it
            told.append(str(problem))
    versions.save()
    return [
        *([f"Copied to work/: {', '.join(copied)}."] if copied else []),
        *([f"Left as you have them in work/: {', '.join(left)}."] if left else []),
        *told,
    ]


def put_beside(copies, name):
    """Copy the exercise as it is now beside the learner's copy; return the sentence that says so.

    Raises: CopyError if there is no copy yet.
    """
    mine = copies.mine(name)
    if not mine.exists():
        raise CopyError(f"You have no copy of {name} yet: '{COMMAND} lab' makes it.")
    versions = Versions(copies)
    text = copies.original(name).read_bytes()
    new = write_new(mine.parent, f"{name}_new", ".ipynb", text)
    trust(new)
    versions.note(copies.original(name))
    versions.save()
    return f"The exercise as it is now stands beside yours, as {copies.shown(new)}."


class Versions:
    """Which version of each file the learner was given, in a hidden file of work/."""

    def __init__(self, copies):
        self.copies, self.path = copies, copies.work / ".versions.json"
        try:
            given = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError):  # none yet, or damaged: what is there now counts as given
            given = {}
        self.given = given if isinstance(given, dict) else {}

    def note(self, original):
        """Remember that the learner has, or has been given, this version of the file."""
        self.given[self._key(original)] = _version(original)

    def newer(self, original):
        """Return whether the course's file has changed since the learner was given it."""
        return self.given.setdefault(self._key(original), _version(original)) != _version(original)

    def save(self):
        """Write down what was given."""
        text = json.dumps(self.given, indent=1, sort_keys=True) + "\n"
        write(self.path, text.encode("utf-8"))

    def _key(self, original):
        return original.relative_to(self.copies.originals).as_posix()


def _version(path):
    """Return a hash of a file's text; of a notebook, only what its cells say counts."""
    content = path.read_bytes().replace(b"\r\n", b"\n")
    if path.suffix == ".ipynb":
        cells = json.loads(content)["cells"]
        content = json.dumps([[cell["cell_type"], cell["source"]] for cell in cells]).encode()
    return hashlib.sha256(content).hexdigest()[:16]


def _files(folder):
    """Return the files of an exercise, without what Jupyter and Python leave behind."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    left_behind = {".ipynb_checkpoints", "__pycache__"}
    return [path for path in found if not left_behind & set(path.parts)]


def _copy_missing(copies, name, versions):
    """Copy the files that have nothing in their place; return whether the notebook was one."""
    copied = []
    for original in _files(copies.originals / name):
        goal = copies.work / original.relative_to(copies.originals)
        if not os.path.lexists(goal):
            write(goal, original.read_bytes())
            versions.note(original)
            copied.append(goal)
    if copies.mine(name) not in copied:
        return False
    trust(copies.mine(name))
    return True


def _what_to_know(copies, name, versions):
    """Yield a sentence if the learner's copy cannot be read, or a newer exercise exists."""
    mine = copies.mine(name)
    try:
        read(mine, copies.shown(mine))
    except CopyError as problem:
        yield f"{problem} Rename it, and '{COMMAND} lab' gives you a fresh one."
    if versions.newer(copies.original(name)):
        number = name.split("_")[0]
        yield (
            f"The course has a newer {name} than your copy, which stays as it is: "
            f"'{COMMAND} reset {number} --beside' puts the new one beside it."
        )


def read(path, shown):
    """Return the notebook at ``path`` as JSON holds it; raise CopyError if it is none."""
    try:
        notebook = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as problem:
        raise CopyError(f"{shown} cannot be read ({problem.strerror}).") from None
    except ValueError as problem:
        where = f"line {problem.lineno}" if hasattr(problem, "lineno") else "not text"
        raise CopyError(f"{shown} is no readable notebook ({where}): it was left alone.") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    is_list = isinstance(cells, list) and all(isinstance(cell, dict) for cell in cells)
    if not is_list or notebook.get("nbformat") != 4:
        raise CopyError(f"{shown} is no notebook of today's form: it was left alone.")
    return notebook


def write(path, content):
    """Write a whole file or none: an interruption leaves no half of it."""
    path = path.resolve()
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        if path.exists():
            shutil.copymode(path, part)
        os.replace(part, path)
    except OSError as problem:
        with contextlib.suppress(OSError):
            part.unlink()
        raise CopyError(f"{path} cannot be written ({problem.strerror}).") from None


def write_new(folder, stem, suffix, content):
    """Write a file under the first free of the names stem, stem_2, stem_3 and so on."""
    number = 1
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        path = folder / f"{stem}{f'_{number}' if number > 1 else ''}{suffix}"
        with contextlib.suppress(FileExistsError), path.open("xb") as file:
            file.write(content)
            return path
        number += 1


def trust(path):
    """Let JupyterLab show the figures stored in a notebook before they are run."""
    NotebookNotary().sign(_as_jupyter_reads_it(path))


def trusted(path):
    """Return whether JupyterLab shows what is stored in a notebook."""
    return NotebookNotary().check_signature(_as_jupyter_reads_it(path))


def _as_jupyter_reads_it(path):
    return nbformat.v4.reads(path.read_text(encoding="utf-8"))


def main():
    """Return the exit code: 1 if something stood in the way."""
    try:
        print("\n".join(start(Copies(ROOT))))
    except CopyError as problem:
        print(problem)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
