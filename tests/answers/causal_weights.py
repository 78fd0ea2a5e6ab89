"""Task 4 of exercise 02: neither the future nor the padding."""

import math

import numpy as np

from casebook.attention import causal_mask, softmax
from tests.answers import right, wrong


def _mask(is_padding):
    return causal_mask(len(is_padding)) & ~is_padding


def _hidden(scores, mask):
    return softmax(np.where(mask, scores, -np.inf))


def _plain_softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@right
def with_where(scores, is_padding):
    return _hidden(scores, _mask(is_padding))


@right
def with_loops(scores, is_padding):
    n = len(scores)
    weights = np.zeros((n, n))
    for i in range(n):
        seen = [j for j in range(i + 1) if not is_padding[j]]
        if seen:
            largest = max(scores[i, j] for j in seen)
            total = sum(math.exp(scores[i, j] - largest) for j in seen)
            for j in seen:
                weights[i, j] = math.exp(scores[i, j] - largest) / total
    return weights


@right
def added_minus_infinity(scores, is_padding):
    bias = np.where(_mask(is_padding), 0.0, -np.inf)
    return softmax(scores + bias)


@right
def large_number_then_zeros(scores, is_padding):
    mask = _mask(is_padding)
    return _plain_softmax(np.where(mask, scores, -1e9)) * mask


@right
def nan_to_num(scores, is_padding):
    return np.nan_to_num(_plain_softmax(np.where(_mask(is_padding), scores, -np.inf)))


@right
def with_upper_triangle_and_or(scores, is_padding):
    hide = np.triu(np.ones(scores.shape, dtype=bool), k=1) | is_padding[None, :]
    hidden = scores.copy()
    hidden[hide] = -np.inf
    return softmax(hidden)


@wrong("added as 1 and 0")
def mask_added(scores, is_padding):
    return softmax(scores + _mask(is_padding))


@wrong("after softmax", "no longer sum to 1")
def masked_after_softmax(scores, is_padding):
    return softmax(scores) * _mask(is_padding)


@wrong("neither")
def no_mask(scores, is_padding):
    return softmax(scores)


@wrong("may not see", "key")
def not_low_enough(scores, is_padding):
    return softmax(np.where(_mask(is_padding), scores, -6.0)) * (
        _mask(is_padding).any(axis=-1, keepdims=True)
    )


@wrong("input scores in place")
def hides_in_place(scores, is_padding):
    scores[~_mask(is_padding)] = -np.inf
    return softmax(scores)


@wrong("TypeError", "line")
def minus_of_a_boolean(scores, is_padding):
    return _hidden(scores, causal_mask(len(scores)) & -is_padding)


@wrong("times the right ones", "scale")
def scaled_once_more(scores, is_padding):
    return _hidden(scores / math.sqrt(len(scores)), _mask(is_padding))
