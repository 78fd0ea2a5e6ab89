"""Compare one notebook by nbval in a process of its own that starts with everything imported.

The processes are forked from one that has imported NumPy, matplotlib, IPython and pytest
(where the system cannot fork, each imports them anew: slower, with the same result). So a
notebook costs little more than its own computing.
"""

import contextlib
import multiprocessing
import os
import sys
import tempfile
from multiprocessing import forkserver
from pathlib import Path
from unittest import mock

import IPython.core.interactiveshell  # noqa: F401 (imported here for the forks)
import ipywidgets  # noqa: F401
import matplotlib.figure  # noqa: F401
import pytest

import tools.gates.nbval_gates  # noqa: F401
import tools.gates.nbval_in_process  # noqa: F401
from tools.pipeline.execution import kernel_environment
from tools.pipeline.layout import CourseError

NOTEBOOK_SECONDS = 600
STOPPED_AT_A_FAILURE = (1, 2)  # pytest's exit codes for a failed cell, and for a refused notebook
OPTIONS = ("--nbval", "--nbval-current-env", "--color=no", "-q", "-x", "--tb=no")
PLUGINS = ("tools.gates.nbval_gates", "tools.gates.nbval_in_process", "no:hypothesispytest")


def first_failure(notebook, package, root):
    """Return the first cell of ``notebook`` that nbval finds different, or None if all agree.

    package: the folder that holds the copy of casebook to import.
    root: the folder that holds the notebook's own.
    Raises: CourseError if the copy was not what was imported, nbval did not run to an end, or
        the process died.
    """
    answer = in_a_process(_compare, NOTEBOOK_SECONDS, notebook, package, root)
    if answer is None:
        return f"no end within {NOTEBOOK_SECONDS} s"
    return answer["cell"]


def in_a_process(function, seconds, notebook, *arguments):
    """Return what ``function(notebook, *arguments)`` answers in a new process: a dict.

    Returns: None if there is no answer after ``seconds``.
    Raises: CourseError if the answer names a problem, or the process died.
    """
    context = _context()
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, function, notebook, *arguments))
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            return None
        answer = ours.recv()
    except EOFError:  # no verdict: never to be taken for a fault that was noticed
        raise CourseError(f"the process that compared {notebook} died without an answer") from None
    finally:
        process.kill()
        process.join()
    if answer["problem"]:
        raise CourseError(answer["problem"])
    return answer


def _context():
    """Return how processes are made; the one to fork from starts with a notebook's settings."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with mock.patch.dict(os.environ, kernel_environment(), clear=True):
        forkserver.ensure_running()
    return context


def _answer(answers, function, *arguments):
    answers.send(function(*arguments))


def _compare(notebook, package, root):
    """Return, from inside the new process, the first failing cell or a problem."""
    problem = import_from(package)
    if problem:
        return {"problem": problem}
    watch = Watch()
    problem = run_nbval(notebook, root, watch)
    return {"problem": problem, "cell": watch.cell}


def import_from(package):
    """Let every import of casebook come from the folder ``package``; return what is wrong."""
    for name in [name for name in sys.modules if name.split(".")[0] == "casebook"]:
        del sys.modules[name]  # the gates keep what they imported: comparing must not change
    sys.path.insert(0, str(package))
    import casebook

    found = Path(casebook.__file__).resolve().parent.parent
    return "" if found == Path(package).resolve() else f"casebook came from {found}, not {package}"


def run_nbval(notebook, root, watch):
    """Compare the notebook in this process, with ``watch`` looking on; return what went wrong."""
    arguments = [*OPTIONS, f"--rootdir={root}"]
    arguments += [part for plugin in PLUGINS for part in ("-p", plugin)]
    os.chdir(root)
    with tempfile.TemporaryFile("w+") as log:
        with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
            code = pytest.main([*arguments, str(notebook)], plugins=[watch])
        if bool(code) == bool(watch.cell or code in STOPPED_AT_A_FAILURE):
            watch.cell = watch.cell or (code and "the notebook was refused") or None
            return ""
        log.seek(0)
        return f"nbval did not run to an end:\n{log.read()}"


class Watch:
    """Note the first cell that fails."""

    def __init__(self):
        self.cell = None

    def pytest_runtest_logreport(self, report):
        """Look at what became of a cell."""
        if report.failed and not self.cell:
            self.cell = report.nodeid.rpartition("::")[2]
