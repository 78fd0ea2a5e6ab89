"""The check of a pre-norm block."""

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Absent, Case, Family, deviations
from casebook.checks.engine.verdict import check
from casebook.checks.stages import softmax as soft
from casebook.checks.stages.norm import normalise


def _pre(X, sublayer, norm):
    return X + sublayer(norm(X))


def pre_norm(
    X,
    attend,
    think,
    norm_1,
    norm_2,
    step=_pre,
    step_1=Absent("X", "sublayer", "norm"),
    step_2=Absent("X", "sublayer", "norm"),
    order=Absent("first", "second"),
    whole=Absent("X", "attend", "think", "norm_1", "norm_2"),
):
    """Return the result of task ``pre_norm_block``.

    step: stands in for both sublayers, step_1 and step_2 for one. order: gives the two pairs
    of sublayer and norm. whole: stands in for everything.
    """
    if whole:
        return (whole(X, attend, think, norm_1, norm_2),)
    pairs = (attend, norm_1), (think, norm_2)
    first, second = order(*pairs) if order else pairs
    Y = (step_1 or step)(X, *first)
    return ((step_2 or step)(Y, *second),)


# fmt: off
_STEPS = (
    ("post-norm: the norm follows the sum{}; it belongs inside",
     lambda X, f, norm: norm(X + f(X))),
    ("the residual starts from normed tokens{}: add to X itself",
     lambda X, f, norm: norm(X) + f(norm(X))),
    ("the norm follows the sublayer, inside the branch{}: it comes before",
     lambda X, f, norm: X + norm(f(X))),
    ("the residual is missing{}: add X", lambda X, f, norm: f(norm(X))),
    ("the norm is missing{}: the sublayer reads norm(X)", lambda X, f, norm: X + f(X)),
    ("one norm too many{}: none follows the sublayer",
     lambda X, f, norm: X + norm(f(norm(X)))),
    ("one norm too many{}: none follows the sum", lambda X, f, norm: norm(X + f(norm(X)))),
    ("the wrong part is normed{}: norm what goes into the sublayer",
     lambda X, f, norm: norm(X) + f(X)),
    ("the residual is subtracted{}: add X", lambda X, f, norm: f(norm(X)) - X),
    ("the residual is added twice{}", lambda X, f, norm: 2 * X + f(norm(X))),
)

MISTAKES = (
    *deviations("step", *((says.format(""), does) for says, does in _STEPS)),
    *deviations("step_1", *((says.format(" (attention)"), does) for says, does in _STEPS)),
    *deviations("step_2", *((says.format(" (feed-forward)"), does) for says, does in _STEPS)),
    *deviations(
        "order",
        ("norm_1 is used twice: norm_2 belongs before the feed-forward layer",
         lambda a, b: (a, (b[0], a[1]))),
        ("norm_2 is used twice: norm_1 belongs before attention",
         lambda a, b: ((a[0], b[1]), b)),
        ("the norms are swapped: norm_1 belongs before attention",
         lambda a, b: ((a[0], b[1]), (b[0], a[1]))),
        ("the feed-forward layer comes first: attention comes first",
         lambda a, b: (b, a)),
        ("the feed-forward layer comes first, but the norms keep their order",
         lambda a, b: ((b[0], a[1]), (a[0], b[1]))),
        ("attention is used twice: the second sublayer is the feed-forward",
         lambda a, b: (a, (a[0], b[1]))),
        ("the feed-forward layer is used twice: the first is attention",
         lambda a, b: ((b[0], a[1]), b)),
    ),
    *deviations(
        "whole",
        ("the feed-forward layer is missing: a block has two sublayers",
         lambda X, f, g, m, n: X + f(m(X))),
        ("attention is missing: a block has two sublayers", lambda X, f, g, m, n: X + g(n(X))),
        ("both sublayers read X: the second reads what the first gave",
         lambda X, f, g, m, n: X + f(m(X)) + g(n(X))),
        ("the second residual adds X again: add the sum after attention",
         lambda X, f, g, m, n: X + g(n(X + f(m(X))))),
        ("the feed-forward layer reads attention alone: the sum goes in",
         lambda X, f, g, m, n: X + f(m(X)) + g(n(f(m(X))))),
        ("the first residual is lost: X is added once, and only in the norm",
         lambda X, f, g, m, n: f(m(X)) + g(n(X + f(m(X))))),
        ("the sublayers are nested with a single residual: each has its own",
         lambda X, f, g, m, n: X + g(n(f(m(X))))),
        ("this is X: were the sublayers used?", lambda X, f, g, m, n: X),
    ),
)
# fmt: on

FAMILY = Family(pre_norm, MISTAKES)


@check("pre_norm_block", ("X", "attend", "think", "norm_1", "norm_2"))
def check_pre_norm_block(learner, rng):
    """Check a pre-norm block that is put together from the four functions it is given."""
    sizes = [("", 4, 6), ("", 5, 3), ("", 6, 6), ("for a single token", 1, 4)]
    cases = [Case(label, _pieces(rng, *shape)) for label, *shape in sizes]
    examine(learner, cases, FAMILY, ("the result",), _about_block)


def _pieces(rng, n_tokens, d_model):
    """Return tokens, and two sublayers and two norms as functions."""
    mixing = soft.softmax(rng.normal(0, 1, (n_tokens, n_tokens)))
    W, W_1, W_2 = rng.normal(0, 0.7, (3, d_model, d_model))
    gains, biases = rng.uniform(0.5, 2, (2, d_model)), rng.normal(0, 0.5, (2, d_model))

    def attend(X):
        return mixing @ X @ W

    def think(X):
        return np.maximum(X @ W_1 + 0.3, 0) @ W_2

    def norm_1(X):
        return normalise(X, gains[0], biases[0], 1e-5)[0]

    def norm_2(X):
        return normalise(X, gains[1], biases[1], 1e-5)[0]

    return rng.normal(0.5, 1, (n_tokens, d_model)), attend, think, norm_1, norm_2


def _about_block(case, got, right):
    """Say which half of the block is right, for a mistake that nobody foresaw."""
    X, attend, think, norm_1, norm_2 = case.inputs
    if np.allclose(got[0], X + attend(norm_1(X))):
        return "this is what comes after attention: the second half is missing."
    added = got[0] - think(norm_2(X + attend(norm_1(X))))
    if np.allclose(added, 0):
        return "the last sum is missing: add what went into norm_2."
    return None
