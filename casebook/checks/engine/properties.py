"""What holds of every set of attention weights, for mistakes that nobody foresaw."""

import numpy as np


def of_weights(got, right, name="the weights"):
    """Return a sentence about the first property of weights that does not hold, or None.

    got, right: (..., n_q, n_k) or (n_k,), finite and of one shape.
    """
    got, right = (np.atleast_2d(array).reshape(-1, array.shape[-1]) for array in (got, right))
    sums, wanted = got.sum(axis=-1), right.sum(axis=-1)
    off = np.flatnonzero(~np.isclose(sums, wanted, atol=1e-4))
    if (got < -1e-9).any():
        row, column = np.argwhere(got < -1e-9)[0]
        return f"{name} hold a negative number, {got[row, column]:.3g} in row {row}: is exp there?"
    if off.size and np.allclose(got.sum(axis=0), 1, atol=1e-4):
        return f"the columns of {name} sum to 1, the rows do not: softmax goes along a row."
    if off.size:
        return f"row {off[0]} of {name} sums to {sums[off[0]]:.3g}, expected {wanted[off[0]]:.0f}."
    hidden = np.argwhere((right == 0) & (got > 1e-9))
    if hidden.size:
        row, column = hidden[0]
        return (
            f"row {row} gives weight {got[row, column]:.2g} to key {column}, which it may not see."
        )
    missing = np.argwhere((got == 0) & (right > 1e-3))
    if missing.size:
        row, column = missing[0]
        return f"row {row} gives no weight to key {column}, which it may see."
    if len(got) > 1 and np.allclose(got, got[0]) and not np.allclose(right, right[0]):
        return f"every row of {name} is the same: each query has its own scores."
    return _order(got, right, name) or _temperature(got, right) or _sharpness(got, right)


def _order(got, right, name):
    """Return a sentence if the weights sit on other keys than they should."""
    if np.allclose(np.sort(got), np.sort(right), atol=1e-6):
        return f"the rows of {name} hold the right numbers, but in another order."
    most, wanted = got.argmax(axis=-1), right.argmax(axis=-1)
    rows = np.flatnonzero(most != wanted)
    if rows.size and (right.max(axis=-1) > 1.05 * np.median(right, axis=-1))[rows[0]]:
        row = rows[0]
        return (
            f"other scores than expected: row {row} has most weight on key {most[row]}, "
            f"the highest score is on key {wanted[row]}."
        )
    return None


def _sharpness(got, right):
    """Return whether weights that are in the right order are too even or too sharp."""
    if (got**2).sum() > (right**2).sum():
        return "too much weight on the largest scores: look at what stands in exp."
    return "the weights are too even: look at what stands in exp."


def _temperature(got, right):
    """Return a sentence if the weights are a softmax of the right scores times one factor."""
    seen = (right > 0) & (got > 0)
    implied, wanted = (_centred(np.log(np.where(seen, array, 1)), seen) for array in (got, right))
    length = (wanted**2).sum()
    if length == 0 or (implied**2).sum() == 0:
        return None
    factor = (implied * wanted).sum() / length
    if not np.allclose(implied, factor * wanted, atol=1e-6) or np.isclose(factor, 1):
        return None
    if factor < 0:
        return f"the scores have the wrong sign (they are {factor:.3g} times the right ones)."
    return f"softmax is right, but of scores {factor:.3g} times the right ones: look at the scale."


def _centred(scores, seen):
    """Return each row less its mean over the entries that are seen; 0 elsewhere."""
    count = np.maximum(seen.sum(axis=-1, keepdims=True), 1)
    mean = np.where(seen, scores, 0).sum(axis=-1, keepdims=True) / count
    return np.where(seen, scores - mean, 0)


def of_attention(got, right, V):
    """Return a sentence about output and weights, the pair ``got``, or None.

    The weights come first: if they are right, the output does not follow from them.
    """
    if not np.allclose(got[1], right[1], rtol=1e-5, atol=1e-8):
        return of_weights(got[1], right[1])
    output = got[0]
    outside = np.argwhere((output < V.min(axis=0) - 1e-9) | (output > V.max(axis=0) + 1e-9))
    if outside.size:
        row, column = outside[0]
        return (
            f"the weights are right, the output is no weighted mean: output[{row}, {column}] "
            f"is {output[row, column]:.3g}, beyond all values."
        )
    return "the weights are right, the output is not: it is not weights @ V."
