"""The norm, the block and cross-attention cut into stages, and the mistakes people make there."""

import numpy as np

from casebook.checks import mistakes_heads as heads
from casebook.checks.mistakes_softmax import deviations, keep


def normalise(
    X,
    gain,
    bias,
    epsilon,
    axis=-1,
    centre=lambda X, mean: X - mean,
    spread=lambda centred, X, axis: (centred**2).mean(axis=axis, keepdims=True),
    divide=lambda centred, variance, epsilon: centred / np.sqrt(variance + epsilon),
    stretch=lambda normed, gain, bias: gain * normed + bias,
):
    """Return the result of task ``layer_norm``; ``axis`` is what mean and variance run over."""
    centred = centre(X, X.mean(axis=axis, keepdims=True))
    return (stretch(divide(centred, spread(centred, X, axis), epsilon), gain, bias),)


def _pre(X, sublayer, norm):
    return X + sublayer(norm(X))


def pre_norm(
    X, attend, think, norm_1, norm_2, step=_pre, step_1=None, step_2=None, order=None, whole=None
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


def read_from(
    Y,
    memory,
    W_Q,
    W_K,
    W_V,
    W_O,
    n_heads,
    sources=lambda Y, memory: (Y, memory, memory),
    matrices=lambda q, k, v: (q, k, v),
    count=keep,
    causal=False,
    after=lambda output, Y: output,
    **stages,
):
    """Return the result of task ``ask_the_encoder``.

    sources: what queries, keys and values are made from. matrices: what makes them.
    count: how many heads are cut. causal: True hides as if both were one sequence.
    """
    made = zip(sources(Y, memory), matrices(W_Q, W_K, W_V), strict=True)
    Q, K, V = (rows @ matrix for rows, matrix in made)
    n_heads = count(n_heads)
    mask = np.tril(np.ones((len(Q), len(K)), dtype=bool)) if causal else None
    output, _ = heads.attend_with_heads(
        Y, W_Q, W_K, W_V, W_O, n_heads, mask, project=lambda *_: (Q, K, V), **stages
    )
    return (after(output, Y),)


# fmt: off
NORM = (
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

BLOCK = (
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

SOURCES = deviations(
    "sources",
    ("the encoder asks here: Q comes from Y, K and V come from memory", lambda Y, m: (m, Y, Y)),
    ("K and V come from Y: this is self-attention; they come from memory",
     lambda Y, m: (Y, Y, Y)),
    ("Q comes from memory: the decoder asks, so Q comes from Y", lambda Y, m: (m, m, m)),
    ("K comes from Y: keys and values come from memory", lambda Y, m: (Y, Y, m)),
    ("V comes from Y: keys and values come from memory", lambda Y, m: (Y, m, Y)),
)

READ = (
    *SOURCES,
    *deviations(
        "matrices",
        ("W_Q and W_K are swapped", lambda q, k, v: (k, q, v)),
        ("W_K and W_V are swapped", lambda q, k, v: (q, v, k)),
        ("W_K makes the values too: W_V makes them", lambda q, k, v: (q, k, k)),
        ("W_Q makes the keys too: W_K makes them", lambda q, k, v: (q, q, v)),
    ),
    *deviations(
        "causal",
        ("a causal mask hides part of memory: all of the source may be seen", True),
    ),
    *deviations(
        "count",
        ("one single head: cut Q, K and V into n_heads", lambda n: 1),
    ),
    *heads.CUT,
    *heads.JOIN[:3],  # the others do not fit W_O
    *deviations(
        "leave",
        ("W_O is missing: it mixes the joined heads", lambda joined, W_O, n: joined),
        ("W_O is transposed", lambda joined, W_O, n: joined @ W_O.T),
    ),
    *deviations(
        "after",
        ("the residual is added: return what was read, without Y", lambda out, Y: out + Y),
        ("the result is averaged over the tokens: one row for each of Y",
         lambda out, Y: out.mean(axis=0)),
    ),
)
# fmt: on
