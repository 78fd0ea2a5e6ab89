"""The options of attention, positions, recurrence, vectors, cost and saturation."""

import math

import numpy as np

from casebook import attention, cost, guards, positional, recurrent, saturation, vectors
from tests.options import Case

RNG = np.random.default_rng(20)
Q, K, V = RNG.normal(0, 1, (3, 4)), RNG.normal(0, 1, (5, 4)), RNG.normal(0, 1, (5, 2))
MASK = np.array([[1, 1, 0, 0, 0], [0, 0, 1, 1, 1], [1, 0, 1, 0, 1]], dtype=bool)
TALL = np.exp(Q)  # what softmax makes of Q before it divides
X = RNG.normal(0, 1, (3, 6))
WORDS = ["east", "north", "far east", "up", "west", "down"]
VECTORS = np.array([[1.0, 0, 0], [0, 1, 0], [2, 0.1, 0], [0, 0, 1], [-1, 0, 0], [0, 0, -1]])
NORTH = {"vector": np.array([0.4, 1.0, 0.3]), "words": WORDS, "vectors": VECTORS}
SUM = {"a": "east", "b": "north", "c": "up", "words": WORDS, "vectors": VECTORS}
PAIRS = {"d_k": 3, "n_pairs": 4, "rng": np.random.default_rng(1)}


def row_by_row(scores):
    """Return attention over ``V``, query by query, only the allowed keys looked at."""
    output, weights = [], np.zeros(scores.shape)
    for i, row in enumerate(scores):
        seen = np.flatnonzero(np.isfinite(row))
        share = np.exp(row[seen]) / np.exp(row[seen]).sum()
        weights[i, seen] = share
        output.append(sum(s * V[j] for s, j in zip(share, seen, strict=True)))
    return output, weights


def clocks(base, positions=4, d_model=6):
    """Return the angles, one by one: position / base ** (2 i / d_model)."""
    return [[p / base ** (2 * i / d_model) for i in range(d_model // 2)] for p in range(positions)]


def sines_and_cosines(base):
    return [[f(angle) for angle in row for f in (math.sin, math.cos)] for row in clocks(base)]


def turned(base, pairs):
    """Return the rows of ``X`` with each pair of columns turned as complex numbers."""
    rows = X.astype(complex)
    for row, angles in zip(rows, clocks(base, 3), strict=True):
        for (a, b), angle in zip(pairs, angles, strict=True):
            z = (row[a] + 1j * row[b]) * np.exp(1j * angle)
            row[a], row[b] = z.real, z.imag
    return rows.real


def sampled(std, correlation):
    """Return what sample_pairs draws: the same normal numbers, stretched and mixed."""
    rng = np.random.default_rng(1)
    q, other = std * rng.normal(0, 1, (4, 3)), std * rng.normal(0, 1, (4, 3))
    return q, correlation * q + math.sqrt(1 - correlation**2) * other


def cosine(a, b):
    return float(a @ b / math.sqrt(a @ a) / math.sqrt(b @ b))


NEIGHBOURS, HALVES = [(0, 1), (2, 3), (4, 5)], [(0, 3), (1, 4), (2, 5)]
SCORES = Q @ K.T
SWEEP = {"widths": [4], "rng": np.random.default_rng(2)}


def swept(n_keys, n_rows):
    """Return the median largest weight and entropy without scaling, row by row."""
    rng = np.random.default_rng(2)
    q, keys = rng.normal(size=(n_rows, 4)), rng.normal(size=(n_rows, n_keys, 4))
    rows = [np.exp(k @ x) / np.exp(k @ x).sum() for k, x in zip(keys, q, strict=True)]
    return [np.median([row.max() for row in rows]), np.median([-row @ np.log(row) for row in rows])]


CASES = [
    Case(attention.softmax, "axis", 0, {"scores": Q}, TALL / TALL.sum(axis=0)),
    Case(attention.scaled_dot_product_attention, "mask", MASK, {"Q": Q, "K": K, "V": V},
         row_by_row(np.where(MASK, SCORES / 2, -np.inf))),
    Case(attention.scaled_dot_product_attention, "scale", 0.3, {"Q": Q, "K": K, "V": V},
         row_by_row(0.3 * SCORES)),
    Case(attention.scaled_dot_product_attention_loop, "mask", MASK, {"Q": Q, "K": K, "V": V},
         row_by_row(np.where(MASK, SCORES / 2, -np.inf))),
    Case(attention.causal_mask, "n_k", 5, {"n_q": 2},
         [[True, True, True, True, False], [True, True, True, True, True]]),
    Case(positional.frequencies, "base", 100.0, {"d_model": 4}, [1, 0.1]),
    Case(positional.clock_angles, "base", 50.0, {"positions": 4, "d_model": 6}, clocks(50)),
    Case(positional.sinusoidal_encoding, "base", 50.0, {"positions": 4, "d_model": 6},
         sines_and_cosines(50)),
    Case(positional.shift_matrix, "base", 50.0, {"k": 2, "d_model": 6},
         sines_and_cosines(50)[3], see=lambda R: R @ sines_and_cosines(50)[1]),
    Case(positional.rotate, "base", 50.0, {"X": X, "positions": [0, 1, 2]}, turned(50, NEIGHBOURS)),
    Case(positional.rotate, "pairing", "halves", {"X": X, "positions": [0, 1, 2]},
         turned(10_000, HALVES)),
    Case(recurrent.random_cell, "forget_bias", 1.5,
         {"d_in": 2, "d_h": 2, "rng": np.random.default_rng(0), "cell": "lstm"},
         [0, 0, 1.5, 1.5, 0, 0, 0, 0], see=lambda cell: cell["b"]),
    Case(vectors.neighbours, "k", 2, NORTH, ["north", "far east"],
         see=lambda found: [word for word, _ in found]),
    Case(vectors.neighbours, "leave_out", ("north", "up"), NORTH, ["far east", "east"],
         see=lambda found: [word for word, _ in found][:2]),
    Case(vectors.analogy, "k", 1, SUM,
         [("far east", cosine(VECTORS[2], VECTORS[0] - VECTORS[1] + VECTORS[3]))]),
    Case(vectors.analogy, "leave_inputs_out", False, SUM, ["east", "up", "far east"],
         see=lambda found: [word for word, _ in found]),
    Case(cost.feeds, "kernel", 4, {"kind": "convolution", "token": 2, "n_tokens": 9},
         [2, 3, 4, 5], see=lambda ranges: list(ranges[0])),
    Case(cost.feeds, "spread", 3, {"kind": "convolution", "token": 2, "n_tokens": 9},
         [2, 5, 8], see=lambda ranges: list(ranges[0])),
    Case(cost.path_length, "kernel", 5, {"kind": "convolution", "n_tokens": 25}, 2),
    Case(cost.path_length, "dilated", False, {"kind": "convolution", "n_tokens": 25}, 12),
    # Every token but the first kernel - 1 is read kernel times: 5 + 4 + ... at the end.
    Case(cost.operations, "kernel", 5, {"kind": "convolution", "n_tokens": 9, "d": 2},
         (5 * 9 - (4 + 3 + 2 + 1)) * 4),
    Case(saturation.numerical_jacobian, "step", 0.5,
         {"function": lambda x: x**3, "x": np.array([1.0])}, [[(1.5**3 - 0.5**3) / 1]]),
    Case(saturation.sample_pairs, "std", 2.0, PAIRS, lambda: sampled(2, 0)),
    Case(saturation.sample_pairs, "correlation", 0.6, PAIRS, lambda: sampled(1, 0.6)),
    Case(saturation.sample_scores, "std", 2.0, PAIRS,
         lambda: [q @ k for q, k in zip(*sampled(2, 0), strict=True)]),
    Case(saturation.sample_scores, "correlation", 0.6, PAIRS,
         lambda: [q @ k for q, k in zip(*sampled(1, 0.6), strict=True)]),
    Case(saturation.saturation_sweep, "n_keys", 3, SWEEP, lambda: swept(3, 400),
         see=lambda medians: medians["none"][0, :2]),
    Case(saturation.saturation_sweep, "n_rows", 7, SWEEP, lambda: swept(8, 7),
         see=lambda medians: medians["none"][0, :2]),
    Case(saturation.share_below, "threshold", 0.5, {"values": np.array([-0.4, 0.1, 0.6, -2])}, 0.5),
    Case(guards.at_least, "unit", " apple", {"name": "n", "number": 0, "least": 1},
         "ValueError: n is 0: expected at least 1 apple"),
    Case(guards.whole_number, "of_what", " of pears", {"name": "n", "number": 0.5},
         "TypeError: n is 0.5: expected a whole number of pears"),
]  # fmt: skip
