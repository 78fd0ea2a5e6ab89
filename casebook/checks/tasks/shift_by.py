"""The check of the matrix that moves a row of the encoding."""

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep, stages_of
from casebook.checks.engine.verdict import check
from casebook.checks.stages import clocks


def clockwise(cosine, sine):
    """Return the block that moves a sine above its cosine: the four entries, row by row."""
    return cosine, sine, -sine, cosine


@stages_of(clocks.angles)
def shift(
    k, d_model, amount=keep, pairs=clocks.neighbours, block=clockwise, finish=keep, **angle_stages
):
    """Return the matrix that moves every row of the encoding by k, by its stages."""
    hands = clocks.angles([amount(k)], np.arange(0, d_model, 2), d_model, **angle_stages)[0]
    first, second = pairs(d_model)
    places = ((first, first), (first, second), (second, first), (second, second))
    R = np.zeros((d_model, d_model))
    for place, entries in zip(places, block(np.cos(hands), np.sin(hands)), strict=True):
        R[place] = entries
    return (finish(R),)


# fmt: off
MISTAKES = (
    *deviations(
        "block",
        ("R moves back by k: a sine has the wrong sign, or R is transposed",
         lambda c, s: (c, -s, s, c)),
        ("both sines have a plus: the lower left one needs a minus", lambda c, s: (c, s, s, c)),
        ("both sines have a minus: the upper right one needs a plus", lambda c, s: (c, -s, -s, c)),
        ("sine and cosine are swapped: the cosines stand on the diagonal",
         lambda c, s: (s, c, -c, s)),
        ("the sines are missing: a block has four entries", lambda c, s: (c, 0 * s, 0 * s, c)),
        ("a block is a mirror, not a rotation: both cosines have a plus",
         lambda c, s: (c, s, s, -c)),
    ),
    *clocks.HANDS,
    *deviations(
        "amount",
        ("k is not used: hand i turns by k times its rate", lambda k: 1.0),
        ("the sign of k is lost: a negative k turns back", abs),
        ("turns by k + 1 positions: offsets are counted from 0", lambda k: k + 1),
    ),
    *deviations(
        "pairs",
        ("sine i is paired with column i + d_model / 2: the pair is 2i and 2i + 1", clocks.halves),
    ),
    *deviations(
        "finish",
        ("this is a table of zeros: was a block ever put in?", np.zeros_like),
        ("these are the blocks' first entries only: R is (d_model, d_model)",
         lambda R: R[0::2, 0::2]),
    ),
)
# fmt: on

FAMILY = Family(shift, MISTAKES)


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
    examine(learner, cases, FAMILY, ("R",), _about_shift)


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
