"""casebook.checks for exercise 05: the right answers of its families are the course's own."""

import numpy as np
import pytest

from casebook import positional
from casebook.checks.tasks.encode_positions import encode
from casebook.checks.tasks.is_relative import ABSOLUTE, RELATIVE
from casebook.checks.tasks.shift_by import shift
from casebook.checks.tasks.turn import turn


def test_families_stand_on_the_course_itself():
    X = np.random.default_rng(0).normal(0, 1, (3, 5, 8))
    positions = np.array([4, 0, 9, 2, 30])
    pairs = (
        (encode(40, 8), positional.sinusoidal_encoding(40, 8)),
        (shift(-7, 8), positional.shift_matrix(-7, 8)),
        (turn(X, positions), positional.rotate(X, positions)),
    )
    for (got,), expected in pairs:
        np.testing.assert_allclose(got, expected, atol=1e-12)


@pytest.mark.parametrize("score", [*RELATIVE, *ABSOLUTE])
def test_scores_are_what_they_are_called(score):
    q, k = np.random.default_rng(1).normal(0, 1, (2, 4))
    table = np.array([[score(q, k, m, n) for n in range(24)] for m in range(24)])
    steps = np.abs(table[1:, 1:] - table[:-1, :-1]).max()
    assert steps < 1e-9 if score in RELATIVE else steps >= 1e-5 - 1e-9


def test_the_relative_score_of_the_check_is_rope():
    q, k = np.random.default_rng(2).normal(0, 1, (2, 4))
    turned = positional.rotate(np.stack([q, k]), [3, 11], base=100)  # rates 1 and 0.1
    assert next(iter(RELATIVE))(q, k, 3, 11) == pytest.approx(turned[0] @ turned[1])
