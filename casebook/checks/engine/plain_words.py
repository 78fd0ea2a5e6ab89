"""What became of a learner's code, in plain words: a check's exceptions and their sentences."""

import contextlib
import linecache
import os
import re
import sysconfig
import traceback
from pathlib import Path

NOT_THEIRS = tuple(  # code of Python, of the libraries, and ours
    os.path.normcase(path)
    for path in (
        sysconfig.get_path("stdlib"),
        sysconfig.get_path("purelib"),
        str(Path(__file__).resolve().parents[2]),  # casebook/
        "<frozen ",
        "<__array_function__",
    )
)


class Wrong(Exception):  # noqa: N818 (a verdict on an answer, not a fault of ours)
    """What is wrong with an answer, as one sentence."""


class Fatal(Wrong):
    """A wrong that makes further calls pointless."""


class NotAttempted(Exception):  # noqa: N818
    """The stub of the exercise is still there."""


class BrokenCheck(Exception):  # noqa: N818
    """A fault of whoever wrote the check: no answer is to blame."""


@contextlib.contextmanager
def blamed_on_the_answer():
    """Make a sentence of whatever is raised while an answer runs or is read.

    An answer may be an object whose methods raise, so this holds what touches one.
    """
    try:
        yield
    except (Wrong, NotAttempted):
        raise
    except (Exception, SystemExit) as error:  # an answer stranger than any we thought of
        what = shorten(f"{type(error).__name__}: {message_of(error)}", 100)
        raise Wrong(f"this answer cannot be judged ({what}).") from None


def message_of(error):
    """Return what an exception says, on one line; a learner's own may not even say that."""
    try:
        return " ".join(str(error).split()) or "no message"
    except Exception:
        return "no message"


def explain(error):
    """Raise the sentence for an exception in the learner's code."""
    if isinstance(error, Wrong):  # said by the check's own code around the learner's
        raise error
    frames = list(traceback.walk_tb(error.__traceback__))
    if isinstance(error, NotImplementedError):
        raise NotAttempted(frames[-1][0].f_code.co_qualname.split(".")[0])  # of a class: its name
    line = line_of(frames)
    where = f" at {line}" if line else ""
    if isinstance(error, RecursionError):
        raise Wrong(f"calls itself without end (RecursionError{where}).")
    if isinstance(error, (SystemExit, KeyboardInterrupt)):
        raise Fatal(f"stops the program ({type(error).__name__}{where}) instead of returning.")
    message = message_of(error)
    plain = _plainly(message)
    if plain:
        raise Wrong(f"{plain}{where}.")
    raise Wrong(f"{type(error).__name__}{where}: {shorten(message, 70)}")


def _plainly(message):
    """Return the most puzzling messages of NumPy in plain words, None for others."""
    sizes = re.search(r"core dimension .*\(size (\d+) is different from (\d+)\)", message)
    if sizes:
        return f"a matrix product whose inner sizes differ ({sizes[2]} and {sizes[1]})"
    shapes = re.search(r"could not be broadcast together with shapes (\(.*?\)) (\(.*?\))", message)
    if shapes:
        return f"shapes {shapes[1]} and {shapes[2]} do not fit entry by entry"
    if re.search(r"'(list|tuple)' object has no attribute", message):
        return "a list is given and needs np.asarray first"
    return None


def line_of(frames):
    """Return "line 3, `x = y`" for the innermost frame of the learner's own, or ""."""
    for frame, number in reversed(frames):
        if _is_theirs(frame.f_code.co_filename):
            text = linecache.getline(frame.f_code.co_filename, number, frame.f_globals).strip()
            return f"line {number}, `{shorten(text, 40)}`" if text else f"line {number}"
    return ""


def _is_theirs(filename):
    """Tell whether a file is the learner's: neither Python's, nor a library's, nor ours."""
    return not os.path.normcase(filename).startswith(NOT_THEIRS)


def shorten(text, longest):
    """Return the text, cut with an ellipsis if it is longer than ``longest`` characters."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
