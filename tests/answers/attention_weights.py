"""Task 1 of exercise 03: attention weights under three scalings."""

import math

import numpy as np

from casebook.attention import scaled_dot_product_attention, softmax, softmax_loop
from tests.answers import right, wrong


def _factor(scaling, d_k):
    return {"none": 1.0, "sqrt_d_k": d_k**-0.5, "d_k": 1 / d_k}[scaling]


@right
def with_a_dictionary(Q, K, scaling):
    return softmax(Q @ K.T * _factor(scaling, Q.shape[-1]))


@right
def with_if(Q, K, scaling):
    scores = np.inner(Q, K)
    if scaling == "sqrt_d_k":
        scores = scores / math.sqrt(K.shape[1])
    elif scaling == "d_k":
        scores = scores / K.shape[1]
    return softmax(scores)


@right
def with_loops(Q, K, scaling):
    factor = _factor(scaling, len(Q[0]))
    return [softmax_loop([factor * sum(a * b for a, b in zip(q, k)) for k in K]) for q in Q]  # noqa: B905


@right
def queries_scaled_first(Q, K, scaling):
    return softmax(np.einsum("id,jd->ij", Q * _factor(scaling, Q.shape[1]), K))


@right
def through_the_course(Q, K, scaling):
    return scaled_dot_product_attention(Q, K, K, scale=_factor(scaling, Q.shape[1]))[1]


@wrong("always divided by sqrt(d_k)")
def scaling_ignored(Q, K, scaling):
    return softmax(Q @ K.T / math.sqrt(Q.shape[1]))


@wrong("d_k instead of sqrt(d_k)")
def root_forgotten(Q, K, scaling):
    return softmax(Q @ K.T * (1 if scaling == "none" else 1 / Q.shape[1]))


@wrong("Q and K are swapped")
def keys_ask(Q, K, scaling):
    return softmax(K @ Q.T * _factor(scaling, Q.shape[1]))


@wrong("never divided", "weights are divided by sqrt(d_k)")
def too_late(Q, K, scaling):
    weights = softmax(Q @ K.T)
    return weights / math.sqrt(Q.shape[1])


@wrong("KeyError", "line")
def misspelt(Q, K, scaling):
    return softmax(Q @ K.T * {"none": 1, "sqrt": 0.5}[scaling])


@wrong("3 results", "1 result: weights")
def too_much(Q, K, scaling):
    return Q, K, with_a_dictionary(Q, K, scaling)


@wrong("1.41 times", "sqrt_d_k")
def half_the_width(Q, K, scaling):
    d_k = Q.shape[1] / 2 if scaling == "sqrt_d_k" else Q.shape[1]
    return softmax(Q @ K.T * _factor(scaling, d_k))
