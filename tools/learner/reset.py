"""Put one task's cell back as it was: ``python -m tools.learner.reset [exercise [task]]``.

Started by ``course.py reset``, in the Python of the set-up. What the learner wrote goes to
work/kept/ first, under a name that nothing had before; then the notebook is written anew.
"""

import copy
import json
import sys
from dataclasses import dataclass

from tools.learner import which_copy
from tools.learner.copies import (
    COMMAND,
    ROOT,
    Copies,
    CopyError,
    put_beside,
    read,
    trust,
    trusted,
    write,
    write_new,
)

USAGE = f"""\
{COMMAND} reset 02 NAME        puts the cell of a task back as it was, and yours aside
{COMMAND} reset 02 --beside    puts the exercise as it is now beside yours

A copy that you renamed is found by its cells. If you have several, write the path of the one
you mean in place of the number.

If the notebook is open, save it first. The tasks:
"""
RELOAD = "If the notebook is open in JupyterLab, choose File > Reload Notebook from Disk."


@dataclass
class Change:
    """What a reset did to one cell.

    sentence: what was done, or "" if the cell was as it should be.
    replaced: the learner's cells that are no longer in the notebook.
    """

    sentence: str
    replaced: list


def reset(copies, name, task, path=None):
    """Put the cell of a task back into the learner's copy, and its check if that has suffered.

    path: which copy; None looks for it (:func:`tools.learner.which_copy.found`).
    Returns: sentences for the learner. Raises: CopyError if it cannot be done; the notebook is
    then as it was.
    """
    original = read(copies.original(name), copies.shown(copies.original(name)))
    if task not in tasks(original):
        known = ", ".join(tasks(original))
        raise CopyError(f"{name} has no task '{task}': choose from {known}.")
    path = path or which_copy.found(copies, name)
    notebook = read(path, copies.shown(path))
    elsewhere = [] if path == copies.mine(name) else [f"Your copy is {copies.shown(path)}."]
    changes = [
        _put_back(notebook, original, cell)
        for cell in original["cells"]
        if _grade_id(cell) in (task, f"check_{task}")
    ]
    if not any(change.sentence for change in changes):
        return [*elsewhere, f"The cell of {task} is as it was made: nothing was changed."]
    said = [*elsewhere, *(change.sentence for change in changes if change.sentence)]
    for cell in [cell for change in changes for cell in change.replaced]:
        said.append(f"What you had is kept in {_keep(copies, name, cell)}.")
    was_trusted = trusted(path)
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"  # as JupyterLab writes it
    write(path, text.encode("utf-8"))
    if was_trusted:
        trust(path)
    return [*said, RELOAD]


def tasks(notebook):
    """Return the names of the tasks of a notebook, in reading order."""
    gradings = [_grading(cell) for cell in notebook["cells"]]
    return [grading["grade_id"] for grading in gradings if grading.get("solution")]


def _put_back(notebook, original, wanted):
    """Make the learner's notebook hold the cell ``wanted`` once, as the original has it."""
    cells, name = notebook["cells"], _grade_id(wanted)
    found = [cell for cell in cells if _is_same(cell, wanted)]
    if len(found) == 1 and _says_the_same(found[0], wanted):
        return Change("", [])
    fresh = _not_run(wanted, with_id=any("id" in cell for cell in cells))
    if not found:
        cells.insert(_place(cells, original["cells"], wanted), fresh)
        return Change(f"The cell of {name} was gone, and is back in its place.", [])
    cells[_index(cells, found[0])] = fresh
    for cell in found[1:]:
        del cells[_index(cells, cell)]
    replaced = [cell for cell in found if _source(cell) != _source(wanted)]
    if len(found) > 1:
        return Change(f"The {len(found)} cells of {name} are one again, as it was.", replaced)
    return Change(f"The cell of {name} is as it was.", replaced)


def _place(cells, originals, wanted):
    """Return where to put a missing cell: behind the nearest one that stands before it."""
    before = originals[: _index(originals, wanted)]
    for original in reversed(before):
        for index, cell in enumerate(cells):
            if _is_same(cell, original):
                return index + 1
    return 0


def _is_same(cell, original):
    """Return whether a learner's cell is this cell of the original, whatever it says now."""
    name = _grade_id(original)
    if name:
        return name in (_grade_id(cell), cell.get("id"))
    return cell.get("id") == original["id"] or _source(cell) == _source(original)


def _says_the_same(cell, original):
    kinds = (cell.get("cell_type"), _grade_id(cell)), (original["cell_type"], _grade_id(original))
    return kinds[0] == kinds[1] and _source(cell) == _source(original)


def _not_run(original, with_id):
    """Return a copy of a cell without outputs."""
    cell = copy.deepcopy(original)
    if cell["cell_type"] == "code":
        cell.update(execution_count=None, outputs=[])
    if not with_id:  # a notebook of a form that knows no ids
        del cell["id"]
    return cell


def _keep(copies, name, cell):
    """Write what a cell says into a new file; return how the file is called in messages."""
    suffix = ".py" if cell.get("cell_type") == "code" else ".md"
    stem = _grade_id(cell) or cell["id"]
    content = _source(cell).encode("utf-8", "backslashreplace")
    return copies.shown(write_new(copies.kept / name, stem, suffix, content + b"\n"))


def _source(cell):
    """Return what a cell says, which a file holds as one text or as its lines."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _grading(cell):
    metadata = cell.get("metadata")
    return metadata.get("nbgrader", {}) if isinstance(metadata, dict) else {}


def _grade_id(cell):
    return _grading(cell).get("grade_id")


def _index(cells, wanted):
    """Return where this very cell stands; an equal one does not count."""
    return next(index for index, cell in enumerate(cells) if cell is wanted)


def _listing(copies, names):
    """Return the tasks of each exercise, a line each."""
    width = max(map(len, names), default=0)
    lines = [
        f"{name:{width}}  {', '.join(tasks(read(copies.original(name), name)))}" for name in names
    ]
    return "\n".join(lines)


def main(arguments):
    """Do what ``course.py reset`` was asked; return the exit code."""
    copies = Copies(ROOT)
    try:
        if not arguments or arguments[0] in ("help", "-h", "--help"):
            print(USAGE + _listing(copies, copies.names()))
            return 0
        path = which_copy.path_of(copies, arguments[0])
        name = which_copy.exercise_in(copies, path) if path else copies.find(arguments[0])
        if len(arguments) == 1:
            print(USAGE + _listing(copies, [name]))
        elif len(arguments) > 2:
            raise CopyError(f"One task at a time: got {', '.join(arguments[1:])}.")
        elif arguments[1] == "--beside":
            print(put_beside(copies, name))
        else:
            print("\n".join(reset(copies, name, arguments[1], path)))
    except CopyError as problem:
        print(problem)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
