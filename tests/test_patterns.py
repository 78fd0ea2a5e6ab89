"""casebook.patterns on weights whose pattern is known."""

import numpy as np
import pytest

from casebook.patterns import PLACES, attention_shares, pattern

PREVIOUS = np.eye(5)[[0, 0, 1, 2, 3]]
FIRST = np.eye(5)[[0, 0, 0, 0, 0]]


@pytest.mark.parametrize(
    "weights, place",
    [(FIRST, "first"), (PREVIOUS, "previous"), (np.eye(5), "itself"), (PREVIOUS.T, "elsewhere")],
)
def test_all_the_weight_on_one_place(weights, place):
    shares = attention_shares(weights)
    expected = {name: float(name == place) for name in PLACES}
    if place == "elsewhere":  # the last token has no next one
        expected["elsewhere"] = 2 / 3
    assert {name: float(share) for name, share in shares.items()} == pytest.approx(expected)


def test_shares_of_many_heads_sum_to_one():
    weights = np.random.default_rng(0).random((3, 2, 6, 6))
    weights /= weights.sum(axis=-1, keepdims=True)
    shares = attention_shares(weights)
    assert all(share.shape == (3, 2) for share in shares.values())
    np.testing.assert_allclose(sum(shares.values()), 1, atol=1e-14)
    one = attention_shares(weights[1, 0])
    for place in PLACES:
        assert one[place] == pytest.approx(shares[place][1, 0])


@pytest.mark.parametrize(
    "weights, words",
    [
        (FIRST, "almost only the first token (1.00)"),
        (0.7 * PREVIOUS + 0.3 * PREVIOUS.T, "mostly the previous token (0.70)"),
        (0.5 * np.eye(5) + 0.1, "mostly itself (0.60)"),
        (0.45 * np.eye(5) + 0.11, "about half on itself (0.56)"),
        (np.full((5, 5), 0.2), "spread out, at most 0.20 on the first token"),
    ],
)
def test_pattern_in_words(weights, words):
    assert pattern(weights) == words


@pytest.mark.parametrize("shape", [(2, 2), (4, 5), (3,)])
def test_weights_that_are_not_square_or_too_small(shape):
    with pytest.raises(ValueError, match="expected .* at least 3"):
        attention_shares(np.ones(shape))
