"""The checks of exercise 03: scaling, how many keys a row attends to, variance, gradient."""

import numpy as np

from casebook.checks import mistakes_measures as measures
from casebook.checks import mistakes_scaling as scaling
from casebook.checks import mistakes_softmax as soft
from casebook.checks import properties
from casebook.checks.diagnosis import Case, Family, examine
from casebook.checks.verdict import check
from casebook.saturation import SCALINGS

ATTENTION_WEIGHTS = Family(scaling.attention_weights, scaling.ATTENTION_WEIGHTS)


@check("attention_weights", ("Q", "K", "scaling"))
def check_attention_weights(learner, rng):
    """Check attention weights under each of the three scalings."""
    sizes = [("", 3, 5, 6, 1.0), ("", 5, 5, 5, 1.0), ("", 4, 7, 64, 0.4)]
    sizes += [("for a single key", 3, 1, 6, 1.0), ("for very large scores", 3, 5, 6, 60.0)]
    cases = [
        Case(
            label, (rng.normal(0.2, size, (n_q, d_k)), rng.normal(-0.1, size, (n_k, d_k)), scaling)
        )
        for label, n_q, n_k, d_k, size in sizes
        for scaling in SCALINGS
    ]
    examine(
        learner,
        cases,
        ATTENTION_WEIGHTS,
        ("weights",),
        lambda case, got, right: properties.of_weights(got[0], right[0]),
    )


EFFECTIVE_KEYS = Family(measures.effective_keys, measures.EFFECTIVE_KEYS)


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
    examine(learner, cases, EFFECTIVE_KEYS, ("result",), _about_keys)


DOT_PRODUCT_VARIANCE = Family(measures.dot_product_variance, measures.DOT_PRODUCT_VARIANCE)


@check("dot_product_variance", ("queries", "keys"))
def check_dot_product_variance(learner, rng):
    """Check the variance of paired dot products and its error bar."""
    cases = [
        Case("", (rng.normal(0.4, 1, (n, d_k)), rng.normal(0.3, 1, (n, d_k))))
        for n, d_k in ((9, 4), (12, 7), (6, 6), (50, 2))
    ]
    names = ("variance", "error")
    examine(learner, cases, DOT_PRODUCT_VARIANCE, names, _about_variance)


SOFTMAX_GRADIENT = Family(measures.softmax_gradient, measures.SOFTMAX_GRADIENT)


@check("softmax_gradient", ("scores", "threshold"))
def check_softmax_gradient(learner, rng):
    """Check the Jacobian of softmax for each row of scores, and the share of vanished entries."""
    cases = [
        Case("", (rng.normal(0.5, size, shape), threshold))
        for shape, size, threshold in (
            ((3, 5), 2.0, 1e-2),
            ((4, 4), 3.0, 1e-3),
            ((2, 6), 400.0, 1e-6),
            ((3, 2), 1.0, 1e-1),
        )
    ]
    large = np.array([[1000.0, 1000, -1000, 5], [-5000, -1000, -1001, -1000], [900, 0, 901, 902]])
    cases += [
        Case("for very large scores", (large, 1e-6)),
        Case("for a single key", (rng.normal(0, 1, (3, 1)), 1e-6)),
    ]
    names = ("jacobian", "share")
    examine(learner, cases, SOFTMAX_GRADIENT, names, _about_gradient)


def _about_keys(case, got, right):
    keys, n_keys = np.atleast_1d(got[0]), case.inputs[0].shape[-1]
    beyond = np.flatnonzero((keys < 1 - 1e-9) | (keys > n_keys + 1e-9))
    if beyond.size:
        value = keys.ravel()[beyond[0]]
        return f"{value:.3g} keys in row {beyond[0]}: between 1 (one-hot) and {n_keys} is possible."
    return None


def _about_variance(case, got, right):
    variance, error = got
    if variance < 0 or error < 0:
        return "a variance and its error bar cannot be negative."
    if np.isclose(variance, right[0]):
        return f"the variance is right, its error bar is not: {error:.4g}, expected {right[1]:.4g}."
    return None


def _about_gradient(case, got, right):
    jacobian, share = got
    if np.allclose(jacobian, right[0], atol=1e-9):
        return f"the Jacobian is right, the share is not: {share:.3g}, expected {right[1]:.3g}."
    if not np.allclose(jacobian, np.swapaxes(jacobian, -1, -2)):
        return "the Jacobian is not symmetric: d w_i / d s_j equals d w_j / d s_i."
    if not np.allclose(jacobian.sum(axis=-1), 0, atol=1e-6):
        total = jacobian[0].sum(axis=-1)[0]
        return f"a row of the Jacobian sums to {total:.3g}, not 0: the weights always sum to 1."
    return None
