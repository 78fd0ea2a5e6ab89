"""Which faults the mutation run takes on an ordinary day: what was touched, and a sample."""

import random
import subprocess
from collections import defaultdict

from tools.gates.faults import home, homes

NOTEBOOKS = 3  # that the sample is drawn from: the run does not grow with the book
PER_NOTEBOOK = 20
AT_MOST = 120  # of those that were touched


def choose(course, faults, notebook_of, say):
    """Return the faults in functions that changed since the base, and a sample of the others.

    The base is the commit at which this branch left main, or the one before HEAD. A function
    that was only moved counts as it was. The sample is drawn from the id of HEAD, so the same
    commit has the same sample: some notebooks first, since a notebook costs more than a fault.
    notebook_of: a function that returns the notebook in which a fault is tried first.
    say: is told what was chosen.
    """
    head = _git(course, "rev-parse", "HEAD")
    base = base_commit(course)
    touched = touched_since(course, base, faults) if base else []
    package = sorted((course.root / "casebook").rglob("*.py"))
    files = b"".join(path.read_bytes() for path in package)
    draw = random.Random(head or files)
    taken = list(_some(draw, touched, AT_MOST))
    others = defaultdict(list)
    for fault in faults:
        if fault not in touched:
            others[notebook_of(fault)].append(fault)
    notebooks = _some(draw, sorted(others), NOTEBOOKS)
    for notebook in notebooks:
        taken += _some(draw, others[notebook], PER_NOTEBOOK)
    since = f"since {base[:9]}" if base else "(no earlier commit is known here)"
    say(
        f"{len(touched)} of {len(faults)} faults stand in functions touched {since}; with a sample "
        f"of the others, drawn from {head[:9] or 'the files'}, {len(taken)} are tried"
    )
    return [fault for fault in faults if fault in taken]


def _some(draw, things, most):
    return things if len(things) <= most else draw.sample(things, most)


def base_commit(course):
    """Return the commit that the work is compared with; "" if none is known."""
    head = _git(course, "rev-parse", "HEAD")
    for main in ("main", "origin/main"):
        base = _git(course, "merge-base", "HEAD", main)
        if base and base != head:
            return base
    return _git(course, "rev-parse", "HEAD^")


def touched_since(course, base, faults):
    """Return the faults whose function is not to be found in casebook as it was at ``base``.

    What is not committed yet counts.
    """
    names = _git(
        course, "diff", "--name-only", "--relative", "--no-renames", base, "--", "casebook"
    ).split("\n")
    untracked = _git(course, "ls-files", "--others", "--exclude-standard", "--", "casebook")
    changed = {name for name in [*names, *untracked.split("\n")] if name.endswith(".py")}
    before = set()
    for name in names:
        if name.endswith(".py"):
            before |= homes(_git(course, "show", f"{base}:./{name}"))
    return [f for f in faults if f"casebook/{f.file}" in changed and home(course, f) not in before]


def _git(course, *arguments):
    """Return what git says, without the last line's end; "" if it cannot."""
    command = ["git", "-C", str(course.root), *arguments]
    try:
        run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    except OSError:
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""
