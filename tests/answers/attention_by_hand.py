"""Task 1 of exercise 02: numbers found with a pencil."""

import math

import numpy as np

from casebook.attention import scaled_dot_product_attention_loop, softmax
from tests.answers import right, wrong

q = [1, 0, 2, 0, 0, 1, 0, 0, 1]
K = [[2, 1, 1, 0, 3, 0, 0, 1, 2], [0, 2, -1, 0, 1, -1, 0, 0, 0]]
V = [[1, 0], [0, 2]]


def _softmax(scores):
    exponentials = [math.exp(s) for s in scores]
    return [e / sum(exponentials) for e in exponentials]


def _mix(weights):
    return [weights[0], 2 * weights[1]]


@right
def three_decimals():
    return [2, -1], [0.953, 0.047], [0.953, 0.095]


@right
def computed_with_loops():
    output, weights = scaled_dot_product_attention_loop([q], K, V)
    return [2.0, -1.0], weights[0], output[0]


@right
def arrays_in_a_list():
    weights = softmax(np.array([2.0, -1.0]))
    return [np.array([2, -1]), weights, weights @ np.array(V)]


@right
def carried_on_with_rounded_weights():
    return (2, -1), (0.953, 0.047), (0.953, 0.094)


@right
def float32_from_numpy():
    scores = (np.array(K, dtype=np.float32) @ np.array(q, dtype=np.float32)) / np.float32(3)
    weights = softmax(scores)
    return scores, weights, weights @ np.array(V, dtype=np.float32)


@wrong("no exp")
def scores_over_their_sum():
    return [2, -1], [2, -1], [2, -2]


@wrong("scores[1] is not", "do follow")
def slip_in_the_second_product():
    weights = _softmax([2, -1 / 3])
    return [2, -1 / 3], weights, _mix(weights)


@wrong("plain sum of the values")
def values_only_added():
    return [2, -1], [0.953, 0.047], [1, 2]


@wrong("scores and weights are right", "output[1]")
def slip_in_the_output():
    return [2, -1], [0.953, 0.047], [0.953, 0.85]


@wrong("two values have changed places")
def values_swapped():
    return [2, -1], [0.9526, 0.0474], [0.047, 1.905]


@wrong("rounded to 2 decimals")
def two_decimals():
    return [2, -1], [0.95, 0.05], [0.95, 0.1]


@wrong("order", "output, weights, scores")
def results_in_another_order():
    return [0.953, 0.095], [0.953, 0.047], [2, -1]


@wrong("the scores are right", "sum to")
def weights_do_not_sum_to_one():
    return [2, -1], [0.9, 0.2], [0.9, 0.4]
