"""The checks against the bank of answers, and their mistakes and words one by one.

What the checks say of their own mistakes is tested in test_every_mistake.py.
"""

import numpy as np
import pytest

from casebook import attention, checks, saturation
from tests.answers import all_answers
from tests.checking import TASKS, examined, printed

BANK = all_answers()
LONGEST_LINE = 175  # "[x] task: " and at most 150 characters
LONGEST_MISTAKE = 80  # nbgrader cuts a line after about 85 characters; what is wrong leads


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
    """Wrong answers are those of the bank and the check's own mistakes, handed in one by one."""
    of_task = [entry for entry in BANK if entry.task == task]
    wrong = [entry for entry in of_task if entry.pieces]
    assert len(wrong) >= 2
    assert len(wrong) + len(examined(task).family.deviations) >= 8
    assert len(of_task) - len(wrong) >= 3


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("task", TASKS)
def test_each_mistake_shows_on_the_inputs_of_its_check(task):
    if task == "attention_by_hand":
        pytest.skip("one row of two scores: axes and overflow cannot show")
    exam = examined(task)
    for mistake in exam.family.deviations:
        alike = exam.alike(exam.made_with([mistake]), exam.right)
        broken = [results is None for results in exam.made_with([mistake])]
        assert not all(np.logical_or(alike, broken)), mistake.says


@pytest.mark.parametrize("task", TASKS)
def test_the_words_of_a_mistake_are_short_enough_for_nbgrader(task):
    for mistake in examined(task).family.deviations:
        assert len(mistake.says) <= LONGEST_MISTAKE, mistake.says
        assert not mistake.says.endswith("."), mistake.says


def test_families_stand_on_the_course_itself():
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(4, 6))
    weights = attention.softmax(scores)
    tasks = ("stable_softmax", "effective_keys", "softmax_gradient", "cross_attention")
    right = {task: examined(task).family.results for task in tasks}
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
