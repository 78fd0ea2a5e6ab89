"""Which notebook is the learner's copy of an exercise, whatever it is called by now."""

from pathlib import Path

from tools.learner.copies import COMMAND, CopyError, read


def found(copies, name):
    """Return the path of the learner's copy of an exercise, also if it was renamed or moved.

    Raises: CopyError if there is none, or none that can be told from another.
    """
    if copies.mine(name).exists():
        return copies.mine(name)
    paths = [path for path in _notebooks(copies) if _exercise(copies, path) == name]
    if not paths:
        raise CopyError(f"You have no copy of {name} yet: '{COMMAND} lab' makes it.")
    if len(paths) > 1:
        raise CopyError(
            f"You have {len(paths)} copies of {name}, {', '.join(map(copies.shown, paths))}: "
            f"write the path of the one that you mean in place of {name.split('_')[0]}."
        )
    return paths[0]


def path_of(copies, text):
    """Return the path that a learner wrote in place of a number, or None if it is none.

    Raises: CopyError if there is no such file, or it lies outside of work/.
    """
    if not text.endswith(".ipynb"):
        return None
    for path in (Path(text), copies.work.parent / text, copies.work / text):
        if path.is_file():
            if not path.resolve().is_relative_to(copies.work.resolve()):
                raise CopyError(f"{text} is none of your copies: they stand in work/.")
            return copies.work / path.resolve().relative_to(copies.work.resolve())
    raise CopyError(f"There is no file {text}.")


def exercise_in(copies, path):
    """Return the name of the exercise that a notebook is a copy of, told by its cells.

    Raises: CopyError if it is a copy of none, or no notebook.
    """
    read(path, copies.shown(path))  # says what is wrong if it is no notebook
    name = _exercise(copies, path)
    if name is None:
        raise CopyError(f"{copies.shown(path)} is a copy of none of the exercises.")
    return name


def _notebooks(copies):
    """Return the learner's notebooks, without what Jupyter and a reset put aside."""
    paths = sorted(copies.work.rglob("*.ipynb"))
    return [
        p for p in paths if copies.kept not in p.parents and ".ipynb_checkpoints" not in p.parts
    ]


def _exercise(copies, path):
    """Return the exercise that shares most graded cells with a notebook; None if none does."""
    try:
        mine = _graded(read(path, copies.shown(path)))
    except CopyError:
        return None
    names = copies.names()
    shared = [len(mine & _graded(read(copies.original(name), name))) for name in names]
    return names[shared.index(max(shared))] if any(shared) else None


def _graded(notebook):
    """Return the names of the cells that nbgrader knows in a notebook."""
    gradings = (cell.get("metadata", {}).get("nbgrader", {}) for cell in notebook["cells"])
    return {grading.get("grade_id") for grading in gradings} - {None}
