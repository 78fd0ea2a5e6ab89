"""Task 1 of exercise 05: the sinusoidal encoding."""

import math

import numpy as np

from tests.answers import right, wrong


def _spell(angles):
    table = np.empty((len(angles), 2 * angles.shape[1]))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def _angles(n_positions, exponents):
    return np.arange(n_positions)[:, None] / 10_000 ** np.asarray(exponents)


@right
def with_slices(n_positions, d_model):
    return _spell(_angles(n_positions, np.arange(0, d_model, 2) / d_model))


@right
def with_loops_and_lists(n_positions, d_model):
    table = []
    for position in range(n_positions):
        row = []
        for i in range(d_model // 2):
            angle = position / 10_000 ** (2 * i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        table.append(row)
    return table


@right
def through_the_logarithm(n_positions, d_model):
    rate = np.exp(np.arange(0, d_model, 2) * -(math.log(10_000.0) / d_model))
    return _spell(np.outer(np.arange(n_positions), rate))


@right
def column_by_column(n_positions, d_model):
    table = np.zeros((n_positions, d_model))
    for column in range(d_model):
        pair = column // 2
        wave = np.cos if column % 2 else np.sin
        table[:, column] = wave(np.arange(n_positions) / np.power(10_000, 2 * pair / d_model))
    return table


@right
def with_complex_numbers(n_positions, d_model):
    hands = np.exp(1j * _angles(n_positions, np.arange(0, d_model, 2) / d_model))
    return np.stack([hands.imag, hands.real], axis=-1).reshape(n_positions, d_model)


@wrong("a pair shares the angle")
def each_column_its_own_angle(n_positions, d_model):
    angles = _angles(n_positions, np.arange(d_model) / d_model)
    return np.where(np.arange(d_model) % 2 == 0, np.sin(angles), np.cos(angles))


@wrong("all the sines, then all the cosines")
def in_halves(n_positions, d_model):
    angles = _angles(n_positions, np.arange(0, d_model, 2) / d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


@wrong("base is 1,000")
def base_of_a_thousand(n_positions, d_model):
    return _spell(np.arange(n_positions)[:, None] / 1000 ** (np.arange(0, d_model, 2) / d_model))


@wrong("cosines are missing")
def sines_only(n_positions, d_model):
    angles = _angles(n_positions, np.arange(0, d_model, 2) / d_model)
    return np.repeat(np.sin(angles), 2, axis=1)


@wrong("another rate")
def base_nobody_foresaw(n_positions, d_model):
    return _spell(np.arange(n_positions)[:, None] / 8000 ** (np.arange(0, d_model, 2) / d_model))
