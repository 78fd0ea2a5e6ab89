"""Every mistake that a check knows, handed in as an answer: rejected, and called by its name.

Then two of them at once: what the check says of them must be true. There are 37,000 pairs, so
a run takes a sample, drawn from the commit's id, which the names of the tests hold;
COURSE_FULL=1 takes all of them (some two hours of one core).
"""

import os
import random
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from casebook import checks
from tests.checking import (
    TASKS,
    answer_with,
    examined,
    in_form,
    printed,
    raised,
)
from tests.truth import untruth_in

SEEDS = (0, 11)
PAIRS_OF_A_TASK = 8
BASE_100 = (
    "the exponent is i / d_model: hand i has 2i / d_model",
    "100 to the power 2i / d_model is 10,000 to the power i / d_model",
)
WRONG_SIGN = "angles of the wrong sign are the transpose, so they turn the other way round"

# Mistakes that are one computation on all that a task promises, so that no check can tell them
# apart: what is said in place of the name, and why they are the same.
THE_SAME = {
    "ask_the_encoder": {
        "the heads are in reverse order: head 0 gives the first columns": (
            "the heads are in reverse order: head 0 takes the first columns",
            "no weights are returned, so it is the same where the order is turned",
        ),
        "the output is divided by sqrt(d_k): divide the scores instead": (
            "the weights are divided by sqrt(d_k): divide the scores instead",
            "no weights are returned, and the output is linear in them",
        ),
    },
    "causal_weights": {
        "the mask is not applied to the scores": (
            "neither the future nor the padding is hidden",
            "a mask that is not used and a mask that hides nothing",
        ),
        "the mask is subtracted as 1 and 0: hidden scores must become -inf": (
            "the mask is added as 1 and 0: hidden scores must become -inf",
            "the two scores of a row differ by 1 everywhere, which softmax does not see",
        ),
        "the smallest score is subtracted, not the largest: exp overflows": (
            "the mean is subtracted, not the largest: exp can still overflow",
            "where a score is -inf, both the smallest and the mean are -inf",
        ),
    },
    "cross_attention": {
        "K stands in for V: the output must mix the values": (
            "W_k makes the values: V = Z W_v",
            "both come from Z: K is what W_k makes",
        ),
        "K and V are swapped: compare with K, mix V": (
            "W_k and W_v are swapped",
            "both come from Z, so either swap is the other",
        ),
    },
    "document_vectors": {
        "a repeated word counts once: multiply by its count": (
            "the count is missing: multiply log(N / df) by it",
            "a count of 1 is no factor",
        ),
    },
    "effective_keys": {
        "the minus of the entropy is missing: -sum w log w": (
            "the sign is lost: exp(-entropy) is 1 over the number of keys",
            "a minus lost before exp or in it",
        ),
    },
    "encode_positions": {"the base is 100: it must be 10,000": BASE_100},
    "multi_head_attention": {
        "divides by sqrt(n_q), the number of queries, instead of sqrt(d_k)": (
            "divides by sqrt(n_k), the number of keys, instead of sqrt(d_k)",
            "in self-attention there are as many keys as queries",
        ),
        "Q and K are swapped: rows must belong to the queries": (
            "W_Q and W_K are swapped",
            "in self-attention both come from X",
        ),
        "Q is compared with itself: compare the queries with K": (
            "W_Q makes the keys: K = X W_K",
            "in self-attention both come from X",
        ),
        "K stands in for V: the output must mix the values": (
            "W_K makes the values: V = X W_V",
            "in self-attention both come from X",
        ),
        "K and V are swapped: compare with K, mix V": (
            "W_K and W_V are swapped",
            "in self-attention both come from X",
        ),
    },
    "shift_by": {
        "the base is 100: it must be 10,000": BASE_100,
        "the angles have the wrong sign": (
            "R moves back by k: a sine has the wrong sign, or R is transposed",
            WRONG_SIGN,
        ),
    },
    "softmax_gradient": {
        "no softmax: these are the scores themselves": (
            "the scores stand where the weights belong: softmax first",
            "the list of this task has its own words for it",
        ),
    },
    "turn": {
        "the base is 100: it must be 10,000": BASE_100,
        "the angles have the wrong sign": (
            "turns the wrong way round: the first number is a cos - b sin",
            WRONG_SIGN,
        ),
    },
}
# One query and two keys, always the same ones: axes and overflow cannot show, and many mistakes
# give the same few numbers. There it is enough that what is said is true.
FEW_NUMBERS = ("attention_by_hand",)

# Pairs of which something untrue was said once: always tried.
ONCE_UNTRUE = (
    ("attention_by_hand", "no exp: scores are shifted to start", "the two values have changed"),
    ("attention_weights", "argmax instead of softmax", "the weights are in per cent"),
    ("causal_weights", "the padding is turned round", "argmax instead of softmax"),
    ("gradient_error", "the sign is turned", "lengths are largest sizes"),
    ("softmax_gradient", "1 on the diagonal where w_i", "the whole Jacobian has its sign"),
    ("softmax_gradient", "the entries are counted", "the weights are in per cent"),
)
# Pairs that are not found, and why not.
NOT_FOUND = {
    ("multi_head_attention", "always cuts into 2 heads", "returned only the weights"): (
        "an array of two matrices is read as the two results that are asked for"
    ),
}

MISTAKES = [
    pytest.param(task, mistake, id=f"{task}-{number}-{mistake.stage}")
    for task in TASKS
    for number, mistake in enumerate(examined(task).family.deviations)
]


def names_of(task, mistake):
    """Return how a check may open and go on when this mistake is made: its words, in a case."""
    says = THE_SAME.get(task, {}).get(mistake.says, (mistake.says,))[0]
    labels = [f"{case.label}: " for case in examined(task).cases if case.label]
    return [f"[x] {task}: {label}{says}." for label in ("", *labels)]


def said_of(task, mistakes, seed, capsys):
    """Return the line that the check prints; it raises the same one where somebody marks."""
    check = getattr(checks, f"check_{task}")
    exam = examined(task, seed)
    answer = in_form(task, answer_with(exam.family, mistakes))
    if seed:
        return raised(check, answer, seed=seed)
    return printed(capsys, check, answer, seed=seed, strict=False)


@pytest.mark.parametrize(("task", "mistake"), MISTAKES)
def test_each_mistake_is_rejected_and_named_as_itself(task, mistake, capsys):
    for seed in SEEDS:
        line = said_of(task, [mistake], seed, capsys)
        if task in FEW_NUMBERS:
            assert untruth_in(line, [mistake], examined(task, seed)) is None, line
        else:
            assert line in names_of(task, mistake)


@pytest.mark.parametrize("task", sorted(THE_SAME))
def test_what_counts_as_the_same_is_the_same(task):
    """An entry that names no mistake, or two that differ, is no longer needed."""
    for seed in SEEDS:
        exam = examined(task, seed)
        by_words = {mistake.says: mistake for mistake in exam.family.deviations}
        for says, (instead, because) in THE_SAME[task].items():
            results = [exam.made_with([by_words[words]]) for words in (says, instead)]
            assert all(exam.alike(*results)), says
            assert because


def commit():
    """Return the id of the commit; outside of a checkout always the same word."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    try:
        run = subprocess.run(command, capture_output=True, text=True)
    except OSError:  # no git here
        return "no-commit"
    return run.stdout.strip()[:12] if run.returncode == 0 else "no-commit"


def pairs_to_try(full, drawn_from):
    """Return the tests of pairs: all, by the first mistake of each, or a sample of each task."""
    tests = []
    for task in TASKS:
        pairs = examined(task).pairs
        if not full:
            draw = random.Random(f"{drawn_from} {task}")
            sample = draw.sample(pairs, min(PAIRS_OF_A_TASK, len(pairs)))
            tests += [pytest.param(task, sample, id=f"{task}-{drawn_from}")] if sample else []
            continue
        for number, first in enumerate(examined(task).family.deviations):
            own = [pair for pair in pairs if pair[0] is first]
            tests += [pytest.param(task, own, id=f"{task}-{number}-{first.stage}")] if own else []
    return tests


@pytest.mark.parametrize(
    ("task", "pairs"), pairs_to_try(os.environ.get("COURSE_FULL") == "1", commit())
)
def test_what_is_said_of_two_mistakes_is_true(task, pairs, capsys):
    exam = examined(task)
    faults, excused = [], [pair_of(*words) for words in NOT_FOUND if words[0] == task]
    for pair in pairs:
        if pair in excused:
            continue
        line = said_of(task, pair, 0, capsys)
        fault = untruth_in(line, pair, exam)
        faults += [f"{fault}: {[mistake.says for mistake in pair]} -> {line}"] if fault else []
    assert not faults, "\n".join(faults)


def pair_of(task, *starts):
    """Return the pair whose words start like this."""
    found = [
        pair
        for pair in examined(task).pairs
        if all(mistake.says.startswith(start) for mistake, start in zip(pair, starts, strict=True))
    ]
    assert len(found) == 1, starts
    return found[0]


@pytest.mark.parametrize("words", ONCE_UNTRUE, ids=lambda words: words[0])
def test_what_was_untrue_once_is_true(words, capsys):
    task, pair = words[0], pair_of(*words)
    line = said_of(task, pair, 0, capsys)
    assert untruth_in(line, pair, examined(task)) is None, line


@pytest.mark.parametrize("words", NOT_FOUND, ids=lambda words: words[0])
def test_what_is_excused_is_still_not_found(words, capsys):
    task, pair = words[0], pair_of(*words)
    line = said_of(task, pair, 0, capsys)
    assert untruth_in(line, pair, examined(task)) == "is not found"


def test_the_sample_follows_the_commit():
    def drawn(commit):
        return [
            [[mistake.says for mistake in pair] for pair in test.values[1]]
            for test in pairs_to_try(False, commit)
        ]

    assert drawn("one") == drawn("one") != drawn("another")
    full = [pair for test in pairs_to_try(True, "one") for pair in test.values[1]]
    assert len(full) == sum(len(examined(task).pairs) for task in TASKS) > 30_000


def test_a_mistake_under_another_name_is_seen(monkeypatch, capsys):
    mistake = SimpleNamespace(says="turns by double the angle")
    assert names_of("turn", mistake)[0] == "[x] turn: turns by double the angle."
    base = next(m for m in examined("turn").family.deviations if "base is 100:" in m.says)
    assert said_of("turn", [base], 0, capsys) in names_of("turn", base)
    monkeypatch.setitem(THE_SAME, "turn", {})
    assert said_of("turn", [base], 0, capsys) not in names_of("turn", base)
    with pytest.raises(AssertionError):
        test_each_mistake_is_rejected_and_named_as_itself("turn", base, capsys)


def test_an_entry_of_two_that_differ_is_seen(monkeypatch):
    first, second = (mistake.says for mistake in examined("turn").family.deviations[:2])
    monkeypatch.setitem(THE_SAME, "turn", {first: (second, "they are not")})
    with pytest.raises(AssertionError, match=first[:20]):
        test_what_counts_as_the_same_is_the_same("turn")
