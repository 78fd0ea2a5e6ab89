"""Task 3 of exercise 06: cross-attention with several heads, the right way round."""

import numpy as np

from casebook.attention import scaled_dot_product_attention, softmax
from casebook.multihead import merge_heads, multi_head_attention, split_heads
from tests.answers import right, wrong


@right
def through_the_course(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    named = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}
    return multi_head_attention(Y, named, n_heads, memory=memory)[0]


def _ask(Q, K, V, W_O, n_heads):
    cut = (split_heads(matrix, n_heads) for matrix in (Q, K, V))
    return merge_heads(scaled_dot_product_attention(*cut)[0]) @ W_O


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


@wrong("one single head")
def one_head(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return _ask(Y @ W_Q, memory @ W_K, memory @ W_V, W_O, 1)


@wrong("2 results")
def weights_too(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    named = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}
    return multi_head_attention(Y, named, n_heads, memory=memory)


@wrong("1.1 times the right numbers")
def nobody_foresaw(Y, memory, W_Q, W_K, W_V, W_O, n_heads):
    return split_and_merged(Y, memory, W_Q, W_K, W_V, 1.1 * W_O, n_heads)
