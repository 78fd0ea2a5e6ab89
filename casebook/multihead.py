"""Multi-head attention: several small attentions side by side, then one mixing matrix.

Heads come first: ``(n_heads, n_q, d_head)``. Any axes may stand in front (batch).
"""

import numpy as np

from casebook.attention import scaled_dot_product_attention
from casebook.guards import divisor, multiple, of_form, rows_for
from casebook.types import Array, ArrayFunction, Mask, Parameters


def head_width(d_model: int, n_heads: int) -> int:
    """Return d_head, the width of one head.

    Raises: ValueError if n_heads is below 1 or does not divide d_model.
    """
    divisor("n_heads", n_heads, "d_model", d_model)
    return d_model // n_heads


def split_heads(X: Array, n_heads: int) -> Array:
    """Return ``X`` cut into heads along its last axis.

    Head h gets the columns ``h * d_head`` to ``(h + 1) * d_head - 1`` of every token.

    X: (..., n_tokens, d_model). n_heads: must divide d_model.
    Returns: (..., n_heads, n_tokens, d_head), where d_head = d_model / n_heads.
    Raises: ValueError if n_heads does not divide d_model.
    """
    X = of_form("X", X, 2, "(..., n_tokens, d_model)")
    d_head = head_width(X.shape[-1], n_heads)
    heads = X.reshape(*X.shape[:-1], n_heads, d_head)  # (..., n_tokens, n_heads, d_head)
    return np.swapaxes(heads, -3, -2)


def merge_heads(heads: Array) -> Array:
    """Return the heads side by side again: the inverse of :func:`split_heads`.

    heads: (..., n_heads, n_tokens, d_head). Returns: (..., n_tokens, n_heads * d_head).
    Raises: ValueError for fewer than three axes.
    """
    heads = of_form("heads", heads, 3, "(..., heads, tokens, d_head)")
    # The tokens must come before the heads, else the rows of different tokens are mixed.
    tokens_first = np.swapaxes(heads, -3, -2)
    *front, n_heads, d_head = tokens_first.shape
    return tokens_first.reshape(*front, n_heads * d_head)


def repeat_heads(heads: Array, n_heads: int) -> Array:
    """Return ``n_heads`` heads in which neighbours share the given ones.

    Grouped-query attention stores few keys and values; each group of
    ``n_heads / n_kv_heads`` queries reads the same one.

    heads: (..., n_kv_heads, n_tokens, d_head). Returns: (..., n_heads, n_tokens, d_head).
    Raises: ValueError if n_kv_heads does not divide n_heads.
    Source: Ainslie et al. (2023).
    """
    n_kv_heads = heads.shape[-3]
    multiple("n_heads", n_heads, "n_kv_heads", n_kv_heads)
    return np.repeat(heads, n_heads // n_kv_heads, axis=-3)


def multi_head_attention(
    X: Array,
    parameters: Parameters,
    n_heads: int,
    *,
    memory: Array | None = None,
    mask: Mask | None = None,
    n_kv_heads: int | None = None,
    rotate: ArrayFunction | None = None,
) -> tuple[Array, Array]:
    """Return what each token has read with all heads, and the weights of every head.

    X: (..., n_q, d_model), the tokens that ask.
    parameters: a dict of W_Q (d_model, n_heads * d_head), W_K and W_V
        (d_model, n_kv_heads * d_head) and W_O (n_heads * d_head, d_model);
        b_Q, b_K, b_V, b_O may stand beside them.
    memory: (..., n_k, d_model), the tokens that are asked; ``X`` itself unless
        given (self-attention). With it, this is cross-attention.
    mask: boolean, broadcasts to (..., n_heads, n_q, n_k); True means may attend.
    n_kv_heads: heads of the keys and values, ``n_heads`` unless given (grouped queries).
    rotate: a function put on the split queries and keys, for rotary positions.
    Returns: output (..., n_q, d_model) and weights (..., n_heads, n_q, n_k).
    Raises: ValueError if the head counts do not divide the widths, or shapes do not fit.
    Source: Vaswani et al. (2017), section 3.2.2.
    """
    memory = X if memory is None else memory
    n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
    Q = split_heads(linear(X, parameters, "Q"), n_heads)
    K = split_heads(linear(memory, parameters, "K"), n_kv_heads)
    V = split_heads(linear(memory, parameters, "V"), n_kv_heads)
    if rotate is not None:
        Q, K = rotate(Q), rotate(K)
    K, V = repeat_heads(K, n_heads), repeat_heads(V, n_heads)
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    return linear(merge_heads(output), parameters, "O"), weights


def linear(X: Array, parameters: Parameters, name: str) -> Array:
    """Return ``X @ W + b`` with the matrix ``W_<name>`` and, where there is one, ``b_<name>``.

    X: (..., d_in). parameters: a dict, with W (d_in, d_out) and b (d_out,).
    Returns: (..., d_out).
    Raises: KeyError if there is no such matrix; ValueError if its rows do not fit X.
    """
    W = parameters[f"W_{name}"]
    rows_for(f"W_{name}", W, X)
    return X @ W + parameters.get(f"b_{name}", 0)


def random_heads(
    d_model: int, n_heads: int, rng: np.random.Generator, *, n_kv_heads: int | None = None
) -> Parameters:
    """Return random parameters for :func:`multi_head_attention`, without biases.

    Entries have variance 1 / d_model, so that what goes in with variance 1 comes out with it.

    rng: a NumPy random generator. n_kv_heads: as for :func:`multi_head_attention`.
    Returns: dict of W_Q, W_K, W_V, W_O.
    Raises: ValueError if n_heads does not divide d_model.
    Source: Glorot and Bengio (2010), simplified.
    """
    d_kv = head_width(d_model, n_heads) * (n_heads if n_kv_heads is None else n_kv_heads)
    widths = {"W_Q": d_model, "W_K": d_kv, "W_V": d_kv, "W_O": d_model}
    return {name: rng.normal(0, d_model**-0.5, (d_model, width)) for name, width in widths.items()}
