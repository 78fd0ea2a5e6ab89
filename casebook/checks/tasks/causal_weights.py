"""The check of weights under a causal mask and a padding mask.

A mask goes wrong when it is made (stage ``allow``) or when it is applied.
"""

from dataclasses import replace

import numpy as np

from casebook.checks.engine import properties
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep, stages_of
from casebook.checks.engine.verdict import check
from casebook.checks.stages import softmax as soft


def may_attend(is_padding):
    """Return the mask of a causal model that asks no padding; True may attend."""
    n_tokens = len(is_padding)
    return np.tril(np.ones((n_tokens, n_tokens), dtype=bool)) & ~is_padding


def _mask_with(triangle, padding):
    """Return a stage that builds the mask of these two parts."""

    def allow(is_padding):
        n_tokens = len(is_padding)
        return triangle(np.ones((n_tokens, n_tokens), dtype=bool)) & padding(is_padding)

    return allow


@stages_of(soft.weigh)
def _causal_weights(scores, is_padding, allow=may_attend, empty=soft.one_for_zero, **stages):
    return (soft.weigh(scores, allow(is_padding), empty=empty, **stages),)


# fmt: off
_ALLOW = deviations(
    "allow",
    ("strict triangle: a token may not see itself here, but it should (k=0)",
     _mask_with(lambda ones: np.tril(ones, -1), np.logical_not)),
    ("one too many: a token sees the next one too (k=1 instead of k=0)",
     _mask_with(lambda ones: np.tril(ones, 1), np.logical_not)),
    ("the wrong triangle: a token sees itself and the future, not the past",
     _mask_with(np.triu, np.logical_not)),
    ("the wrong triangle: a token sees the future only",
     _mask_with(lambda ones: np.triu(ones, 1), np.logical_not)),
    ("not causal: tokens see the future (only the padding is hidden)",
     _mask_with(lambda ones: ones, np.logical_not)),
    ("the padding is not hidden (only the future is)", _mask_with(np.tril, np.ones_like)),
    ("the padding is turned round: True in is_padding means hide",
     _mask_with(np.tril, np.array)),
    ("neither the future nor the padding is hidden",
     _mask_with(lambda ones: ones, np.ones_like)),
    ("the padding hides rows, not columns: padding may not be asked",
     _mask_with(np.tril, lambda hidden: ~hidden[:, None])),
    ("the padding hides its rows too: only its columns are to be hidden",
     _mask_with(np.tril, lambda hidden: ~hidden[:, None] & ~hidden)),
    ("'or' where 'and' is meant: a key must be past and not padding",
     lambda hidden: may_attend(np.zeros_like(hidden)) | ~hidden),
    ("a token may see only itself: the past is hidden",
     _mask_with(lambda ones: np.eye(len(ones), dtype=bool), np.logical_not)),
    ("tokens see their own place even when it is padding",
     lambda hidden: may_attend(hidden) | np.eye(len(hidden), dtype=bool)),
)

_HIDE = (
    *deviations(
        "empty",
        ("a row with nothing to attend to gives NaN (0/0), not zeros", keep),
    ),
    *deviations(
        "hide",
        ("the mask is not applied to the scores", lambda s, m: s),
        ("the mask is turned round: True means may attend", lambda s, m: np.where(m, -np.inf, s)),
        ("0 instead of -inf for hidden scores: exp(0) is 1, so they keep weight",
         lambda s, m: np.where(m, s, 0)),
        ("the mask is added as 1 and 0: hidden scores must become -inf", lambda s, m: s + m),
        ("the mask is subtracted as 1 and 0: hidden scores must become -inf", lambda s, m: s - ~m),
        ("1 is added where hidden: hidden scores must become -inf", lambda s, m: s + ~m),
        ("a large number stands for -inf: an empty row gets weights, not zeros",
         lambda s, m: np.where(m, s, -1e9)),
        ("a large number is added for -inf: an empty row gets weights, not zeros",
         lambda s, m: s + np.where(m, 0, -1e9)),
        ("hidden scores times a large number: a negative one becomes huge",
         lambda s, m: np.where(m, s, s * 1e9)),
        ("-1 for hidden scores is a score like any other: use -inf",
         lambda s, m: np.where(m, s, -1)),
        ("+inf or a large positive score for hidden keys: use -inf",
         lambda s, m: np.where(m, s, 1e9)),
        ("the scores are transposed: row i asks, column j is asked",
     lambda s, m: np.where(m, s.T, -np.inf)),
    ("the mask is transposed: rows ask, columns are asked",
         lambda s, m: np.where(m.T, s, -np.inf)),
    ),
    *deviations(
        "mask_after",
        ("hidden weights are set to 0 after softmax: rows no longer sum to 1", np.multiply),
        ("masks after softmax: a large hidden score leaves 0/0, hide it first",
         lambda w, m: w * m / soft.sum_of_row(w * m)),
        ("masks after softmax: a large hidden score leaves 0/0, hide it first",
         lambda w, m: w * m / soft.one_for_zero(soft.sum_of_row(w * m))),
        ("the mask is turned round after softmax: True means may attend", lambda w, m: w * ~m),
    ),
)
# fmt: on

FAMILY = Family(
    _causal_weights,
    (
        *_ALLOW,
        *_HIDE,
        *soft.SOFTMAX,
    ),
)


def _causal_case(label, rng, padding):
    hidden = np.array([mark == "x" for mark in padding])
    return Case(label, (rng.normal(0.5, 1.5, (len(hidden), len(hidden))), hidden))


def _case_with_large_scores(rng):
    case = _causal_case("for very large scores", rng, "...x.")
    scores, hidden = case.inputs
    return replace(case, inputs=(np.where(may_attend(hidden), 1000 * scores, 1e5), hidden))


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
        FAMILY,
        ("weights",),
        lambda case, got, right: properties.of_weights(got[0], right[0]),
    )
