"""The checks of exercise 02: attention by hand, softmax, cross-attention and masks."""

from dataclasses import replace
from functools import partial

import numpy as np

from casebook.checks import mistakes_attention as attention
from casebook.checks import mistakes_masks as masks
from casebook.checks import mistakes_softmax as soft
from casebook.checks import properties
from casebook.checks.diagnosis import Case, Family, examine
from casebook.checks.mistakes_softmax import deviations
from casebook.checks.verdict import check

# The query and the two keys of the first task. d_k is 9, whose root is neither d_k / 2
# (as for 4) nor the root of the number of keys.
QUERY = np.array([[1.0, 0, 2, 0, 0, 1, 0, 0, 1]])
KEYS = np.array([[2.0, 1, 1, 0, 3, 0, 0, 1, 2], [0, 2, -1, 0, 1, -1, 0, 0, 0]])
VALUES = np.array([[1.0, 0], [0, 2]])


def _by_hand(numbers, give=lambda *in_order: in_order, **stages):
    *_, output, weights, scores = attention.attend(
        *numbers, give=lambda *results: results, **stages
    )
    return give(scores[0], weights[0], output[0])


ATTENTION_BY_HAND = Family(
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
    return replace(ATTENTION_BY_HAND, compute=partial(_by_hand, numbers))


def check_attention_by_hand(answer, *, numbers=None, seed=0, strict=None):
    """Check scores, weights and output of one query against two keys, to three decimals.

    numbers: query, keys and values of another cohort (see tools/cohort/make.py); None: the book's.
    """
    family = by_hand_with(*numbers) if numbers else ATTENTION_BY_HAND
    names = ("scores", "weights", "output")

    @check("attention_by_hand", ())
    def examined(learner, _):
        examine(learner, [Case("", ())], family, names, _where_the_hand_slipped)

    examined(answer, seed=seed, strict=strict)


STABLE_SOFTMAX = Family(
    lambda scores, **stages: (soft.weigh(np.asarray(scores, dtype=float), **stages),),
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
        STABLE_SOFTMAX,
        ("weights",),
        lambda case, got, right: properties.of_weights(got[0], right[0]),
    )


CROSS_ATTENTION = Family(
    attention.attend_across,
    (
        *attention.SCALE,
        *attention.SCALE_BY_MODEL,
        *attention.SCALE_BY_VALUES,
        *attention.PROJECT,
        *soft.SOFTMAX,
        *attention.SCALE_TOO_LATE,
        *attention.ROLES_OF_KEYS,
        *attention.ROLES_OF_VALUES,
        *attention.COMPARE,
        *attention.MIX,
        *attention.GIVE,
    ),
)


def _cross_case(label, rng, n_q, n_k, d_model, d_k, d_v, size=0.5):
    X, Z = rng.normal(0.2, 1, (n_q, d_model)), rng.normal(-0.2, 1, (n_k, d_model))
    W_q, W_k = (rng.normal(0, size, (d_model, d_k)) for _ in range(2))
    return Case(label, (X, Z, W_q, W_k, rng.normal(0.1, 0.5, (d_model, d_v))))


def _about_attention(case, got, right):
    Z, W_v = case.inputs[1], case.inputs[4]
    return properties.of_attention(got, right, Z @ W_v)


@check("cross_attention", ("X", "Z", "W_q", "W_k", "W_v"))
def check_cross_attention(learner, rng):
    """Check attention of one sequence to another, from the projections to the weighted mean."""
    cases = [
        _cross_case("", rng, n_q=3, n_k=5, d_model=7, d_k=6, d_v=10),
        _cross_case("", rng, n_q=5, n_k=5, d_model=5, d_k=5, d_v=5),
        _cross_case("", rng, n_q=3, n_k=5, d_model=6, d_k=6, d_v=6),
        _cross_case("", rng, n_q=5, n_k=5, d_model=7, d_k=6, d_v=10),
        _cross_case("for a single token to ask", rng, n_q=3, n_k=1, d_model=7, d_k=6, d_v=4),
        _cross_case("for a single query", rng, n_q=1, n_k=5, d_model=7, d_k=6, d_v=4),
        _cross_case("for very large scores", rng, 3, 5, d_model=7, d_k=6, d_v=4, size=50),
    ]
    examine(learner, cases, CROSS_ATTENTION, ("output", "weights"), _about_attention)


def _causal_weights(scores, is_padding, allow=masks.may_attend, empty=soft.one_for_zero, **stages):
    return (soft.weigh(scores, allow(is_padding), empty=empty, **stages),)


CAUSAL_WEIGHTS = Family(
    _causal_weights,
    (
        *masks.ALLOW,
        *masks.HIDE,
        *soft.SOFTMAX,
    ),
)


def _causal_case(label, rng, padding):
    hidden = np.array([mark == "x" for mark in padding])
    return Case(label, (rng.normal(0.5, 1.5, (len(hidden), len(hidden))), hidden))


def _case_with_large_scores(rng):
    case = _causal_case("for very large scores", rng, "...x.")
    scores, hidden = case.inputs
    return replace(case, inputs=(np.where(masks.may_attend(hidden), 1000 * scores, 1e5), hidden))


@check("causal_weights", ("scores", "is_padding"))
def check_causal_weights(learner, rng):
    """Check weights under a causal mask and a padding mask together, empty rows included."""
    cases = [
        _causal_case("", rng, "...x.x"),
        _causal_case("", rng, "....."),
        _causal_case("for a row with nothing to attend to", rng, "xx..x."),
        _causal_case("for a single token", rng, "."),
        _causal_case("where everything is padding", rng, "xxx"),
        _case_with_large_scores(rng),
    ]
    examine(
        learner,
        cases,
        CAUSAL_WEIGHTS,
        ("weights",),
        lambda case, got, right: properties.of_weights(got[0], right[0]),
    )
