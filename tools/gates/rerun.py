"""Run a notebook once, and find for each of many faults the first cell that it changes.

The notebook runs in a process of its own, with the faults built into casebook but switched off
(``faults.switched``). When the program first comes by a fault, the process forks: the fork
goes on with that fault switched on, up to the first cell whose outputs differ from the stored ones;
the process waits for it and goes on without. So the notebook is run once, and each fault costs
the way from its place to the cell that notices it. The run itself must agree at every cell it gets
to, else nothing is proved. Where a system cannot fork, each fault has a run of its own, switched
on from the start.
"""

import ast
import builtins
import multiprocessing
import os
import pickle
import sys
import tempfile
import threading
import time
from importlib.machinery import PathFinder, SourceFileLoader
from multiprocessing import forkserver
from pathlib import Path
from unittest import mock

import ipywidgets  # noqa: F401 (imported here for the forks)
import matplotlib.figure  # noqa: F401
import nbformat

from tools.gates.faults import switched
from tools.gates.shell import Died, alike, start_shell
from tools.pipeline.execution import kernel_environment
from tools.pipeline.layout import CourseError

FAULT_SECONDS = 600  # from a fault's place to the end of the notebook
NOTEBOOK_SECONDS = 3600  # with all its faults


def first_differences(course, notebook, faults):
    """Return what one run of ``notebook`` (a path) shows of ``faults``.

    Returns: the first cell that differs without a fault, or None; and a dict by the fault's
        name: the first cell that differs with it (a text), or None if none does.
    Raises: CourseError if a process dies or has no answer.
    """
    if not hasattr(os, "fork"):
        names = ["", *(fault.name for fault in faults)]
        cells = [in_a_process(_run, course, notebook, faults, name)[0] for name in names]
        return cells[0], dict(zip(names[1:], cells[1:], strict=True))
    return in_a_process(_run, course, notebook, faults)


def in_a_process(function, *arguments, seconds=NOTEBOOK_SECONDS):
    """Return what ``function(*arguments)`` answers in a new process.

    Raises: CourseError if it has no answer after ``seconds``, or dies, or raises one.
    """
    context = _context()
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, function, *arguments))
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            raise CourseError(f"{arguments[1]}: no end within {seconds} s")
        answer = ours.recv()
    except EOFError:  # no verdict: never to be taken for a fault that was noticed
        raise CourseError(f"the process that ran {arguments[1]} died without an answer") from None
    finally:
        process.kill()
        process.join()
    if isinstance(answer, CourseError):
        raise answer
    return answer


def _context():
    """Return how processes are made: forked from one that has imported all that is slow."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with mock.patch.dict(os.environ, kernel_environment(), clear=True):
        forkserver.ensure_running()
    return context


def _answer(answers, function, *arguments):
    try:
        answers.send(function(*arguments))
    except CourseError as problem:
        answers.send(problem)


def _run(course, notebook, faults, only=None):
    """Return, from inside the new process, what ``first_differences`` does.

    only: where there are no forks, the one fault that is switched on ("": none).
    """
    with tempfile.TemporaryDirectory() as folder:
        switches = Switches([fault.name for fault in faults], Path(folder), only)
        vars(builtins)["__fault__"] = switches.asked
        import_from(course, faults)
        cell = _first_difference(notebook, switches)
        if switches.is_fork:
            switches.leave_word(cell)
        return cell, switches.verdicts


class Switches:
    """Answer ``__fault__(name)``: False, but in the fork (or the process) of just that fault."""

    def __init__(self, names, folder, only=None):
        self.untouched = set(names)
        self.folder = folder
        self.forks = only is None
        self.on = only or ""
        self.is_fork = False
        self.verdicts = dict.fromkeys(names)

    def asked(self, name):
        """Return whether a fault is switched on; fork when it is asked for the first time."""
        is_first = self.forks and not self.on and name in self.untouched
        if is_first and threading.current_thread() is threading.main_thread():
            self.untouched.remove(name)
            process = os.fork()
            if process == 0:
                self.on, self.is_fork = name, True
            else:
                self.verdicts[name] = self._verdict(process, name)
        return name == self.on

    def settled(self):
        """Return whether there is nothing more to find out."""
        return self.forks and not self.on and not self.untouched

    def leave_word(self, cell):
        """End the fork, and tell the process that waits for it."""
        (self.folder / self.on).write_bytes(pickle.dumps(cell))
        os._exit(0)

    def _verdict(self, process, name):
        until = time.monotonic() + FAULT_SECONDS
        while os.waitpid(process, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.kill(process, 9)
                os.waitpid(process, 0)
                return f"no end within {FAULT_SECONDS} s"
            time.sleep(0.002)
        word = self.folder / name
        if not word.exists():
            raise Died(f"{name}: its process died without an answer")
        return pickle.loads(word.read_bytes())


def import_from(course, faults):
    """Let every import of casebook come from ``course``, with the faults built in."""
    for name in [name for name in sys.modules if name.split(".")[0] == "casebook"]:
        del sys.modules[name]  # the gates keep what they imported: comparing must not change
    files = {fault.file for fault in faults}
    trees = {
        str(course.root / "casebook" / file): switched(
            course, file, [fault for fault in faults if fault.file == file]
        )
        for file in files
    }
    sys.meta_path.insert(0, Finder(course.root, trees))


class Finder:
    """Find casebook in one folder only, some of its modules as syntax trees (by their path)."""

    def __init__(self, root, trees):
        self.root, self.trees = root, trees

    def find_spec(self, name, path, target=None):
        """Return where a module of casebook comes from; None for all others.

        Raises: ModuleNotFoundError, so that no other finder offers another casebook.
        """
        if name.split(".")[0] != "casebook":
            return None
        spec = PathFinder.find_spec(name, path or [str(self.root)])
        if spec is None:
            raise ModuleNotFoundError(f"{self.root} has no {name}", name=name)
        if spec.origin in self.trees:
            spec.loader = TreeLoader(name, spec.origin, self.trees[spec.origin])
        return spec


class TreeLoader(SourceFileLoader):
    """Load a module from its syntax tree."""

    def __init__(self, name, path, tree: ast.Module):
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname):
        """Return the compiled tree."""
        return compile(self.tree, self.path, "exec", dont_inherit=True)


def _first_difference(notebook, switches):
    """Return the first cell of a notebook that comes out otherwise, with its number; or None."""
    os.chdir(notebook.parent)
    cells = nbformat.read(notebook, as_version=4).cells
    shell = start_shell()
    for number, cell in enumerate(cell for cell in cells if cell.cell_type == "code"):
        if switches.settled():
            break
        if not alike(shell.outputs_of(cell.source), cell.outputs):
            return f"Cell {number}"
    return None
