"""The steps of ``course.py test``, and what runs them: two at a time, of unlike kinds.

A step either computes (it keeps the cores busy) or mostly waits (for a kernel or a browser).
One of each runs at a time, so that a step that waits does not hold a core. What a step prints is
kept in _build/test/<step>.log and shown when it ends. At the end stand the seconds of each step
and the slowest notebooks, pages and tests, from _build/timings/<step>.json:
{"notebooks" or "pages" or "tests": {name: seconds}}.

Only the standard library: course.py imports this before anything is installed.
"""

import contextlib
import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass

SLOWEST = ("notebooks", "pages", "tests")  # three of each are named
PATIENCE = 10  # seconds that interrupted steps have to end by themselves
NEWS = 30  # seconds between two lines that say what runs
PYTEST = ("-m", "pytest", "-p", "tools.gates.timings", "-q")
# What the command jupyter-book does, but that a failed build ends without a traceback.
BUILD = """
import sys
from jupyter_book.cli.main import main
try:
    main()
except RuntimeError as error:
    sys.exit(str(error))
"""


class StepError(Exception):
    """What went wrong, in one sentence for the person at the keyboard."""


@dataclass(frozen=True)
class Step:
    """A step of the test: what the set-up Python runs, one command after the other.

    kind: "computes" or "waits".
    after: the step whose result it needs, if that runs too.
    """

    name: str
    title: str
    kind: str
    commands: tuple
    after: str = ""


def build_command(folder="."):
    """Return the command that builds the book from the stored outputs; a warning is a failure.

    folder: what is built goes into _build/html in it. _ext/coursebook/edition.py adds the
    solutions in the folder of the instructors, and nowhere else.
    """
    # --all: else a page that did not change keeps the style sheets of an earlier build.
    options = ("--all", "-W", "--keep-going", "--quiet", "--path-output", folder)
    return ("-c", BUILD, "build", ".", *options)


BROWSER = ("-m", "tools.gates.browser")  # finds or installs one, else says how to
LINT = (
    ("-m", "ruff", "check", "."),
    ("-m", "ruff", "format", "--check", "."),
    ("-m", "ty", "check", "--output-format", "concise"),
    ("-m", "tools.gates.docstrings"),
    ("-m", "tools.gates.faults"),
)
OTHER_STEPS = tuple(f"--ignore=tests/{name}" for name in ("book", "classroom", "lab"))
UNIT = (*PYTEST, "tests", *OTHER_STEPS, "-n", "2")
# Three: some of the class keep the grader waiting, and that takes no computing.
CLASS = (*PYTEST, "tests/classroom", "-n", "3", "--dist", "loadscope")
PAGES = (*PYTEST, "tests/book", "-n", "2", "--dist", "loadscope")
STEPS = (
    Step("lint", "lint (ruff, ty, docstrings, faults)", "computes", LINT),
    Step("book", "book built, no warnings", "computes", (build_command(),)),
    Step("unit", "unit tests (pytest)", "computes", (UNIT,)),
    Step("class", "a class handed in and graded (nbgrader)", "waits", (CLASS,)),
    Step("drift", "derived files agree with sources", "computes", (("-m", "tools.gates.drift"),)),
    Step(
        "notebooks",
        "every notebook run and compared (nbval)",
        "computes",
        (("-m", "tools.gates.nbval_run"),),
    ),
    Step(
        "mutation",
        "planted faults are noticed (mutation)",
        "computes",
        (("-m", "tools.gates.mutation"),),
    ),
    Step("browser", "every page in a browser", "waits", (BROWSER, PAGES), after="book"),
    Step(
        "lab",
        "an exercise worked in JupyterLab",
        "waits",
        (BROWSER, (*PYTEST, "tests/lab")),
    ),
)


def choose(names):
    """Return the steps with these names, all if there are none, in their order.

    Raises: StepError if a name is unknown.
    """
    known = [step.name for step in STEPS]
    for name in names:
        if name not in known:
            raise StepError(f"There is no test step '{name}': choose from {', '.join(known)}.")
    return [step for step in STEPS if not names or step.name in names]


def listed():
    """Return the steps, a line each, for a person."""
    return "\n".join(f"  {step.name:10} {step.title}" for step in STEPS)


class Table:
    """Numbered steps that run here, one after the other, with their seconds and results."""

    def __init__(self, number_of_steps):
        self.number_of_steps = number_of_steps
        self.rows = []

    @contextlib.contextmanager
    def step(self, name):
        """Announce the step, run the block, note how it ended; a failed block does not stop."""
        title = f"[{len(self.rows) + 1}/{self.number_of_steps}] {name}"
        print(f"\n{title}", flush=True)
        started = time.monotonic()
        result = "failed"
        try:
            yield
            result = "ok"
        except StepError as problem:
            print(problem)
        finally:
            seconds = time.monotonic() - started
            self.rows.append((name, seconds, result))
            print(f"{title}: {result} after {seconds:.0f} s", flush=True)

    def show(self):
        """Print the table; return True if every step ended well."""
        _table(self.rows, sum(seconds for _, seconds, _ in self.rows), print)
        return all(result == "ok" for _, _, result in self.rows)


class Running:
    """A step that runs; its children form a group, so that they can be ended together."""

    def __init__(self, step, python, root, alone):
        self.step, self.python, self.root = step, python, root
        self.started = time.monotonic()
        self.log = root / "_build" / "test" / f"{step.name}.log"
        self.timings = root / "_build" / "timings" / f"{step.name}.json"
        for path in (self.log, self.timings):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
        self.output = None if alone else self.log.open("wb")  # alone: it may speak at once
        self.commands = list(step.commands)
        self.next()

    def next(self):
        """Start the next command."""
        self.process = subprocess.Popen(
            [str(self.python), *self.commands.pop(0)],
            cwd=self.root,
            env=dict(os.environ, COURSE_TIMINGS=str(self.timings), PYTHONUNBUFFERED="1"),
            stdout=self.output,
            stderr=subprocess.STDOUT if self.output else None,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def result(self):
        """Return None while it runs, then "ok" or what went wrong."""
        code = self.process.poll()
        if code == 0 and self.commands:
            self.next()
            code = None
        if code is None:
            return None
        if self.output:
            self.output.close()
        return f"failed (exit code {code})" if code else "ok"

    def seconds(self):
        """Return how long it has run."""
        return time.monotonic() - self.started

    def send(self, number):
        """Send a signal to the step and all its children."""
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, number)
            else:
                self.process.terminate()


def run(steps, python, root, say=print):
    """Run the steps, print what became of them, return the exit code.

    python: the one of the set-up. root: the repository, in which they run.
    """
    signal.signal(signal.SIGTERM, _interrupted)
    waiting, running, rows = list(steps), [], []
    started = told = time.monotonic()
    try:
        while waiting or running:
            _start(waiting, running, rows, lambda step: Running(step, python, root, len(steps) < 2))
            for one in [one for one in running if one.result()]:
                running.remove(one)
                rows.append((one.step, one.seconds(), one.result()))
                _show(one, f"{len(rows)}/{len(steps)}", say)
            if running and time.monotonic() - told > NEWS:
                told = time.monotonic()
                now = ", ".join(f"{one.step.name} ({one.seconds():.0f} s)" for one in running)
                say(f"... running: {now}", flush=True)
            time.sleep(0.1)
    except KeyboardInterrupt:
        _end(running)
        raise
    named = [(step.title, took, result) for step, took, result in rows]
    _table(named, time.monotonic() - started, say)
    _slowest(root, steps, say)
    return 0 if all(result == "ok" for _, _, result in rows) else 1


def _interrupted(number, frame):
    raise KeyboardInterrupt


def _start(waiting, running, rows, start):
    """Start what may run now: one of each kind at a time, and none before what it needs."""
    ended = {step.name: result for step, _, result in rows}
    names = [step.name for step in waiting] + [one.step.name for one in running]
    for step in list(waiting):
        if ended.get(step.after, "ok") != "ok":
            waiting.remove(step)
            rows.append((step, 0.0, f"failed (it needs '{step.after}')"))
        elif step.after not in names and step.kind not in [one.step.kind for one in running]:
            waiting.remove(step)
            running.append(start(step))


def _show(one, number, say):
    """Print what a step printed, and how it ended."""
    say(f"\n[{number}] {one.step.title}", flush=True)
    if one.output:
        say(one.log.read_text("utf-8", errors="replace").rstrip(), flush=True)
    say(f"[{number}] {one.step.title}: {one.result()} after {one.seconds():.0f} s", flush=True)


def _end(running):
    """End all that runs, with its children: by an interrupt, and if that is not heard, hard."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for one in running:
        one.send(signal.SIGINT)
    until = time.monotonic() + PATIENCE
    for one in running:
        with contextlib.suppress(subprocess.TimeoutExpired):
            one.process.wait(max(0, until - time.monotonic()))
        one.send(getattr(signal, "SIGKILL", signal.SIGTERM))
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _table(rows, seconds, say):
    say(f"\n{'step':44} {'seconds':>8}  result")
    for title, took, result in rows:
        say(f"{title:44} {took:8.0f}  {result}")
    say(f"{'all':44} {seconds:8.0f}", flush=True)


def _slowest(root, steps, say):
    """Print the three slowest notebooks, pages and tests of these steps."""
    times = {kind: {} for kind in SLOWEST}
    for step in steps:
        path = root / "_build" / "timings" / f"{step.name}.json"
        for kind, found in json.loads(path.read_text("utf-8") if path.exists() else "{}").items():
            times[kind].update(found)
    for kind, found in times.items():
        slowest = sorted(found.items(), key=lambda item: -item[1])[:3]
        if slowest:
            said = ", ".join(f"{name} ({seconds:.0f} s)" for name, seconds in slowest)
            say(f"slowest {kind}: {said}", flush=True)
