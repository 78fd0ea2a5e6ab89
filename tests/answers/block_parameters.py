"""Task 4 of exercise 06: the parameters of a block."""

import numpy as np

from casebook.size import ModelSize, parameter_count
from tests.answers import right, wrong


@right
def by_formula(d_model, d_ff, n_heads, n_kv_heads):
    d_kv = n_kv_heads * d_model // n_heads
    attention = 2 * (d_model + 1) * d_model + 2 * (d_model + 1) * d_kv
    feed_forward = (d_model + 1) * d_ff + (d_ff + 1) * d_model
    return attention, feed_forward, 4 * d_model


@right
def by_making_the_arrays(d_model, d_ff, n_heads, n_kv_heads):
    d_kv = d_model // n_heads * n_kv_heads
    widths = [(d_model, d_model), (d_model, d_kv), (d_model, d_kv), (d_model, d_model)]
    attention = sum(np.empty(shape).size + np.empty(shape[1]).size for shape in widths)
    layers = [(d_model, d_ff), (d_ff, d_model)]
    feed_forward = sum(np.empty(shape).size + np.empty(shape[1]).size for shape in layers)
    return [attention, feed_forward, np.empty((2, 2, d_model)).size]


@right
def through_the_course(d_model, d_ff, n_heads, n_kv_heads):
    size = ModelSize("", 0, d_model, 1, n_heads, d_ff, n_kv_heads=n_kv_heads)
    count = parameter_count(size)
    return count["attention"], count["feed_forward"], count["norms"]


@right
def as_floats(d_model, d_ff, n_heads, n_kv_heads):
    share = n_kv_heads / n_heads
    attention = 2 * d_model**2 * (1 + share) + 2 * d_model * (1 + share)
    return np.array([attention, 2 * d_model * d_ff + d_ff + d_model, 4 * d_model], dtype=float)


@wrong("biases are missing: every matrix")
def without_biases(d, d_ff, n_heads, n_kv_heads):
    d_kv = d // n_heads * n_kv_heads
    return 2 * d * d + 2 * d * d_kv, 2 * d * d_ff, 4 * d


@wrong("off by")
def nobody_foresaw(d, d_ff, n_heads, n_kv_heads):
    attention, feed_forward, norms = by_formula(d, d_ff, n_heads, n_kv_heads)
    return attention + 7 * d, feed_forward, norms
