"""What a check does with an answer that is no answer: no sentence is missing, nothing breaks."""

import asyncio
import random
import sys
import threading
import time
import warnings

import numpy as np
import pytest

from casebook.checks import CheckFailed, check_causal_weights, check_stable_softmax, when_done
from casebook.checks.engine import learner as machinery


def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def line_for(capsys, answer, check=check_stable_softmax):
    assert check(answer) is None
    return capsys.readouterr().out.rstrip("\n")


def stub(scores):
    raise NotImplementedError("your code stands here")


def test_an_untouched_task_is_calm(capsys):
    line = line_for(capsys, stub)
    assert line == "[ ] stable_softmax: not attempted yet: fill in the cell above."
    with pytest.raises(CheckFailed, match="not attempted yet"):
        check_stable_softmax(stub, strict=True)


def test_a_grader_gets_an_exception(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(CheckFailed, match="no softmax: these are the scores"):
        check_stable_softmax(lambda scores: np.asarray(scores))
    check_stable_softmax(lambda scores: np.asarray(scores), strict=False)


NO_FUNCTIONS = {
    "nothing": None,
    "a number": 3,
    "an array": np.ones(3),
    "its name": "softmax",
    "a list": [softmax],
    "a class": int,
    "its result": softmax(np.ones(3)),
}


@pytest.mark.parametrize("answer", NO_FUNCTIONS.values(), ids=NO_FUNCTIONS)
def test_something_that_is_no_function(answer, capsys):
    assert "a function is expected, got" in line_for(capsys, answer)


def test_the_wrong_number_of_arguments(capsys):
    assert "takes (nothing), but the task gives (scores)" in line_for(capsys, lambda: 1)
    line = line_for(capsys, lambda scores, mask, axis: 1, check_causal_weights)
    assert "takes (scores, mask, axis), but the task gives (scores, is_padding)" in line
    assert "[ok]" in line_for(capsys, lambda scores, axis=-1: softmax(scores))


async def coroutine(scores):
    await asyncio.sleep(0)
    return softmax(scores)


@pytest.mark.parametrize(
    ("answer", "piece"),
    [
        (lambda scores: None, "returned None: is the `return` missing?"),
        (lambda scores: print(softmax(scores)), "prints its answer but returns None"),
        (lambda scores: (row for row in softmax(scores)), "a generator, not yet computed"),
        (lambda scores: map(float, [1]), "a map, not yet computed"),
        (coroutine, "coroutine: take the word `async` away"),
        (lambda scores: softmax, "a function: are the brackets of a call missing?"),
        (lambda scores: ..., "the placeholder is still there"),
        (lambda scores: "0.5", "came as str"),
        (lambda scores: {"weights": 1}, "came as dict"),
        (lambda scores: [[1], [1, 2]], "rows of unequal length"),
        (lambda scores: softmax(scores).astype(object), "objects (dtype object)"),
        (lambda scores: softmax(scores) + 0j, "complex"),
        (lambda scores: softmax(scores).astype("U5"), "dtype <U5"),
        (lambda scores: (softmax(scores),), "a comma after the return"),
        (lambda scores: (softmax(scores), 1), "returns 2 results"),
        (lambda scores: softmax(scores)[None], "an axis of length 1 is too many"),
        (lambda scores: softmax(scores).ravel(), "flattened"),
        (lambda scores: np.full(np.shape(scores), np.nan), "nan"),
    ],
)
def test_results_that_cannot_be_right(answer, piece, capsys):
    assert piece in line_for(capsys, answer)


def recursive(scores):
    return recursive(scores)


def leaves_the_program(scores):
    sys.exit(3)


def interrupts(scores):
    raise KeyboardInterrupt


def calls_exit(scores):
    exit()


def asks(scores):
    return softmax(scores) * float(input("factor? "))


def misspells(scores):
    return sotfmax(scores)  # noqa: F821


def breaks_in_a_helper(scores):
    return 1 / helper(scores)


def helper(scores):
    return np.ones((2, 3)) @ np.ones((2, 3))


@pytest.mark.parametrize(
    ("answer", "piece"),
    [
        (recursive, "calls itself without end"),
        (leaves_the_program, "stops the program (SystemExit at line"),
        (interrupts, "stops the program (KeyboardInterrupt at line"),
        (calls_exit, "`exit()`) instead of returning"),
        (asks, "stops the program (SystemExit"),
        (misspells, "`return sotfmax(scores)  # noqa: F821`: name 'sotfmax' is not defined"),
        (breaks_in_a_helper, "inner sizes differ (3 and 2) at line"),
    ],
)
def test_exceptions_name_the_learners_line(answer, piece, capsys):
    assert piece in line_for(capsys, answer)


def test_a_broken_helper_is_named_by_its_own_line(capsys):
    assert "`return np.ones((2, 3)) @ np.ones((2, 3))`" in line_for(capsys, breaks_in_a_helper)


def runs_for_ever(scores):
    while True:
        pass


def swallows_everything(scores):
    while True:
        try:
            time.sleep(0.001)
        except:  # noqa: E722
            continue


def prints_for_ever(scores):
    while True:
        print("still here")


@pytest.mark.parametrize("answer", [runs_for_ever, swallows_everything, prints_for_ever])
def test_what_never_ends_is_stopped(answer, capsys, monkeypatch):
    monkeypatch.setattr(machinery, "TIME_LIMIT", 0.3)
    started = time.monotonic()
    line = line_for(capsys, answer)
    assert time.monotonic() - started < 5
    assert "still running after 0.3 s at line" in line
    assert "does a loop never end?" in line
    time.sleep(0.1)
    assert capsys.readouterr().out == ""  # it does not print behind the check's back
    before = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - before < 0.15  # and costs no time any more


def test_without_threads_the_check_runs_without_a_limit(capsys, monkeypatch):
    monkeypatch.setattr(machinery, "NO_THREADS", True)
    monkeypatch.setattr(threading.Thread, "start", None)
    assert "[ok]" in line_for(capsys, softmax)
    assert "stops the program" in line_for(capsys, leaves_the_program)


def test_inputs_may_not_be_changed(capsys):
    def in_place(scores):
        if isinstance(scores, np.ndarray):
            scores[...] = softmax(scores)
            return scores
        return softmax(scores)

    def empties_the_list(scores):
        weights = softmax(scores)
        if isinstance(scores, list):
            scores[0][0] = 0.5
        return weights

    assert "changes its input scores in place" in line_for(capsys, in_place)
    assert "changes its input scores in place" in line_for(capsys, empties_the_list)


def test_the_surroundings_stay_as_they_were(capsys):
    def untidy(scores):
        np.seterr(all="raise")
        np.set_printoptions(precision=1)
        np.random.seed(1)
        random.seed(1)
        warnings.warn("look out", stacklevel=1)
        np.array([1.0]) / np.array([0.0])
        print("hello", file=sys.stderr)
        print("hello")
        return softmax(scores)

    state = np.random.get_state()[1].copy(), random.getstate(), np.geterr(), np.get_printoptions()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_stable_softmax(lambda scores: untidy(scores))
    assert "FloatingPointError" in capsys.readouterr().out
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_stable_softmax(
            lambda scores: (np.random.seed(1), random.seed(1), print("hi"), softmax(scores))[3]
        )
    captured = capsys.readouterr()
    assert captured.out == "[ok] stable_softmax: right on every input tried.\n"
    assert captured.err == ""
    after = np.random.get_state()[1], random.getstate(), np.geterr(), np.get_printoptions()
    assert np.array_equal(state[0], after[0])
    assert state[1:] == after[1:]


def test_random_answers_are_found_out(capsys):
    rng = np.random.default_rng()
    line = line_for(capsys, lambda scores: softmax(scores) + rng.normal() / 100)
    assert "gives different numbers when called twice" in line


def test_an_answer_stranger_than_all_is_still_one_line(capsys):
    class NoArray:
        def __array__(self, *_, **__):
            raise RuntimeError("no")

    assert "[x] stable_softmax: this answer cannot be judged" in line_for(
        capsys, lambda scores: NoArray()
    )


def test_when_done_shows_what_works_and_is_calm_about_the_rest(capsys):
    assert when_done(lambda: 7) == 7
    assert when_done(lambda: print("seven")) is None
    assert capsys.readouterr().out == "seven\n"
    assert when_done(lambda: stub([1])) is None
    assert capsys.readouterr().out == "This appears once stub is done.\n"
    assert when_done(lambda: misspells([1])) is None
    assert "once the answer above works: NameError at line" in capsys.readouterr().out
