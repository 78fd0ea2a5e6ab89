"""Saturation: what the size of the scores does to softmax and to its gradient.

Chapter 03 measures with these functions why attention divides by sqrt(d_k).
"""

import math

import numpy as np

SCALINGS = ("none", "sqrt_d_k", "d_k")


def scale_factor(scaling, d_k):
    """Return the factor that ``scaling`` puts on a raw score.

    scaling: "none" (1), "sqrt_d_k" (1 / sqrt(d_k)) or "d_k" (1 / d_k).
    d_k: width of a query and of a key.
    Raises: ValueError for another name or a width below 1.
    """
    if d_k < 1:
        raise ValueError(f"d_k is {d_k}: expected a width of at least 1")
    factors = {"none": 1.0, "sqrt_d_k": 1 / math.sqrt(d_k), "d_k": 1 / d_k}
    if scaling not in factors:
        raise ValueError(f"scaling is {scaling!r}: expected one of {', '.join(SCALINGS)}")
    return factors[scaling]


def entropy(weights):
    """Return the entropy of each row of weights, in nats.

    log(n) for n equal weights, 0 for one-hot.

    weights: (..., n), rows that sum to 1. Returns: (...).
    """
    weights = np.asarray(weights)
    safe = np.where(weights > 0, weights, 1.0)  # 0 log 0 counts as 0
    return -(weights * np.log(safe)).sum(axis=-1)


def softmax_jacobian(weights):
    """Return the derivatives of each softmax weight by each score.

    Entry [i, j] is d weights[i] / d scores[j] = weights[i] (1[i = j] - weights[j]).

    weights: (..., n), what softmax returned. Returns: (..., n, n), symmetric.
    """
    weights = np.asarray(weights)
    diagonal = weights[..., :, None] * np.eye(weights.shape[-1], dtype=weights.dtype)
    return diagonal - weights[..., :, None] * weights[..., None, :]
