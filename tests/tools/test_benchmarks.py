"""The command of the benchmarks takes what its help says; the benchmarks themselves are not run."""

import sys
from types import SimpleNamespace

import pytest

from benchmarks import __main__ as benchmarks


@pytest.fixture
def ran(monkeypatch):
    """Return the parts that were run, each with its number of threads."""
    calls = []
    for part in benchmarks.PARTS:
        fake = SimpleNamespace(run=lambda threads, part=part: calls.append((part, threads)))
        monkeypatch.setitem(sys.modules, f"benchmarks.{part}", fake)
    for name in benchmarks.THREAD_SETTINGS:
        monkeypatch.setenv(name, "1")
    return calls


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], [(part, 1) for part in benchmarks.PARTS]),
        (["retrieval"], [("retrieval", 1)]),
        (["attention", "training", "--threads", "2"], [("attention", 2), ("training", 2)]),
    ],
)
def test_parts_named_are_run_or_all(ran, arguments, expected):
    benchmarks.main(arguments)
    assert ran == expected


def test_an_unknown_part_is_named(ran, capsys):
    with pytest.raises(SystemExit) as ended:
        benchmarks.main(["sorting"])
    assert ended.value.code == 2 and ran == []
    assert "there is no part sorting: choose from training, attention" in capsys.readouterr().err
