"""Attention: softmax, scaled dot-product attention and the causal mask.

Every function stands twice where that helps: once as plain Python loops
(``_loop``), as it is done by hand, and once as matrices, as it is done in
practice. The notebooks show that both give the same numbers.

Shapes are written ``(n_q, d_k)`` for queries, ``(n_k, d_k)`` for keys and
``(n_k, d_v)`` for values. The matrix versions accept any axes in front
(batch, heads). Masks are boolean and True means "may attend".
"""

import math
from collections.abc import Sequence

import numpy as np

from casebook.guards import (
    additive_network,
    at_least,
    finite,
    mask_for,
    queries_keys_values,
    softmax_scores,
    whole_number,
)
from casebook.types import Array, Mask, Rows


def softmax(scores: Array, axis: int = -1) -> Array:
    """Return positive weights that sum to 1 along ``axis``.

    The largest score is subtracted first. That changes nothing in the result,
    and no exponential can overflow. A score of ``-inf`` means "never": its
    weight is 0. Where every score along ``axis`` is ``-inf`` there is nothing to
    choose from, and all the weights are 0.

    scores: floats, any shape with at least one axis.
    Returns: weights, same shape and dtype as ``scores``.
    Raises: TypeError for a dtype that is not floating; ValueError for an empty
        axis, an axis that is not there, a NaN or a ``+inf``.
    Source: Bridle (1990); Vaswani et al. (2017), equation 1.
    """
    scores = softmax_scores(scores, axis)
    highest = scores.max(axis=axis, keepdims=True)
    highest = np.where(np.isneginf(highest), 0, highest)
    exponentials = np.exp(scores - highest)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)


def scaled_dot_product_attention(
    Q: Array, K: Array, V: Array, mask: Mask | None = None, scale: float | None = None
) -> tuple[Array, Array]:
    """Return the weighted mean of the values for each query, and the weights.

    ``softmax(Q K^T * scale) V``, where ``scale`` is ``1 / sqrt(d_k)`` unless given.

    Q: (..., n_q, d_k), K: (..., n_k, d_k), V: (..., n_k, d_v), floats. The axes
        in front (batch, heads) must be alike or broadcast.
    mask: boolean, broadcasts to (..., n_q, n_k); True means the query may
        attend to the key. None allows all.
    scale: factor on the raw scores, a number.
    Returns: output (..., n_q, d_v) and weights (..., n_q, n_k). Rows of weights
        sum to 1. A query that may attend to nothing gets weights 0 and output 0
        (as in PyTorch since 2.5), not NaN.
    Raises: TypeError for a dtype that is not floating, or a mask that is not
        boolean; ValueError for shapes that do not fit, an empty axis, or
        numbers that are not finite.
    Source: Vaswani et al. (2017), equation 1.
    """
    Q, K, V = queries_keys_values(Q, K, V)
    if scale is None:
        scale = 1 / math.sqrt(Q.shape[-1])
    with np.errstate(over="ignore", invalid="ignore"):  # the guard below says it in a sentence
        raw_scores = Q @ np.swapaxes(K, -1, -2)
        scores = raw_scores * scale
    finite(scores, V)
    if mask is not None:
        scores = np.where(mask_for(mask, scores.shape), scores, -np.inf)
    weights = softmax(scores, axis=-1)
    return weights @ V, weights


def additive_scores(S: Array, H: Array, W: Array, U: Array, v: Array) -> Array:
    """Return Bahdanau's score of every pair, ``tanh(s W + h U) . v``: softmax makes it weights.

    S: (..., n_q, d_s), what asks; H: (..., n_k, d_h), what is asked, floats.
    W: (d_s, d_a), U: (d_h, d_a), v: (d_a,): the small network that compares them.
    Returns: (..., n_q, n_k).
    Raises: TypeError for a dtype that is not floating; ValueError for shapes that do not fit.
    Source: Bahdanau et al. (2015), section A.1.2; there W_a, U_a and v_a.
    """
    S, H, W, U, v = additive_network(S, H, W, U, v)
    return np.tanh((S @ W)[..., :, None, :] + (H @ U)[..., None, :, :]) @ v  # (n_q, n_k, d_a) @ v


def causal_mask(n_q: int, n_k: int | None = None) -> Mask:
    """Return the mask that lets a token attend to itself and to what came before.

    With ``n_k`` larger than ``n_q`` the queries are the last ``n_q`` of the
    ``n_k`` tokens, as when a text is continued.

    n_q: number of queries; n_k: number of keys, ``n_q`` unless given.
    Returns: boolean (n_q, n_k), True where the query may attend.
    Raises: TypeError if a count is not a whole number; ValueError if it is
        below 1 or if ``n_k < n_q``.
    Source: Vaswani et al. (2017), section 3.2.3.
    """
    n_k = n_q if n_k is None else n_k
    for name, count in (("n_q", n_q), ("n_k", n_k)):
        whole_number(name, count, " of tokens")
        at_least(name, count, 1, " token")
    if n_k < n_q:
        raise ValueError(f"n_k is {n_k} and n_q is {n_q}: expected no fewer keys than queries")
    return np.tril(np.ones((n_q, n_k), dtype=bool), k=n_k - n_q)


def softmax_loop(row: Sequence[float]) -> list[float]:
    """Return the softmax of one row of scores, with plain loops.

    row: list of n numbers (``-inf`` for "never").
    Returns: list of n weights that sum to 1, or n zeros if every score is ``-inf``.
    Raises: ValueError for an empty row.
    """
    if len(row) == 0:
        raise ValueError("row is empty: expected at least one score")
    highest = max(row)
    if highest == -math.inf:
        return [0.0 for _ in row]
    exponentials = [math.exp(score - highest) for score in row]
    total = sum(exponentials)
    return [exponential / total for exponential in exponentials]


def scaled_dot_product_attention_loop(
    Q: Rows, K: Rows, V: Rows, mask: Sequence[Sequence[bool]] | None = None
) -> tuple[list[list[float]], list[list[float]]]:
    """Return what :func:`scaled_dot_product_attention` returns, with plain loops.

    Q: n_q rows of d_k numbers, K: n_k rows of d_k, V: n_k rows of d_v: lists of
        lists, or arrays of two axes.
    mask: n_q rows of n_k booleans, True means may attend; None allows all.
    Returns: output, n_q rows of d_v, and weights, n_q rows of n_k (lists).
    """
    d_k, d_v = len(K[0]), len(V[0])
    output, weights = [], []
    for i, q in enumerate(Q):
        scores = []
        for j, k in enumerate(K):
            dot_product = sum(q[m] * k[m] for m in range(d_k))
            allowed = mask is None or mask[i][j]
            scores.append(dot_product / math.sqrt(d_k) if allowed else -math.inf)
        row = softmax_loop(scores)
        weights.append(row)
        output.append([sum(row[j] * V[j][m] for j in range(len(V))) for m in range(d_v)])
    return output, weights
