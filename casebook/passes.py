"""Passes: each layer forward, and beside it the same layer backward.

They are layers of :mod:`casebook.layers` once more, because a layer that is trained must hand
on what its backward pass needs, and the plain formula there hands on nothing.

A forward pass returns its output and what the backward pass will need, ``saved``.
A backward pass takes ``d_output``, how the loss moves with that output, and ``saved``;
it returns how the loss moves with each thing that went in. Nothing is computed twice;
:mod:`casebook.gradients`, which saves nothing, calls the same backward passes.
"""

import math
from typing import NamedTuple

import numpy as np

from casebook.layers import EPSILON
from casebook.types import Array, Integers, Mask


def embed(tokens: Integers, embedding: Array) -> tuple[Array, tuple[Integers, Array]]:
    """Return the vector of each token. tokens: (...), embedding: (n_words, d_model)."""
    return embedding[tokens], (tokens, embedding)


def embed_backward(d_output: Array, saved: tuple[Integers, Array]) -> Array:
    """Return how the loss moves with the embedding: each word sums over its places."""
    tokens, embedding = saved
    places = np.eye(len(embedding), dtype=embedding.dtype)[tokens.ravel()]  # one-hot rows
    return places.T @ d_output.reshape(len(places), -1)


def linear(X: Array, W: Array) -> tuple[Array, tuple[Array, Array]]:
    """Return ``X @ W``. X: (..., d_in), W: (d_in, d_out)."""
    rows = X.reshape(-1, X.shape[-1])  # one large product is faster than many small ones
    return (rows @ W).reshape(*X.shape[:-1], -1), (X, W)


def linear_backward(d_output: Array, saved: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return how the loss moves with ``X`` and with ``W``."""
    X, W = saved
    rows, d_rows = X.reshape(-1, X.shape[-1]), d_output.reshape(-1, W.shape[1])
    return (d_rows @ W.T).reshape(X.shape), rows.T @ d_rows


def rms_norm(X: Array, gain: Array) -> tuple[Array, tuple[Array, Array, Array]]:
    """Return each token divided by the root of its mean square, times ``gain``.

    X: (..., d_model), gain: (d_model,).
    """
    size = np.sqrt((X * X).mean(axis=-1, keepdims=True) + EPSILON)
    normalised = X / size
    return normalised * gain, (normalised, size, gain)


def rms_norm_backward(d_output: Array, saved: tuple[Array, Array, Array]) -> tuple[Array, Array]:
    """Return how the loss moves with ``X`` and with ``gain``."""
    normalised, size, gain = saved
    d_gain = (d_output * normalised).reshape(-1, len(gain)).sum(axis=0)
    d_normalised = d_output * gain
    along = (d_normalised * normalised).mean(axis=-1, keepdims=True)
    return (d_normalised - normalised * along) / size, d_gain


def relu(X: Array) -> tuple[Array, Mask]:
    """Return ``X`` where it is positive, else 0."""
    return np.maximum(X, 0), X > 0


def relu_backward(d_output: Array, saved: Mask) -> Array:
    """Return how the loss moves with ``X``: not at all where it was cut off."""
    return d_output * saved


def softmax_backward(d_weights: Array, weights: Array) -> Array:
    """Return how the loss moves with the scores: the Jacobian of softmax, applied.

    d_weights, weights: (..., n). Returns: (..., n).
    """
    return weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))


class SavedAttention(NamedTuple):
    """What the backward pass of attention needs; ``weights`` are (..., n_tokens, n_tokens)."""

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    weights: np.ndarray
    scale: float


def attention(Q: Array, K: Array, V: Array, bias: Array) -> tuple[Array, SavedAttention]:
    """Return what each token has read. Q, K, V: (..., n_tokens, d_head).

    bias: is added to the scores and broadcasts to (..., n_tokens, n_tokens);
        minus infinity where a token may not look.
    """
    scale = 1 / math.sqrt(Q.shape[-1])
    weights = Q @ np.swapaxes(K, -1, -2)
    weights *= scale
    weights += bias
    # Softmax in the same memory: to fetch new memory costs as much as to compute.
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ V, SavedAttention(Q, K, V, weights, scale)


def attention_backward(d_output: Array, saved: SavedAttention) -> tuple[Array, Array, Array]:
    """Return how the loss moves with ``Q``, ``K`` and ``V``."""
    Q, K, V, weights, scale = saved
    d_V = np.swapaxes(weights, -1, -2) @ d_output
    d_scores = softmax_backward(d_output @ np.swapaxes(V, -1, -2), weights)
    d_scores *= scale
    return d_scores @ K, np.swapaxes(d_scores, -1, -2) @ Q, d_V


def cross_entropy(
    logits: Array, targets: Integers, importance: Array
) -> tuple[float, tuple[Array, Integers, Array]]:
    """Return the mean surprise at the right words, in nats.

    logits: (n, n_words), targets: n numbers of words, importance: n weights, not negative;
        only their proportions count.
    Source: Goodfellow et al. (2016), section 6.2.1.1.
    """
    rows, share = np.arange(len(targets)), importance / importance.sum()
    shifted = logits - logits.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    totals = exponentials.sum(axis=-1, keepdims=True)
    surprise = np.log(totals[:, 0]) - shifted[rows, targets]
    return float(surprise @ share), (exponentials / totals, targets, share)


def cross_entropy_backward(saved: tuple[Array, Integers, Array]) -> Array:
    """Return how the loss moves with ``logits``: probability minus one at the right word."""
    probabilities, targets, share = saved
    d_logits = probabilities.copy()
    d_logits[np.arange(len(targets)), targets] -= 1
    return d_logits * share[:, None]
