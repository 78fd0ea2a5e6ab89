"""Clock hands cut into stages, and the mistakes that people make at each of them.

A hand belongs to a pair of columns, 2i and 2i + 1. Stages are given the even column 2i, but
for ``exponent`` in a whole row of the encoding, which is given every column.
"""

import numpy as np

from casebook.checks.engine.family import deviations, keep


def of_the_pair(column, d_model):
    """Return 2i / d_model for the columns 2i and 2i + 1 alike."""
    return (column - column % 2) / d_model


def slower_and_slower(exponent):
    """Return how far a hand turns per position, in radians."""
    return 10_000.0**-exponent


def angles(positions, column, d_model, exponent=of_the_pair, rate=slower_and_slower, unit=keep):
    """Return the angle of each column's hand at each position, (n_positions, n_columns)."""
    per_position = rate(exponent(column, d_model))
    return unit(np.asarray(positions, dtype=float)[:, None] * per_position)


def neighbours(d_model):
    """Return the columns of the first and of the second number of each pair."""
    return np.arange(0, d_model, 2), np.arange(1, d_model, 2)


def halves(d_model):
    """Return the columns of the two halves: a mistaken way to pair them."""
    return np.arange(d_model // 2), np.arange(d_model // 2, d_model)


def sorted_into_halves(table):
    """Return the even columns, then the odd ones."""
    return np.concatenate([table[..., 0::2], table[..., 1::2]], axis=-1)


# fmt: off
HANDS = (
    *deviations(
        "exponent",
        ("the exponent is i / d_model: hand i has 2i / d_model", lambda c, d: c // 2 / d),
        ("hands are counted from 1: the first is i = 0", lambda c, d: (c - c % 2 + 2) / d),
        ("the exponent is 4i / d_model: hand i has 2i / d_model",
         lambda c, d: 2 * (c - c % 2) / d),
        ("integer division makes every exponent 0: all the hands are alike, use /",
         lambda c, d: np.zeros(len(c))),
        ("the exponent divides by d_model - 2, not by d_model",
         lambda c, d: (c - c % 2) / max(d - 2, 1)),
        ("the exponent lacks the division by d_model", lambda c, d: c - c % 2.0),
        ("the hands stand in reverse: the fastest comes first",
         lambda c, d: (d - 2 - (c - c % 2)) / d),
    ),
    *deviations(
        "rate",
        *((f"the base is {base:,}: it must be 10,000", lambda e, base=base: float(base)**-e)
          for base in (1000, 100, 10, 2, 100_000, 500_000)),
        ("multiplies by 10000 ** (2i / d_model): divide, later hands are slower",
         lambda e: 10_000.0**e),
        ("exp(-2i / d_model) has the base e: it must be 10,000", lambda e: np.exp(-e)),
    ),
    *deviations(
        "unit",
        ("the angles are taken for degrees: they are radians already", np.radians),
        ("the angles are changed into degrees: np.sin and np.cos take radians", np.degrees),
        ("a factor 2 pi too many: hand 0 turns by 1 radian, not by a whole turn",
         lambda a: 2 * np.pi * a),
        ("a factor pi too many: hand 0 turns by 1 radian a position", lambda a: np.pi * a),
        ("the angles have the wrong sign", np.negative),
    ),
)
# fmt: on
