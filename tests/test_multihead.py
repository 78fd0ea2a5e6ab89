"""casebook.multihead against PyTorch and against separate heads."""

import numpy as np
import pytest

from casebook.attention import scaled_dot_product_attention
from casebook.multihead import (
    merge_heads,
    multi_head_attention,
    random_heads,
    repeat_heads,
    split_heads,
)
from tests import reference

MULTIHEAD = reference.load("multihead")


@pytest.mark.parametrize("name", ["self", "cross"])
def test_multi_head_attention_equals_pytorch(name):
    of = reference.under(name, MULTIHEAD)
    memory = None if name == "self" else of["memory"]
    output, weights = multi_head_attention(
        of["X"], of, int(of["n_heads"]), memory=memory, mask=of["mask"]
    )
    np.testing.assert_allclose(output, of["output"], rtol=0, atol=1e-13)
    np.testing.assert_allclose(weights, of["weights"], rtol=0, atol=1e-14)


def test_split_heads_are_separate_heads():
    rng = np.random.default_rng(0)
    X, parameters = rng.normal(0, 1, (5, 12)), random_heads(12, 3, rng)
    output, weights = multi_head_attention(X, parameters, 3)
    heads = []
    for h in range(3):
        columns = slice(4 * h, 4 * h + 4)
        head, of_head = scaled_dot_product_attention(
            *(X @ parameters[f"W_{letter}"][:, columns] for letter in "QKV")
        )
        heads.append(head)
        np.testing.assert_allclose(weights[h], of_head, atol=1e-14)
    np.testing.assert_allclose(output, np.hstack(heads) @ parameters["W_O"], atol=1e-13)


def test_merge_undoes_split_and_keeps_tokens_apart():
    X = np.arange(2 * 3 * 8.0).reshape(2, 3, 8)
    heads = split_heads(X, 4)
    assert heads.shape == (2, 4, 3, 2)
    np.testing.assert_array_equal(heads[1, 2, 0], X[1, 0, 4:6])
    np.testing.assert_array_equal(merge_heads(heads), X)


def test_grouped_queries_share_keys_and_values():
    rng = np.random.default_rng(1)
    X, grouped = rng.normal(0, 1, (2, 5, 8)), random_heads(8, 4, rng, n_kv_heads=2)
    full = dict(grouped)
    for name in ("W_K", "W_V"):  # write each shared head out twice
        full[name] = merge_heads(repeat_heads(split_heads(grouped[name], 2), 4))
    for one, other in zip(
        multi_head_attention(X, grouped, 4, n_kv_heads=2),
        multi_head_attention(X, full, 4),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, atol=1e-14)


def test_the_function_for_positions_is_put_on_queries_and_keys_only():
    rng = np.random.default_rng(2)
    X, parameters = rng.normal(0, 1, (4, 6)), random_heads(6, 2, rng)
    output, weights = multi_head_attention(X, parameters, 2, rotate=lambda heads: 2 * heads)
    doubled = parameters | {"W_Q": 2 * parameters["W_Q"], "W_K": 2 * parameters["W_K"]}
    expected = multi_head_attention(X, doubled, 2)
    np.testing.assert_allclose(weights, expected[1], atol=1e-14)
    np.testing.assert_allclose(output, expected[0], atol=1e-14)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: split_heads(np.ones((3, 8)), 3), "n_heads is 3 and d_model is 8"),
        (lambda: split_heads(np.ones(8), 2), r"X has shape \(8,\)"),
        (lambda: merge_heads(np.ones((3, 8))), r"heads has shape \(3, 8\)"),
        (lambda: repeat_heads(np.ones((3, 2, 2)), 4), "n_heads is 4 and n_kv_heads is 3"),
        (lambda: random_heads(8, 0, np.random.default_rng(0)), "n_heads is 0"),
        (
            lambda: multi_head_attention(
                np.ones((3, 4)), random_heads(8, 2, np.random.default_rng(0)), 2
            ),
            r"W_Q has shape \(8, 8\).*\(3, 4\).*4 rows",
        ),
        (
            lambda: multi_head_attention(
                np.ones((3, 8)),
                random_heads(8, 2, np.random.default_rng(0)),
                2,
                mask=np.ones((3, 3, 3), dtype=bool),
            ),
            r"mask has shape \(3, 3, 3\).*\(2, 3, 3\)",
        ),
    ],
)
def test_bad_input_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
