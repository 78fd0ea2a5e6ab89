"""One file a task, found by its name: ``check_turn`` stands in ``turn.py``.

What several tasks share is in :mod:`casebook.checks.stages`. A module whose name begins with
an underscore is no task.
"""
