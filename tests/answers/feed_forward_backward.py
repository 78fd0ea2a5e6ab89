"""Task 2 of exercise 07: backwards through a feed-forward layer and its residual."""

import numpy as np

from casebook import passes
from tests.answers import right, wrong


def _parts(d_output, X, W_1, W_2):
    """Return hidden, its ReLU, and what came back to both."""
    hidden = X @ W_1
    d_active = d_output @ W_2.T
    return hidden, np.maximum(hidden, 0), d_active, d_active * (hidden > 0)


def _flat(rows):
    return rows.reshape(-1, rows.shape[-1])


@right
def with_flat_rows(d_output, X, W_1, W_2):
    _, active, _, d_hidden = _parts(d_output, X, W_1, W_2)
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
    _, active, _, d_hidden = _parts(d_output, X, W_1, W_2)
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


def _answer(d_output, X, W_1, W_2, d_hidden=None, active=None):
    """Return the right combination of parts, some of which may be mistaken."""
    _, right_active, _, right_hidden = _parts(d_output, X, W_1, W_2)
    d_hidden = right_hidden if d_hidden is None else d_hidden
    active = right_active if active is None else active
    d_W_1, d_W_2 = _flat(X).T @ _flat(d_hidden), _flat(active).T @ _flat(d_output)
    return d_output + d_hidden @ W_1.T, d_W_1, d_W_2


@wrong("gate is missing")
def without_the_gate(d_output, X, W_1, W_2):
    return _answer(d_output, X, W_1, W_2, d_hidden=_parts(d_output, X, W_1, W_2)[2])


@wrong("ReLU is applied to what comes back")
def relu_of_the_gradient(d_output, X, W_1, W_2):
    d_active = _parts(d_output, X, W_1, W_2)[2]
    return _answer(d_output, X, W_1, W_2, d_hidden=d_active * (d_active > 0))


@wrong("multiplied by the ReLU, not by its slope")
def times_the_activation(d_output, X, W_1, W_2):
    _, active, d_active, _ = _parts(d_output, X, W_1, W_2)
    return _answer(d_output, X, W_1, W_2, d_hidden=d_active * active)


@wrong("gate is turned round")
def gate_turned(d_output, X, W_1, W_2):
    hidden, _, d_active, _ = _parts(d_output, X, W_1, W_2)
    return _answer(d_output, X, W_1, W_2, d_hidden=d_active * (hidden < 0))


@wrong("lacks the straight road")
def residual_forgotten(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    return d_X - d_output, d_W_1, d_W_2


@wrong("d_X adds X")
def adds_the_input(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    return d_X - d_output + X, d_W_1, d_W_2


@wrong("d_X is d_output alone")
def straight_road_only(d_output, X, W_1, W_2):
    return (d_output.copy(), *with_flat_rows(d_output, X, W_1, W_2)[1:])


@wrong("d_X is a product")
def roads_multiplied(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    return (d_X - d_output) * d_output, d_W_1, d_W_2


@wrong("W_2 is made from hidden before the ReLU")
def before_the_relu(d_output, X, W_1, W_2):
    return _answer(d_output, X, W_1, W_2, active=X @ W_1)


@wrong("d_W_1 is made from what came back before the gate")
def gate_too_late(d_output, X, W_1, W_2):
    d_X, _, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    return d_X, _flat(X).T @ _flat(d_output @ W_2.T), d_W_2


@wrong("a matrix for each sequence")
def not_summed(d_output, X, W_1, W_2):
    _, active, _, d_hidden = _parts(d_output, X, W_1, W_2)
    d_W_1 = X.transpose(0, 2, 1) @ d_hidden
    return d_output + d_hidden @ W_1.T, d_W_1, active.transpose(0, 2, 1) @ d_output


@wrong("averaged over the sequences")
def mean_over_the_batch(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    return d_X, d_W_1 / len(X), d_W_2 / len(X)


@wrong("averaged over the tokens")
def mean_over_all_tokens(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    n = X.shape[0] * X.shape[1]
    return d_X, d_W_1 / n, d_W_2 / n


@wrong("W_2", "transpose")
def not_transposed(d_output, X, W_1, W_2):
    d_hidden = (d_output @ W_2) * (X @ W_1 > 0)
    return _answer(d_output, X, W_1, W_2, d_hidden=d_hidden)


@wrong("each matrix needs its transpose")
def never_transposed(d_output, X, W_1, W_2):
    d_hidden = (d_output @ W_2) * (X @ W_1 > 0)
    _, d_W_1, d_W_2 = _answer(d_output, X, W_1, W_2, d_hidden=d_hidden)
    return d_output + d_hidden @ W_1, d_W_1, d_W_2


@wrong("each d_W is transposed")
def gradients_transposed(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    return d_X, d_W_1.T, d_W_2.T


@wrong("first sequence alone")
def first_sequence(d_output, X, W_1, W_2):
    _, active, _, d_hidden = _parts(d_output, X, W_1, W_2)
    return d_output + d_hidden @ W_1.T, X[0].T @ d_hidden[0], active[0].T @ d_output[0]


@wrong("last sequence alone")
def overwritten_in_a_loop(d_output, X, W_1, W_2):
    _, active, _, d_hidden = _parts(d_output, X, W_1, W_2)
    for s in range(len(X)):
        d_W_1, d_W_2 = X[s].T @ d_hidden[s], active[s].T @ d_output[s]
    return d_output + d_hidden @ W_1.T, d_W_1, d_W_2


@wrong("(d_W_1, d_W_2, d_X)")
def other_order(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    return d_W_1, d_W_2, d_X


@wrong("d_W_1 and d_W_2 are swapped")
def matrices_swapped(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    return d_X, d_W_2, d_W_1


@wrong("changes its input d_output in place")
def in_place(d_output, X, W_1, W_2):
    _, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    d_hidden = _parts(d_output, X, W_1, W_2)[3]
    d_output += d_hidden @ W_1.T
    return d_output, d_W_1, d_W_2


@wrong("W_2 is made from the gate")
def gate_for_activation(d_output, X, W_1, W_2):
    return _answer(d_output, X, W_1, W_2, active=(X @ W_1 > 0).astype(float))


@wrong("2 results, but the task asks for 3")
def without_d_x(d_output, X, W_1, W_2):
    return with_flat_rows(d_output, X, W_1, W_2)[1:]


@wrong("gate is missing", "lacks the straight road")
def two_mistakes(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = without_the_gate(d_output, X, W_1, W_2)
    return d_X - d_output, d_W_1, d_W_2


@wrong("in d_W_1: the gate is missing")
def three_mistakes(d_output, X, W_1, W_2):
    hidden, d_hidden = X @ W_1, d_output @ W_2.T
    return d_hidden @ W_1.T, _flat(X).T @ _flat(d_hidden), _flat(hidden).T @ _flat(d_output)


@wrong("a gate stands before W_2")
def gate_on_the_wrong_side(d_output, X, W_1, W_2):
    d_hidden = (d_output * (X @ W_1 > 0)) @ W_2.T
    return _answer(d_output, X, W_1, W_2, d_hidden=d_hidden)


@wrong("d_X and d_W_2 are right, d_W_1 is not")
def one_gradient_halved(d_output, X, W_1, W_2):
    d_X, d_W_1, d_W_2 = with_flat_rows(d_output, X, W_1, W_2)
    return d_X, d_W_1 / 2 + 1, d_W_2


@wrong("came as None")
def never_filled(d_output, X, W_1, W_2):
    return with_flat_rows(d_output, X, W_1, W_2)[0], None, None
