"""The table at the end of an exercise: it says what the last run of each check said."""

import nbformat
import pytest

from casebook.checks import CheckFailed, check_turn, show_progress, when_done
from casebook.checks import check_stable_softmax as check_softmax
from casebook.checks.engine.verdict import last_marks
from tests.answers import all_answers
from tools.pipeline.layout import HERE

RIGHT = {
    entry.task: entry.answer
    for entry in all_answers()
    if entry.task in ("stable_softmax", "turn") and entry.pieces is None
}
EXERCISES = sorted(path.name for path in (HERE.root / "exercises").iterdir() if path.is_dir())


@pytest.fixture(autouse=True)
def new_kernel():
    last_marks.clear()


@pytest.fixture
def shown(capsys):
    """Return a function that gives the lines of the table of two tasks and an essay."""

    def show():
        capsys.readouterr()
        assert show_progress(stable_softmax=3, turn=10, reason=5, essays=["reason"]) is None
        return capsys.readouterr().out.splitlines()

    return show


def stub(*inputs):
    raise NotImplementedError


def test_nothing_was_run(shown):
    assert shown() == [
        "[ ]  1 stable_softmax   3 points, not checked since the kernel started: run its check",
        "[ ]  2 turn            10 points, not checked since the kernel started: run its check",
        "     3 reason           5 points, an essay: a person grades it",
        "",
        "0 of 13 points done, and 5 for what a person grades.",
    ]


def test_open_wrong_and_done(shown):
    check_softmax(stub)
    check_turn(stub)
    assert [line.split(", ")[1] for line in shown()[:2]] == ["open", "open"]
    check_softmax(lambda scores: scores)
    check_turn(RIGHT["turn"])
    lines = shown()
    assert lines[0] == "[x]  1 stable_softmax   3 points, wrong: its check names the mistake"
    assert lines[1] == "[ok] 2 turn            10 points, done"
    assert lines[-1] == "10 of 13 points done, and 5 for what a person grades."


def test_the_last_run_counts(shown):
    check_turn(RIGHT["turn"])
    check_softmax(RIGHT["stable_softmax"])
    assert shown()[-1].startswith("13 of 13")
    check_softmax(lambda scores: 1 / 0)
    assert shown()[0].startswith("[x]")
    check_softmax(RIGHT["stable_softmax"], seed=11, strict=True)
    assert shown()[0].startswith("[ok]")
    with pytest.raises(CheckFailed):
        check_softmax(stub, strict=True)
    assert shown()[0].endswith("open")


def test_using_an_answer_elsewhere_changes_nothing(shown):
    check_softmax(RIGHT["stable_softmax"])
    when_done(lambda: stub())
    assert shown()[0].endswith("done")


def test_one_point_and_no_essay(capsys):
    check_turn(RIGHT["turn"])
    capsys.readouterr()
    show_progress(turn=1)
    assert capsys.readouterr().out.splitlines() == [
        "[ok] 1 turn  1 point,  done",
        "",
        "1 of 1 points done.",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "no task is named: expected the points of each, such as turn=4"),
        ({"turn": 4, "essays": ["why"]}, "essays names 'why': expected one of turn"),
    ],
)
def test_a_call_that_cannot_be_shown(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        show_progress(**arguments)


@pytest.mark.parametrize("stem", EXERCISES)
def test_stored_tables(stem):
    """Of an untouched exercise everything is open, of a solution everything is done."""
    for kind, words in (("exercises", "open"), ("solutions", "done")):
        notebook = nbformat.read(HERE.notebook(f"{kind}/{stem}"), as_version=4)
        (cell,) = [cell for cell in notebook.cells if "show_progress(" in cell.source]
        (output,) = cell.outputs
        table, _, total = output.text.rstrip("\n").rpartition("\n\n")
        ends = {line.rsplit(", ")[-1] for line in table.splitlines()}
        assert ends <= {words, "an essay: a person grades it"}
        numbers = total.split()[:3]
        assert (numbers[0] == numbers[2]) == (kind == "solutions"), total
        assert (numbers[0] == "0") == (kind == "exercises"), total
