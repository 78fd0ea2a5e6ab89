"""casebook.attention against PyTorch, against itself in loops, and against its own promises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.attention import (
    additive_scores,
    causal_mask,
    scaled_dot_product_attention,
    scaled_dot_product_attention_loop,
    softmax,
    softmax_loop,
)
from tests import reference

ATTENTION = reference.load("attention")
SOFTMAX = reference.load("softmax")
# The largest absolute difference allowed from PyTorch.
TOLERANCE = {"float64": 1e-14, "float32": 2e-6}


def cases(file):
    """The names of the cases in a reference file that come in both precisions."""
    return sorted({key.split(".")[0] for key in file if ".float64." in key})


# --- Bahdanau's score ---------------------------------------------------------


def network(rng, d_s=3, d_h=2, d_a=4):
    shapes = {"W": (d_s, d_a), "U": (d_h, d_a), "v": (d_a,)}
    return {name: rng.normal(0, 1, shape) for name, shape in shapes.items()}


def test_additive_scores_are_those_of_the_paper_pair_by_pair():
    rng = np.random.default_rng(0)
    S, H, of = rng.normal(0, 1, (5, 3)), rng.normal(0, 1, (4, 2)), network(rng)
    scores = additive_scores(S, H, **of)
    assert scores.shape == (5, 4)
    for i, s in enumerate(S):
        for j, h in enumerate(H):  # as printed: v^T tanh(W s + U h), vectors standing upright
            expected = of["v"].T @ np.tanh(of["W"].T @ s + of["U"].T @ h)
            assert scores[i, j] == pytest.approx(expected, rel=1e-12)
    both = additive_scores(np.stack([S, S + 1]), np.stack([H, H]), **of)
    np.testing.assert_allclose(both[0], scores)
    np.testing.assert_allclose(both[1], additive_scores(S + 1, H, **of))


@pytest.mark.parametrize(
    "change, error, sentence",
    [
        ({"S": np.ones((5, 2))}, ValueError, r"S has shape \(5, 2\).*expected W \(2, 4\)"),
        ({"H": np.ones((4, 3))}, ValueError, r"H has shape \(4, 3\).*expected U \(3, 4\)"),
        ({"U": np.ones((2, 3))}, ValueError, r"U has shape \(2, 3\) and v has shape \(4,\)"),
        ({"v": np.ones((4, 1))}, ValueError, "W has shape"),
        ({"S": np.ones((5, 3), dtype=int)}, TypeError, "S has dtype int"),
        ({"H": np.ones(2)}, ValueError, "expected 2 or more axes"),
    ],
)
def test_additive_scores_say_what_does_not_fit(change, error, sentence):
    rng = np.random.default_rng(0)
    good = {"S": np.ones((5, 3)), "H": np.ones((4, 2)), **network(rng)}
    with pytest.raises(error, match=sentence):
        additive_scores(**good | change)


# --- PyTorch -----------------------------------------------------------------


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", cases(ATTENTION))
def test_attention_equals_pytorch(name, dtype):
    of = {key: ATTENTION[f"{name}.{dtype}.{key}"] for key in ("Q", "K", "V", "output", "weights")}
    mask = ATTENTION.get(f"{name}.mask")
    output, weights = scaled_dot_product_attention(of["Q"], of["K"], of["V"], mask)
    assert output.dtype == weights.dtype == np.dtype(dtype)
    np.testing.assert_allclose(output, of["output"], rtol=0, atol=TOLERANCE[dtype])
    np.testing.assert_allclose(weights, of["weights"], rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", cases(SOFTMAX))
def test_softmax_equals_pytorch(name, dtype):
    weights = softmax(SOFTMAX[f"{name}.{dtype}.scores"], axis=int(SOFTMAX[f"{name}.axis"]))
    assert weights.dtype == np.dtype(dtype)
    expected = SOFTMAX[f"{name}.{dtype}.weights"]
    np.testing.assert_allclose(weights, expected, rtol=0, atol=TOLERANCE[dtype])


def test_the_reference_says_which_versions_made_it():
    for file in (ATTENTION, SOFTMAX):
        assert str(file["versions"]).startswith("torch ")


# --- properties --------------------------------------------------------------

sizes = st.integers(1, 6)
seeds = st.integers(0, 2**32 - 1)


@st.composite
def attention_inputs(draw):
    """Q, K, V of any small shape, with scores that are neither flat nor saturated."""
    rng = np.random.default_rng(draw(seeds))
    n_q, n_k, d_k, d_v = (draw(sizes) for _ in range(4))
    front = draw(st.sampled_from([(), (2,), (2, 3)]))
    return tuple(rng.normal(0, 1, front + s) for s in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))


@given(seeds, sizes, st.floats(-1e6, 1e6))
def test_softmax_does_not_feel_a_shift(seed, n, shift):
    scores = np.random.default_rng(seed).normal(0, 2, (3, n))
    np.testing.assert_allclose(softmax(scores + shift), softmax(scores), atol=1e-9)


@given(attention_inputs())
def test_rows_of_weights_sum_to_one(inputs):
    _, weights = scaled_dot_product_attention(*inputs)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-12)


@given(attention_inputs(), seeds)
def test_shuffled_tokens_give_shuffled_outputs(inputs, seed):
    Q, K, V = inputs
    rng = np.random.default_rng(seed)
    of_q, of_k = rng.permutation(Q.shape[-2]), rng.permutation(K.shape[-2])
    output, weights = scaled_dot_product_attention(Q, K, V)
    shuffled, shuffled_weights = scaled_dot_product_attention(
        Q[..., of_q, :], K[..., of_k, :], V[..., of_k, :]
    )
    np.testing.assert_allclose(shuffled, output[..., of_q, :], atol=1e-12)
    expected = weights[..., of_q, :][..., of_k]
    np.testing.assert_allclose(shuffled_weights, expected, atol=1e-12)


@given(attention_inputs(), seeds)
def test_masked_columns_have_no_influence(inputs, seed):
    Q, K, V = inputs
    rng = np.random.default_rng(seed)
    allowed = rng.random(K.shape[-2]) < 0.5
    before, weights = scaled_dot_product_attention(Q, K, V, mask=allowed)
    K[..., ~allowed, :] = rng.normal(0, 50, K[..., ~allowed, :].shape)
    V[..., ~allowed, :] = rng.normal(0, 50, V[..., ~allowed, :].shape)
    after, _ = scaled_dot_product_attention(Q, K, V, mask=allowed)
    np.testing.assert_array_equal(weights[..., ~allowed], 0)
    np.testing.assert_allclose(after, before, atol=1e-12)


@given(attention_inputs())
def test_outputs_stay_between_the_values(inputs):
    output, _ = scaled_dot_product_attention(*inputs)
    V = inputs[2]
    assert (output <= V.max(axis=-2, keepdims=True) + 1e-12).all()
    assert (output >= V.min(axis=-2, keepdims=True) - 1e-12).all()


@settings(max_examples=50)
@given(attention_inputs(), seeds)
def test_loops_equal_matrices(inputs, seed):
    Q, K, V = (x.reshape(-1, *x.shape[-2:])[0] for x in inputs)
    mask = np.random.default_rng(seed).random((len(Q), len(K))) < 0.7
    for allowed in (None, mask):
        by_loop = scaled_dot_product_attention_loop(Q, K, V, allowed)
        by_matrix = scaled_dot_product_attention(Q, K, V, allowed)
        for loop, matrix in zip(by_loop, by_matrix, strict=True):
            np.testing.assert_allclose(loop, matrix, atol=1e-12)


# --- special cases -----------------------------------------------------------


def test_a_scale_of_ones_own_replaces_the_default():
    Q, K, V = np.random.default_rng(3).normal(0, 1, (3, 4, 9))
    _, weights = scaled_dot_product_attention(Q, K, V, scale=0.5)
    np.testing.assert_allclose(weights, softmax(0.5 * Q @ K.T), atol=1e-14)


def test_huge_scores_do_not_overflow():
    with np.errstate(all="raise", under="ignore"):
        weights = softmax(np.array([[1000.0, -1000.0, 999.0]]))
    np.testing.assert_allclose(weights, [[1 / (1 + np.exp(-1)), 0, 1 / (1 + np.e)]], atol=1e-15)


def test_minus_infinity_means_never_and_a_row_of_it_gives_zeros():
    weights = softmax(np.array([[0.0, -np.inf], [-np.inf, -np.inf]]))
    np.testing.assert_array_equal(weights, [[1, 0], [0, 0]])
    assert softmax_loop([-np.inf, -np.inf]) == [0.0, 0.0]


def test_a_query_that_may_attend_to_nothing_gets_zeros():
    Q, K, V = np.random.default_rng(4).normal(0, 1, (3, 3, 3))
    mask = np.array([[True, True, False], [False, False, False], [True, True, True]])
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    np.testing.assert_array_equal(weights[1], 0)
    np.testing.assert_array_equal(output[1], 0)
    np.testing.assert_allclose(weights[[0, 2]].sum(-1), 1)


def test_inputs_are_left_as_they_were():
    inputs = np.random.default_rng(5).normal(0, 1, (3, 4, 4))
    before = inputs.copy()
    scaled_dot_product_attention(*inputs, mask=causal_mask(4))
    np.testing.assert_array_equal(inputs, before)


@pytest.mark.parametrize("n_q, n_k", [(1, 1), (3, 3), (2, 5), (1, 4)])
def test_the_causal_mask_lets_the_last_query_see_all_and_the_first_only_the_past(n_q, n_k):
    mask = causal_mask(n_q, n_k)
    assert mask.shape == (n_q, n_k) and mask.dtype == bool
    for i in range(n_q):
        for j in range(n_k):
            assert mask[i, j] == (j <= i + n_k - n_q)


# --- bad input ---------------------------------------------------------------

GOOD = {"Q": np.ones((2, 3)), "K": np.ones((4, 3)), "V": np.ones((4, 5)), "mask": None}
BAD = {
    "widths differ": (
        {"K": np.ones((4, 2))},
        ValueError,
        r"Q has shape \(2, 3\).*K.*\(4, 2\).*d_k",
    ),
    "counts differ": (
        {"V": np.ones((3, 5))},
        ValueError,
        r"K has shape.*V has shape \(3, 5\).*n_k",
    ),
    "front axes": ({"Q": np.ones((2, 2, 3)), "K": np.ones((3, 4, 3))}, ValueError, "axes in front"),
    "integers": ({"Q": np.ones((2, 3), dtype=int)}, TypeError, "Q has dtype int.*floating"),
    "complex": ({"K": np.ones((4, 3), dtype=complex)}, TypeError, "K has dtype complex128"),
    "one axis": ({"Q": np.ones(3)}, ValueError, r"Q has shape \(3,\).*expected 2 or more axes"),
    "nothing in it": ({"K": np.ones((0, 3)), "V": np.ones((0, 5))}, ValueError, "K.*no empty axis"),
    "NaN in Q": ({"Q": np.full((2, 3), np.nan)}, ValueError, "scores.*not finite"),
    "NaN in V": ({"V": np.full((4, 5), np.nan)}, ValueError, "V holds NaN"),
    "mask of integers": ({"mask": np.ones((2, 4), dtype=int)}, TypeError, "mask has dtype int"),
    "mask turned": ({"mask": np.ones((4, 2), dtype=bool)}, ValueError, r"mask has shape \(4, 2\)"),
    "mask too deep": ({"mask": np.ones((6, 2, 4), dtype=bool)}, ValueError, "mask has shape"),
}


@pytest.mark.parametrize("change, error, sentence", BAD.values(), ids=BAD)
def test_bad_input_gets_a_sentence(change, error, sentence):
    with pytest.raises(error, match=sentence):
        scaled_dot_product_attention(**GOOD | change)


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (lambda: softmax(np.array([1, 2])), TypeError, "scores has dtype int"),
        (lambda: softmax(np.array(1.0)), ValueError, "expected 1 or more axes"),
        (lambda: softmax(np.ones((2, 3)), axis=2), ValueError, "axis is 2.*from -2 to 1"),
        (lambda: softmax(np.array([1.0, np.nan])), ValueError, "NaN"),
        (lambda: softmax(np.array([1.0, np.inf])), ValueError, r"\+inf"),
        (lambda: softmax_loop([]), ValueError, "row is empty"),
        (lambda: causal_mask(0), ValueError, "n_q is 0"),
        (lambda: causal_mask(2.0), TypeError, "n_q is 2.0"),
        (lambda: causal_mask(3, 2), ValueError, "n_k is 2 and n_q is 3"),
    ],
)
def test_bad_input_of_the_smaller_functions(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()
