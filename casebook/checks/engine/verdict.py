"""The one line that a check says, and when it stops a grader.

A check is a function ``examine(learner, rng)`` that returns when the answer is right and
raises :class:`Wrong` with one sentence when it is not. :func:`check` dresses it for the
notebook: it prints ``[ok]``, ``[x]`` or ``[ ]`` and the sentence, and raises only where
somebody marks (nbgrader sets ``NBGRADER_EXECUTION``). Any other exception is a fault of the
check itself, since what an answer does becomes Wrong where it is run and read: ``[!]``.
"""

import os
import warnings

import numpy as np

from casebook.checks.engine.learner import Learner
from casebook.checks.engine.plain_words import (
    BrokenCheck,
    NotAttempted,
    Wrong,
    blamed_on_the_answer,
    message_of,
    shorten,
)

LONGEST_SENTENCE = 150
UNTOUCHED = "not attempted yet: fill in the cell above."
BROKEN = "this check itself is broken, not your answer"
last_marks = {}  # by task, how its last check ended, for progress.py


class CheckFailed(AssertionError):  # noqa: N818 (the name that graders see)
    """Raised in strict mode; a notebook shows its sentence and no stack."""

    def _render_traceback_(self):
        return [str(self)]


def check(task, arguments, use=lambda answer: answer):
    """Return a decorator that makes ``check_<task>(answer, *, seed=0, strict=None)``.

    task: name of the task, which is also the name of the learner's function.
    arguments: names of the arguments that the task promises, in their order.
    use: makes a function of these arguments from an answer that is none, such as a class.
    """

    def decorate(examine):
        def run(answer, *, seed=0, strict=None):
            def judge():
                with blamed_on_the_answer():
                    learner = Learner(use(answer), arguments)
                examine(learner, np.random.default_rng(seed))

            _say(task, strict, judge)

        run.__name__ = run.__qualname__ = f"check_{task}"
        run.__module__ = examine.__module__
        run.__doc__ = examine.__doc__
        return run

    return decorate


def when_done(show):
    """Return what ``show()`` returns, or say calmly why it cannot be shown yet.

    For cells that use a learner's function outside a check: an unfinished, missing or
    wrong answer prints one line and leaves the rest of the notebook alone.
    """
    try:
        return Learner(show, ()).show()
    except NotAttempted as task:
        print(f"This appears once {task} is done.")
    except Wrong as sentence:
        print(f"This appears once the answer above works: {shorten(str(sentence), 110)}")


def _say(task, strict, examine):
    """Print the line of a check; in strict mode raise it unless the answer is right."""
    if strict is None:
        strict = bool(os.environ.get("NBGRADER_EXECUTION"))
    mark, sentence, said, broken = "[x]", None, "", None
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            examine()
    except NotAttempted:
        mark, sentence = "[ ]", UNTOUCHED
    except Wrong as wrong:
        sentence = shorten(str(wrong), LONGEST_SENTENCE)
    except Exception as error:  # nothing that the answer did: that is Wrong by now
        mark, broken = "[!]", error
        said = message_of(error)
        said = said if isinstance(error, BrokenCheck) else f"{type(error).__name__}: {said}"
        sentence = shorten(f"{BROKEN}: {said}", LONGEST_SENTENCE)
    last_marks[task] = "[ok]" if sentence is None else mark
    if sentence is None:
        print(f"[ok] {task}: right on every input tried.")
        return
    line = f"{mark} {task}: {sentence}"
    if strict and broken:
        raise BrokenCheck(f"{task}: {said}") from broken
    if strict:
        raise CheckFailed(line)
    print(line)
