"""Softmax cut into stages, and the mistakes that people make at each of them.

:func:`weigh` goes from scores to weights; every stage can be replaced by a mistaken one.
The tables hold the mistakes with the words that name them: such a text stands as the
whole sentence of a check, so it starts with what is wrong.
"""

import numpy as np

from casebook.checks.engine.family import Absent, deviations, keep, stages_of


def largest_of_row(scores):
    """Return what a safe softmax subtracts: the largest score of each row."""
    highest = scores.max(axis=-1, keepdims=True)
    return np.where(np.isneginf(highest), 0, highest)


def sum_of_row(exponentials):
    """Return what a softmax divides by."""
    return exponentials.sum(axis=-1, keepdims=True)


def one_for_zero(total):
    """Return the total, but 1 where it is 0: a row with nothing to attend to stays 0."""
    return np.where(total == 0, 1, total)


def softmax(scores, shift=largest_of_row, rise=np.exp, total=sum_of_row, empty=keep):
    """Return rows of weights by its stages: what is subtracted, exp, what divides, empty rows."""
    exponentials = rise(scores - shift(scores))
    return exponentials / empty(total(exponentials))


@stages_of(softmax)
def weigh(
    scores,
    allowed=None,
    sizes=None,
    hide=lambda scores, allowed: np.where(allowed, scores, -np.inf),
    normalise=Absent("scores"),
    mask_after=Absent("weights", "allowed"),
    finish=lambda weights, sizes: weights,
    **softmax_stages,
):
    """Return the weights for these scores, with the given stages.

    allowed: boolean mask, True may attend; None lets ``hide`` out.
    normalise: stands in for the whole softmax; mask_after: for hiding the scores.
    """
    if allowed is not None and not mask_after:
        scores = hide(scores, allowed)
    weights = normalise(scores) if normalise else softmax(scores, **softmax_stages)
    if mask_after:
        weights = mask_after(weights, allowed)
    return finish(weights, sizes)


def _one_hot(scores):
    return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]


def along(axis):
    """Return a softmax, safe in itself, along another axis; None takes the whole array."""

    def run(scores):
        exponentials = np.exp(scores - scores.max(axis, keepdims=True))
        return exponentials / exponentials.sum(axis, keepdims=True)

    return run


def _share(scores):
    """Return each row over its sum, without exp."""
    return scores / scores.sum(-1, keepdims=True)


def _clipped(limit):
    return lambda scores: softmax(np.clip(scores, -limit, limit))


# fmt: off
WRONG_AXES = deviations(  # in two axes these are right, or no news
    "normalise",
    ("softmax runs along axis 0: use the last axis, axis=-1", along(0)),
    ("softmax runs along axis 1: use the last axis, axis=-1", along(1)),
)

SOFTMAX = (
    *deviations(
        "normalise",
        ("softmax runs down the columns: each row must sum to 1", along(-2)),
        ("one softmax for the whole array: each row must sum to 1 by itself", along(None)),
        ("no exp: the scores themselves are divided by their sum", _share),
        ("no softmax: these are the scores themselves", keep),
        ("all the weights are equal: the scores are not used",
         lambda s: np.full(s.shape, 1 / s.shape[-1])),
        ("softmax is applied twice", lambda s: softmax(softmax(s))),
        ("sigmoid instead of softmax: a row's weights must share out one whole",
         lambda s: 1 / (1 + np.exp(-s))),
        ("argmax instead of softmax: all the weight is on the largest score", _one_hot),
        ("no exp: scores are shifted to start at 0, then divided by their sum",
         lambda s: _share(s - s.min(-1, keepdims=True))),
        ("no exp: the shifted scores are divided by their sum",
         lambda s: _share(s - largest_of_row(s))),
        ("no exp: the sizes of the scores are divided by their sum", lambda s: _share(np.abs(s))),
        *(("scores are clipped before exp: subtract the row's largest instead", _clipped(limit))
          for limit in (20, 30, 50, 100, 500, 700, 709)),
    ),
    *deviations(
        "total",
        ("the sum runs down the columns: each row must sum to 1",
         lambda e: e.sum(-2, keepdims=True)),
        ("one sum for the whole array: each row must sum to 1 by itself", lambda e: e.sum()),
        ("not normalised: exponentials are not divided by their row's sum", np.ones_like),
        ("keepdims=True is missing: row sums are laid along the columns", lambda e: e.sum(-1)),
        ("divides by the number of entries, not by the row's sum", lambda e: e.shape[-1]),
        ("divides by the root of the sum of squares, not by the row's sum",
         lambda e: np.sqrt((e**2).sum(-1, keepdims=True))),
    ),
    *deviations(
        "rise",
        ("base 2 instead of e: softmax uses exp", np.exp2),
        ("base 10 instead of e: softmax uses exp", lambda s: 10.0**s),
        ("exp(-score) has the sign turned: the largest score gets least weight",
         lambda s: np.exp(-s)),
        ("exp(score) - 1 instead of exp(score)", np.expm1),
    ),
    *deviations(
        "shift",
        ("the largest score is not subtracted: exp overflows for large scores", np.zeros_like),
        ("one maximum is subtracted from all rows: low rows vanish, use each own", np.max),
        ("the largest of each column is subtracted: use each row's, axis=-1",
         lambda s: s.max(-2, keepdims=True)),
        ("the mean is subtracted, not the largest: exp can still overflow",
         lambda s: s.mean(-1, keepdims=True)),
        ("the smallest score is subtracted, not the largest: exp overflows",
         lambda s: s.min(-1, keepdims=True)),
        ("the largest |score| is subtracted: rows of negative scores vanish",
         lambda s: np.abs(s).max(-1, keepdims=True)),
        ("keepdims=True is missing: row maxima are laid along the columns", lambda s: s.max(-1)),
    ),
    *deviations(
        "finish",
        ("log-softmax instead of softmax: the logarithm is too much", lambda w, _: np.log(w)),
        ("the weights are transposed", lambda w, _: np.swapaxes(w, -1, -2)),
        ("the weights are in per cent: each row must sum to 1", lambda w, _: 100 * w),
        ("1 - weight: the weights are turned round", lambda w, _: 1 - w),
        ("only the largest weight of each row is kept", lambda w, _: w * _one_hot(w)),
    ),
)
# fmt: on
