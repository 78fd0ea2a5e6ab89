"""Task 2 of exercise 03: how many keys a row uses."""

import math

import numpy as np

from casebook.saturation import entropy
from tests.answers import right, wrong


def _entropy(weights, log=np.log):
    weights = np.asarray(weights)
    return -(weights * log(np.where(weights > 0, weights, 1))).sum(axis=-1)


@right
def with_where(weights):
    return np.exp(_entropy(weights))


@right
def with_bits(weights):
    return 2 ** _entropy(weights, np.log2)


@right
def with_loops(weights):
    if np.ndim(weights) > 1:
        return [with_loops(row) for row in weights]
    return math.exp(-sum(w * math.log(w) for w in weights if w > 0))


@right
def as_a_product(weights):
    weights = np.asarray(weights)
    return 1 / np.prod(weights**weights, axis=-1)


@right
def nan_to_num(weights):
    return np.exp(-np.nan_to_num(weights * np.log(weights)).sum(axis=-1))


@right
def with_a_tiny_number(weights):
    return np.exp(-np.sum(weights * np.log(weights + 1e-12), axis=-1))


@right
def through_the_course(weights):
    return np.exp(entropy(weights))


@wrong("0 log 0 gives NaN")
def nan_at_zero(weights):
    return np.exp(-(weights * np.log(weights)).sum(axis=-1))


@wrong("columns")
def columns(weights):
    w = np.asarray(weights)
    return np.exp(-(w * np.log(np.where(w > 0, w, 1))).sum(axis=max(w.ndim - 2, 0)))


@wrong("whole array")
def one_number(weights):
    w = np.asarray(weights)
    return np.exp(-(w * np.log(np.where(w > 0, w, 1))).sum())


@wrong("sum of squares")
def participation(weights):
    return 1 / (np.asarray(weights) ** 2).sum(axis=-1)


@wrong("unweighted")
def logs_unweighted(weights):
    w = np.asarray(weights)
    return np.exp(-np.log(np.where(w > 0, w, 1)).sum(axis=-1))


@wrong("possible", "row 0")
def beyond_what_is_possible(weights):
    return np.exp(_entropy(weights)) + np.shape(weights)[-1]


@wrong("result[0] is", "expected")
def large_epsilon(weights):
    return np.exp(-np.sum(weights * np.log(weights + 0.05), axis=-1))


@wrong("TypeError", "line")
def math_log(weights):
    return np.exp(-(weights * math.log(weights)).sum(axis=-1))
