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


@wrong("W_O is missing")
def without_the_last_matrix(d, d_ff, n_heads, n_kv_heads):
    attention, feed_forward, norms = by_formula(d, d_ff, n_heads, n_kv_heads)
    return attention - d * d, feed_forward, norms


@wrong("W_O is missing", "bias of W_O is missing")
def without_the_last_matrix_and_its_bias(d, d_ff, n_heads, n_kv_heads):
    attention, feed_forward, norms = by_formula(d, d_ff, n_heads, n_kv_heads)
    return attention - d * d - d, feed_forward, norms


@wrong("n_kv_heads is not used")
def not_grouped(d, d_ff, n_heads, n_kv_heads):
    return by_formula(d, d_ff, n_heads, n_heads)


@wrong("count one head")
def always_one_head(d, d_ff, n_heads, n_kv_heads):
    return by_formula(d, d_ff, n_heads, 1)


@wrong("heads multiply the count")
def heads_multiply(d, d_ff, n_heads, n_kv_heads):
    d_kv = d // n_heads * n_kv_heads
    attention = n_heads * (2 * d * d + 2 * d * d_kv) + 2 * d + 2 * d_kv
    return attention, *by_formula(d, d_ff, n_heads, n_kv_heads)[1:]


@wrong("4 d_model")
def always_four_times(d, d_ff, n_heads, n_kv_heads):
    return by_formula(d, 4 * d, n_heads, n_kv_heads)


@wrong("d_ff is taken as d_model")
def as_wide_as_the_model(d, d_ff, n_heads, n_kv_heads):
    return by_formula(d, d, n_heads, n_kv_heads)


@wrong("b_2 has d_model")
def second_bias_too_long(d, d_ff, n_heads, n_kv_heads):
    attention, _, norms = by_formula(d, d_ff, n_heads, n_kv_heads)
    return attention, 2 * d * d_ff + 2 * d_ff, norms


@wrong("norms count 2 d_model")
def norms_without_bias(d, d_ff, n_heads, n_kv_heads):
    attention, feed_forward, _ = by_formula(d, d_ff, n_heads, n_kv_heads)
    return attention, feed_forward, 2 * d


@wrong("one gain and one bias for each feature")
def one_number_a_norm(d, d_ff, n_heads, n_kv_heads):
    attention, feed_forward, _ = by_formula(d, d_ff, n_heads, n_kv_heads)
    return attention, feed_forward, 4


@wrong("one matrix here")
def one_matrix(d, d_ff, n_heads, n_kv_heads):
    attention, _, norms = by_formula(d, d_ff, n_heads, n_kv_heads)
    return attention, d * d_ff + d + d_ff, norms


@wrong("order is attention, feed-forward, norms")
def other_order(d, d_ff, n_heads, n_kv_heads):
    attention, feed_forward, norms = by_formula(d, d_ff, n_heads, n_kv_heads)
    return feed_forward, attention, norms


@wrong("only the total")
def only_the_total(d, d_ff, n_heads, n_kv_heads):
    return sum(by_formula(d, d_ff, n_heads, n_kv_heads))


@wrong("four vectors")
def attention_without_biases(d, d_ff, n_heads, n_kv_heads):
    _, feed_forward, norms = by_formula(d, d_ff, n_heads, n_kv_heads)
    return 2 * d * d + 2 * d * (d // n_heads * n_kv_heads), feed_forward, norms


@wrong("off by")
def nobody_foresaw(d, d_ff, n_heads, n_kv_heads):
    attention, feed_forward, norms = by_formula(d, d_ff, n_heads, n_kv_heads)
    return attention + 7 * d, feed_forward, norms
