"""One task's cell is put back, whatever a learner did to it, and nothing is lost."""

import copy
import json

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.learner import reset as reset_cell
from tools.learner.copies import Copies, CopyError, start, trusted
from tools.learner.reset import RELOAD, reset

NAME = "02_tiny"


def graded(name, solution, grade):
    return {"nbgrader": {"grade_id": name, "solution": solution, "grade": grade}}


def exercise():
    """Return an exercise of two tasks and an essay, as JSON."""
    cells = [new_markdown_cell("# Exercise 02", id="title")]
    for name in ("double", "treble"):
        line = new_output("stream", text="[ ] not attempted\n")
        cells += [
            new_markdown_cell(f"Write {name}.", id=f"text-{name}"),
            new_code_cell("raise NotImplementedError", id=name, execution_count=1),
            new_code_cell(f"check_{name}({name})", id=f"check_{name}", outputs=[line]),
        ]
        cells[-2].metadata = graded(name, True, False)
        cells[-1].metadata = graded(f"check_{name}", False, True)
    cells.append(new_markdown_cell("*Write here.*", id="why"))
    cells[-1].metadata = graded("why", True, True)
    return new_notebook(cells=cells, nbformat_minor=5)


@pytest.fixture
def copies(tmp_path, monkeypatch):
    """Return the copies of a course whose one exercise a learner has begun."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    copies = Copies(tmp_path)
    copies.original(NAME).parent.mkdir(parents=True)
    copies.original(NAME).write_text(json.dumps(exercise()), "utf-8")
    start(copies)
    change(copies, lambda cells: cells[2].update(source=["mine = 1\n", "mine + 愛"]))
    return copies


def mine(copies):
    return json.loads(copies.mine(NAME).read_text("utf-8"))


def change(copies, edit):
    """Change the cells of the learner's notebook in place."""
    notebook = mine(copies)
    edit(notebook["cells"])
    copies.mine(NAME).write_text(json.dumps(notebook), "utf-8")


def ids(copies):
    return [cell.get("id") for cell in mine(copies)["cells"]]


def kept(copies):
    """Return what was put aside, by file name."""
    return {path.name: path.read_text("utf-8") for path in copies.kept.rglob("*.*")}


def sources(copies):
    return [reset_cell._source(cell) for cell in mine(copies)["cells"]]


ORIGINAL = [cell.source for cell in exercise().cells]
IDS = [cell.id for cell in exercise().cells]


def test_the_cell_is_as_it_was_and_the_work_is_kept(copies):
    before = mine(copies)
    assert reset(copies, NAME, "double") == [
        "The cell of double is as it was.",
        "What you had is kept in work/kept/02_tiny/double.py.",
        RELOAD,
    ]
    assert kept(copies) == {"double.py": "mine = 1\nmine + 愛\n"}
    assert sources(copies) == ORIGINAL
    after = mine(copies)
    assert after["cells"][2]["execution_count"] is None
    after["cells"][2] = before["cells"][2]
    assert after == before


def test_a_second_reset_keeps_the_second_answer_too(copies):
    reset(copies, NAME, "double")
    assert reset(copies, NAME, "double") == [
        "The cell of double is as it was made: nothing was changed."
    ]
    change(copies, lambda cells: cells[2].update(source="another"))
    assert "work/kept/02_tiny/double_2.py" in reset(copies, NAME, "double")[1]
    assert kept(copies) == {"double.py": "mine = 1\nmine + 愛\n", "double_2.py": "another\n"}


@pytest.mark.parametrize("gone", [[2], [2, 3], [1, 2], [0, 1, 2], [2, 3, 4, 5, 6, 7]])
def test_a_deleted_cell_comes_back_in_its_place(copies, gone):
    def delete(cells):
        cells[:] = [cell for index, cell in enumerate(cells) if index not in gone]

    change(copies, delete)
    said = reset(copies, NAME, "double")
    assert said[0] == "The cell of double was gone, and is back in its place."
    assert ids(copies) == [n for i, n in enumerate(IDS) if i not in gone or n.endswith("double")
                           and not n.startswith("text")]  # fmt: skip
    assert kept(copies) == {}


def test_a_duplicate_is_taken_out_and_kept(copies):
    def duplicate(cells):
        cells.insert(5, copy.deepcopy(cells[2]) | {"id": "new", "source": "second try"})

    change(copies, duplicate)
    assert reset(copies, NAME, "double")[0] == "The 2 cells of double are one again, as it was."
    assert ids(copies) == IDS
    assert kept(copies) == {"double.py": "mine = 1\nmine + 愛\n", "double_2.py": "second try\n"}


def test_a_cell_that_became_text_or_lost_its_marks(copies):
    change(copies, lambda cells: cells[2].update(cell_type="markdown"))
    reset(copies, NAME, "double")
    assert list(kept(copies)) == ["double.md"]
    change(copies, lambda cells: cells[2].update(metadata={}))
    assert reset(copies, NAME, "double") == ["The cell of double is as it was.", RELOAD]
    assert mine(copies)["cells"][2]["metadata"] == exercise().cells[2].metadata


def test_a_spoiled_check_is_put_back_with_its_task(copies):
    change(copies, lambda cells: cells[3].update(source="print('[ok]')"))
    said = reset(copies, NAME, "double")
    assert said[1] == "The cell of check_double is as it was."
    assert sources(copies) == ORIGINAL
    assert kept(copies)["check_double.py"] == "print('[ok]')\n"


def test_an_essay_can_be_put_back(copies):
    change(copies, lambda cells: cells[7].update(source="Since 1 = 1."))
    reset(copies, NAME, "why")
    assert sources(copies)[7] == "*Write here.*"
    assert kept(copies) == {"why.md": "Since 1 = 1.\n"}


def test_cells_of_the_learner_stay(copies):
    change(copies, lambda cells: cells.insert(3, new_code_cell("note = 1", id="note")))
    reset(copies, NAME, "double")
    assert ids(copies) == [*IDS[:3], "note", *IDS[3:]]


def test_an_old_form_without_ids(copies):
    def drop_ids(cells):
        for cell in cells:
            del cell["id"]
        del cells[2]

    change(copies, drop_ids)
    reset(copies, NAME, "double")
    assert sources(copies) == ORIGINAL
    assert ids(copies) == [None] * len(IDS)


@pytest.mark.parametrize("is_trusted", [True, False])
def test_trust_stays_as_it_was(copies, is_trusted):
    if is_trusted:
        reset_cell.trust(copies.mine(NAME))
    reset(copies, NAME, "double")
    assert trusted(copies.mine(NAME)) == is_trusted


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("{", r"work/02_tiny/02_tiny.ipynb is no readable notebook \(line 1\)"),
        ("[]", "work/02_tiny/02_tiny.ipynb is no notebook of today's form: it was left alone"),
        (None, "You have no copy of 02_tiny yet: '.* lab' makes it"),
    ],
)
def test_no_notebook_to_reset(copies, damage, sentence):
    copies.mine(NAME).unlink()
    if damage is not None:
        copies.mine(NAME).write_text(damage, "utf-8")
    with pytest.raises(CopyError, match=sentence):
        reset(copies, NAME, "double")
    assert damage is None or copies.mine(NAME).read_text("utf-8") == damage
    assert kept(copies) == {}


def test_unknown_task_is_named(copies):
    before = copies.mine(NAME).read_bytes()
    with pytest.raises(CopyError, match="no task 'check_double': choose from double, treble, why"):
        reset(copies, NAME, "check_double")
    assert copies.mine(NAME).read_bytes() == before


def test_a_notebook_that_cannot_be_written_stays(copies, monkeypatch):
    before = copies.mine(NAME).read_bytes()

    def refused(*paths):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.replace", refused)
    with pytest.raises(CopyError, match=r"cannot be written \(Permission denied\)"):
        reset(copies, NAME, "double")
    assert copies.mine(NAME).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ([], 0, "02_tiny  double, treble, why"),
        (["2"], 0, "02_tiny  double, treble, why"),
        (["--help"], 0, "puts the cell of a task back as it was, and yours aside"),
        (["02", "double"], 0, "What you had is kept in work/kept/02_tiny/double.py."),
        (["02", "--beside"], 0, "stands beside yours, as work/02_tiny/02_tiny_new.ipynb."),
        (["03"], 1, "There is no exercise '03': choose from 02_tiny."),
        (["02", "triple"], 1, "02_tiny has no task 'triple': choose from double, treble, why."),
        (["02", "double", "treble"], 1, "One task at a time: got double, treble."),
        (["work/02_tiny/02_tiny.ipynb", "double"], 0, "The cell of double is as it was."),
        (["work/lost.ipynb", "double"], 1, "There is no file work/lost.ipynb."),
        (["exercises/02_tiny/02_tiny.ipynb", "double"], 1, "is none of your copies: they stand"),
    ],
)
def test_what_the_command_says(copies, monkeypatch, capsys, arguments, code, sentence):
    monkeypatch.setattr(reset_cell, "ROOT", copies.work.parent)
    assert reset_cell.main(arguments) == code
    assert sentence in capsys.readouterr().out


@pytest.mark.parametrize("place", ["02_tiny/my answers.ipynb", "mine.ipynb", "02_tiny/a/愛.ipynb"])
def test_a_renamed_copy_is_found_by_its_cells(copies, monkeypatch, capsys, place):
    monkeypatch.setattr(reset_cell, "ROOT", copies.work.parent)
    moved = copies.work / place
    moved.parent.mkdir(parents=True, exist_ok=True)
    copies.mine(NAME).rename(moved)
    (copies.work / "notes.ipynb").write_text(json.dumps(new_notebook()), "utf-8")
    (copies.work / "broken.ipynb").write_text("{", "utf-8")
    assert reset_cell.main(["2", "double"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"Your copy is work/{place}.")
    assert "What you had is kept in work/kept/02_tiny/double.py." in said
    assert "mine = 1" not in moved.read_text("utf-8") and not copies.mine(NAME).exists()


def test_of_two_renamed_copies_the_learner_says_which(copies, monkeypatch, capsys):
    monkeypatch.setattr(reset_cell, "ROOT", copies.work.parent)
    first, second = copies.work / "first.ipynb", copies.work / "second.ipynb"
    first.write_bytes(copies.mine(NAME).read_bytes())
    copies.mine(NAME).rename(second)
    before = first.read_bytes()
    assert reset_cell.main(["02", "double"]) == 1
    assert "2 copies of 02_tiny, work/first.ipynb, work/second.ipynb" in capsys.readouterr().out
    assert reset_cell.main(["work/second.ipynb", "double"]) == 0
    assert first.read_bytes() == before != second.read_bytes()


def test_a_notebook_of_another_course_is_no_copy(copies, monkeypatch, capsys):
    monkeypatch.setattr(reset_cell, "ROOT", copies.work.parent)
    (copies.work / "other.ipynb").write_text(json.dumps(new_notebook()), "utf-8")
    assert reset_cell.main(["work/other.ipynb", "double"]) == 1
    assert "work/other.ipynb is a copy of none of the exercises." in capsys.readouterr().out
