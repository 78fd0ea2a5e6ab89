"""The check of the sinusoidal encoding."""

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep, stages_of
from casebook.checks.engine.verdict import check
from casebook.checks.stages import clocks


@stages_of(clocks.angles)
def encode(
    n_positions,
    d_model,
    places=lambda n_positions: np.arange(n_positions),
    waves=(np.sin, np.cos),
    layout=keep,
    **angle_stages,
):
    """Return the sinusoidal encoding, by its stages."""
    column = np.arange(d_model)
    hands = clocks.angles(places(n_positions), column, d_model, **angle_stages)
    even, odd = waves
    return (layout(np.where(column % 2 == 0, even(hands), odd(hands))),)


# fmt: off
MISTAKES = (
    *deviations(
        "exponent",
        ("column 2i + 1 has an angle of its own: a pair shares the angle of 2i",
         lambda c, d: c / d),
    ),
    *clocks.HANDS,
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
         clocks.sorted_into_halves),
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
# fmt: on

FAMILY = Family(encode, MISTAKES)


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
    examine(learner, cases, FAMILY, ("the encoding",), _about_encoding)


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
