"""Gradients: the backward pass of each layer, beside the name of its forward pass.

Each function takes ``d_output``, how the loss moves with what the layer gave,
then what the layer was given. It returns how the loss moves with the input, and
with the parameters (a dict of the same names). Nothing is remembered from the
forward pass; what is needed is computed again. Where :mod:`casebook.passes`
has the backward pass of the same layer, it is that one.

``n_heads``, ``mask``, ``norm`` and ``epsilon`` are those of the forward pass.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from casebook import passes
from casebook.attention import scaled_dot_product_attention
from casebook.guards import one_of
from casebook.layers import (
    EPSILON,
    NORM_PLACES,
    encoder_block,
    feed_forward_of,
    layer_norm,
    residual,
    self_attention_of,
)
from casebook.multihead import linear, merge_heads, split_heads
from casebook.types import Array, ArrayFunction, Block, Mask, Parameters


def attention_backward(
    d_output: Array, Q: Array, K: Array, V: Array, mask: Mask | None = None
) -> tuple[Array, Array, Array]:
    """Return how the loss moves with Q, K and V of ``scaled_dot_product_attention``.

    d_output: (..., n_q, d_v). Returns: three arrays, shaped like Q, K and V.
    """
    _, weights = scaled_dot_product_attention(Q, K, V, mask)
    scale = 1 / math.sqrt(Q.shape[-1])
    return passes.attention_backward(d_output, passes.SavedAttention(Q, K, V, weights, scale))


def linear_backward(
    d_output: Array, X: Array, parameters: Parameters, name: str
) -> tuple[Array, Parameters]:
    """Return how the loss moves with the input and the matrix (and bias) of ``linear``.

    d_output: (..., d_out), X: (..., d_in). Returns: d_X and a dict.
    """
    d_X, d_W = passes.linear_backward(d_output, (X, parameters[f"W_{name}"]))
    d_parameters = {f"W_{name}": d_W}
    if f"b_{name}" in parameters:
        d_parameters[f"b_{name}"] = d_output.reshape(-1, d_output.shape[-1]).sum(axis=0)
    return d_X, d_parameters


def multi_head_backward(
    d_output: Array, X: Array, parameters: Parameters, n_heads: int, mask: Mask | None = None
) -> tuple[Array, Parameters]:
    """Return how the loss moves with the input and parameters of self-attention.

    d_output, X: (..., n_tokens, d_model). Returns: d_X and a dict.
    """
    Q, K, V = (split_heads(linear(X, parameters, letter), n_heads) for letter in "QKV")
    merged = merge_heads(scaled_dot_product_attention(Q, K, V, mask)[0])
    d_merged, d_parameters = linear_backward(d_output, merged, parameters, "O")
    d_X = np.zeros_like(X)
    d_heads = attention_backward(split_heads(d_merged, n_heads), Q, K, V, mask)
    for letter, d_head in zip("QKV", d_heads, strict=True):
        d_part, d_named = linear_backward(merge_heads(d_head), X, parameters, letter)
        d_X += d_part
        d_parameters |= d_named
    return d_X, d_parameters


def layer_norm_backward(
    d_output: Array,
    X: Array,
    gain: Array | float = 1.0,
    bias: Array | float = 0.0,
    epsilon: float = EPSILON,
) -> tuple[Array, Parameters]:
    """Return how the loss moves with the input, gain and bias of ``layer_norm``.

    d_output, X: (..., d_model). Returns: d_X and a dict of gain, bias.
    """
    centred = X - X.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + epsilon)
    normalised = centred / deviation
    d_normalised = d_output * gain
    along = (d_normalised * normalised).mean(axis=-1, keepdims=True)
    d_centred = d_normalised - normalised * along
    d_X = (d_centred - d_centred.mean(axis=-1, keepdims=True)) / deviation
    front = tuple(range(X.ndim - 1))
    return d_X, {"gain": (d_output * normalised).sum(front), "bias": d_output.sum(front)}


def feed_forward_backward(
    d_output: Array, X: Array, parameters: Parameters
) -> tuple[Array, Parameters]:
    """Return how the loss moves with the input and parameters of ``feed_forward`` with ReLU.

    d_output, X: (..., d_model). Returns: d_X and a dict.
    """
    hidden = linear(X, parameters, "1")
    d_active, d_second = linear_backward(d_output, np.maximum(hidden, 0), parameters, "2")
    d_X, d_first = linear_backward(d_active * (hidden > 0), X, parameters, "1")
    return d_X, d_first | d_second


def residual_backward(
    d_output: Array,
    X: Array,
    sublayer: ArrayFunction,
    sublayer_backward: Callable[[Array, Array], tuple[Array, Parameters]],
    norm_parameters: dict[str, Any],
    norm: str,
) -> tuple[Array, Parameters, Parameters]:
    """Return how the loss moves with the input, the norm and the sublayer of ``residual``.

    X, sublayer, norm_parameters: as for ``residual``.
    sublayer_backward: a function of (d_output, X), as the others here.
    Returns: d_X, and the parameters of the norm and of the sublayer (two dicts).
    Raises: ValueError for another place of the norm.
    """
    one_of("norm", norm, NORM_PLACES)
    if norm == "post":
        d_sum, d_norm = layer_norm_backward(d_output, X + sublayer(X), **norm_parameters)
        d_X, d_sublayer = sublayer_backward(d_sum, X)
        return d_sum + d_X, d_norm, d_sublayer
    d_normed, d_sublayer = sublayer_backward(d_output, layer_norm(X, **norm_parameters))
    d_X, d_norm = layer_norm_backward(d_normed, X, **norm_parameters)
    return d_output + d_X, d_norm, d_sublayer


def encoder_block_backward(
    d_output: Array,
    X: Array,
    block: Block,
    n_heads: int,
    *,
    mask: Mask | None = None,
    norm: str = "post",
) -> tuple[Array, Block]:
    """Return how the loss moves with the input and parameters of ``encoder_block`` with ReLU.

    d_output, X: (..., n_tokens, d_model). Returns: d_X and a dict like ``block``.
    """
    attend, think = self_attention_of(block, n_heads, mask), feed_forward_of(block)

    def attend_backward(d, x):
        return multi_head_backward(d, x, block["attention"], n_heads, mask)

    def think_backward(d, x):
        return feed_forward_backward(d, x, block["feed_forward"])

    middle = residual(X, attend, block["norm_1"], norm)
    d_middle, d_norm_2, d_thinking = residual_backward(
        d_output, middle, think, think_backward, block["norm_2"], norm
    )
    d_X, d_norm_1, d_attention = residual_backward(
        d_middle, X, attend, attend_backward, block["norm_1"], norm
    )
    return d_X, {
        "attention": d_attention,
        "norm_1": d_norm_1,
        "feed_forward": d_thinking,
        "norm_2": d_norm_2,
    }


def encoder_backward(
    d_output: Array,
    X: Array,
    blocks: list[Block],
    n_heads: int,
    *,
    mask: Mask | None = None,
    norm: str = "post",
) -> tuple[Array, list[Block]]:
    """Return how the loss moves with the input and parameters of ``casebook.model.encoder``.

    d_output, X: (..., n_tokens, d_model). Returns: d_X and a list of dicts like ``blocks``.
    """
    given = [X]
    for block in blocks:
        given.append(encoder_block(given[-1], block, n_heads, mask=mask, norm=norm))
    d_X = layer_norm_backward(d_output, given[-1])[0] if norm == "pre" else d_output
    d_blocks = []
    for block, x in zip(reversed(blocks), reversed(given[:-1]), strict=True):
        d_X, d_block = encoder_block_backward(d_X, x, block, n_heads, mask=mask, norm=norm)
        d_blocks.append(d_block)
    return d_X, d_blocks[::-1]
