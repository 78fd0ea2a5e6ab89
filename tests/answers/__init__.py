"""The bank of answers: for each task, wrong ones that people write, and right ones.

Each module is named like its task. A wrong answer is a function named by its mistake
and marked with pieces of the sentence that it must get. Right answers are written in
different ways.

The mistakes that a check knows are not written down here: tests/test_every_mistake.py takes
them from the check's own list and hands them in, one by one and two at a time. By hand stand
the wrong answers that the list does not hold (another form, an exception, an input changed,
chance, a mistake that nobody foresaw) and, for each kind of stage that somebody would write
out, one that it does hold: because its code owes nothing to the check's, it proves that the
mistake re-enacted is the mistake that people make.
"""

import importlib
import pkgutil
from types import SimpleNamespace

from casebook import checks


def wrong(*pieces):
    """Mark an answer as wrong; the check's sentence must hold each of these pieces."""

    def mark(answer):
        answer.pieces = pieces
        return answer

    return mark


def right(answer):
    """Mark an answer as right, also if it is written differently."""
    answer.pieces = None
    return answer


def all_answers():
    """Return the answers of all the modules here: task, check, answer, pieces."""
    bank = []
    for task in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        module = importlib.import_module(f"{__name__}.{task}")
        check = getattr(checks, f"check_{task}")
        bank += [
            SimpleNamespace(task=task, check=check, answer=answer, pieces=answer.pieces)
            for answer in vars(module).values()
            if hasattr(answer, "pieces")
        ]
    return bank
