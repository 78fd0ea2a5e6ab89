"""Task 3 of exercise 06: cross-attention with several heads, the right way round."""

import numpy as np

from casebook.attention import causal_mask, scaled_dot_product_attention, softmax
from casebook.multihead import merge_heads, multi_head_attention, split_heads
from tests.answers import right, wrong


@right
def through_the_course(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    named = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}
    return multi_head_attention(Y, named, n_heads, memory=memory)[0]


def _ask(Q, K, V, W_O, n_heads, mask=None, scale=None):
    cut = (split_heads(matrix, n_heads) for matrix in (Q, K, V))
    return merge_heads(scaled_dot_product_attention(*cut, mask, scale)[0]) @ W_O


@right
def split_and_merged(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return _ask(Y @ W_Q, memory @ W_K, memory @ W_V, W_O, n_heads)


@right
def head_by_head(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    heads = []
    for q, k, v in zip(*(np.split(W, n_heads, axis=1) for W in (W_Q, W_K, W_V)), strict=True):
        weights = softmax((Y @ q) @ (memory @ k).T / np.sqrt(q.shape[1]))
        heads.append(weights @ (memory @ v))
    return np.hstack(heads) @ W_O


@right
def sum_over_the_heads(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    d_head, total = W_Q.shape[1] // n_heads, 0
    for start in range(0, W_Q.shape[1], d_head):
        part = slice(start, start + d_head)
        scores = Y @ W_Q[:, part] @ W_K[:, part].T @ memory.T / d_head**0.5
        total = total + softmax(scores) @ memory @ W_V[:, part] @ W_O[part]
    return total


@right
def with_einsum(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (
        (rows @ W).reshape(len(rows), n_heads, -1)
        for rows, W in ((Y, W_Q), (memory, W_K), (memory, W_V))
    )
    weights = softmax(np.einsum("qhd,khd->hqk", Q, K) / np.sqrt(Q.shape[-1]))
    return np.einsum("hqk,khd->qhd", weights, V).reshape(len(Y), -1) @ W_O


@wrong("the encoder asks here")
def other_direction(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return split_and_merged(memory, Y, W_Q, W_K, W_V, W_O, n_heads)


@wrong("self-attention", "come from memory")
def only_the_target(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return split_and_merged(Y, Y, W_Q, W_K, W_V, W_O, n_heads)


@wrong("Q comes from memory")
def only_the_source(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return split_and_merged(memory, memory, W_Q, W_K, W_V, W_O, n_heads)


@wrong("V comes from Y")
def values_of_the_target(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return _ask(Y @ W_Q, memory @ W_K, Y @ W_V, W_O, n_heads)


@wrong("K comes from Y")
def keys_of_the_target(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return _ask(Y @ W_Q, Y @ W_K, memory @ W_V, W_O, n_heads)


@wrong("W_Q and W_K are swapped")
def matrices_swapped(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return _ask(Y @ W_K, memory @ W_Q, memory @ W_V, W_O, n_heads)


@wrong("W_K makes the values")
def keys_as_values(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return _ask(Y @ W_Q, memory @ W_K, memory @ W_K, W_O, n_heads)


@wrong("W_O is missing")
def not_mixed(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return _ask(Y @ W_Q, memory @ W_K, memory @ W_V, np.eye(len(W_O)), n_heads)


@wrong("one single head")
def one_head(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return _ask(Y @ W_Q, memory @ W_K, memory @ W_V, W_O, 1)


@wrong("causal mask")
def causal(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    if len(memory) >= len(Y):
        mask = causal_mask(len(memory))[: len(Y)]
    else:
        mask = np.tril(np.ones((len(Y), len(memory)), dtype=bool))
    return _ask(Y @ W_Q, memory @ W_K, memory @ W_V, W_O, n_heads, mask)


@wrong("not divided by sqrt")
def unscaled(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return _ask(Y @ W_Q, memory @ W_K, memory @ W_V, W_O, n_heads, scale=1)


@wrong("sqrt(d_model)")
def scaled_by_d_model(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    scale = Y.shape[1] ** -0.5
    return _ask(Y @ W_Q, memory @ W_K, memory @ W_V, W_O, n_heads, scale=scale)


@wrong("mixes the tokens")
def reshaped_only(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (
        (rows @ W).reshape(n_heads, len(rows), -1)
        for rows, W in ((Y, W_Q), (memory, W_K), (memory, W_V))
    )
    return merge_heads(scaled_dot_product_attention(Q, K, V)[0]) @ W_O


@wrong("mixes the tokens", "swap axes")
def merged_by_reshape(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (
        split_heads(rows @ W, n_heads) for rows, W in ((Y, W_Q), (memory, W_K), (memory, W_V))
    )
    return scaled_dot_product_attention(Q, K, V)[0].reshape(len(Y), -1) @ W_O


@wrong("residual is added")
def with_the_residual(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return Y + split_and_merged(Y, memory, W_Q, W_K, W_V, W_O, n_heads)


@wrong("down the columns")
def softmax_down_the_columns(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (
        split_heads(rows @ W, n_heads) for rows, W in ((Y, W_Q), (memory, W_K), (memory, W_V))
    )
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), axis=-2)
    return merge_heads(weights @ V) @ W_O


@wrong("2 results")
def weights_too(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    named = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}
    return multi_head_attention(Y, named, n_heads, memory=memory)


@wrong("the encoder asks here")
def other_direction_one_head(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return _ask(memory @ W_Q, Y @ W_K, Y @ W_V, W_O, 1)


@wrong("1.1 times the right numbers")
def nobody_foresaw(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return split_and_merged(Y, memory, W_Q, W_K, W_V, 1.1 * W_O, n_heads)
