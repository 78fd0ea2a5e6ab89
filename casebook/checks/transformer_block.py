"""The checks of exercise 06: the norm, a pre-norm block, cross-attention, the count."""

import numpy as np

from casebook.checks import mistakes_attention as attention
from casebook.checks import mistakes_block as block
from casebook.checks import mistakes_size as size
from casebook.checks import mistakes_softmax as soft
from casebook.checks.diagnosis import Case, Family, examine
from casebook.checks.verdict import check

LAYER_NORM = Family(block.normalise, block.NORM)


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
    examine(learner, cases, LAYER_NORM, ("the result",), _about_norm)


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


PRE_NORM_BLOCK = Family(block.pre_norm, block.BLOCK)


@check("pre_norm_block", ("X", "attend", "think", "norm_1", "norm_2"))
def check_pre_norm_block(learner, rng):
    """Check a pre-norm block that is put together from the four functions it is given."""
    sizes = [("", 4, 6), ("", 5, 3), ("", 6, 6), ("for a single token", 1, 4)]
    cases = [Case(label, _pieces(rng, *shape)) for label, *shape in sizes]
    examine(learner, cases, PRE_NORM_BLOCK, ("the result",), _about_block)


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
        return block.normalise(X, gains[0], biases[0], 1e-5)[0]

    def norm_2(X):
        return block.normalise(X, gains[1], biases[1], 1e-5)[0]

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


# The roles of the two sequences first; mistakes inside a head are those of chapters 02 and 04.
ASK_THE_ENCODER = Family(
    block.read_from,
    (
        *block.READ,
        *attention.SCALE_BY_MODEL,
        *attention.SCALE,
        *soft.SOFTMAX[:6],
        *attention.SCALE_TOO_LATE,
    ),
)


def _asking_case(label, rng, n_q, n_k, d_model, n_heads, d_head):
    Y, memory = rng.normal(0.3, 1, (n_q, d_model)), rng.normal(-0.3, 1, (n_k, d_model))
    width = n_heads * d_head
    W_Q, W_K, W_V = rng.normal(0, 1.5 / np.sqrt(d_model), (3, d_model, width))
    W_O = rng.normal(0.1, 0.5, (width, d_model))
    return Case(label, (Y, memory, W_Q, W_K, W_V, W_O, n_heads))


@check("ask_the_encoder", ("Y", "memory", "W_Q", "W_K", "W_V", "W_O", "n_heads"))
def check_ask_the_encoder(learner, rng):
    """Check cross-attention with several heads: the decoder asks, the encoder is asked."""
    sizes = [
        ("", 4, 4, 6, 2, 3),
        ("", 3, 5, 7, 3, 4),
        ("", 5, 3, 6, 3, 2),
        ("for one head", 3, 5, 6, 1, 6),
        ("for a single source token", 3, 1, 6, 2, 3),
        ("for a single target token", 1, 4, 6, 2, 3),
    ]
    cases = [_asking_case(label, rng, *shape) for label, *shape in sizes]
    examine(learner, cases, ASK_THE_ENCODER, ("the result",), _about_asking)


def _about_asking(case, got, right):
    """Say which sequence the result must depend on, for a mistake that nobody foresaw."""
    Y, memory, *_ = case.inputs
    if len(memory) == 1 and not np.allclose(got[0], got[0][0]):
        return "with one source token every row reads the same, so all rows must be equal."
    return None


BLOCK_PARAMETERS = Family(size.count_block, size.COUNT)


@check("block_parameters", ("d_model", "d_ff", "n_heads", "n_kv_heads"))
def check_block_parameters(learner, _):
    """Check the counts of attention, feed-forward layer and norms, with grouped heads too."""
    cases = [
        Case("", (12, 40, 4, 2)),
        Case("", (30, 70, 5, 5)),
        Case("", (24, 96, 6, 3)),
        Case("", (10, 25, 2, 1)),
        Case("for BERT-base", (768, 3072, 12, 12)),
    ]
    names = ("attention", "feed-forward", "norms")
    examine(learner, cases, BLOCK_PARAMETERS, names, _about_count)


def _about_count(case, got, right):
    """Say which part is off and by how much, for a mistake that nobody foresaw."""
    d_model = case.inputs[0]
    for name, count, wanted in zip(("attention", "feed-forward", "norms"), got, right, strict=True):
        if count != wanted:
            off = float(count) - float(wanted)
            return (
                f"{name}: {float(count):,.0f}, expected {float(wanted):,.0f} for d_model = "
                f"{d_model}: off by {off / d_model:+.4g} d_model."
            )
    return None
