"""The one command of the course: python3 course.py VERB, with one of these verbs

  book       build the HTML book and say where it is; with --instructors, in a folder of
             its own, the edition that holds the solutions
  lab        open JupyterLab on your copies of the exercises, in work/
  reset      put one task's cell back as it was: course.py reset 02 NAME (no name: a list)
  grade      grade a class with nbgrader: see instructor/guide.md
  cohort     make assignments with other numbers: course.py cohort NAME --to FOLDER
  test       run everything that must hold: course.py test [step ...]
  notebooks  make the derived notebooks: course.py notebooks [name ...]

The first run makes .venv and installs the pinned packages; later runs reuse it.
"""

from __future__ import print_function

import sys

# No syntax newer than Python 2.7 in this file: an old Python must get as far as this sentence.
if sys.version_info < (3, 11):
    sys.exit(
        "The course needs Python 3.11 or newer, and this is Python %d.%d: install a newer one "
        "and run course.py with it." % sys.version_info[:2]
    )

import contextlib
import hashlib
import json
import os
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "course-stamp.json"
LOG = ROOT / "_build" / "setup.log"
# Settings of JupyterLab: open at the exercises, ask the internet for nothing (news, updates).
JUPYTER = ROOT / "tools" / "learner" / "jupyter"
INSTRUCTORS = "--instructors"
READERS = "requirements.txt"
DEVELOPERS = "requirements-dev.txt"  # holds those of the readers too

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


class Steps(object):
    """Numbered steps, each with its name and seconds, and a table of them at the end."""

    def __init__(self, number_of_steps):
        self.number_of_steps = number_of_steps
        self.rows = []

    @contextlib.contextmanager
    def step(self, name):
        """Announce the step, run the block, note how it ended; a failed block does not stop."""
        title = "[%d/%d] %s" % (len(self.rows) + 1, self.number_of_steps, name)
        print("\n" + title, flush=True)
        started = time.time()
        result = "failed"
        try:
            yield
            result = "ok"
        except StepError as problem:
            print(problem)
        finally:
            seconds = time.time() - started
            self.rows.append((name, seconds, result))
            print("%s: %s after %.0f s" % (title, result, seconds), flush=True)

    def table(self):
        """Print the table; return True if every step ended well."""
        print("\n%-44s %8s  %s" % ("step", "seconds", "result"))
        for name, seconds, result in self.rows:
            print("%-44s %8.0f  %s" % (name, seconds, result))
        print("%-44s %8.0f" % ("all", sum(seconds for _, seconds, _ in self.rows)), flush=True)
        return all(result == "ok" for _, _, result in self.rows)


def set_up(requirements):
    """Make .venv and install what ``requirements`` pins, unless that was done before."""
    wanted = fingerprint(requirements)
    stamps = read_stamps()
    if is_set_up(requirements):
        print("The set-up of an earlier run is still right: reused.")
        return
    LOG.parent.mkdir(exist_ok=True)
    if not healthy():
        print("Making %s with Python %d.%d" % ((VENV.name,) + sys.version_info[:2]))
        make_environment()
    # No stamp while packages change: an interrupted set-up is done again.
    STAMP.unlink(missing_ok=True)
    install(requirements)
    call("-c", "import matplotlib.font_manager")  # its first import makes a list of all fonts
    if requirements == DEVELOPERS:
        stamps[READERS] = fingerprint(READERS)
    stamps[requirements] = wanted
    STAMP.write_text(json.dumps(stamps, indent=1))


def is_set_up(requirements):
    """Return whether the set-up was done, and with the pins of now."""
    return PYTHON.exists() and read_stamps().get(requirements) == fingerprint(requirements)


def fingerprint(requirements):
    """Return a hash of all that decides what the set-up makes."""
    names = [READERS, "pyproject.toml"] + [DEVELOPERS] * (requirements == DEVELOPERS)
    digest = hashlib.sha256(("%s %s" % (ROOT, python_version())).encode("utf-8"))
    for name in names:
        digest.update((ROOT / name).read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def python_version():
    """Return the version of the Python that runs this, as in 3.12."""
    return "%d.%d" % sys.version_info[:2]


def read_stamps():
    """Return what was set up, a fingerprint for each file of pins."""
    try:
        return json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}


def healthy():
    """Return whether .venv is there, of this Python version, and able to install."""
    if not PYTHON.exists():
        return False
    program = "import pip, sys; print('%d.%d' % sys.version_info[:2])"
    try:
        run = subprocess.run([str(PYTHON), "-c", program], capture_output=True, text=True)
    except OSError:
        return False
    return run.returncode == 0 and run.stdout.strip() == python_version()


def make_environment():
    """Make .venv anew; what Python says goes to the log."""
    with LOG.open("w") as log:
        command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
        failed = subprocess.call(command, stdout=log, stderr=subprocess.STDOUT)
    if failed:
        raise StepError(
            "Python could not make a virtual environment (on Debian and Ubuntu: install the "
            "package python3-venv); its own words are in %s." % LOG
        )


def install(requirements):
    """Install the pins, showing how far it is; pip's own words go to the log."""
    n_packages = count_packages(requirements)
    command = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    # The pins are complete, and most of what they bring is never imported: neither is
    # worth the time to work out or to compile.
    command += ["--no-deps", "--no-compile", "-r", requirements]
    print("Installing %d packages (the first time this takes a minute or two)" % n_packages)
    with LOG.open("a") as log:
        process = subprocess.Popen(command, cwd=str(ROOT), stdout=log, stderr=subprocess.STDOUT)
        try:
            show_progress(process, n_packages)
        except BaseException:
            process.terminate()
            raise
    if process.returncode:
        words = LOG.read_text(errors="replace")
        signs = ("Connection", "Read timed out", "No matching distribution", "resolution")
        if any(sign in words for sign in signs):
            raise StepError(
                "A download failed: check the network and run the same command again; "
                "pip's own words are in %s." % LOG
            )
        raise StepError("pip could not install the packages; its own words are in %s." % LOG)


def count_packages(requirements):
    """Return how many packages a file of pins installs."""
    lines = (ROOT / requirements).read_text().splitlines()
    if requirements == DEVELOPERS:
        lines += (ROOT / READERS).read_text().splitlines()
    return sum("==" in line for line in lines)


def show_progress(process, n_packages):
    """Say every few seconds how many of the packages pip has fetched."""
    pause = 2 if sys.stdout.isatty() else 20
    start = "\r" if sys.stdout.isatty() else ""
    end = "" if sys.stdout.isatty() else "\n"
    while True:
        try:
            process.wait(timeout=pause)
            break
        except subprocess.TimeoutExpired:
            words = LOG.read_text(errors="replace")
            if "Installing collected packages" in words:
                text = "all fetched, unpacking"
            else:
                fetched = min(words.count("\nCollecting "), n_packages)
                text = "%d of %d fetched" % (fetched, n_packages)
            print("%s  %-30s" % (start, text), end=end, flush=True)
    print(start, end="")


def call(*command, **options):
    """Run a command of the set-up Python in the repository; a failure stops the step."""
    run = subprocess.run([str(PYTHON)] + list(command), cwd=str(ROOT), **options)
    if run.returncode:
        raise StepError("This step failed (exit code %d)." % run.returncode)


def build_book(folder="."):
    """Build the book from the stored outputs; a warning is a failure.

    folder: what is built goes into _build/html in it. _ext/coursebook/edition.py adds the
    solutions in the folder of the instructors, and nowhere else.
    """
    # --all: else a page that did not change keeps the style sheets of an earlier build.
    options = ["--all", "-W", "--keep-going", "--quiet", "--path-output", folder]
    call("-c", BUILD, "build", ".", *options)


def test_browser():
    """Open every page in a browser."""
    call("-m", "tools.gates.browser")  # finds or installs one, else says how to
    call("-m", "pytest", "tests/book", "-q", "-n", "2", "--dist", "loadscope")


def test_lab():
    """Work an exercise in JupyterLab."""
    call("-m", "tools.gates.browser")
    call("-m", "pytest", "tests/lab", "-q")


def lint():
    """Ask the linter, the type checker and the gate of docstrings."""
    call("-m", "ruff", "check", ".")
    call("-m", "ruff", "format", "--check", ".")
    call("-m", "ty", "check", "--output-format", "concise")
    call("-m", "tools.gates.docstrings")


def compare_notebooks():
    """Run every notebook and compare its outputs with the stored ones."""
    call("-m", "tools.gates.nbval_run")


def plant_faults():
    """Plant faults in the package, and demand that the notebooks notice."""
    call("-m", "tools.gates.mutation")


OTHER_STEPS = ["--ignore=tests/%s" % name for name in ("book", "classroom", "lab")]
TESTS = (
    ("lint", "lint (ruff, ty, docstrings)", lint),
    (
        "unit",
        "unit tests (pytest)",
        lambda: call("-m", "pytest", "tests", *OTHER_STEPS, "-q", "-n", "2"),
    ),
    (
        "class",
        "a class handed in and graded (nbgrader)",
        # Three: some of the class keep the grader waiting, and that takes no computing.
        lambda: call("-m", "pytest", "tests/classroom", "-q", "-n", "3", "--dist", "loadscope"),
    ),
    ("drift", "derived files agree with sources", lambda: call("-m", "tools.gates.drift")),
    (
        "notebooks",
        "every notebook run and compared (nbval)",
        compare_notebooks,
    ),
    (
        "mutation",
        "planted faults are noticed (mutation)",
        plant_faults,
    ),
    ("book", "book built, no warnings", build_book),
    ("browser", "every page in a browser", test_browser),
    ("lab", "an exercise worked in JupyterLab", test_lab),
)


def book(arguments):
    """Set up, build the book in the edition asked for, print its address."""
    if arguments not in ([], [INSTRUCTORS]):
        raise StepError("book takes %s or nothing; got %s." % (INSTRUCTORS, " ".join(arguments)))
    folder = "_build/instructors" if arguments else "."
    steps = Steps(2)
    with steps.step("set-up"):
        set_up(READERS)
    if steps.rows[-1][2] == "ok":
        with steps.step("book"):
            build_book(folder)
    if not steps.table() or len(steps.rows) < 2:
        return 1
    page = ROOT / folder / "_build" / "html" / "index.html"
    print("\nThe book is ready: open %s" % page.as_uri())
    if arguments:
        print("It holds the solutions: do not publish it. The book for learners is another one.")
    return 0


def test(arguments):
    """Set up, run every step (or those named) to its end, print what failed."""
    known = [name for name, _, _ in TESTS]
    for name in arguments:
        if name not in known:
            raise StepError(
                "There is no test step '%s': choose from %s." % (name, ", ".join(known))
            )
    chosen = [test for test in TESTS if not arguments or test[0] in arguments]
    steps = Steps(1 + len(chosen))
    with steps.step("set-up"):
        set_up(DEVELOPERS)
    if steps.rows[-1][2] == "ok":
        for _, title, check in chosen:
            with steps.step(title):
                check()
    return 0 if steps.table() else 1


def lab(arguments):
    """Set up, copy to work/ the exercises that are not there yet, open JupyterLab there."""
    steps = Steps(1)
    with steps.step("set-up"):
        set_up(READERS)
    if steps.rows[-1][2] != "ok":
        return 1
    call("-m", "tools.learner.copies")
    settings = [str(JUPYTER)] + os.environ.get("JUPYTER_CONFIG_PATH", "").split(os.pathsep)
    environment = dict(os.environ, JUPYTER_CONFIG_PATH=os.pathsep.join(filter(None, settings)))
    # The root is the course, so that links from an exercise to its chapter work.
    command = ["-m", "jupyterlab", "--ServerApp.root_dir=%s" % ROOT] + arguments
    call(*command, env=environment)
    return 0


def reset(arguments):
    """Put a task's cell back into the learner's copy of an exercise; the work is kept aside."""
    if not is_set_up(READERS):
        set_up(READERS)
    return subprocess.call([str(PYTHON), "-m", "tools.learner.reset"] + arguments, cwd=str(ROOT))


def grade(arguments):
    """Release, collect, mark, give back: what an instructor does with a class."""
    if not is_set_up(DEVELOPERS):
        set_up(DEVELOPERS)
    environment = dict(os.environ, PYTHONPATH=str(ROOT))  # files are named from where you are
    return subprocess.call([str(PYTHON), "-m", "tools.grading"] + arguments, env=environment)


def cohort(arguments):
    """Make a private variant of the assignments; its folder is named from where you are."""
    if not is_set_up(DEVELOPERS):
        set_up(DEVELOPERS)
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    return subprocess.call([str(PYTHON), "-m", "tools.cohort.make"] + arguments, env=environment)


def notebooks(arguments):
    """Set up, make the derived notebooks that are out of date."""
    steps = Steps(2)
    with steps.step("set-up"):
        set_up(DEVELOPERS)
    if steps.rows[-1][2] == "ok":
        with steps.step("notebooks"):
            call("-m", "tools.pipeline.notebooks", *arguments)
    return 0 if steps.table() else 1


VERBS = {
    "book": book,
    "test": test,
    "lab": lab,
    "reset": reset,
    "grade": grade,
    "cohort": cohort,
    "notebooks": notebooks,
}


def main(arguments):
    """Do what the command line says; return the exit code."""
    if not arguments or arguments[0] not in VERBS:
        print(__doc__)
        return 0 if not arguments or arguments[0] in ("help", "-h", "--help") else 2
    try:
        return VERBS[arguments[0]](arguments[1:])
    except StepError as problem:
        print(problem)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted; the same command takes it up again.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
