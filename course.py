"""The one command of the course: python3 course.py VERB, with one of these verbs

  book       build the HTML book and say where it is
  lab        open JupyterLab on your copies of the exercises, in work/
  reset      put one task's cell of your copy back as it was
  grade      grade a class with nbgrader: see instructor/guide.md
  cohort     make assignments with other numbers, words or seeds
  test       run everything that must hold
  notebooks  make the derived notebooks

The first run makes .venv and installs the pinned packages; later runs reuse it.
python3 course.py VERB --help says more about one of them.
"""

from __future__ import print_function

import sys

# No syntax newer than Python 2.7 in this file: an old Python must get as far as this sentence.
if sys.version_info < (3, 11):
    sys.exit(
        "The course needs Python 3.11 or newer, and this is Python %d.%d: install a newer one "
        "and run course.py with it." % sys.version_info[:2]
    )

import hashlib
import json
import os
import subprocess
from pathlib import Path

from tools.gates import steps
from tools.gates.steps import StepError

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
    """Build the book from the stored outputs, into _build/html in ``folder``."""
    call(*steps.build_command(folder))


def book(arguments):
    """Set up, build the book in the edition asked for, print its address."""
    if arguments not in ([], [INSTRUCTORS]):
        raise StepError("book takes %s or nothing; got %s." % (INSTRUCTORS, " ".join(arguments)))
    folder = "_build/instructors" if arguments else "."
    table = steps.Table(2)
    with table.step("set-up"):
        set_up(READERS)
    if table.rows[-1][2] == "ok":
        with table.step("book"):
            build_book(folder)
    if not table.show() or len(table.rows) < 2:
        return 1
    page = ROOT / folder / "_build" / "html" / "index.html"
    print("\nThe book is ready: open %s" % page.as_uri())
    if arguments:
        print("It holds the solutions: do not publish it. The book for learners is another one.")
    return 0


def test(arguments):
    """Set up, run every step (or those named) to its end, print what failed."""
    full = "--full" in arguments
    chosen = steps.choose([name for name in arguments if name != "--full"])
    table = steps.Table(1)
    with table.step("set-up"):
        set_up(DEVELOPERS)
    if table.rows[-1][2] != "ok":
        return 1
    if full:
        os.environ["COURSE_FULL"] = "1"
    return steps.run(chosen, PYTHON, ROOT)


def lab(arguments):
    """Set up, copy to work/ the exercises that are not there yet, open JupyterLab there."""
    table = steps.Table(1)
    with table.step("set-up"):
        set_up(READERS)
    if table.rows[-1][2] != "ok":
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
    table = steps.Table(2)
    with table.step("set-up"):
        set_up(DEVELOPERS)
    if table.rows[-1][2] == "ok":
        with table.step("notebooks"):
            call("-m", "tools.pipeline.notebooks", *arguments)
    return 0 if table.show() else 1


VERBS = {
    "book": book,
    "lab": lab,
    "reset": reset,
    "grade": grade,
    "cohort": cohort,
    "test": test,
    "notebooks": notebooks,
}
HELP = {
    "book": """book [--instructors]

Set up what readers need, build the HTML book from the stored outputs (nothing is executed),
and print its address.

  --instructors  the edition with the solutions, in a folder of its own; do not publish it""",
    "lab": """lab [option of JupyterLab ...]

Set up what readers need, copy to work/ the exercises that are not there yet, and open
JupyterLab there. What you have in work/ is never overwritten.""",
    "reset": """reset [EXERCISE [TASK | --beside]]

Put the cell of one task of your copy in work/ back as it was, as in: course.py reset 02 turn.
What you had is kept aside. --beside puts the whole exercise, as it is now, beside yours.
Without a task: a list of them.""",
    "grade": """grade STEP ...

Release, collect, mark and give back the work of a class. instructor/guide.md says how.""",
    "cohort": """cohort NAME --to FOLDER

Make a private variant of the assignments, with other numbers, words or seeds.
instructor/guide.md says how.""",
    "test": """test [--full] [STEP ...]

Set up what developers need, then run everything that must hold, or the steps named, two of
unlike kinds at a time. At the end stand the seconds of each step and what was slowest.

  --full  all planted faults, not only those in what was touched and a sample, and all pairs of
          mistakes that the checks know, not only a sample (COURSE_FULL=1)

The steps:
%s"""
    % steps.listed(),
    "notebooks": """notebooks [NAME ...]

Set up what developers need, and make the derived notebooks that are out of date; of all
or of those named, as in: course.py notebooks 05_positional_clocks.""",
}


TOOLS = {"grade": "tools.grading", "cohort": "tools.cohort.make"}  # they have more to say
ASKS = ("help", "-h", "--help")


def explain(verb):
    """Print what a verb does, without setting anything up."""
    print("python3 course.py " + HELP[verb])
    if verb in TOOLS and is_set_up(DEVELOPERS):
        print(flush=True)
        return VERBS[verb](["--help"])
    return 0


def main(arguments):
    """Do what the command line says; return the exit code."""
    verb = arguments[0] if arguments else ""
    about = arguments[1] if verb in ASKS and len(arguments) > 1 else verb
    if about in VERBS and (verb in ASKS or arguments[1:] and arguments[1] in ASKS):
        return explain(about)
    if verb not in VERBS:
        print(__doc__)
        return 0 if verb in ("",) + ASKS else 2
    try:
        return VERBS[verb](arguments[1:])
    except StepError as problem:
        print(problem)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted; the same command takes it up again.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
