"""Task 2 of exercise 02: a softmax that survives large scores."""

import math

import numpy as np

from tests.answers import right, wrong


def _safe(scores):
    scores = np.asarray(scores, dtype=float)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@right
def with_keepdims(scores):
    return _safe(scores)


@right
def with_loops_and_lists(scores):
    if isinstance(scores[0], (list, np.ndarray)):
        return [with_loops_and_lists(row) for row in scores]
    largest = max(scores)
    e = [math.exp(s - largest) for s in scores]
    return [x / sum(e) for x in e]


@right
def through_the_logarithm_of_the_sum(scores):
    s = np.array(scores, dtype=float)
    largest = s.max(axis=-1)[..., None]
    return np.exp(s - (largest + np.log(np.exp(s - largest).sum(-1))[..., None]))


@right
def each_row_apart(scores):
    s = np.asarray(scores, float)
    rows = s.reshape(-1, s.shape[-1])
    weights = np.empty_like(rows)
    for i, row in enumerate(rows):
        weights[i] = np.exp(row - np.max(row)) / np.sum(np.exp(row - np.max(row)))
    return weights.reshape(s.shape)


@right
def in_float32(scores):
    s = np.asarray(scores, dtype=np.float32)
    return _safe(s - s.max(axis=-1, keepdims=True)).astype(np.float32)


@right
def with_einsum(scores):
    s = np.asarray(scores, dtype=float)
    e = np.exp(s - np.amax(s, -1, keepdims=True))
    return np.einsum("...j,...->...j", e, 1 / np.einsum("...j->...", e))


@right
def shifted_by_more_than_needed(scores):
    s = np.asarray(scores, dtype=float)
    e = np.exp(s - s.max(axis=-1, keepdims=True) - 5)
    return e / (e.sum(axis=-1, keepdims=True) + 1e-12)


@wrong("axis 0", "last axis")
def first_axis(scores):
    s = np.asarray(scores, dtype=float)
    e = np.exp(s - s.max(axis=0))
    return e / e.sum(axis=0)


@wrong("axis 1", "last axis")
def second_axis(scores):
    s = np.asarray(scores, dtype=float)
    axis = 1 if s.ndim > 1 else 0
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong("largest score is not subtracted")
def overflows(scores):
    e = np.exp(np.asarray(scores, dtype=float))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("not normalised")
def not_normalised(scores):
    s = np.asarray(scores, dtype=float)
    return np.exp(s - s.max(axis=-1, keepdims=True))


@wrong("log-softmax")
def log_softmax(scores):
    return np.log(_safe(scores))


@wrong("list", "np.asarray", "line")
def arrays_only(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("input scores in place")
def in_place(scores):
    if isinstance(scores, np.ndarray):
        scores -= scores.max(axis=-1, keepdims=True)
    return _safe(scores)


@wrong("whole numbers", "integers")
def integer_buffer(scores):
    s = np.asarray(scores)
    weights = np.zeros_like(s)
    weights[...] = _safe(s)
    return weights


@wrong("base 2")
def base_two(scores):
    s = np.asarray(scores, dtype=float)
    e = 2 ** (s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("2.5 times")
def too_cold(scores):
    return _safe(2.5 * np.asarray(scores))


@wrong("rounded to 3 decimals")
def rounded(scores):
    return np.round(_safe(scores), 3)


@wrong("sum")
def sum_with_a_large_epsilon(scores):
    s = np.asarray(scores, dtype=float)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 0.1)


@wrong("negative number")
def centred(scores):
    return _safe(scores) - 0.1


@wrong("three axes")
def two_axes_only(scores):
    s = np.atleast_2d(np.asarray(scores, dtype=float))
    rows = [np.exp(row - max(row)) / np.exp(row - max(row)).sum() for row in s]
    return np.array(rows).reshape(np.shape(scores))


@wrong("float16")
def half_precision(scores):
    return _safe(scores).astype(np.float16)
