"""Task 2 of exercise 05: the matrix that moves a position by k."""

import math

import numpy as np

from tests.answers import right, wrong


def _rates(d_model):
    return 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)


@right
def block_by_block(k, d_model):
    R = np.zeros((d_model, d_model))
    for i, angle in enumerate(k * _rates(d_model)):
        c, s = math.cos(angle), math.sin(angle)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


@right
def with_lists(k, d_model):
    R = [[0.0] * d_model for _ in range(d_model)]
    for i in range(0, d_model, 2):
        angle = k / 10_000 ** (i / d_model)
        R[i][i] = R[i + 1][i + 1] = math.cos(angle)
        R[i][i + 1] = math.sin(angle)
        R[i + 1][i] = -math.sin(angle)
    return R


@right
def from_diagonals(k, d_model):
    angles = np.repeat(k * _rates(d_model), 2)
    off = np.sin(angles[:-1]) * (np.arange(d_model - 1) % 2 == 0)
    return np.diag(np.cos(angles)) + np.diag(off, 1) - np.diag(off, -1)


@right
def by_einsum(k, d_model):
    angles = k * _rates(d_model)
    hands = np.eye(d_model // 2)
    same, cross = np.eye(2), np.array([[0, 1], [-1, 0]])
    blocks = np.einsum("ij,ab,i->iajb", hands, same, np.cos(angles))
    blocks = blocks + np.einsum("ij,ab,i->iajb", hands, cross, np.sin(angles))
    return blocks.reshape(d_model, d_model)


@right
def one_step_repeated(k, d_model):
    return np.linalg.matrix_power(block_by_block(1, d_model), k)


@wrong("sines are missing")
def diagonal_only(k, d_model):
    return np.diag(np.cos(np.repeat(k * _rates(d_model), 2)))


@wrong("column i + d_model / 2")
def in_halves(k, d_model):
    C, S = np.diag(np.cos(k * _rates(d_model))), np.diag(np.sin(k * _rates(d_model)))
    return np.block([[C, S], [-S, C]])


@wrong("must be a rotation")
def scaled(k, d_model):
    return 0.9 * block_by_block(k, d_model)


@wrong("mixes two hands")
def every_entry_filled(k, d_model):
    angles = np.repeat(k * _rates(d_model), 2)
    return np.cos(angles[:, None] - angles)


@wrong("table of zeros")
def never_filled(k, d_model):
    R = np.zeros((d_model, d_model))
    R[0:0] = 1
    return R
