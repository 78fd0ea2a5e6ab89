"""Running a learner's function so that nothing it does can hurt the notebook.

The function runs in a thread of its own with copies of its inputs. What it prints is
kept, warnings are silenced, NumPy's settings and random state are put back, and after
:data:`TIME_LIMIT` seconds it is stopped. Whatever goes wrong becomes one sentence.
"""

import contextlib
import contextvars
import copy
import ctypes
import inspect
import io
import random
import sys
import threading
import time
import traceback
import warnings

import numpy as np

from casebook.checks.engine.plain_words import Fatal, Wrong, blamed_on_the_answer, explain, line_of

TIME_LIMIT = 10.0  # seconds for all the calls of one check together
NO_THREADS = sys.platform == "emscripten"  # a browser: run without a limit


class Learner:
    """A learner's function, called safely.

    answer: what the learner handed to the check; it must be a function.
    arguments: names of the arguments that it will be given.
    """

    def __init__(self, answer, arguments):
        self.answer, self.arguments = answer, arguments
        self.seconds_left = TIME_LIMIT
        _require_function(answer, arguments)

    def __call__(self, *inputs):
        """Return what the answer returns for copies of ``inputs``; raise Wrong if it cannot."""
        given = copy.deepcopy(inputs)
        with blamed_on_the_answer():
            value, printed = self._run(given)
            for name, before, after in zip(self.arguments, inputs, given, strict=True):
                if not _unchanged(before, after):
                    raise Fatal(f"changes its input {name} in place: work on a copy instead.")
        if value is None and printed:
            raise Wrong("prints its answer but returns None: use `return`.")
        if value is None:
            raise Wrong("returned None: is the `return` missing?")
        return value

    def show(self):
        """Return what the answer returns, and let through what it prints."""
        value, printed = self._run(())
        if printed:
            print(printed, end="")
        return value

    def _run(self, inputs):
        """Return the value and what was printed, or raise what became of the call."""
        call = _Call(self.answer, inputs)
        started = time.monotonic()
        with _surroundings_kept(self.answer) as printed:
            stuck_at = call.run(self.seconds_left)
        self.seconds_left -= time.monotonic() - started
        if stuck_at is not None:
            where = f" at {stuck_at}" if stuck_at else ""
            raise Fatal(f"still running after {TIME_LIMIT:g} s{where}: does a loop never end?")
        if call.error is not None:
            explain(call.error)
        return call.value, printed.getvalue()


class _Call:
    """One call of the learner's function, in a thread that can be given up."""

    def __init__(self, function, inputs):
        self.function, self.inputs = function, inputs
        self.value = self.error = None

    def run(self, seconds):
        """Run to the end and return None, or give up and return the line it was stuck at."""
        if NO_THREADS:
            self._work()
            return None
        settings = contextvars.copy_context()  # NumPy's print options are not shared by threads
        thread = threading.Thread(target=settings.run, args=(self._work,), daemon=True)
        thread.start()
        try:
            thread.join(max(seconds, 0.05))
            if not thread.is_alive():
                return None
            frame = sys._current_frames().get(thread.ident)
            return line_of(list(traceback.walk_stack(frame))[::-1]) if frame else ""
        finally:  # also when the reader presses stop
            _stop(thread)

    def _work(self):
        try:
            with np.errstate(all="ignore"):
                self.value = self.function(*self.inputs)
        except BaseException as error:  # SystemExit and KeyboardInterrupt too
            self.error = error


class _TimeIsUp(BaseException):
    """Thrown into a thread whose time is over."""


class _Parked(BaseException):
    """Thrown into a thread that swallows everything: it falls asleep while this is made."""

    def __init__(self):
        while True:
            time.sleep(3600)


def _stop(thread):
    """End the thread; one that catches every exception is put to sleep for good."""
    for kind in (_TimeIsUp, _TimeIsUp, _Parked):
        if not thread.is_alive():
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident), ctypes.py_object(kind)
        )
        thread.join(0.2)


@contextlib.contextmanager
def _surroundings_kept(function):
    """Give the prints, keep warnings silent, and put back what the call may have changed."""
    numpy_state, python_state = np.random.get_state(), random.getstate()
    with (
        contextlib.redirect_stdout(_Prints()) as printed,
        contextlib.redirect_stderr(_Prints()),
        warnings.catch_warnings(),
        np.printoptions(),
        _without_exit(getattr(function, "__globals__", {})),
    ):
        warnings.simplefilter("ignore")
        try:
            yield printed
        finally:
            np.random.set_state(numpy_state)
            random.setstate(python_state)


class _Prints(io.StringIO):
    """Keeps the first prints; an endless loop of prints must not fill the memory."""

    def write(self, text):
        return super().write(text) if self.tell() < 20_000 else len(text)


@contextlib.contextmanager
def _without_exit(namespace):
    """Let ``exit()``, ``quit()`` and ``input()`` raise: in Jupyter they end or hang the kernel."""
    names = [name for name in ("exit", "quit", "input") if callable(namespace.get(name, print))]
    before = {name: namespace[name] for name in names if name in namespace}
    namespace.update({name: _refusal(name) for name in names})
    try:
        yield
    finally:
        for name in names:
            del namespace[name]
        namespace.update(before)


def _refusal(name):
    def refuse(*_, **__):
        raise SystemExit(f"{name}()")

    return refuse


def _require_function(answer, arguments):
    """Say what came instead of a function that takes these arguments."""
    if inspect.isclass(answer) or not callable(answer):
        raise Fatal(
            f"a function is expected, got {_a(answer)}: hand over the function's name, uncalled."
        )
    try:
        signature = inspect.signature(answer)
    except (TypeError, ValueError):  # some built-in functions have none
        return
    try:
        signature.bind(*arguments)
    except TypeError:
        asked = ", ".join(arguments) or "nothing"
        has = ", ".join(signature.parameters) or "nothing"
        raise Fatal(f"the function takes ({has}), but the task gives ({asked}).") from None


def _a(value):
    return f"a class ({value.__name__})" if inspect.isclass(value) else f"{type(value).__name__}"


def _unchanged(before, after):
    """Tell whether an input is as it was; functions and the like are not looked into."""
    if isinstance(before, dict):
        return [*before] == [*after] and all(map(_unchanged, before.values(), after.values()))
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(_unchanged, before, after))
    if isinstance(before, np.ndarray):
        return np.array_equal(before, after, equal_nan=True)
    return callable(before) or before == after
