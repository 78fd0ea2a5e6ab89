"""Clock hands cut into stages, and the mistakes that people make at each of them.

A hand belongs to a pair of columns, 2i and 2i + 1. Stages are given the even column 2i, but
for ``exponent`` in a whole row of the encoding, which is given every column.
"""

import numpy as np

from casebook.checks.mistakes_softmax import deviations, keep


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


def encode(
    n_positions, d_model, places=np.arange, waves=(np.sin, np.cos), layout=keep, **angle_stages
):
    """Return the sinusoidal encoding, by its stages."""
    column = np.arange(d_model)
    hands = angles(places(n_positions), column, d_model, **angle_stages)
    even, odd = waves
    return (layout(np.where(column % 2 == 0, even(hands), odd(hands))),)


def neighbours(d_model):
    """Return the columns of the first and of the second number of each pair."""
    return np.arange(0, d_model, 2), np.arange(1, d_model, 2)


def clockwise(cosine, sine):
    """Return the block that moves a sine above its cosine: the four entries, row by row."""
    return cosine, sine, -sine, cosine


def shift(k, d_model, amount=keep, pairs=neighbours, block=clockwise, finish=keep, **angle_stages):
    """Return the matrix that moves every row of the encoding by k, by its stages."""
    hands = angles([amount(k)], np.arange(0, d_model, 2), d_model, **angle_stages)[0]
    first, second = pairs(d_model)
    places = ((first, first), (first, second), (second, first), (second, second))
    R = np.zeros((d_model, d_model))
    for place, entries in zip(places, block(np.cos(hands), np.sin(hands)), strict=True):
        R[place] = entries
    return (finish(R),)


def counter_clockwise(a, b, cosine, sine):
    """Return both numbers of a pair, turned as in mathematics."""
    return a * cosine - b * sine, a * sine + b * cosine


def turn(
    X,
    positions,
    places=keep,
    along=keep,
    pairs=neighbours,
    formula=counter_clockwise,
    finish=keep,
    **angle_stages,
):
    """Return the rows of X with each pair turned by its position, by the stages of it."""
    d_head = X.shape[-1]
    hands = along(angles(places(positions), np.arange(0, d_head, 2), d_head, **angle_stages))
    first, second = pairs(d_head)
    turned = np.empty(X.shape)
    turned[..., first], turned[..., second] = formula(
        X[..., first], X[..., second], np.cos(hands), np.sin(hands)
    )
    return (finish(turned),)


def _halves(d_model):
    return np.arange(d_model // 2), np.arange(d_model // 2, d_model)


def _sorted_into_halves(table):
    return np.concatenate([table[..., 0::2], table[..., 1::2]], axis=-1)


def _one_after_the_other(a, b, cosine, sine):
    turned = a * cosine - b * sine
    return turned, turned * sine + b * cosine


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

ENCODING = (
    *deviations(
        "exponent",
        ("column 2i + 1 has an angle of its own: a pair shares the angle of 2i",
         lambda c, d: c / d),
    ),
    *HANDS,
    *deviations(
        "waves",
        ("sine and cosine are swapped: the sine stands in the even column", (np.cos, np.sin)),
        ("the cosines are missing: columns 2i + 1 hold the cosine", (np.sin, np.sin)),
        ("the sines are missing: columns 2i hold the sine", (np.cos, np.cos)),
        ("the odd columns are empty: they hold the cosines", (np.sin, np.zeros_like)),
        ("these are the angles themselves: take sine and cosine", (keep, keep)),
    ),
    *deviations(
        "layout",
        ("all the sines, then all the cosines: they take turns, 2i and 2i + 1",
         _sorted_into_halves),
        ("the table is transposed: a row for each position", np.transpose),
        ("the numbers were cut to whole ones: make an array of floats", np.trunc),
    ),
    *deviations(
        "places",
        ("positions are counted from 1: the first is 0", lambda n: np.arange(1, n + 1)),
        ("positions are divided by their number: they are 0, 1, 2",
         lambda n: np.arange(n) / n),
        ("one position too many: they are 0 to n_positions - 1", lambda n: np.arange(n + 1)),
        ("one position is missing: they are 0 to n_positions - 1", lambda n: np.arange(n - 1)),
    ),
)

SHIFT = (
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
    *HANDS,
    *deviations(
        "amount",
        ("k is not used: hand i turns by k times its rate", lambda k: 1.0),
        ("the sign of k is lost: a negative k turns back", abs),
        ("turns by k + 1 positions: offsets are counted from 0", lambda k: k + 1),
    ),
    *deviations(
        "pairs",
        ("sine i is paired with column i + d_model / 2: the pair is 2i and 2i + 1", _halves),
    ),
    *deviations(
        "finish",
        ("this is a table of zeros: was a block ever put in?", np.zeros_like),
        ("these are the blocks' first entries only: R is (d_model, d_model)",
         lambda R: R[0::2, 0::2]),
    ),
)

TURN = (
    *deviations(
        "formula",
        ("turns the wrong way round: the first number is a cos - b sin",
         lambda a, b, c, s: (a * c + b * s, b * c - a * s)),
        ("the second number uses the first after its turn: keep a copy of both",
         _one_after_the_other),
        ("the sign is missing: the first number is a cos - b sin",
         lambda a, b, c, s: (a * c + b * s, a * s + b * c)),
        ("the encoding is added: RoPE turns the pairs and adds nothing",
         lambda a, b, c, s: (a + s, b + c)),
        ("multiplied number by number: a turn mixes the two of a pair",
         lambda a, b, c, s: (a * s, b * c)),
        ("sine and cosine are swapped: at angle 0 nothing moves",
         lambda a, b, c, s: (a * s - b * c, a * c + b * s)),
        ("only the cosines are there: a turn mixes the two numbers of a pair",
         lambda a, b, c, s: (a * c, b * c)),
        ("nothing is turned: these are the rows of X", lambda a, b, c, s: (a, b)),
    ),
    *HANDS,
    *deviations(
        "pairs",
        ("column i is paired with i + d_head / 2: take neighbours, 2i and 2i + 1",
         _halves),
    ),
    *deviations(
        "places",
        ("the positions given are not used: tokens are counted 0, 1, 2",
         lambda positions: np.arange(len(positions))),
        ("positions are counted from 1: take them as they are given",
         lambda positions: np.asarray(positions) + 1),
        ("every token turns by the first position", lambda positions: 0 * positions + positions[0]),
    ),
    *deviations(
        "along",
        ("the positions run along the heads: they belong to the tokens",
         lambda hands: hands[:, None]),
    ),
    *deviations(
        "finish",
        ("the turned numbers stand in halves: put each back into its own column",
         _sorted_into_halves),
        ("the result was cut to whole numbers: make an array of floats", np.trunc),
        ("the heads are lost: keep the shape of X", lambda turned: turned[0]),
    ),
)
# fmt: on
