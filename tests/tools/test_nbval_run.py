"""The run over all notebooks says when other packages than the pinned ones draw."""

import pytest

from tools.gates import nbval_run
from tools.pipeline.layout import HERE


def test_the_pinned_packages_need_no_word():
    pins = (HERE.root / "requirements.txt").read_text("utf-8")
    assert list(nbval_run.other_versions(pins)) == []


@pytest.mark.parametrize("name", nbval_run.DRAWN_BY)
def test_another_version_is_named(name, monkeypatch):
    given = {"numpy": "2.4.6", "matplotlib": "3.11.2"}
    pins = "".join(f"{package}=={pinned}\n" for package, pinned in given.items())
    monkeypatch.setattr(nbval_run, "version", (given | {name: "2.0"}).__getitem__)
    (sentence,) = nbval_run.other_versions(pins)
    assert sentence.startswith(
        f"The stored outputs come from {name} {given[name]}, and this is 2.0"
    )
