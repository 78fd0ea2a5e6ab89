"""The checks against the bank of answers, and against mistakes that nobody wrote down."""

from unittest import mock

import numpy as np
import pytest

from casebook import attention, checks, saturation
from casebook.checks.engine import diagnosis
from casebook.checks.engine.compare import same
from tests.answers import all_answers

BANK = all_answers()
TASKS = [name.removeprefix("check_") for name in checks.__all__ if name.startswith("check_")]
LONGEST_LINE = 175  # "[x] task: " and at most 150 characters
LONGEST_MISTAKE = 80  # nbgrader cuts a line after about 85 characters; what is wrong leads


def examined(task):
    """Return the inputs that a check tries, and the family that it diagnoses with."""
    seen = []
    with mock.patch.object(diagnosis, "_Examination") as examination:
        examination.side_effect = lambda *given: seen.append(given) or mock.Mock(sentence=str)
        getattr(checks, f"check_{task}")(in_form(task, lambda *inputs: 0))
    _, cases, family, *_ = seen[0]
    return cases, family


def in_form(task, function):
    """Return the function in the form that the task asks for: itself, or a class that uses it."""
    return {"multi_head_attention": as_attention, "adamw": as_optimiser}.get(task, keep)(function)


def keep(function):
    return function


def as_attention(function):
    class Answer:
        def __init__(self, *given):
            self.given = given

        def __call__(self, X, mask=None):
            return function(X, *self.given, mask)

    return Answer


def as_optimiser(function):
    """Return a class whose step gives the last row of what the function computes so far."""

    class Answer:
        def __init__(self, *settings):
            self.settings, self.start, self.gradients = settings, None, []

        def step(self, parameters, gradients):
            self.start = self.start or parameters
            self.gradients.append(gradients)
            row, stepped = function(self.start, self.gradients, *self.settings)[-1], {}
            for name, W in self.start.items():
                stepped[name], row = row[: W.size].reshape(W.shape), row[W.size :]
            return stepped

    return Answer


def printed(capsys, check, answer, **options):
    """Return the one line that a check prints."""
    assert check(answer, **options) is None
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def name_of(entry):
    return f"{entry.task}-{entry.answer.__name__}"


@pytest.mark.parametrize("entry", [entry for entry in BANK if entry.pieces is None], ids=name_of)
def test_right_answers_are_accepted(entry, capsys):
    for seed in (0, 11):
        line = printed(capsys, entry.check, entry.answer, seed=seed, strict=True)
        assert line == f"[ok] {entry.task}: right on every input tried."


@pytest.mark.parametrize("entry", [entry for entry in BANK if entry.pieces], ids=name_of)
def test_wrong_answers_get_the_name_of_their_mistake(entry, capsys):
    line = printed(capsys, entry.check, entry.answer, strict=False)
    assert line.startswith(f"[x] {entry.task}: ")
    assert all(piece in line for piece in entry.pieces), line
    assert "cannot be judged" not in line
    assert len(line) <= LONGEST_LINE
    with pytest.raises(checks.CheckFailed) as raised:
        entry.check(entry.answer, seed=11, strict=True)
    assert str(raised.value).startswith(f"[x] {entry.task}: ")
    assert raised.value._render_traceback_() == [str(raised.value)]


@pytest.mark.parametrize("task", TASKS)
def test_the_bank_is_large_enough(task):
    of_task = [entry for entry in BANK if entry.task == task]
    wrong = [entry for entry in of_task if entry.pieces]
    assert len(wrong) >= 8
    assert len(of_task) - len(wrong) >= 3


@pytest.mark.parametrize("task", TASKS)
def test_planted_pairs_of_mistakes_are_rejected(task, capsys):
    check, (_, family) = getattr(checks, f"check_{task}"), examined(task)
    capsys.readouterr()
    rng = np.random.default_rng(3)
    rejected = 0
    for _ in range(8):
        chosen = rng.choice(len(family.deviations), 2, replace=False)
        answer, differs = planted(family, [family.deviations[index] for index in chosen])
        line = printed(capsys, check, in_form(task, answer), strict=False)
        assert line.startswith("[x]") == any(differs), line
        assert "cannot be judged" not in line
        rejected += line.startswith("[x]")
    assert rejected >= 4


def planted(family, mistakes):
    """Return a function that makes these mistakes, and where it notes if they show."""
    differs = []

    def answer(*inputs):
        wrong = family.results(inputs, mistakes)
        differs.append(wrong is None or not same(wrong, family.results(inputs), family.absolute))
        if wrong is None:
            raise ValueError("these mistakes break the computation")
        if family.read:  # an answer that is no array: as a learner gives it
            return family.compute(*inputs, **{mistake.stage: mistake.does for mistake in mistakes})
        return tuple(wrong) if len(wrong) != 1 else wrong[0]

    return answer, differs


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("task", TASKS)
def test_each_mistake_shows_on_the_inputs_of_its_check(task):
    if task == "attention_by_hand":
        pytest.skip("one row of two scores: axes and overflow cannot show")
    cases, family = examined(task)
    for mistake in family.deviations:
        wrong = [family.results(case.inputs, [mistake]) for case in cases]
        right = [family.results(case.inputs) for case in cases]
        shown = [
            got is not None and not same(got, expected)
            for got, expected in zip(wrong, right, strict=True)
        ]
        assert any(shown), mistake.says


@pytest.mark.parametrize("task", TASKS)
def test_the_words_of_a_mistake_are_short_enough_for_nbgrader(task):
    for mistake in examined(task)[1].deviations:
        assert len(mistake.says) <= LONGEST_MISTAKE, mistake.says
        assert not mistake.says.endswith("."), mistake.says


def test_families_stand_on_the_course_itself():
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(4, 6))
    weights = attention.softmax(scores)
    tasks = ("stable_softmax", "effective_keys", "softmax_gradient", "cross_attention")
    right = {task: examined(task)[1].results for task in tasks}
    assert np.allclose(right["stable_softmax"]((scores,))[0], weights)
    assert np.allclose(right["effective_keys"]((weights,))[0], np.exp(saturation.entropy(weights)))
    jacobian, share = right["softmax_gradient"]((scores, 0.01))
    assert np.allclose(jacobian, saturation.softmax_jacobian(weights))
    assert share == np.mean(np.abs(jacobian) < 0.01)
    X, Z, W_q, W_k, W_v = (rng.normal(size=(n, 5)) for n in (3, 4, 5, 5, 5))
    expected = attention.scaled_dot_product_attention(X @ W_q, Z @ W_k, Z @ W_v)
    for got, wanted in zip(right["cross_attention"]((X, Z, W_q, W_k, W_v)), expected, strict=True):
        assert np.allclose(got, wanted)


def test_every_task_has_its_answers():
    assert {entry.task for entry in BANK} == set(TASKS)
