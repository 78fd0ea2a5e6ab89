"""The check of a softmax that does not overflow."""

import numpy as np

from casebook.checks.engine import properties
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, stages_of
from casebook.checks.engine.verdict import check
from casebook.checks.stages import softmax as soft


@stages_of(soft.weigh)
def _softmax(scores, **stages):
    return (soft.weigh(np.asarray(scores, dtype=float), **stages),)


FAMILY = Family(
    _softmax,
    (*soft.WRONG_AXES, *soft.SOFTMAX),
)


def _softmax_cases(rng):
    large = np.array([[1000.0, 998.5, 1001], [-1000, -1002, -1000.5], [-1000, 0, 1000]])
    return [
        Case("", (rng.normal(0, 1.5, (4, 6)),)),
        Case("", (rng.normal(-2, 1.5, (5, 5)),)),
        Case("for three axes", (rng.normal(1, 1.5, (2, 3, 4)),)),
        Case("for one axis", (rng.normal(1, 1.5, 5),)),
        Case("for a list of whole numbers", (rng.integers(-3, 4, (3, 4)).tolist(),)),
        Case("for a single score in a row", (rng.normal(0, 1.5, (3, 1)),)),
        Case("for scores of 1000 and -1000", (large,)),
        Case("for scores around -1000", (large[1:2] + [[0], [1]],)),
    ]


@check("stable_softmax", ("scores",))
def check_stable_softmax(learner, rng):
    """Check a softmax over the last axis: lists, any number of axes, huge scores."""
    examine(
        learner,
        _softmax_cases(rng),
        FAMILY,
        ("weights",),
        lambda case, got, right: properties.of_weights(got[0], right[0]),
    )
