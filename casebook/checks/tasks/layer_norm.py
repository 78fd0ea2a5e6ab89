"""The check of layer normalisation."""

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations
from casebook.checks.engine.verdict import check
from casebook.checks.stages.norm import normalise

# fmt: off
MISTAKES = (
    *deviations(
        "axis",
        ("mean and variance run over the tokens: use each token's features", -2),
        ("one mean and variance for the whole array: each token has its own", None),
        ("mean and variance run over axis 0: use the last axis, axis=-1", 0),
    ),
    *deviations(
        "spread",
        ("the variance divides by d_model - 1 (ddof=1): divide by d_model",
         lambda c, X, axis: (c**2).sum(axis, keepdims=True) / max(c.shape[-1] - 1, 1)),
        ("the standard deviation stands under the root: put the variance",
         lambda c, X, axis: np.sqrt((c**2).mean(axis, keepdims=True))),
        ("the squares are summed, not averaged: divide by d_model",
         lambda c, X, axis: (c**2).sum(axis, keepdims=True)),
        ("divides by the root mean square of X: take distances from the mean",
         lambda c, X, axis: (X**2).mean(axis, keepdims=True)),
        ("the variance is missing: only the mean was subtracted",
         lambda c, X, axis: np.ones_like(c)),
        ("absolute distances are averaged: the variance takes squares",
         lambda c, X, axis: np.abs(c).mean(axis, keepdims=True) ** 2),
        ("divides by the range, largest less smallest: use the variance",
         lambda c, X, axis: np.ptp(c, axis=axis, keepdims=True) ** 2),
    ),
    *deviations(
        "divide",
        ("epsilon stands outside the root: add it to the variance",
         lambda c, v, e: c / (np.sqrt(v) + e)),
        ("epsilon is missing: it is added to the variance", lambda c, v, e: c / np.sqrt(v)),
        ("divides by the variance: its square root is missing", lambda c, v, e: c / (v + e)),
        ("multiplies by the root: divide by it", lambda c, v, e: c * np.sqrt(v + e)),
        ("epsilon is always 1e-5: use the epsilon that is given",
         lambda c, v, e: c / np.sqrt(v + 1e-5)),
        ("epsilon is squared: add it as it is", lambda c, v, e: c / np.sqrt(v + e**2)),
        ("epsilon is subtracted: add it", lambda c, v, e: c / np.sqrt(v - e)),
    ),
    *deviations(
        "centre",
        ("the mean is not subtracted: this is RMS norm", lambda X, mean: X),
        ("the mean is added: subtract it", lambda X, mean: X + mean),
    ),
    *deviations(
        "stretch",
        ("the gain is missing: multiply by it before the bias is added",
         lambda n, gain, bias: n + bias),
        ("the bias is missing: add it at the end", lambda n, gain, bias: gain * n),
        ("gain and bias are missing", lambda n, gain, bias: n),
        ("gain and bias are swapped: the gain multiplies", lambda n, gain, bias: bias * n + gain),
        ("the bias is added before the gain multiplies: add it last",
         lambda n, gain, bias: gain * (n + bias)),
        ("1 + gain instead of gain", lambda n, gain, bias: (1 + gain) * n + bias),
        ("the bias is subtracted: add it", lambda n, gain, bias: gain * n - bias),
        ("divides by the gain: multiply by it", lambda n, gain, bias: n / gain + bias),
    ),
)
# fmt: on

FAMILY = Family(normalise, MISTAKES)


def _norm_case(label, rng, *shape, epsilon=0.1):
    X, width = rng.normal(2, 1.5, shape), shape[-1]
    return Case(label, (X, rng.uniform(0.5, 2, width), rng.normal(1, 1, width), epsilon))


@check("layer_norm", ("X", "gain", "bias", "epsilon"))
def check_layer_norm(learner, rng):
    """Check layer normalisation over the features, with gain, bias and epsilon."""
    even = np.ones((2, 5)) * rng.normal(0, 2, (2, 1))
    gain, bias = rng.uniform(0.5, 2, 5), rng.normal(0, 1, 5)
    cases = [
        _norm_case("", rng, 4, 6),
        _norm_case("", rng, 5, 5, epsilon=0.3),
        _norm_case("", rng, 3, 7, epsilon=1e-5),
        _norm_case("for a batch of sentences", rng, 2, 3, 4),
        _norm_case("for a single token", rng, 1, 6),
        _norm_case("for a token without an axis in front", rng, 5),
        Case("for tokens of equal features", (even, gain, bias, 1e-5)),
        Case("for X of whole numbers", (rng.integers(-4, 9, (3, 5)), gain, bias, 0.1)),
    ]
    examine(learner, cases, FAMILY, ("the result",), _about_norm)


def _about_norm(case, got, right):
    """Say what must hold of normed tokens, for a mistake that nobody foresaw."""
    _, gain, bias, _ = case.inputs
    normed, wanted = ((array - bias) / gain for array in (got[0], right[0]))
    means, spreads = normed.mean(-1), normed.std(-1)
    if not np.allclose(means, 0):
        return f"before gain and bias a token has mean {means.flat[0]:.3g}: it must be 0."
    if not np.allclose(spreads, wanted.std(-1)):
        return (
            f"before gain and bias a token has deviation {spreads.flat[0]:.3g}, "
            f"expected {wanted.std(-1).flat[0]:.3g}."
        )
    return None
