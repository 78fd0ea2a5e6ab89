"""The pins: complete, exact, for everybody, and true to pyproject.toml."""

import re
import sys
import tomllib

import pytest
from packaging.requirements import Requirement

from tools.pipeline import lock
from tools.pipeline.layout import HERE

PROJECT = tomllib.loads((HERE.root / "pyproject.toml").read_text("utf-8"))["project"]


def lines(name):
    text = (HERE.root / name).read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def pins(*names):
    """Return each pinned version by package."""
    found = {}
    for line in (line for name in names for line in lines(name) if not line.startswith("-")):
        requirement = Requirement(line)
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), f"not exact: {line}"
        found[requirement.name] = str(requirement.specifier).removeprefix("==")
    return found


def test_readers_file_works_by_itself():
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *extras["book"], *extras["lab"]]
    pinned = pins("requirements.txt")
    for requirement in map(Requirement, wanted):
        assert pinned[requirement.name] in requirement.specifier, requirement
    assert lines("requirements.txt")[-1] == "-e ."


def test_developers_file_holds_everything():
    pinned = pins("requirements.txt", "requirements-dev.txt")
    for requirement in map(Requirement, PROJECT["optional-dependencies"]["dev"]):
        assert pinned[requirement.name] in requirement.specifier, requirement
    assert lines("requirements-dev.txt")[0] == "-r requirements.txt"


def test_no_package_is_pinned_twice():
    names = [*pins("requirements.txt"), *pins("requirements-dev.txt")]
    assert len(names) == len(set(names))


def test_no_pin_names_where_it_is_fetched_from():
    for name in ("requirements.txt", "requirements-dev.txt"):
        assert not re.search(r"://|index|find-links|\bfile:", "\n".join(lines(name)))


def test_what_is_installed_is_what_is_pinned():
    from importlib.metadata import version

    pinned = pins("requirements.txt", "requirements-dev.txt")
    for name in ("numpy", "matplotlib", "nbval", "nbgrader", "jupyter-book"):
        assert version(name) == pinned[name]


def test_lock_without_uv_says_so_in_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "uv", None)
    with pytest.raises(SystemExit, match="^tools.pipeline.lock: uv is not installed here: run "):
        lock.main()


def test_lock_that_finds_no_pins_says_so_and_writes_nothing(monkeypatch, capfd):
    written = []
    monkeypatch.setattr(lock, "write", lambda *what: written.append(what))
    monkeypatch.setattr(lock, "UV", ["no_such_resolver"])
    monkeypatch.setattr(lock.importlib.util, "find_spec", lambda name: name)
    with pytest.raises(SystemExit, match="^tools.pipeline.lock: uv found no pins, for the reason"):
        lock.main()
    assert written == []
    assert "no_such_resolver" in capfd.readouterr().err  # the reason, in its own words
