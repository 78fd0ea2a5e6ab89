"""What learners' answers are checked with: one check a task, one sentence an answer.

The check of a task ``turn`` is ``check_turn``, in ``tasks/turn.py``. It is loaded when it is
asked for, so that a notebook loads its own checks and no others. There is no list to keep.
"""

import importlib
import pkgutil
from typing import Any

from casebook.checks import tasks
from casebook.checks.engine.plain_words import BrokenCheck
from casebook.checks.engine.progress import show_progress
from casebook.checks.engine.verdict import CheckFailed, when_done

TASKS = sorted(
    found.name for found in pkgutil.iter_modules(tasks.__path__) if not found.name.startswith("_")
)
__all__ = ["CheckFailed", *(f"check_{task}" for task in TASKS), "show_progress", "when_done"]


def __getattr__(name: str) -> Any:
    task = name.removeprefix("check_")
    if task == name or task not in TASKS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        found = getattr(importlib.import_module(f"{tasks.__name__}.{task}"), name)
    except BrokenCheck as broken:
        raise BrokenCheck(f"{task}: {broken}") from broken
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
