"""Saturation: what the size of the scores does to softmax and to its gradient.

Chapter 03 measures with these functions why attention divides by sqrt(d_k). ``rng`` is a
NumPy random generator.
"""

import math
from collections.abc import Iterable

import numpy as np

from casebook.attention import softmax
from casebook.guards import one_of, within
from casebook.types import Array, ArrayFunction

SCALINGS = ("none", "sqrt_d_k", "d_k")
MEASURES = ("largest weight", "entropy", "norm of the Jacobian", "norm of d weights / d q")


def scale_factor(scaling: str, d_k: int) -> float:
    """Return the factor that ``scaling`` puts on a raw score.

    scaling: "none" (1), "sqrt_d_k" (1 / sqrt(d_k)) or "d_k" (1 / d_k).
    d_k: width of a query and of a key.
    Raises: ValueError for another name or a width below 1.
    """
    if d_k < 1:
        raise ValueError(f"d_k is {d_k}: expected a width of at least 1")
    one_of("scaling", scaling, SCALINGS)
    factors = {"none": 1.0, "sqrt_d_k": 1 / math.sqrt(d_k), "d_k": 1 / d_k}
    return factors[scaling]


def entropy(weights: Array) -> Array:
    """Return the entropy of each row of weights, in nats.

    log(n) for n equal weights, 0 for one-hot.

    weights: (..., n), rows that sum to 1. Returns: (...).
    """
    weights = np.asarray(weights)
    safe = np.where(weights > 0, weights, 1.0)  # 0 log 0 counts as 0
    return -(weights * np.log(safe)).sum(axis=-1)


def softmax_jacobian(weights: Array) -> Array:
    """Return the derivatives of each softmax weight by each score.

    Entry [i, j] is d weights[i] / d scores[j] = weights[i] (1[i = j] - weights[j]).

    weights: (..., n), what softmax returned. Returns: (..., n, n), symmetric.
    """
    weights = np.asarray(weights)
    diagonal = weights[..., :, None] * np.eye(weights.shape[-1], dtype=weights.dtype)
    return diagonal - weights[..., :, None] * weights[..., None, :]


def numerical_jacobian(function: ArrayFunction, x: Array, step: float = 1e-6) -> Array:
    """Return the derivatives of ``function`` at ``x``, measured by small steps to both sides.

    function: takes (n,) and returns (m,). x: (n,). step: to each side. Returns: (m, n).
    """
    shifts = step * np.eye(len(x))
    return np.stack([function(x + s) - function(x - s) for s in shifts], axis=-1) / (2 * step)


def sample_pairs(
    d_k: int, n_pairs: int, rng: np.random.Generator, std: float = 1.0, correlation: float = 0.0
) -> tuple[Array, Array]:
    """Return random queries and keys; entry m of a key goes with entry m of its query.

    d_k: width; n_pairs: how many of each.
    std: standard deviation of every entry; the mean is 0.
    correlation: between the two entries of a pair, from -1 to 1.
    Returns: q and k, both (n_pairs, d_k), normally distributed.
    Raises: ValueError for a correlation outside -1 to 1.
    """
    within("correlation", correlation, -1, 1)
    q = rng.normal(0, std, (n_pairs, d_k))
    independent = rng.normal(0, std, (n_pairs, d_k))
    return q, correlation * q + math.sqrt(1 - correlation**2) * independent


def sample_scores(
    d_k: int, n_pairs: int, rng: np.random.Generator, std: float = 1.0, correlation: float = 0.0
) -> Array:
    """Return the raw scores q . k of random pairs.

    d_k, n_pairs, std, correlation: as for :func:`sample_pairs`. Returns: (n_pairs,).
    Raises: as :func:`sample_pairs`.
    """
    q, k = sample_pairs(d_k, n_pairs, rng, std, correlation)
    return (q * k).sum(axis=-1)


def variance_with_error(samples: Array) -> tuple[float, float]:
    """Return the variance of independent samples, and its standard error.

    The variance divides by n - 1. Its error comes from the samples' own fourth
    moment, so it needs no assumption on their distribution.

    samples: (n,), n at least 4. Returns: two numbers.
    Raises: ValueError for fewer than 4 samples.
    Source: Mood, Graybill and Boes (1974), chapter VI.
    """
    samples = np.asarray(samples)
    n = len(samples)
    if n < 4:
        raise ValueError(f"samples has {n} numbers: expected at least 4")
    variance = samples.var(ddof=1)
    fourth_moment = ((samples - samples.mean()) ** 4).mean()
    spread = (fourth_moment - (n - 3) / (n - 1) * variance**2) / n
    return variance, math.sqrt(max(spread, 0.0))


def weights_by_query(weights: Array, K: Array, factor: float) -> Array:
    """Return the derivatives of each weight by each number of the query.

    The chain rule: softmax's Jacobian, then the scores' own derivative, factor * K.

    weights: (..., n_k), K: (..., n_k, d_k). Returns: (..., n_k, d_k).
    """
    return softmax_jacobian(weights) @ (factor * K)


def saturation_sweep(
    widths: Iterable[int], rng: np.random.Generator, n_keys: int = 8, n_rows: int = 400
) -> dict[str, Array]:
    """Return how saturated a typical row of weights is, for each scaling and width.

    The same random queries and keys serve all three scalings.

    widths: values of d_k. n_keys: how many weights a row has.
    Returns: scaling -> (n_widths, 4), medians over ``n_rows`` rows, columns as in MEASURES.
    """
    medians = {scaling: [] for scaling in SCALINGS}
    for d_k in widths:
        q = rng.normal(size=(n_rows, d_k))
        K = rng.normal(size=(n_rows, n_keys, d_k))
        raw_scores = (K @ q[:, :, None])[..., 0]
        for scaling in SCALINGS:
            factor = scale_factor(scaling, d_k)
            weights = softmax(raw_scores * factor)
            measured = [
                weights.max(axis=-1),
                entropy(weights),
                np.linalg.norm(softmax_jacobian(weights), axis=(-2, -1)),
                np.linalg.norm(weights_by_query(weights, K, factor), axis=(-2, -1)),
            ]
            medians[scaling].append(np.median(measured, axis=-1))
    return {scaling: np.array(rows) for scaling, rows in medians.items()}


def share_below(values: Array, threshold: float = 1e-6) -> float:
    """Return the share of ``values`` whose size, without sign, is below ``threshold``."""
    return float((np.abs(values) < threshold).mean())


def unit_rows(X: Array) -> Array:
    """Return the rows of ``X`` scaled to length 1: what QK-normalisation does to Q and K.

    X: (..., d_k). Returns: same shape.
    Raises: ValueError for a row of length 0.
    Source: Henry et al. (2020).
    """
    lengths = np.linalg.norm(X, axis=-1, keepdims=True)
    if (lengths == 0).any():
        raise ValueError("X has a row of zeros: expected rows that have a direction")
    return X / lengths
