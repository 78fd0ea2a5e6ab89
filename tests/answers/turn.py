"""Task 3 of exercise 05: rotary positions with neighbouring pairs."""

import math

import numpy as np

from tests.answers import right, wrong


def _angles(positions, d_head):
    return np.asarray(positions)[:, None] * 10_000.0 ** (-np.arange(0, d_head, 2) / d_head)


def _put_together(first, second):
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)


def _pairs(X):
    return X[..., 0::2], X[..., 1::2]


@right
def with_slices(X, positions):
    (a, b), angles = _pairs(X), _angles(positions, X.shape[-1])
    turned = np.zeros(X.shape)
    turned[..., 0::2] = a * np.cos(angles) - b * np.sin(angles)
    turned[..., 1::2] = a * np.sin(angles) + b * np.cos(angles)
    return turned


@right
def with_complex_numbers(X, positions):
    a, b = _pairs(X)
    turned = (a + 1j * b) * np.exp(1j * _angles(positions, X.shape[-1]))
    return _put_together(turned.real, turned.imag)


@right
def with_loops(X, positions):
    rows = np.asarray(X, dtype=float).reshape(-1, X.shape[-1])
    turned = rows.copy()
    for number, row in enumerate(rows):
        position = positions[number % len(positions)]
        for i in range(0, len(row), 2):
            angle = position / 10_000 ** (i / len(row))
            turned[number, i] = row[i] * math.cos(angle) - row[i + 1] * math.sin(angle)
            turned[number, i + 1] = row[i] * math.sin(angle) + row[i + 1] * math.cos(angle)
    return turned.reshape(X.shape)


@right
def with_a_matrix_for_each_token(X, positions):
    d_head = X.shape[-1]
    matrices = np.zeros((len(positions), d_head, d_head))
    angles, even = _angles(positions, d_head), np.arange(0, d_head, 2)
    matrices[:, even, even] = matrices[:, even + 1, even + 1] = np.cos(angles)
    matrices[:, even, even + 1] = -np.sin(angles)
    matrices[:, even + 1, even] = np.sin(angles)
    return np.einsum("tij,...tj->...ti", matrices, X)


@right
def with_repeated_angles(X, positions):
    angles = np.repeat(_angles(positions, X.shape[-1]), 2, axis=-1)
    crossed = _put_together(-X[..., 1::2], X[..., 0::2])
    return X * np.cos(angles) + crossed * np.sin(angles)


@wrong("i + d_head / 2")
def in_halves(X, positions):
    half, angles = X.shape[-1] // 2, _angles(positions, X.shape[-1])
    a, b = X[..., :half], X[..., half:]
    parts = a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)
    return np.concatenate(parts, axis=-1)


@wrong("keep a copy of both")
def uses_what_is_turned_already(X, positions):
    X, angles = np.array(X, dtype=float), _angles(positions, X.shape[-1])
    X[..., 0::2] = X[..., 0::2] * np.cos(angles) - X[..., 1::2] * np.sin(angles)
    X[..., 1::2] = X[..., 0::2] * np.sin(angles) + X[..., 1::2] * np.cos(angles)
    return X


@wrong("changes its input X in place")
def in_place(X, positions):
    X[...] = with_slices(X, positions)
    return X


@wrong("run along the heads", "tokens")
def along_the_first_axis(X, positions):
    turned = with_slices(np.swapaxes(X, 0, -2), positions)
    return np.swapaxes(turned, 0, -2)


@wrong("whole numbers", "array of floats")
def like_the_input(X, positions):
    turned = np.empty_like(X)
    turned[...] = with_slices(X, positions)
    return turned


@wrong("keeps every length")
def shortened(X, positions):
    return 0.5 * with_slices(X, positions)
