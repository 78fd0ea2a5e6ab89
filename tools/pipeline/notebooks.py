"""Make the derived notebooks: ``python -m tools.pipeline.notebooks [name ...] [--force]``.

    source/chapters/NN_topic.md  ->  chapters/NN_topic.ipynb
    source/solutions/NN_topic.md ->  solutions/NN_topic/NN_topic.ipynb
                                 ->  exercises/NN_topic/NN_topic.ipynb

Only what depends on a change is executed again, and each line says why. A
name is a stem (02_topic), a kind (chapters) or both (chapters/02_topic).
"""

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from tools.gates.rules import output_problems
from tools.pipeline import exercises, made_from
from tools.pipeline.execution import execute, warm_up
from tools.pipeline.layout import HERE, CourseError
from tools.pipeline.notation import read_source
from tools.pipeline.tidy import tidy, to_bytes

AT_A_TIME = 2


def make(course, wanted=(), force=False, say=print):
    """Make the notebooks that are out of date among ``wanted`` (all, if none is named).

    Returns: the number of notebooks that could not be made.
    """
    names = _selected(course, wanted)
    if not names:
        raise CourseError(f"no source is called {' or '.join(wanted) or 'source/*/*.md'}")
    written = [name for name in names if not name.startswith("exercises/")]
    due = _due(course, written, force, say)
    if due:
        warm_up()
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        failed = sum(pool.map(lambda name: _attempt(_make_written, course, name, say), due))
    derived = [name for name in names if name.startswith("exercises/")]
    due = _due(course, derived, force, say)
    if due:
        failed += _attempt(_make_exercises, course, due, say)
    return failed


def _selected(course, wanted):
    if not wanted:
        return course.names()
    return [
        name for name in course.names() if any(text in (name, *name.split("/")) for text in wanted)
    ]


def _due(course, names, force, say):
    """Say of each notebook whether it is up to date; return those that are not."""
    due = []
    for name in names:
        if name.startswith("exercises/") and not _solution(course, name).exists():
            say(f"{name}: waits for its solution")
            continue
        why = ["asked for"] if force else made_from.reasons(course, name)
        say(f"{name}: {', '.join(why) + ', executing' if why else 'up to date'}")
        due += [name] if why else []
    return due


def _attempt(step, course, what, say):
    """Return 0 if the step went well, else 1 after saying what is wrong."""
    try:
        step(course, what, say)
    except CourseError as problem:
        say(f"\n{problem}\n  The notebook was left as it was.")
        return 1
    return 0


def _make_written(course, name, say):
    started = time.perf_counter()
    inputs = made_from.inputs(course, name)  # before it runs: somebody may be writing meanwhile
    notebook = read_source(course, name)
    path = course.notebook(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    execute(notebook, path.parent, name)
    problems = output_problems(tidy(notebook))
    if problems:
        raise CourseError(f"{name}: " + f"\n{name}: ".join(problems))
    changed = _write(path, to_bytes(notebook))
    made_from.remember(course, name, inputs)
    say(_result(name, changed, started))


def _make_exercises(course, names, say):
    started = time.perf_counter()
    inputs = {name: made_from.inputs(course, name) for name in names}
    stems = [name.split("/")[1] for name in names]
    changed = exercises.make(course, stems)
    for name, stem in zip(names, stems, strict=True):
        made_from.remember(course, name, inputs[name])
        say(_result(name, changed[stem], started))


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
