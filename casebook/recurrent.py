"""Recurrence: an RNN cell and an LSTM cell, and how much of a token is left later on.

One token at a time: step t needs the state of step t - 1. The Jacobians say how
the new state moves when the old state or the token moves; their product over the
steps (the chain rule) says what is left of token 1.

``parameters`` are those of the cell, as :func:`random_cell` makes them: a dict of W_x, W_h
and b. ``x`` (d_in,) is a token, ``h`` and ``c`` (d_h,) are the state and the memory.
"""

import numpy as np

from casebook.guards import either
from casebook.types import Array, Parameters

CELLS = ("rnn", "lstm")


def rnn_cell(x: Array, h: Array, parameters: Parameters) -> Array:
    """Return the next state of a plain recurrent cell, ``tanh(x W_x + h W_h + b)``.

    parameters: W_x (d_in, d_h), W_h (d_h, d_h), b (d_h,).
    Returns: (d_h,).
    Source: Elman (1990).
    """
    return np.tanh(x @ parameters["W_x"] + h @ parameters["W_h"] + parameters["b"])


def rnn_jacobians(x: Array, h: Array, parameters: Parameters) -> tuple[Array, Array]:
    """Return how the next state of :func:`rnn_cell` moves with the old state and the token.

    Returns: d h' / d h (d_h, d_h) and d h' / d x (d_h, d_in); row i is the new h'[i].
    """
    slope = 1 - rnn_cell(x, h, parameters) ** 2
    return slope[:, None] * parameters["W_h"].T, slope[:, None] * parameters["W_x"].T


def lstm_cell(x: Array, h: Array, c: Array, parameters: Parameters) -> tuple[Array, Array]:
    """Return the next state and the next memory of an LSTM cell.

    parameters: W_x (d_in, 4 d_h), W_h (d_h, 4 d_h), b (4 d_h,), in the order input gate,
        forget gate, candidate, output gate.
    Returns: h' and c', each (d_h,).
    Source: Hochreiter and Schmidhuber (1997), with the forget gate of Gers et al. (2000).
    """
    _, _, _, output_gate, c_new = _lstm_parts(x, h, c, parameters)
    return output_gate * np.tanh(c_new), c_new


def lstm_jacobians(x: Array, h: Array, c: Array, parameters: Parameters) -> tuple[Array, Array]:
    """Return how the next [h', c'] of :func:`lstm_cell` moves with [h, c] and with the token.

    Returns: d [h', c'] / d [h, c] (2 d_h, 2 d_h) and d [h', c'] / d x (2 d_h, d_in).
    """
    i, f, g, o, c_new = _lstm_parts(x, h, c, parameters)
    # How c' and h' move with the four sums that the gates are made of: (d_h, 4) each.
    c_by_sums = np.stack([g * i * (1 - i), c * f * (1 - f), i * (1 - g**2), np.zeros_like(c)], 1)
    h_by_c = o * (1 - np.tanh(c_new) ** 2)
    h_by_sums = h_by_c[:, None] * c_by_sums
    h_by_sums[:, 3] += np.tanh(c_new) * o * (1 - o)

    def through(W):
        """Chain the gates' sums with the matrix that made them: (d_h, d_in) for h' and c'."""
        by_gate = W.reshape(len(W), 4, len(c))  # (d_in, 4, d_h)
        return [np.einsum("kg,jgk->kj", by_sums, by_gate) for by_sums in (h_by_sums, c_by_sums)]

    (h_by_h, c_by_h), (h_by_x, c_by_x) = through(parameters["W_h"]), through(parameters["W_x"])
    by_state = np.block([[h_by_h, np.diag(h_by_c * f)], [c_by_h, np.diag(f)]])
    return by_state, np.vstack([h_by_x, c_by_x])


def run_rnn(X: Array, parameters: Parameters) -> Array:
    """Return every state of an RNN over the tokens ``X``, starting from zeros.

    X: (n_tokens, d_in). Returns: (n_tokens, d_h).
    """
    h, states = np.zeros(len(parameters["b"])), []
    for x in X:
        h = rnn_cell(x, h, parameters)
        states.append(h)
    return np.array(states)


def run_lstm(X: Array, parameters: Parameters) -> tuple[Array, Array]:
    """Return every state and memory of an LSTM over the tokens ``X``, starting from zeros.

    X: (n_tokens, d_in). Returns: states (n_tokens, d_h) and memories (n_tokens, d_h).
    """
    d_h = len(parameters["b"]) // 4
    h, c, states, memories = np.zeros(d_h), np.zeros(d_h), [], []
    for x in X:
        h, c = lstm_cell(x, h, c, parameters)
        states.append(h)
        memories.append(c)
    return np.array(states), np.array(memories)


def influence_of_first_token(X: Array, parameters: Parameters, cell: str) -> Array:
    """Return the norm of d h_n / d x_1 for every step n, by the chain rule.

    X: (n_tokens, d_in). cell: "rnn" or "lstm".
    Returns: (n_tokens,), Frobenius norms; entry 0 is the first step's own.
    Raises: ValueError for another name of a cell, or no tokens.
    Source: Bengio et al. (1994).
    """
    either("cell", cell, CELLS)
    if len(X) == 0:
        raise ValueError("X holds no tokens: expected at least one")
    d_h = len(parameters["b"]) // (4 if cell == "lstm" else 1)
    h, c, by_first, norms = np.zeros(d_h), np.zeros(d_h), None, []
    for x in X:
        if cell == "rnn":
            by_state, by_token = rnn_jacobians(x, h, parameters)
            h = rnn_cell(x, h, parameters)
        else:
            by_state, by_token = lstm_jacobians(x, h, c, parameters)
            h, c = lstm_cell(x, h, c, parameters)
        by_first = by_token if by_first is None else by_state @ by_first
        norms.append(np.linalg.norm(by_first[:d_h]))
    return np.array(norms)


def random_cell(
    d_in: int, d_h: int, rng: np.random.Generator, cell: str, forget_bias: float = 0.0
) -> Parameters:
    """Return random parameters for a cell; matrix entries have variance 1 / rows.

    d_in, d_h: widths of a token and of a state. rng: a NumPy random generator.
    cell: "rnn" or "lstm".
    forget_bias: added to the LSTM's forget gate; above 0 it forgets more slowly.
    Returns: dict of W_x, W_h, b. Raises: ValueError for another name of a cell.
    Source: Gers et al. (2000) for the forget gate, Jozefowicz et al. (2015) for its bias.
    """
    either("cell", cell, CELLS)
    width = 4 * d_h if cell == "lstm" else d_h
    b = np.zeros(width)
    if cell == "lstm":
        b[d_h : 2 * d_h] = forget_bias
    W_x, W_h = (rng.normal(0, rows**-0.5, (rows, width)) for rows in (d_in, d_h))
    return {"W_x": W_x, "W_h": W_h, "b": b}


def _lstm_parts(x, h, c, parameters):
    """Return the three gates with the candidate between them, and the new memory."""
    sums = x @ parameters["W_x"] + h @ parameters["W_h"] + parameters["b"]
    i, f, g, o = np.split(sums, 4)
    i, f, o = (1 / (1 + np.exp(-gate)) for gate in (i, f, o))
    g = np.tanh(g)
    return i, f, g, o, f * c + i * g
