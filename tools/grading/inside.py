"""What a grader does inside a learner's kernel, before and after the learner's code runs there.

The text of this file is sent to the kernel and run in a namespace of its own, so it uses
the standard library alone. ``fence`` keeps a notebook away from the rest of the course;
``seal`` notes what decides a mark, so that the grader can see whether it was changed.
"""

import contextlib
import hashlib
import json
import os
import sys
from types import ModuleType

JUDGES = ("casebook", "numpy", "builtins")  # whose functions decide a mark
PROGRAMS = ("subprocess", "pty", "os.system", "os.exec", "os.fork", "os.posix_spawn")
PROGRAMS += ("os.spawn", "os.startfile")
FILES = ("open", "os", "shutil", "glob", "pathlib", "tempfile")
SIGNALS = ("os.kill", "os.killpg")
LISTINGS = ("os.listdir", "os.scandir")
READINGS = (*LISTINGS, "os.chdir", "os.walk", "glob.glob", "glob.glob/2", "pathlib.Path.glob")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
LOCAL = ("localhost", "127.0.0.1", "::1")


def fence(closed, readable, own, most_memory):
    """Keep this kernel away from other programs, the network, and files of the course.

    Below the folders ``closed`` it may read what is below ``readable``, and do as it likes
    below ``own``. most_memory: bytes for the whole kernel, where the system can limit it
    (Linux). An audit hook cannot be taken away again by Python code.
    """
    closed, readable, own = (tuple(map(_real, paths)) for paths in (closed, readable, own))
    _limit_memory(most_memory)

    def refuse(event, arguments):
        if event.startswith(PROGRAMS):
            raise PermissionError("a notebook that is graded may not start another program")
        if event in SIGNALS and arguments[0] not in (0, os.getpid()):
            raise PermissionError("a notebook that is graded may not signal another program")
        if event == "socket.connect" and _leads_away(arguments[1]):
            raise PermissionError("a notebook that is graded may not use the network")
        if event == "sqlite3.connect" and arguments[0] != ":memory:":
            raise PermissionError("a notebook that is graded may not open a database")
        if event.split(".")[0] in FILES:
            paths = [path for path in arguments if isinstance(path, (str, bytes, os.PathLike))]
            for path in map(os.fsdecode, paths):
                if not _may(event, arguments, _real(path)):
                    raise PermissionError(f"a notebook that is graded may not use {path}")

    def _may(event, arguments, path):
        if not _below(path, closed) or _below(path, own):
            return True
        if path in closed:  # Python lists it to find the package of the course
            return event in LISTINGS
        return _below(path, readable) and _reads(event, arguments)

    sys.addaudithook(refuse)
    return True


def _reads(event, arguments):
    return not arguments[2] & WRITING if event == "open" else event in READINGS


def _real(path):
    return os.path.normcase(os.path.realpath(path))


def _below(path, folders):
    return any(path == folder or path.startswith(folder + os.sep) for folder in folders)


def _leads_away(address):
    return isinstance(address, tuple) and address[0] not in LOCAL


def _limit_memory(most):
    if sys.platform != "linux":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def seal(modules=None, digest=None):
    """Return, as JSON, an identity for each part of all that decides a mark, by its name.

    modules: names of those to look at; all that are loaded with the checks if not given.
    digest: of an earlier seal; if nothing differs, the parts are left out.
    """
    import casebook.checks

    for check in () if modules else casebook.checks.__all__:
        getattr(casebook.checks, check)  # is loaded now: what is sealed must be there
    loaded = [name for name in sys.modules if name.split(".")[0] in JUDGES]
    names, found, helpers = modules or sorted(loaded), _Seal(), set()
    for name in names:
        module = sys.modules.get(name)
        found.parts[f"module {name}"] = id(module)
        if isinstance(module, ModuleType):
            ours = name.startswith("casebook")
            found.module(name, module, deep=ours)
            helpers |= {part for part in vars(module).values() if ours and _is_helper(part)}
    for module in helpers:
        found.module(module.__name__, module, deep=False)
    found.shell()
    parts = json.dumps(found.parts, sort_keys=True)
    now = hashlib.sha256(parts.encode("utf-8")).hexdigest()
    return json.dumps({"digest": now, "modules": names, "parts": now != digest and found.parts})


def _is_helper(part):
    """Tell whether a part of a module is a module of Python itself that the checks use."""
    return type(part) is ModuleType and part.__name__.split(".")[0] not in (*JUDGES, "sys")


class _Seal:
    """Identities by name. ``deep``: also of what functions and classes are made of."""

    def __init__(self):
        self.parts, self.seen = {}, set()

    def module(self, name, module, deep):
        for part, value in list(vars(module).items()):
            if isinstance(value, ModuleType):
                self.parts[f"module {name}.{part}"] = id(value)
            elif deep or callable(value):
                self.value(f"{name}.{part}", value, deep)

    def value(self, name, value, deep):
        if isinstance(value, (tuple, list, dict)):
            if deep:
                self.container(name, value)
        elif callable(value):
            self.parts[name] = id(value)
            if id(value) in self.seen:
                return
            self.seen.add(id(value))
            if hasattr(value, "__code__"):
                self.function(name, value, deep)
            elif deep and isinstance(value, type) and value.__module__.startswith("casebook"):
                for part, member in list(vars(value).items()):
                    member = getattr(member, "__func__", getattr(member, "fget", member))
                    self.value(f"{name}.{part}", member, deep)

    def container(self, name, values):
        parts = values.items() if isinstance(values, dict) else enumerate(values)
        for number, (key, part) in enumerate(list(parts)):
            for which in filter(callable, (key, part)):
                self.value(f"{name}[{number}]", which, deep=True)

    def function(self, name, function, deep):
        self.parts[f"{name}: code"] = id(function.__code__)
        self.parts[f"{name}: defaults"] = [id(value) for value in function.__defaults__ or ()]
        named = function.__kwdefaults__ or {}
        self.parts[f"{name}: named"] = {key: id(value) for key, value in named.items()}
        for number, cell in enumerate((function.__closure__ or ()) if deep else ()):
            with contextlib.suppress(ValueError):  # a cell that is still empty
                self.value(f"{name}<{number}>", cell.cell_contents, deep)

    def shell(self):
        """Note what could swallow a cell or its error on the way through IPython."""
        from IPython import get_ipython

        shell = get_ipython()
        for kind in type(shell).__mro__:
            if kind.__module__.startswith(("IPython", "ipykernel")):
                for part, value in list(vars(kind).items()):
                    if callable(value):
                        self.parts[f"IPython {kind.__name__}.{part}"] = id(value)
        steps = shell.input_transformer_manager
        lists = [shell.ast_transformers, shell.input_transformers_post, steps.cleanup_transforms]
        lists += [steps.line_transforms, steps.token_transformers]
        self.parts["IPython: transformers"] = [id(step) for steps in lists for step in steps]
        self.parts["IPython: hidden exceptions"] = [id(kind) for kind in shell.custom_exceptions]
        own = [part for part in vars(shell) if callable(getattr(type(shell), part, None))]
        self.parts["IPython: methods of its own"] = sorted(own)
