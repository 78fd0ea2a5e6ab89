"""The check of the effective number of keys: exp(entropy) of each row of weights."""

import math

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Absent, Case, Family, deviations, keep
from casebook.checks.engine.verdict import check
from casebook.checks.stages import softmax as soft


def effective_keys(
    weights,
    log=lambda w: np.log(np.where(w > 0, w, 1)),
    weighted=np.multiply,
    total=lambda parts: -parts.sum(axis=-1),
    finish=np.exp,
    instead=Absent("weights"),
):
    """Return exp(entropy) of each row of weights: the number of keys it attends to."""
    if instead:
        return (instead(weights),)
    return (finish(total(weighted(weights, log(weights)))),)


# fmt: off
MISTAKES = (
    *deviations(
        "finish",
        ("this is the entropy: the number of keys is exp of it", keep),
        ("the sign is lost: exp(-entropy) is 1 over the number of keys", lambda h: np.exp(-h)),
        ("2 ** an entropy in nats: use exp with log, or 2 ** with log2", np.exp2),
        ("averaged over the rows: one number for each row is asked for",
         lambda h: np.exp(h).mean()),
        ("the entropies are averaged over the rows: one number a row", lambda h: np.exp(h.mean())),
        ("summed over the rows: one number for each row is asked for", lambda h: np.exp(h).sum()),
        ("the negative entropy: turn the sign, then take exp", lambda h: -h),
        ("this is the entropy in bits: the number of keys is asked for",
         lambda h: h / math.log(2)),
    ),
    *deviations(
        "log",
        ("0 log 0 gives NaN: a weight of 0 adds nothing to the entropy", np.log),
        ("an entropy in bits (log2) under exp: use log, or 2 ** with log2",
         lambda w: np.log2(np.where(w > 0, w, 1))),
        ("an entropy with log10 under exp: use log", lambda w: np.log10(np.where(w > 0, w, 1))),
        ("log(1 + w) instead of log(w)", np.log1p),
    ),
    *deviations(
        "weighted",
        ("the logs are summed unweighted: each belongs to its weight, w log w", lambda w, log: log),
        ("w ** 2 log w instead of w log w", lambda w, log: w**2 * log),
    ),
    *deviations(
        "total",
        ("summed down the columns: each row has its own number", lambda p: -p.sum(axis=-2)),
        ("summed over axis 0: sum over the last axis", lambda p: -p.sum(axis=0)),
        ("summed over axis 1: sum over the last axis, axis=-1", lambda p: -p.sum(axis=1)),
        ("summed over the whole array: each row has its own number", lambda p: -p.sum()),
        ("the mean of w log w over the row: it must be the sum", lambda p: -p.mean(axis=-1)),
        ("keepdims keeps an axis too many: one number for each row",
         lambda p: -p.sum(axis=-1, keepdims=True)),
        ("not summed: each row needs one number", np.negative),
        ("the minus of the entropy is missing: -sum w log w", lambda p: p.sum(axis=-1)),
        ("the entropy is divided by log n: leave it as it is",
         lambda p: -p.sum(axis=-1) / math.log(p.shape[-1])),
    ),
    *deviations(
        "instead",
        ("1 / sum of squares is another count: exp(entropy) is asked for",
         lambda w: 1 / (w**2).sum(axis=-1)),
        ("1 / largest weight is another count: exp(entropy) is asked for",
         lambda w: 1 / w.max(axis=-1)),
        ("the weights above 0 are counted: exp(entropy) is asked for",
         lambda w: (w > 0).sum(axis=-1)),
        ("the number of keys, whatever the weights: exp(entropy) is asked for",
         lambda w: np.full(w.shape[:-1], w.shape[-1])),
        ("the largest weight is returned: exp(entropy) is asked for", lambda w: w.max(axis=-1)),
        ("the weights above the mean are counted: exp(entropy) is asked for",
         lambda w: (w > 1 / w.shape[-1]).sum(axis=-1)),
    ),
)
# fmt: on

FAMILY = Family(effective_keys, MISTAKES)


@check("effective_keys", ("weights",))
def check_effective_keys(learner, rng):
    """Check the effective number of keys of each row: one-hot rows and any axes in front."""
    rows = soft.softmax(rng.normal(0, 1.2, (4, 6)))
    with_zeros = soft.softmax(np.where(rng.random((5, 5)) < 0.4, -np.inf, rng.normal(0, 1, (5, 5))))
    cases = [
        Case("", (rows,)),
        Case("", (soft.softmax(rng.normal(0, 2, (5, 5))),)),
        Case("where some weights are 0", (np.nan_to_num(with_zeros, nan=0.2),)),
        Case("for one-hot rows", (np.eye(4),)),
        Case("for a batch of heads", (soft.softmax(rng.normal(0, 1, (2, 3, 4))),)),
        Case("for a single row", (soft.softmax(rng.normal(0, 1, 7)),)),
    ]
    examine(learner, cases, FAMILY, ("result",), _about_keys)


def _about_keys(case, got, right):
    keys, n_keys = np.atleast_1d(got[0]), case.inputs[0].shape[-1]
    beyond = np.flatnonzero((keys < 1 - 1e-9) | (keys > n_keys + 1e-9))
    if beyond.size:
        value = keys.ravel()[beyond[0]]
        return f"{value:.3g} keys in row {beyond[0]}: between 1 (one-hot) and {n_keys} is possible."
    return None
