"""The layout of the checks: a task is a file, and its check is found by the file's name."""

import pkgutil
import subprocess
import sys

import pytest

from casebook import checks
from casebook.checks import tasks

FILES = sorted(found.name for found in pkgutil.iter_modules(tasks.__path__))
GENERAL = {"CheckFailed", "show_progress", "when_done"}


def printed_by(program):
    """Return what a new Python prints, so that nothing is loaded yet."""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


def test_every_task_is_found_by_the_name_of_its_file():
    assert len(FILES) >= 31
    assert set(checks.__all__) == {f"check_{name}" for name in FILES} | GENERAL
    for name in FILES:
        check = getattr(checks, f"check_{name}")
        assert check.__name__ == f"check_{name}"
        assert check.__module__ == f"casebook.checks.tasks.{name}"
        assert check.__doc__


def test_all_ways_to_import_find_the_same():
    names = printed_by(
        "from casebook.checks import *\n"
        "import casebook.checks\n"
        "assert set(casebook.checks.__all__) <= set(dir(casebook.checks))\n"
        "print(*[name for name in casebook.checks.__all__ if name in globals()])"
    )
    assert names == checks.__all__


def test_a_notebook_loads_its_own_checks_only():
    loaded = printed_by(
        "import sys\nfrom casebook.checks import check_turn, show_progress\n"
        "print(*[n for n in sys.modules if n.startswith('casebook.checks.tasks.')])"
    )
    assert loaded == ["casebook.checks.tasks.turn"]


@pytest.mark.parametrize("name", ["check_turns", "check_", "turn", "check_check_turn"])
def test_what_is_no_task_has_no_check(name):
    with pytest.raises(AttributeError, match=f"'casebook.checks' has no attribute '{name}'"):
        getattr(checks, name)


def test_helpers_beside_the_tasks_are_no_tasks():
    found = printed_by(
        "import pkgutil\nreal = pkgutil.iter_modules\n"
        "def with_more(path):\n"
        "    return [*real(path), pkgutil.ModuleInfo(None, '_helper', False),\n"
        "            pkgutil.ModuleInfo(None, 'new_task', False)]\n"
        "pkgutil.iter_modules = with_more\n"
        "from casebook import checks\nprint(*checks.__all__)"
    )
    assert "check_new_task" in found
    assert "check__helper" not in found
