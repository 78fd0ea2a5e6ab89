"""Task 2 of exercise 07: backwards through a feed-forward layer and its residual."""

import numpy as np

from casebook import passes
from tests.answers import right, wrong


def _parts(d_output, X, W_1, W_2):
    """Return the ReLU's result, and what came back to what stands before it."""
    hidden = X @ W_1
    return np.maximum(hidden, 0), (d_output @ W_2.T) * (hidden > 0)


def _flat(rows):
    return rows.reshape(-1, rows.shape[-1])


@right
def with_flat_rows(d_output, X, W_1, W_2):
    active, d_hidden = _parts(d_output, X, W_1, W_2)
    d_W_1, d_W_2 = _flat(X).T @ _flat(d_hidden), _flat(active).T @ _flat(d_output)
    return d_output + d_hidden @ W_1.T, d_W_1, d_W_2


@right
def with_einsum(d_output, X, W_1, W_2):
    hidden = np.einsum("stm,mf->stf", X, W_1)
    d_hidden = np.einsum("stm,fm->stf", d_output, W_2) * (hidden > 0)
    d_X = d_output + np.einsum("stf,mf->stm", d_hidden, W_1)
    d_W_1 = np.einsum("stm,stf->mf", X, d_hidden)
    return d_X, d_W_1, np.einsum("stf,stm->fm", np.maximum(hidden, 0), d_output)


@right
def with_loops(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = np.zeros_like(X), np.zeros_like(W_1), np.zeros_like(W_2)
    for s, t in np.ndindex(X.shape[:2]):
        x, d = X[s, t], d_output[s, t]
        hidden = x @ W_1
        active = np.where(hidden > 0, hidden, 0)
        d_W_2 += np.outer(active, d)
        d_hidden = np.where(hidden > 0, W_2 @ d, 0)
        d_W_1 += np.outer(x, d_hidden)
        d_X[s, t] = d + W_1 @ d_hidden
    return d_X, d_W_1, d_W_2


@right
def with_tensordot_and_lists(d_output, X, W_1, W_2):
    active, d_hidden = _parts(d_output, X, W_1, W_2)
    d_W_1 = np.tensordot(X, d_hidden, axes=([0, 1], [0, 1]))
    d_W_2 = np.tensordot(active, d_output, axes=([0, 1], [0, 1]))
    return [(d_hidden @ W_1.T + d_output).tolist(), d_W_1.tolist(), d_W_2.tolist()]


@right
def through_the_course(d_output, X, W_1, W_2):
    hidden, saved_1 = passes.linear(X, W_1)
    active, saved_relu = passes.relu(hidden)
    _, saved_2 = passes.linear(active, W_2)
    d_active, d_W_2 = passes.linear_backward(d_output, saved_2)
    d_X, d_W_1 = passes.linear_backward(passes.relu_backward(d_active, saved_relu), saved_1)
    return d_X + d_output, d_W_1, d_W_2


@right
def in_float32(d_output, X, W_1, W_2):
    return with_flat_rows(*(array.astype(np.float32) for array in (d_output, X, W_1, W_2)))


@wrong("first sequence alone")
def first_sequence(d_output, X, W_1, W_2):
    active, d_hidden = _parts(d_output, X, W_1, W_2)
    return d_output + d_hidden @ W_1.T, X[0].T @ d_hidden[0], active[0].T @ d_output[0]


@wrong("changes its input d_output in place")
def in_place(d_output, X, W_1, W_2):
    _, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    d_hidden = _parts(d_output, X, W_1, W_2)[1]
    d_output += d_hidden @ W_1.T
    return d_output, d_W_1, d_W_2


@wrong("2 results, but the task asks for 3")
def without_d_x(d_output, X, W_1, W_2):
    return with_flat_rows(d_output, X, W_1, W_2)[1:]


@wrong("in d_W_1: the gate is missing")
def three_mistakes(d_output, X, W_1, W_2):
    hidden, d_hidden = X @ W_1, d_output @ W_2.T
    return d_hidden @ W_1.T, _flat(X).T @ _flat(d_hidden), _flat(hidden).T @ _flat(d_output)


@wrong("a gate stands before W_2")
def gate_on_the_wrong_side(d_output, X, W_1, W_2):
    d_W_2 = with_flat_rows(d_output, X, W_1, W_2)[2]
    d_hidden = (d_output * (X @ W_1 > 0)) @ W_2.T
    return d_output + d_hidden @ W_1.T, _flat(X).T @ _flat(d_hidden), d_W_2


@wrong("d_X and d_W_2 are right, d_W_1 is not")
def one_gradient_halved(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    return d_X, d_W_1 / 2 + 1, d_W_2


@wrong("came as None")
def never_filled(d_output, X, W_1, W_2):
    return with_flat_rows(d_output, X, W_1, W_2)[0], None, None
