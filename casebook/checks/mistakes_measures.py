"""The measures of exercise 03 cut into stages, and the mistakes made with them."""

import math

import numpy as np

from casebook.checks import mistakes_softmax as soft
from casebook.checks.mistakes_softmax import deviations, keep


def effective_keys(
    weights,
    log=lambda w: np.log(np.where(w > 0, w, 1)),
    weighted=np.multiply,
    total=lambda parts: -parts.sum(axis=-1),
    finish=np.exp,
    instead=None,
):
    """Return exp(entropy) of each row of weights: the number of keys it attends to."""
    if instead:
        return (instead(weights),)
    return (finish(total(weighted(weights, log(weights)))),)


def dot_product_variance(
    queries,
    keys,
    pair=lambda q, k: (q * k).sum(axis=-1),
    centre=np.mean,
    average=lambda squares: squares.sum() / (squares.size - 1),
    error=lambda squares, products: squares.std(ddof=1) / math.sqrt(squares.size),
    give=lambda variance, error, products: (variance, error),
):
    """Return the variance of the dot products of paired rows, and its standard error."""
    products = pair(queries, keys)
    squares = (products - centre(products)) ** 2
    return give(average(squares), error(squares, products), products)


def softmax_gradient(
    scores,
    threshold,
    diagonal=lambda w: w[..., :, None] * np.eye(w.shape[-1]),
    outer=lambda w: w[..., :, None] * w[..., None, :],
    form=lambda jacobian, weights, scores: jacobian,
    size=lambda jacobian, weights: np.abs(jacobian),
    below=np.less,
    share=np.mean,
    give=lambda jacobian, share: (jacobian, share),
    **stages,
):
    """Return the Jacobian of softmax for each row, and the share of its entries near 0."""
    weights = soft.weigh(scores, **stages)
    jacobian = form(diagonal(weights) - outer(weights), weights, scores)
    return give(jacobian, share(below(size(jacobian, weights), threshold)))


def _diagonal_of(matrices):
    return np.diagonal(matrices, axis1=-2, axis2=-1)


def _without_diagonal(matrices):
    return matrices[..., ~np.eye(matrices.shape[-1], dtype=bool)]


# fmt: off
EFFECTIVE_KEYS = (
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

DOT_PRODUCT_VARIANCE = (
    *deviations(
        "average",
        ("ddof=0, divides by n: ddof=1 divides by n - 1", np.mean),
        ("the standard deviation instead of the variance",
         lambda s: math.sqrt(s.sum() / (s.size - 1))),
        ("the standard deviation, with ddof=0, instead of the variance",
         lambda s: math.sqrt(s.mean())),
        ("the squares are summed, but not divided by n - 1", np.sum),
        ("divides by n - 2: ddof=1 divides by n - 1", lambda s: s.sum() / (s.size - 2)),
        ("divides by n + 1: ddof=1 divides by n - 1", lambda s: s.sum() / (s.size + 1)),
    ),
    *deviations(
        "centre",
        ("the mean is not subtracted: this is the mean square", np.zeros_like),
        ("the median is subtracted, not the mean", np.median),
    ),
    *deviations(
        "pair",
        ("every query meets every key: only row i with row i is asked for",
         lambda q, k: (q @ k.T).ravel()),
        ("the products are summed over the samples: sum over d_k (axis=-1)",
         lambda q, k: (q * k).sum(axis=0)),
        ("the entries q * k are never summed to dot products", lambda q, k: (q * k).ravel()),
        ("divided by sqrt(d_k): the raw dot products are asked for",
         lambda q, k: (q * k).sum(axis=-1) / math.sqrt(q.shape[-1])),
        ("the mean of q * k instead of its sum, the dot product",
         lambda q, k: (q * k).mean(axis=-1)),
        ("absolute dot products: keep their sign", lambda q, k: np.abs((q * k).sum(axis=-1))),
        ("the queries meet themselves: q . k is asked for", lambda q, k: (q * q).sum(axis=-1)),
        ("the variance of the queries' entries: dot products are asked for",
         lambda q, k: q.ravel()),
        ("the sums q + k instead of dot products", lambda q, k: (q + k).sum(axis=-1)),
    ),
    *deviations(
        "error",
        ("the error bar is not divided by sqrt(n)", lambda s, _: s.std(ddof=1)),
        ("the error bar is divided by n instead of sqrt(n)", lambda s, _: s.std(ddof=1) / s.size),
        ("the error bar has ddof=0: ddof=1 is asked for, here too",
         lambda s, _: s.std() / math.sqrt(s.size)),
        ("the error bar is that of the mean, not of the variance",
         lambda s, p: p.std(ddof=1) / math.sqrt(p.size)),
        ("the error bar is that of the mean (with ddof=0), not of the variance",
         lambda s, p: p.std() / math.sqrt(p.size)),
        ("the error bar is for normal data: use the spread of the squares",
         lambda s, _: s.sum() / (s.size - 1) * math.sqrt(2 / (s.size - 1))),
        ("the error bar is for normal data: use the spread of the squares",
         lambda s, _: s.sum() / (s.size - 1) * math.sqrt(2 / s.size)),
        ("the error bar is the variance over sqrt(n): use the squares' spread",
         lambda s, _: s.sum() / (s.size - 1) / math.sqrt(s.size)),
        ("the error bar is squared: take the root", lambda s, _: s.var(ddof=1) / s.size),
        ("the error bar is the spread of the products: use the squares",
         lambda s, p: p.std(ddof=1)),
        ("the error bar is over sqrt(n - 1): divide by sqrt(n)",
         lambda s, _: s.std(ddof=1) / math.sqrt(s.size - 1)),
    ),
    *deviations(
        "give",
        ("returned (error, variance): the order is variance, error", lambda v, e, p: (e, v)),
        ("returned only the variance: its error bar is asked for too", lambda v, e, p: (v,)),
        ("returned the mean in place of the variance", lambda v, e, p: (p.mean(), e)),
        ("returned the mean and the variance: variance, error are asked for",
         lambda v, e, p: (p.mean(), v)),
    ),
)

SOFTMAX_GRADIENT = (
    *deviations(
        "outer",
        ("- w_i w_j is missing: only diag(w) is there", lambda w: 0),
        ("the sign is wrong: diag(w) minus w_i w_j", lambda w: -w[..., :, None] * w[..., None, :]),
        ("w_i ** 2 instead of w_i w_j", lambda w: np.broadcast_to(
            w[..., :, None] ** 2, (*w.shape, w.shape[-1]))),
    ),
    *deviations(
        "diagonal",
        ("diag(w) is missing: only - w_i w_j is there", lambda w: 0),
        ("1 on the diagonal where w_i belongs: diag(w) - w_i w_j",
         lambda w: np.broadcast_to(np.eye(w.shape[-1]), (*w.shape, w.shape[-1]))),
        ("w_i stands everywhere: w_i (1 - w_j) lacks the 1[i = j]",
         lambda w: np.broadcast_to(w[..., :, None], (*w.shape, w.shape[-1]))),
    ),
    *deviations(
        "form",
        ("only the diagonal w_i (1 - w_i): off it stands - w_i w_j",
         lambda j, *_: j * np.eye(j.shape[-1])),
        ("only the diagonal w_i (1 - w_i), as a vector: n by n entries a row",
         lambda j, *_: _diagonal_of(j)),
        ("the diagonal is 0: w_i (1 - w_i) belongs there",
         lambda j, *_: j * (1 - np.eye(j.shape[-1]))),
        ("the whole Jacobian has its sign turned", lambda j, *_: -j),
        ("this is the Jacobian of log-softmax: multiply row i by w_i",
         lambda j, w, _: np.eye(w.shape[-1]) - w[..., None, :]),
        ("this is the Jacobian of log-softmax, transposed",
         lambda j, w, _: np.eye(w.shape[-1]) - w[..., :, None]),
        ("the scores stand where the weights belong: softmax first",
         lambda j, w, s: s[..., :, None] * np.eye(s.shape[-1]) - s[..., :, None] * s[..., None, :]),
        ("the rows' Jacobians are summed: one matrix for each row", lambda j, *_: j.sum(axis=0)),
        ("the rows' Jacobians are averaged: one matrix for each row", lambda j, *_: j.mean(axis=0)),
        ("only the first row's Jacobian: one matrix for each row", lambda j, *_: j[0]),
        ("the absolute values of the Jacobian: keep the signs", lambda j, *_: np.abs(j)),
        ("these are the weights, not their derivatives", lambda j, w, _: w),
    ),
    *deviations(
        "size",
        ("abs is missing: negative entries count as small", lambda j, _: j),
        ("the share is that of small weights, not of small derivatives", lambda j, w: w),
        ("the share looks at the diagonal only: all the entries count",
         lambda j, _: np.abs(_diagonal_of(j))),
        ("the share leaves the diagonal out: all the entries count",
         lambda j, _: np.abs(_without_diagonal(j))),
        ("the share looks at squares: compare |entry| with the threshold", lambda j, _: j**2),
    ),
    *deviations(
        "below",
        ("the share above the threshold: the share below is asked for", np.greater),
        ("threshold is ignored: 1e-6 is always used", lambda size, _: size < 1e-6),
        ("only entries of exactly 0 are counted: count those below threshold",
         lambda size, _: size == 0),
    ),
    *deviations(
        "share",
        ("the entries are counted: a share lies between 0 and 1", np.sum),
        ("the share is in per cent: it lies between 0 and 1", lambda small: 100 * small.mean()),
        ("one share for each row: one for all the entries is asked for",
         lambda small: small.mean(axis=(-1, -2))),
        ("divides by n, not by the number of all entries",
         lambda small: small.sum() / small.shape[-1]),
        ("divides by n * n, not by the number of all entries",
         lambda small: small.sum() / small.shape[-1] ** 2),
    ),
    *deviations(
        "give",
        ("returned (share, Jacobian): the order is Jacobian, share", lambda j, share: (share, j)),
        ("returned only the Jacobian: the share is asked for too", lambda j, share: (j,)),
        ("returned only the share: the Jacobian is asked for too", lambda j, share: (share,)),
    ),
    *soft.SOFTMAX,
)
