"""Make the derived notebooks: ``python -m tools.pipeline.notebooks [name ...] [--force]``.

    source/chapters/NN_topic.md  ->  chapters/NN_topic.ipynb
    source/evidence/NN_topic.md  ->  chapters/evidence/NN_topic.ipynb
    source/solutions/NN_topic.md ->  solutions/NN_topic/NN_topic.ipynb
                                 ->  exercises/NN_topic/NN_topic.ipynb

Only what depends on a change is executed again, and each line says why. Where
only prose, captions, alternative texts or tags changed, the outputs are kept.
A name is a number (02), a stem (02_topic), a kind (chapters) or both (chapters/02).
"""

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import nbformat

from tools.gates.rules import output_problems
from tools.pipeline import exercises
from tools.pipeline.execution import execute, warm_up
from tools.pipeline.layout import HERE, CourseError
from tools.pipeline.made_from import RECORD, made_from, not_as_pinned, reasons, stamp
from tools.pipeline.notation import read_source
from tools.pipeline.tidy import tidy, to_bytes

AT_A_TIME = 2


@dataclass
class Plan:
    """One notebook as its source says, and what is to be done.

    record: what it is made from. stored: the notebook as it is, None if there is none.
    why: the reasons to run it; empty when the stored outputs can stay.
    """

    name: str
    notebook: nbformat.NotebookNode
    record: dict
    stored: nbformat.NotebookNode | None
    why: list


def make(course, wanted=(), force=False, say=print):
    """Make the notebooks that are out of date among ``wanted`` (all, if none is named).

    Returns: the number of notebooks that could not be made.
    """
    names = _selected(course, wanted)
    if not names:
        raise CourseError(f"no source is called {' or '.join(wanted) or 'source/*/*.md'}")
    written = [name for name in names if not name.startswith("exercises/")]
    failed = _make_all(course, written, _read, _run_written, force, say)
    derived = [name for name in names if name.startswith("exercises/")]
    due = [name for name in derived if _is_due(course, name, force, say)]
    failed |= _make_all(course, due, _clear, _run_exercises, force, say)
    for name in set(due) - failed:
        _remember(course, name)
    return len(failed)


def _selected(course, wanted):
    return [name for name in course.names() if not wanted or set(wanted) & set(_called(name))]


def _called(name):
    """Return all that a notebook may be called."""
    kind, stem = name.split("/")
    number = stem.split("_")[0]
    return name, kind, stem, number, f"{kind}/{number}"


def _make_all(course, names, derive, run, force, say):
    """Derive the notebooks, keep the outputs of those that need no run, and run the others.

    Returns: the set of the names that could not be made.
    """
    plans, failed = {}, set()

    def settle(name):
        plan = _plan(course, name, derive, force)
        if plan.why:
            plans[name] = plan
        say(f"{name}: {', '.join(plan.why) + ', executing' if plan.why else _keep(course, plan)}")

    for name in names:
        failed |= _attempt(settle, name, say)
    if plans:
        _require_pins(course)
        warm_up()
        failed |= run(course, list(plans.values()), say)
    return failed


def _plan(course, name, derive, force):
    """Return what a notebook is now, and why it must be run, if it must."""
    notebook, why = derive(course, name)
    record = made_from(course, notebook)  # before it runs: somebody may be writing meanwhile
    path = course.notebook(name)
    stored = nbformat.read(path, as_version=4) if path.exists() else None
    why = ["asked for"] if force else why + reasons(record, stored)
    return Plan(name, notebook, record, stored, why)


def _attempt(step, name, say):
    """Return an empty set if the step went well, else the name, after saying what is wrong."""
    try:
        step(name)
    except CourseError as problem:
        say(f"\n{problem}\n  The notebook was left as it was.")
        return {name}
    return set()


def _require_pins(course):
    """Say that what runs here is not what would be written down, if it is not."""
    unlike = list(not_as_pinned(course))
    if unlike:
        raise CourseError(f"{', '.join(unlike)}: install what is pinned before anything is run")


def _keep(course, plan):
    """Put the stored outputs into the notebook as its source is now; return what was done."""
    for cell, old in zip(_code(plan.notebook), _code(plan.stored), strict=True):
        cell.outputs, cell.execution_count = old.outputs, old.execution_count
    of_exercise = plan.name.startswith("exercises/")
    problems = exercises.exercise_problems if of_exercise else output_problems
    _refuse(plan.name, problems(tidy(plan.notebook)))
    return f"{_what_changed(plan)} changed, outputs kept" if _store(course, plan) else "up to date"


def _store(course, plan):
    """Write the notebook, outputs and all; return whether it is another one than before."""
    path = course.notebook(plan.name)
    made = plan.stored.metadata.get(RECORD, {}).get("exercise") if plan.stored else None
    if made:  # of exactly this solution, if it turns out to be the same as before
        stamp(plan.notebook, plan.record, exercise=made)
        if path.read_bytes() == to_bytes(plan.notebook):
            return False
    stamp(plan.notebook, plan.record)
    return _write(path, to_bytes(plan.notebook))


def _what_changed(plan):
    """Return what is new in a notebook whose outputs stay."""
    parts = {"prose": "source", "captions, tags or points": "metadata"}
    for words, part in parts.items():
        if [c[part] for c in plan.notebook.cells] != [c[part] for c in plan.stored.cells]:
            return words
    return "record"


def _read(course, name):
    return read_source(course, name), []


def _run_written(course, plans, say):
    """Run chapters and solutions, some at a time; return the names that could not be made."""
    by_name = {plan.name: plan for plan in plans}
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        runs = pool.map(
            lambda name: _attempt(lambda name: _run(course, by_name[name], say), name, say), by_name
        )
        return set().union(*runs)


def _run(course, plan, say):
    started = time.perf_counter()
    folder = course.notebook(plan.name).parent
    folder.mkdir(parents=True, exist_ok=True)
    execute(plan.notebook, folder, plan.name)
    _refuse(plan.name, output_problems(tidy(plan.notebook)))
    say(_result(plan.name, _store(course, plan), started))


def _refuse(name, problems):
    if problems:
        raise CourseError(f"{name}: " + f"\n{name}: ".join(problems))


def _is_due(course, name, force, say):
    """Return whether an exercise must be made again; say so if it is not."""
    stem = name.split("/")[1]
    if not _solution(course, name).exists():
        say(f"{name}: waits for its solution")
        return False
    if force or not course.notebook(name).exists():
        return True
    stored = nbformat.read(course.notebook(name), as_version=4)
    remembered = nbformat.read(_solution(course, name), as_version=4).metadata.get(RECORD, {})
    due = (
        remembered.get("exercise") != exercises.mark(course, stem)
        or exercises.beside_differ(course, stem)
        or reasons(made_from(course, stored), stored)
    )
    if not due:
        say(f"{name}: up to date")
    return bool(due)


def _clear(course, name):
    stem = name.split("/")[1]
    why = ["files beside it changed"] if exercises.beside_differ(course, stem) else []
    return exercises.cleared(course, stem), why


def _run_exercises(course, plans, say):
    """Let nbgrader make exercises and run them; return the names that could not be made."""
    started = time.perf_counter()
    stems = [plan.name.split("/")[1] for plan in plans]
    try:
        changed = exercises.make(course, stems)
    except CourseError as problem:
        say(f"\n{problem}\n  The notebook was left as it was.")
        return {plan.name for plan in plans}
    for plan, stem in zip(plans, stems, strict=True):
        say(_result(plan.name, changed[stem], started))
    return set()


def _remember(course, name):
    """Write into a solution that the exercise, as it is now, was made of it."""
    path = _solution(course, name)
    solution = nbformat.read(path, as_version=4)
    if RECORD in solution.metadata:
        solution.metadata[RECORD]["exercise"] = exercises.mark(course, name.split("/")[1])
        _write(path, to_bytes(solution))


def _result(name, changed, started):
    seconds = time.perf_counter() - started
    return f"{name}: {'written' if changed else 'same bytes as before'} ({seconds:.1f} s)"


def _write(path, content):
    """Write ``content`` unless it is there already; return whether it was not."""
    if path.exists() and path.read_bytes() == content:
        return False
    temporary = path.with_suffix(".part")
    temporary.write_bytes(content)
    os.replace(temporary, path)
    return True


def _solution(course, name):
    return course.notebook(name.replace("exercises/", "solutions/"))


def _code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def main(arguments=None):
    """Return the exit code: 1 if a notebook could not be made."""
    parser = argparse.ArgumentParser(prog="python -m tools.pipeline.notebooks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("name", nargs="*", help="which notebooks; all if none is named")
    parser.add_argument("--force", action="store_true", help="make them even if up to date")
    options = parser.parse_args(arguments)
    try:
        return 1 if make(HERE, options.name, options.force) else 0
    except CourseError as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
