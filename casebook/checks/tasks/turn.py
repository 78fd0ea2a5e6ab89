"""The check of rotary positions."""

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep, stages_of
from casebook.checks.engine.verdict import check
from casebook.checks.stages import clocks


def counter_clockwise(a, b, cosine, sine):
    """Return both numbers of a pair, turned as in mathematics."""
    return a * cosine - b * sine, a * sine + b * cosine


@stages_of(clocks.angles)
def turn(
    X,
    positions,
    places=keep,
    along=keep,
    pairs=clocks.neighbours,
    formula=counter_clockwise,
    finish=keep,
    **angle_stages,
):
    """Return the rows of X with each pair turned by its position, by the stages of it."""
    d_head = X.shape[-1]
    hands = along(clocks.angles(places(positions), np.arange(0, d_head, 2), d_head, **angle_stages))
    first, second = pairs(d_head)
    turned = np.empty(X.shape)
    turned[..., first], turned[..., second] = formula(
        X[..., first], X[..., second], np.cos(hands), np.sin(hands)
    )
    return (finish(turned),)


def _one_after_the_other(a, b, cosine, sine):
    turned = a * cosine - b * sine
    return turned, turned * sine + b * cosine


# fmt: off
MISTAKES = (
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
    *clocks.HANDS,
    *deviations(
        "pairs",
        ("column i is paired with i + d_head / 2: take neighbours, 2i and 2i + 1",
         clocks.halves),
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
         clocks.sorted_into_halves),
        ("the result was cut to whole numbers: make an array of floats", np.trunc),
        ("the heads are lost: keep the shape of X", lambda turned: turned[0]),
    ),
)
# fmt: on

FAMILY = Family(turn, MISTAKES)


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
    examine(learner, cases, FAMILY, ("the result",), _about_turn)


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
