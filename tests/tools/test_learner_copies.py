"""What a learner has in work/: made once, never overwritten, and told of a newer exercise."""

import json
import os
import shutil
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.learner.copies import (
    COMMAND,
    Copies,
    CopyError,
    put_beside,
    start,
    trust,
    trusted,
    write,
)

NAME = "02_tiny"
LEFT = "Left as you have them in work/: 02_tiny."
NEWER = (
    f"The course has a newer 02_tiny than your copy, which stays as it is: "
    f"'{COMMAND} reset 02 --beside' puts the new one beside it."
)


@pytest.fixture(autouse=True)
def own_signatures(tmp_path, monkeypatch):
    """Keep Jupyter's list of trusted notebooks out of the home of whoever runs the tests."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))


@pytest.fixture
def copies(tmp_path):
    """Return the copies of a course with one exercise of which nothing is copied yet."""
    copies = Copies(tmp_path)
    change_exercise(copies, "def double(x): ...")
    (copies.originals / NAME / "data").mkdir()
    (copies.originals / NAME / "data" / "table.txt").write_text("1 2\n", "utf-8")
    return copies


def change_exercise(copies, code, output="4"):
    cell = new_code_cell(code, id="double", outputs=[nbformat.v4.new_output("stream", text=output)])
    notebook = new_notebook(cells=[new_markdown_cell("# Tiny", id="title"), cell])
    copies.original(NAME).parent.mkdir(parents=True, exist_ok=True)
    copies.original(NAME).write_text(nbformat.writes(notebook), "utf-8")


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_first_start_copies_whole_folders(copies):
    assert start(copies) == ["Copied to work/: 02_tiny."]
    assert copies.mine(NAME).read_bytes() == copies.original(NAME).read_bytes()
    assert (copies.work / NAME / "data" / "table.txt").read_text("utf-8") == "1 2\n"
    assert trusted(copies.mine(NAME))


def test_second_start_changes_nothing(copies):
    start(copies)
    copies.mine(NAME).write_text(copies.mine(NAME).read_text().replace("...", "2 * x"), "utf-8")
    (copies.work / NAME / "notes.txt").write_text("mine", "utf-8")
    before = contents(copies.work)
    assert start(copies) == [LEFT]
    assert contents(copies.work) == before


def test_copy_stays_when_the_exercise_changes(copies):
    start(copies)
    before = copies.mine(NAME).read_bytes()
    change_exercise(copies, "def double(number): ...")
    assert start(copies) == [LEFT, NEWER]
    assert start(copies) == [LEFT, NEWER]  # until the learner has it
    assert copies.mine(NAME).read_bytes() == before
    assert put_beside(copies, NAME) == (
        "The exercise as it is now stands beside yours, as work/02_tiny/02_tiny_new.ipynb."
    )
    new = copies.work / NAME / "02_tiny_new.ipynb"
    assert new.read_bytes() == copies.original(NAME).read_bytes()
    assert trusted(new)
    assert copies.mine(NAME).read_bytes() == before
    assert start(copies) == [LEFT]


def test_a_second_new_one_overwrites_nothing(copies):
    start(copies)
    put_beside(copies, NAME)
    (copies.work / NAME / "02_tiny_new.ipynb").write_text("mine", "utf-8")
    assert put_beside(copies, NAME).endswith("as work/02_tiny/02_tiny_new_2.ipynb.")
    assert (copies.work / NAME / "02_tiny_new.ipynb").read_text("utf-8") == "mine"


def test_other_outputs_or_line_ends_make_no_newer_exercise(copies):
    start(copies)
    change_exercise(copies, "def double(x): ...", output="5")
    copies.original(NAME).write_bytes(copies.original(NAME).read_bytes().replace(b"\n", b"\r\n"))
    assert start(copies) == [LEFT]


def test_half_copied_folder_is_filled(copies):
    (copies.work / NAME / "data").mkdir(parents=True)
    (copies.work / NAME / "data" / "table.txt").write_text("mine", "utf-8")
    assert start(copies) == ["Copied to work/: 02_tiny."]
    assert copies.mine(NAME).read_bytes() == copies.original(NAME).read_bytes()
    assert (copies.work / NAME / "data" / "table.txt").read_text("utf-8") == "mine"


def test_interrupted_copy_leaves_no_half_a_file(copies, monkeypatch):
    def interrupted(*paths):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            start(copies)
    assert not copies.mine(NAME).exists()
    start(copies)
    assert copies.mine(NAME).read_bytes() == copies.original(NAME).read_bytes()


@pytest.mark.parametrize("damage", ["", '{"cells": [', "[]", '{"cells": [3], "nbformat": 4}'])
def test_unreadable_copy_is_left_alone_and_named(copies, damage):
    start(copies)
    copies.mine(NAME).write_text(damage, "utf-8")
    said = start(copies)
    assert said[0] == LEFT
    assert said[1].startswith("work/02_tiny/02_tiny.ipynb is no ")
    assert said[1].endswith(
        f"it was left alone. Rename it, and '{COMMAND} lab' gives you a fresh one."
    )
    assert copies.mine(NAME).read_text("utf-8") == damage


def test_something_in_the_way_stops_only_its_own_exercise(copies):
    (copies.originals / "03_other").mkdir()
    shutil.copy(copies.original(NAME), copies.original("03_other"))
    copies.work.mkdir()
    (copies.work / NAME).write_text("a file of mine", "utf-8")
    said = start(copies)
    assert said[0] == "Copied to work/: 03_other."
    assert "02_tiny" in said[1] and "cannot be written" in said[1]
    assert (copies.work / NAME).read_text("utf-8") == "a file of mine"


@pytest.mark.parametrize("damage", ["{half", "[1]", None])
def test_damaged_record_of_versions_counts_as_none(copies, damage):
    start(copies)
    record = copies.work / ".versions.json"
    if damage is None:
        record.unlink()
    else:
        record.write_text(damage, "utf-8")
    assert start(copies) == [LEFT]
    assert list(json.loads(record.read_text("utf-8"))) == ["02_tiny/02_tiny.ipynb"]


def test_what_jupyter_leaves_behind_is_not_copied(copies):
    (copies.originals / NAME / ".ipynb_checkpoints").mkdir()
    (copies.originals / NAME / ".ipynb_checkpoints" / "x.ipynb").write_text("old", "utf-8")
    start(copies)
    assert not (copies.work / NAME / ".ipynb_checkpoints").exists()


def test_nothing_to_put_beside(copies):
    with pytest.raises(CopyError, match="You have no copy of 02_tiny yet: '.* lab' makes it"):
        put_beside(copies, NAME)


@pytest.mark.parametrize("text", ["02_tiny", "02", "2"])
def test_an_exercise_is_found_by_name_or_number(copies, text):
    assert copies.find(text) == NAME


@pytest.mark.parametrize("text", ["3", "tiny", "", "02_tin", "²"])
def test_unknown_exercise_is_named(copies, text):
    with pytest.raises(CopyError, match=f"There is no exercise '{text}': choose from 02_tiny."):
        copies.find(text)


def test_trust_is_of_what_the_cells_show(copies):
    start(copies)
    text = copies.mine(NAME).read_text("utf-8")
    copies.mine(NAME).write_text(text.replace('"4"', '"5"'), "utf-8")
    assert not trusted(copies.mine(NAME))
    trust(copies.mine(NAME))
    assert trusted(copies.mine(NAME))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_a_file_keeps_its_mode(copies):
    start(copies)
    copies.mine(NAME).chmod(0o640)
    write(copies.mine(NAME), b"{}")
    assert copies.mine(NAME).stat().st_mode & 0o777 == 0o640
    assert [path.name for path in copies.mine(NAME).parent.glob(".*")] == []
