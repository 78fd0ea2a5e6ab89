"""Layers: normalisation, feed-forward, and the block that holds attention.

A block is a dict of parameters and a pure function: numbers in, numbers out.
``norm`` says where the normalisation stands: "post" as in the 2017 paper,
``norm(x + sublayer(x))``, or "pre" as in most models since, ``x + sublayer(norm(x))``.

Some layers stand in :mod:`casebook.passes` once more, because there they must also hand on
what a backward pass needs, and that would hide the formulas which are shown here.
"""

import math
from typing import Any

import numpy as np

from casebook.guards import one_of, with_features
from casebook.multihead import linear, multi_head_attention, random_heads
from casebook.types import Array, ArrayFunction, Block, Mask, Parameters

EPSILON = 1e-5
NORM_PLACES = ("pre", "post")

_erf = np.vectorize(math.erf, otypes=[float])


def layer_norm(
    X: Array, gain: Array | float = 1.0, bias: Array | float = 0.0, epsilon: float = EPSILON
) -> Array:
    """Return each token with mean 0 and variance 1 over its own features, then scaled.

    X: (..., d_model). gain, bias: (d_model,) or numbers.
    epsilon: keeps the variance away from 0. Returns: same shape.
    Raises: ValueError if the last axis is empty.
    Source: Ba et al. (2016), equation 4.
    """
    X = with_features(X)
    centred = X - X.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gain * centred / np.sqrt(variance + epsilon) + bias


def rms_norm(X: Array, gain: Array | float = 1.0, epsilon: float = EPSILON) -> Array:
    """Return each token divided by the root of its mean square, then scaled.

    X: (..., d_model). gain: (d_model,) or a number.
    epsilon: keeps the mean square away from 0. Returns: same shape.
    Raises: ValueError if the last axis is empty.
    Source: Zhang and Sennrich (2019), equation 4.
    """
    X = with_features(X)
    return gain * X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + epsilon)


def relu(x: Array) -> Array:
    """Return ``x`` where it is positive, else 0. Source: Vaswani et al. (2017), equation 2."""
    return np.maximum(x, 0)


def gelu(x: Array) -> Array:
    """Return ``x`` times the normal distribution's share below it.

    Source: Hendrycks and Gimpel (2016).
    """
    return x * 0.5 * (1 + _erf(np.asarray(x) / math.sqrt(2)))


def gelu_tanh(x: Array) -> Array:
    """Return the approximation of :func:`gelu` by tanh that GPT-2 uses.

    Source: Hendrycks and Gimpel (2016), section 2.
    """
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def feed_forward(X: Array, parameters: Parameters, activation: ArrayFunction = relu) -> Array:
    """Return two linear layers with ``activation`` between, for each token on its own.

    X: (..., d_model). parameters: W_1 (d_model, d_ff), b_1, W_2 (d_ff, d_model), b_2.
    Returns: same shape as X.
    Source: Vaswani et al. (2017), equation 2.
    """
    return linear(activation(linear(X, parameters, "1")), parameters, "2")


def residual(
    X: Array, sublayer: ArrayFunction, norm_parameters: dict[str, Any], norm: str
) -> Array:
    """Return what a sublayer gives, added to what went in, normalised before or after.

    X: (..., d_model). sublayer: a function of X. norm_parameters: dict of gain, bias.
    norm: "pre" or "post".
    Raises: ValueError for another place of the norm.
    Source: Vaswani et al. (2017), section 3.1 (post); Xiong et al. (2020) (pre).
    """
    one_of("norm", norm, NORM_PLACES)
    if norm == "post":
        return layer_norm(X + sublayer(X), **norm_parameters)
    return X + sublayer(layer_norm(X, **norm_parameters))


def self_attention_of(block: Block, n_heads: int, mask: Mask | None = None) -> ArrayFunction:
    """Return the self-attention of a block, as a function of its tokens.

    block, n_heads, mask: as for :func:`encoder_block`.
    """
    return lambda X: multi_head_attention(X, block["attention"], n_heads, mask=mask)[0]


def feed_forward_of(block: Block, activation: ArrayFunction = relu) -> ArrayFunction:
    """Return the feed-forward layer of a block, as a function of its tokens.

    block, activation: as for :func:`encoder_block`.
    """
    return lambda X: feed_forward(X, block["feed_forward"], activation)


def encoder_block(
    X: Array,
    block: Block,
    n_heads: int,
    *,
    mask: Mask | None = None,
    norm: str = "post",
    activation: ArrayFunction = relu,
) -> Array:
    """Return the tokens after one block: attention, then feed-forward.

    With a causal mask this is the block of GPT; without a mask, that of BERT.

    X: (..., n_tokens, d_model). block: dict of "attention", "norm_1",
        "feed_forward", "norm_2", as :func:`random_block` makes it.
    n_heads: must divide d_model. mask: boolean, (..., n_tokens, n_tokens), True means
        may attend. norm: "pre" or "post". activation: that of the feed-forward layer.
    Returns: same shape as X.
    Raises: ValueError for another place of the norm, or as :func:`multi_head_attention`.
    Source: Vaswani et al. (2017), figure 1, left.
    """
    attend = self_attention_of(block, n_heads, mask)
    think = feed_forward_of(block, activation)
    X = residual(X, attend, block["norm_1"], norm)
    return residual(X, think, block["norm_2"], norm)


def decoder_block(
    X: Array,
    memory: Array,
    block: Block,
    n_heads: int,
    *,
    mask: Mask | None = None,
    memory_mask: Mask | None = None,
    norm: str = "post",
    activation: ArrayFunction = relu,
) -> Array:
    """Return the tokens after self-attention, cross-attention and feed-forward.

    In cross-attention the decoder's tokens ``X`` ask (Q); the encoder's tokens
    ``memory`` are asked (K and V).

    X: (..., n_q, d_model), memory: (..., n_k, d_model). block: as for
        :func:`encoder_block`, and "cross_attention" and "norm_3".
    mask: for the self-attention, usually causal. memory_mask: (..., n_q, n_k).
    n_heads, norm, activation: as for :func:`encoder_block`.
    Returns: same shape as X. Raises: as :func:`encoder_block`.
    Source: Vaswani et al. (2017), figure 1, right.
    """

    def ask_memory(x):
        return multi_head_attention(
            x, block["cross_attention"], n_heads, memory=memory, mask=memory_mask
        )[0]

    attend = self_attention_of(block, n_heads, mask)
    think = feed_forward_of(block, activation)
    X = residual(X, attend, block["norm_1"], norm)
    X = residual(X, ask_memory, block["norm_2"], norm)
    return residual(X, think, block["norm_3"], norm)


def random_block(
    d_model: int,
    n_heads: int,
    rng: np.random.Generator,
    *,
    d_ff: int | None = None,
    cross_attention: bool = False,
) -> Block:
    """Return random parameters for a block; matrix entries have variance 1 / rows.

    n_heads: must divide d_model. rng: a NumPy random generator.
    d_ff: width of the feed-forward layer, 4 d_model unless given.
    cross_attention: True for :func:`decoder_block`.
    Returns: a dict of dicts of arrays.
    Raises: ValueError if n_heads does not divide d_model.
    """
    d_ff = 4 * d_model if d_ff is None else d_ff
    block: Block = {"attention": random_heads(d_model, n_heads, rng)}
    if cross_attention:
        block["cross_attention"] = random_heads(d_model, n_heads, rng)
    block["feed_forward"] = {
        "W_1": rng.normal(0, d_model**-0.5, (d_model, d_ff)),
        "b_1": np.zeros(d_ff),
        "W_2": rng.normal(0, d_ff**-0.5, (d_ff, d_model)),
        "b_2": np.zeros(d_model),
    }
    for place in range(1, 4 if cross_attention else 3):
        block[f"norm_{place}"] = {"gain": np.ones(d_model), "bias": np.zeros(d_model)}
    return block
