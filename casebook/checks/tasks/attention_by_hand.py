"""The check of attention by pencil: scores, weights and output of one query and two keys."""

from dataclasses import replace
from functools import partial

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, stages_of
from casebook.checks.engine.verdict import check
from casebook.checks.stages import attention
from casebook.checks.stages import softmax as soft

# The query and the two keys of the first task. d_k is 9, whose root is neither d_k / 2
# (as for 4) nor the root of the number of keys.
QUERY = np.array([[1.0, 0, 2, 0, 0, 1, 0, 0, 1]])

KEYS = np.array([[2.0, 1, 1, 0, 3, 0, 0, 1, 2], [0, 2, -1, 0, 1, -1, 0, 0, 0]])
VALUES = np.array([[1.0, 0], [0, 2]])


@stages_of(attention.attend)
def _by_hand(numbers, give=lambda s, w, o: (s, w, o), **stages):
    *_, output, weights, scores = attention.attend(
        *numbers, give=lambda *results: results, **stages
    )
    return give(scores[0], weights[0], output[0])


FAMILY = Family(
    partial(_by_hand, (QUERY, KEYS, VALUES)),
    (
        *attention.SCALE,
        *soft.SOFTMAX,
        *attention.SCALE_TOO_LATE,
        *attention.COMPARE,
        *attention.MIX,
        *deviations(
            "roles",
            ("the two keys have changed places", lambda Q, K, V: (Q, K[::-1], V)),
            ("the two values have changed places", lambda Q, K, V: (Q, K, V[::-1])),
        ),
        *deviations(
            "give",
            (
                "scores, weights, output is the order; got output, weights, scores",
                lambda s, w, o: (o, w, s),
            ),
            (
                "scores, weights, output is the order; got weights, scores, output",
                lambda s, w, o: (w, s, o),
            ),
            (
                "scores, weights, output is the order; got scores, output, weights",
                lambda s, w, o: (s, o, w),
            ),
            (
                "scores, weights, output is the order; got output, scores, weights",
                lambda s, w, o: (o, s, w),
            ),
            (
                "scores, weights, output is the order; got weights, output, scores",
                lambda s, w, o: (w, o, s),
            ),
            ("the scores are missing: three results are asked for", lambda s, w, o: (w, o)),
            ("the output is missing: three results are asked for", lambda s, w, o: (s, w)),
        ),
    ),
    absolute=1.5e-3,  # three decimals, also when they were cut off or carried on
)


def _where_the_hand_slipped(_, got, right):
    """Name the first of the three steps that does not follow from the one before."""
    scores, weights, output = got
    close = [np.allclose(*pair, atol=1.5e-3) for pair in zip(got, right, strict=True)]
    for digits in (0, 1, 2):
        if not close[1] and np.allclose(weights, np.round(right[1], digits)):
            return f"the weights are rounded to {digits} decimals: three are asked for."
    if not close[0]:
        first = int(np.argmax(np.abs(scores - right[0])))
        follow = np.allclose(weights, soft.softmax(scores), atol=2e-3)
        rest = "the weights do follow from it." if follow else "start there."
        return f"scores[{first}] is not q . K[{first}] / sqrt(d_k): {rest}"
    if not close[1] and not np.isclose(weights.sum(), 1, atol=2e-3):
        return f"the scores are right; the weights sum to {weights.sum():.4g}, they must sum to 1."
    if not close[1]:
        return "the scores are right; the weights are not exp(score) over the sum of both."
    entry = int(np.argmax(np.abs(output - right[2])))
    return f"scores and weights are right; output[{entry}] is not their weighted mean of V."


def by_hand_with(query, keys, values):
    """Return the computation by pencil with other numbers, and the mistakes one can make in it."""
    numbers = np.array([query]), np.array(keys), np.array(values)
    return replace(FAMILY, compute=partial(_by_hand, numbers))


def check_attention_by_hand(answer, *, numbers=None, seed=0, strict=None):
    """Check scores, weights and output of one query against two keys, to three decimals.

    numbers: query, keys and values of another cohort (see tools/cohort/make.py); None: the book's.
    """
    family = by_hand_with(*numbers) if numbers else FAMILY
    names = ("scores", "weights", "output")

    @check("attention_by_hand", ())
    def examined(learner, _):
        examine(learner, [Case("", ())], family, names, _where_the_hand_slipped)

    examined(answer, seed=seed, strict=strict)
