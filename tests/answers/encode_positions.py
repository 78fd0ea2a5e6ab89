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


@wrong("i / d_model", "2i / d_model")
def exponent_without_the_two(n_positions, d_model):
    return _spell(_angles(n_positions, np.arange(d_model // 2) / d_model))


@wrong("counted from 1")
def hands_from_one(n_positions, d_model):
    return _spell(_angles(n_positions, 2 * np.arange(1, d_model // 2 + 1) / d_model))


@wrong("positions are counted from 1")
def positions_from_one(n_positions, d_model):
    return with_slices(n_positions + 1, d_model)[1:]


@wrong("a pair shares the angle")
def each_column_its_own_angle(n_positions, d_model):
    angles = _angles(n_positions, np.arange(d_model) / d_model)
    return np.where(np.arange(d_model) % 2 == 0, np.sin(angles), np.cos(angles))


@wrong("all the sines, then all the cosines")
def in_halves(n_positions, d_model):
    angles = _angles(n_positions, np.arange(0, d_model, 2) / d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


@wrong("swapped", "sine stands in the even column")
def cosine_first(n_positions, d_model):
    table = with_slices(n_positions, d_model)
    return np.stack([table[:, 1::2], table[:, 0::2]], axis=-1).reshape(table.shape)


@wrong("base is 1,000")
def base_of_a_thousand(n_positions, d_model):
    return _spell(np.arange(n_positions)[:, None] / 1000 ** (np.arange(0, d_model, 2) / d_model))


@wrong("integer division")
def integer_division(n_positions, d_model):
    return _spell(_angles(n_positions, [2 * i // d_model for i in range(d_model // 2)]))


@wrong("degrees", "radians already")
def angles_as_degrees(n_positions, d_model):
    angles = _angles(n_positions, np.arange(0, d_model, 2) / d_model)
    return _spell(np.deg2rad(angles))


@wrong("4i / d_model")
def doubled_twice(n_positions, d_model):
    even_columns = np.arange(0, d_model, 2)
    return _spell(_angles(n_positions, 2 * even_columns / d_model))


@wrong("later hands are slower")
def multiplied_by_the_power(n_positions, d_model):
    rate = 10_000 ** (np.arange(0, d_model, 2) / d_model)
    return _spell(np.arange(n_positions)[:, None] * rate)


@wrong("cosines are missing")
def sines_only(n_positions, d_model):
    angles = _angles(n_positions, np.arange(0, d_model, 2) / d_model)
    return np.repeat(np.sin(angles), 2, axis=1)


@wrong("odd columns are empty")
def odd_columns_forgotten(n_positions, d_model):
    table = np.zeros((n_positions, d_model))
    table[:, 0::2] = with_slices(n_positions, d_model)[:, 0::2]
    return table


@wrong("transposed", "row for each position")
def transposed(n_positions, d_model):
    return with_slices(n_positions, d_model).T


@wrong("d_model - 2")
def reaches_the_base(n_positions, d_model):
    return _spell(_angles(n_positions, np.linspace(0, 1, d_model // 2)))


@wrong("2 pi")
def in_whole_turns(n_positions, d_model):
    return _spell(2 * np.pi * _angles(n_positions, np.arange(0, d_model, 2) / d_model))


@wrong("whole")
def into_whole_numbers(n_positions, d_model):
    table = np.zeros((n_positions, d_model), dtype=int)
    table[:, 0::2], table[:, 1::2] = (
        with_slices(n_positions, d_model)[:, start::2] for start in (0, 1)
    )
    return table


@wrong("i / d_model", "counted from 1")
def two_mistakes(n_positions, d_model):
    return _spell(
        np.arange(1, n_positions + 1)[:, None] / 10_000 ** (np.arange(d_model // 2) / d_model)
    )


@wrong("another rate")
def base_nobody_foresaw(n_positions, d_model):
    return _spell(np.arange(n_positions)[:, None] / 8000 ** (np.arange(0, d_model, 2) / d_model))
