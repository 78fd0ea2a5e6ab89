"""casebook.positional: clocks, their rotation, and RoPE."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.positional import (
    frequencies,
    learned_encoding,
    pair_columns,
    rotate,
    shift_matrix,
    sinusoidal_encoding,
)

even_widths = st.sampled_from([2, 4, 8, 64])


def test_the_encoding_is_the_formula_of_the_paper():
    encoding = sinusoidal_encoding(50, 6)
    for pos in (0, 1, 7, 49):
        for i in range(3):
            angle = pos / 10000 ** (2 * i / 6)
            assert encoding[pos, 2 * i] == pytest.approx(np.sin(angle), abs=1e-12)
            assert encoding[pos, 2 * i + 1] == pytest.approx(np.cos(angle), abs=1e-12)


def test_positions_may_be_given_one_by_one():
    np.testing.assert_array_equal(sinusoidal_encoding([3, 1], 4), sinusoidal_encoding(4, 4)[[3, 1]])


@given(even_widths, st.integers(0, 500), st.integers(-200, 200))
def test_a_shift_is_one_matrix_for_every_position(d_model, position, k):
    before, after = sinusoidal_encoding([position, position + k], d_model)
    np.testing.assert_allclose(shift_matrix(k, d_model) @ before, after, atol=1e-12)


@given(even_widths, st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_rope_scores_know_the_offset_only(d_head, m, n, shift):
    q, k = np.random.default_rng(m + n).normal(0, 1, (2, d_head))
    for pairing in ("neighbours", "halves"):
        near = rotate(np.array([q, k]), [m, n], pairing)
        far = rotate(np.array([q, k]), [m + shift, n + shift], pairing)
        assert near[0] @ near[1] == pytest.approx(far[0] @ far[1], abs=1e-11)


def test_the_two_pairings_are_one_after_a_permutation():
    X = np.random.default_rng(0).normal(0, 1, (3, 5, 8))
    order = np.concatenate(pair_columns(8, "neighbours"))  # neighbours, sorted into halves
    by_halves = rotate(X[..., order], np.arange(5), "halves")
    np.testing.assert_allclose(by_halves, rotate(X, np.arange(5))[..., order], atol=1e-15)


def test_rope_turns_complex_numbers():
    X = np.random.default_rng(1).normal(0, 1, (6, 4))
    turns = np.exp(1j * np.arange(6)[:, None] * frequencies(4))
    expected = (X[:, 0::2] + 1j * X[:, 1::2]) * turns
    turned = rotate(X, np.arange(6))
    np.testing.assert_allclose(turned[:, 0::2], expected.real, atol=1e-14)
    np.testing.assert_allclose(turned[:, 1::2], expected.imag, atol=1e-14)


def test_whole_numbers_are_not_cut_and_single_precision_stays():
    X = np.arange(8).reshape(2, 4)
    np.testing.assert_allclose(rotate(X, [1, 2]), rotate(X.astype(float), [1, 2]), atol=1e-15)
    assert rotate(X.astype(np.float32), [1, 2]).dtype == np.float32


def test_a_learned_table_is_looked_up():
    table = np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(learned_encoding(table, [2, 0]), table[[2, 0]])


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: frequencies(7), "d_model is 7: expected an even width"),
        (lambda: sinusoidal_encoding(0, 4), "positions is 0"),
        (lambda: rotate(np.ones((2, 5)), [0, 1]), "d_model is 5"),
        (lambda: rotate(np.ones((2, 4)), [0, 1, 2]), r"positions has shape \(3,\)"),
        (lambda: rotate(np.ones((2, 4)), [0, 1], "thirds"), "pairing is 'thirds'"),
        (lambda: learned_encoding(np.ones((4, 3)), [1, 4]), "positions hold 4.*0 to 3"),
        (lambda: learned_encoding(np.ones((4, 3)), [-1]), "positions hold -1"),
    ],
)
def test_bad_input_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
