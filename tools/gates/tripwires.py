"""Judge many faults in one run of a notebook, by a fork where a faulty function is first called.

Until a function is called for the first time, a fault in its body changes nothing. So the
notebook runs once, without any fault. Each function that shall have one is replaced by a
tripwire; when the notebook calls it, the process forks for each of its faults. A fork goes
on with the fault in place, to the first cell that differs or to the end. The run itself goes on
without, and shows that the notebook agrees when nothing is wrong.
"""

import ast
import contextlib
import importlib
import inspect
import os
import pickle
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import CodeType, FunctionType

from tools.gates.nbval_fork import NOTEBOOK_SECONDS, Watch, import_from, in_a_process, run_nbval

ALL_SECONDS = 3600  # for all faults of one notebook
MAIN = threading.main_thread()
# What it does, without a name from outside: it will look them up where the function does.
WIRE = """
def wire(*given, **named):
    import tools.gates.tripwires

    return tools.gates.tripwires.tripped({number})(*given, **named)
"""
_wires = {}  # in the process that runs the notebook: those not yet touched, by number


def can_trip(course, mutant):
    """Return whether a fault is only in the body of one function, and this system can fork."""
    return hasattr(os, "fork") and _faulty(course, mutant) is not None


def verdicts(course, notebook, mutants):
    """Return the first cell that differs without a fault, and with each of ``mutants``.

    Returns: the cell (None if all agree), and a dict by the mutant's name: its cell, or None if
        no cell differs. A mutant that could not be tried here is not in the dict.
    Raises: CourseError if nbval does not run to an end, or a process dies.
    """
    answer = in_a_process(_run, ALL_SECONDS, notebook, course, mutants)
    if answer is None:
        return f"no end within {ALL_SECONDS} s", {}
    return answer["cell"], answer["verdicts"]


def _run(notebook, course, mutants):
    problem = import_from(course.root)
    if problem:
        return {"problem": problem}
    with tempfile.TemporaryDirectory() as folder:
        watch = _Fork(Path(folder))
        plant(course, mutants, watch)
        problem = run_nbval(notebook, course.root, watch)
        found = {name: cell for name, (_, cell) in watch.verdicts.items()}
        problem = problem or next((p for p, _ in watch.verdicts.values() if p), "")
    unharmed = dict.fromkeys(m.name for wire in _wires.values() for m, _ in wire.faults)
    return {"problem": problem, "cell": watch.cell, "verdicts": unharmed | found}


def plant(course, mutants, watch):
    """Put a tripwire into each function that a mutant changes, unless its import calls it."""
    faulty = {}
    called = _import(sorted({_module(mutant) for mutant in mutants}))
    for mutant in mutants:
        name, code = _faulty(course, mutant)
        function = _function(sys.modules[_module(mutant)], name)
        if function and function.__code__ not in called and not function.__closure__:
            faulty.setdefault(function, []).append((mutant, code))
    for number, (function, faults) in enumerate(faulty.items()):
        _wires[number] = _Wire(number, function, faults, watch)


def tripped(number):
    """Return the function behind a tripwire, at its first call; in the forks, with its fault."""
    wire = _wires.pop(number)
    wire.take_away()
    if threading.current_thread() is MAIN:
        for mutant, code in wire.faults:
            if wire.watch.fork(mutant):
                while _wires:
                    _wires.popitem()[1].take_away()
                wire.function.__code__ = code
                break
    return wire.function


class _Wire:
    """A function with other code in the place of its own."""

    def __init__(self, number, function, faults, watch):
        self.function, self.faults, self.watch = function, faults, watch
        self.own = function.__code__
        module = compile(WIRE.format(number=number), self.own.co_filename, "exec")
        function.__code__ = _inner_code(module, "wire")

    def take_away(self):
        self.function.__code__ = self.own


class _Fork(Watch):
    """Note the first cell that fails; a fork ends there, and leaves word in ``folder``."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder
        self.verdicts = {}  # (problem, cell) by the mutant's name
        self.name = None  # of the mutant, in a fork

    def fork(self, mutant):
        """Return True in a new process, and False in this one when that has ended."""
        process = os.fork()
        if process == 0:
            self.name = mutant.name
            return True
        self.verdicts[mutant.name] = self._wait(process, mutant)
        return False

    def _wait(self, process, mutant):
        until = time.monotonic() + NOTEBOOK_SECONDS
        while os.waitpid(process, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.kill(process, 9)
                os.waitpid(process, 0)
                return "", f"no end within {NOTEBOOK_SECONDS} s"
            time.sleep(0.002)
        word = self.folder / mutant.name
        if not word.exists():
            return f"{mutant.name}: its process died without an answer", None
        return pickle.loads(word.read_bytes())

    def pytest_runtest_logreport(self, report):
        """Look at what became of a cell; a fork has its verdict as soon as one fails."""
        super().pytest_runtest_logreport(report)
        if self.name and self.cell:
            self._end("")

    def pytest_sessionfinish(self, session, exitstatus):
        """End a fork in which no cell failed."""
        if self.name:
            self._end("" if exitstatus == 0 else f"{self.name}: pytest ended with {exitstatus}")

    def _end(self, problem):
        (self.folder / self.name).write_bytes(pickle.dumps((problem, self.cell)))
        os._exit(0)


def _import(names):
    """Import modules of casebook; return the code of all functions that this called."""
    called = set()

    def note(frame, event, argument):
        if event == "call":
            called.add(frame.f_code)

    sys.setprofile(note)
    try:
        for name in names:
            importlib.import_module(name)
    finally:
        sys.setprofile(None)
    return called


def _module(mutant):
    return ".".join(["casebook", *Path(mutant.file).with_suffix("").parts])


def _function(module, name):
    """Return the plain function called ``name`` ("f", or "Class.f") in a module, or None."""
    found = module
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    found = getattr(found, "fget", None) or getattr(found, "__func__", found)
    with contextlib.suppress(ValueError):
        found = inspect.unwrap(found)
    return found if isinstance(found, FunctionType) else None


def _faulty(course, mutant):
    """Return name and faulty code of the function in whose body alone the fault is, or None."""
    path = course.root / "casebook" / mutant.file
    text = path.read_text("utf-8")
    faulty = text.replace(mutant.old, mutant.new)
    trees = [ast.parse(text).body, ast.parse(faulty).body]
    code, names = compile(faulty, str(path), "exec", dont_inherit=True), []
    while True:
        pair = _only_difference(*trees)
        if pair is None:
            return None
        names.append(pair[1].name)
        code = _inner_code(code, pair[1].name)
        if code is None:
            return None
        if isinstance(pair[0], ast.FunctionDef):
            return ".".join(names), code
        trees = [node.body for node in pair]


def _only_difference(old, new):
    """Return the one definition in which two lists of statements differ below its head."""
    pairs = [pair for pair in zip(old, new, strict=False) if ast.dump(pair[0]) != ast.dump(pair[1])]
    if len(old) != len(new) or len(pairs) != 1:
        return None
    heads = []
    for node in pairs[0]:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            return None
        heads.append([(name, _dump(v)) for name, v in ast.iter_fields(node) if name != "body"])
    return pairs[0] if heads[0] == heads[1] else None


def _dump(value):
    values = value if isinstance(value, list) else [value]
    return [ast.dump(v) if isinstance(v, ast.AST) else v for v in values]


def _inner_code(code, name):
    """Return the code of the one definition called ``name`` directly in ``code``, or None."""
    found = [c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name]
    return found[0] if len(found) == 1 else None
