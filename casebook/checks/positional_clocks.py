"""The checks of exercise 05: encoding, shift, rotary positions."""

import numpy as np

from casebook.checks import mistakes_positional as clocks
from casebook.checks.diagnosis import Case, Family, examine
from casebook.checks.verdict import check

ENCODING = Family(clocks.encode, clocks.ENCODING)
SHIFT = Family(clocks.shift, clocks.SHIFT)
TURN = Family(clocks.turn, clocks.TURN)


@check("encode_positions", ("n_positions", "d_model"))
def check_encode_positions(learner, rng):
    """Check the sinusoidal encoding for several widths and lengths."""
    n_positions = int(rng.integers(20, 40))
    cases = [
        Case("", (n_positions, 8)),
        Case("", (12, 10)),
        Case("for a single hand", (9, 2)),
        Case("for a single position", (1, 6)),
        Case("for far positions", (300, 16)),
    ]
    examine(learner, cases, ENCODING, ("the encoding",), _about_encoding)


def _about_encoding(case, got, right):
    """Say what a row of clock hands must be, for a mistake that nobody foresaw."""
    table, first = got[0], got[0][0]
    lengths = table[:, 0::2] ** 2 + table[:, 1::2] ** 2
    if not np.allclose(lengths, 1):
        row, hand = np.argwhere(~np.isclose(lengths, 1))[0]
        return f"row {row}: sin² + cos² of hand {hand} is {lengths[row, hand]:.3g}, it must be 1."
    if not np.allclose(first, right[0][0]):
        return f"row 0 starts {first[0]:.3g}, {first[1]:.3g}: every hand starts at 0, 1."
    hand = int(np.argmax(~np.isclose(table[-1], right[0][-1]))) // 2
    return f"the hands are of length 1, but hand {hand} turns at another rate: see its exponent."


@check("shift_by", ("k", "d_model"))
def check_shift_by(learner, rng):
    """Check the matrix that moves a row of the encoding by k positions."""
    cases = [
        Case("", (int(rng.integers(3, 7)), 8)),
        Case("", (int(rng.integers(8, 15)), 6)),
        Case("for a negative offset", (-2, 8)),
        Case("for offset 0", (0, 4)),
        Case("for a single hand", (5, 2)),
    ]
    examine(learner, cases, SHIFT, ("R",), _about_shift)


def _about_shift(case, got, right):
    """Say what a rotation of every hand must be, for a mistake that nobody foresaw."""
    R, hand = got[0], np.arange(len(right[0])) // 2
    strays = np.argwhere((np.abs(R) > 1e-9) & (hand[:, None] != hand))
    if strays.size:
        row, column = strays[0]
        return f"R[{row}, {column}] is {R[row, column]:.3g}: it mixes two hands, so it must be 0."
    if not np.allclose(R @ R.T, np.eye(len(R))):
        return "R changes the length of a hand: each block must be a rotation."
    return None


@check("turn", ("X", "positions"))
def check_turn(learner, rng):
    """Check rotary positions: any positions, several heads, whole numbers."""
    cases = [
        Case("", (rng.normal(0, 1, (5, 8)), np.array([3, 0, 7, 1, 20]))),
        Case("", (rng.normal(0, 1, (4, 6)), np.array([2, 5, 11, 6]))),
        Case("for as many heads as tokens", (rng.normal(0, 1, (4, 4, 6)), np.array([1, 4, 2, 9]))),
        Case("for several heads", (rng.normal(0, 1, (2, 3, 4)), np.array([5, 0, 3]))),
        Case("for X of whole numbers", (rng.integers(-5, 6, (3, 4)), np.array([1, 2, 3]))),
        Case("for a single token", (rng.normal(0, 1, (1, 2)), np.array([4]))),
    ]
    examine(learner, cases, TURN, ("the result",), _about_turn)


def _about_turn(case, got, right):
    """Say what a turn leaves alone, for a mistake that nobody foresaw."""
    X, positions = case.inputs
    lengths = np.linalg.norm(got[0], axis=-1) - np.linalg.norm(X, axis=-1)
    if not np.allclose(lengths, 0):
        token = np.argwhere(~np.isclose(lengths, 0))[0][-1]
        return f"token {token} has another length than before: a turn keeps every length."
    if (positions == 0).any() and not np.allclose(got[0][positions == 0], X[positions == 0]):
        return "a token at position 0 has moved: its angles are 0, so it must stay."
    return None
