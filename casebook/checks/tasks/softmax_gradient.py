"""The check of the Jacobian of softmax, and of the share of its entries that vanish."""

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, stages_of
from casebook.checks.engine.verdict import check
from casebook.checks.stages import softmax as soft


@stages_of(soft.weigh)
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
MISTAKES = (
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
# fmt: on

FAMILY = Family(softmax_gradient, MISTAKES)


@check("softmax_gradient", ("scores", "threshold"))
def check_softmax_gradient(learner, rng):
    """Check the Jacobian of softmax for each row of scores, and the share of vanished entries."""
    cases = [
        Case("", (rng.normal(0.5, size, shape), threshold))
        for shape, size, threshold in (
            ((3, 5), 2.0, 1e-2),
            ((4, 4), 3.0, 1e-3),
            ((5, 6), 400.0, 1e-6),
            ((3, 2), 1.0, 1e-1),
        )
    ]
    large = np.array(
        [[1000.0, 1000, -1000, 5], [-5000, -1000, -1001, -1000], [900, -1800, 901, 902]]
    )
    cases += [
        Case("for very large scores", (large, 1e-6)),
        Case("for a single key", (rng.normal(0, 1, (3, 1)), 1e-6)),
    ]
    names = ("jacobian", "share")
    examine(learner, cases, FAMILY, names, _about_gradient)


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
