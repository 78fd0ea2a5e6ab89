"""The check of the variance of dot products, and of its error bar."""

import math

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations
from casebook.checks.engine.verdict import check


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


# fmt: off
MISTAKES = (
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
# fmt: on

FAMILY = Family(dot_product_variance, MISTAKES)


@check("dot_product_variance", ("queries", "keys"))
def check_dot_product_variance(learner, rng):
    """Check the variance of paired dot products and its error bar."""
    cases = [
        Case("", (rng.normal(0.4, 1, (n, d_k)), rng.normal(0.3, 1, (n, d_k))))
        for n, d_k in ((9, 4), (12, 7), (6, 6), (50, 2))
    ]
    names = ("variance", "error")
    examine(learner, cases, FAMILY, names, _about_variance)


def _about_variance(case, got, right):
    variance, error = got
    if variance < 0 or error < 0:
        return "a variance and its error bar cannot be negative."
    if np.isclose(variance, right[0]):
        return f"the variance is right, its error bar is not: {error:.4g}, expected {right[1]:.4g}."
    return None
