"""Models: blocks stacked, and words at the end.

Three shapes from the same blocks: the encoder (BERT), the decoder (GPT), and
the encoder-decoder of the 2017 paper.

Another Transformer stands in :mod:`casebook.training.transformer`, because one that is trained
keeps what each layer computed and adds its masks as numbers, while this one is to be read, and
to be built in all three shapes, with every norm and mask.

``blocks`` is a list of :func:`casebook.layers.random_block`; ``n_heads`` and ``norm``
are those of :func:`casebook.layers.encoder_block`, which raises what is wrong with them.
"""

import math

import numpy as np

from casebook.attention import causal_mask, softmax
from casebook.guards import known_rows
from casebook.layers import decoder_block, encoder_block, layer_norm, random_block
from casebook.types import Array, Block, Integers, Mask


def embed(
    tokens: Integers, embedding: Array, encoding: Array | None = None, scale: bool = False
) -> Array:
    """Return the vector of each token, with its position added.

    tokens: whole numbers (..., n_tokens). embedding: (n_words, d_model).
    encoding: (at least n_tokens, d_model), added unless None.
    scale: True multiplies the embedding by sqrt(d_model) first, as the 2017 paper does.
    Returns: (..., n_tokens, d_model).
    Raises: ValueError for a token outside the vocabulary, or more tokens than positions.
    Source: Vaswani et al. (2017), sections 3.4 and 3.5.
    """
    tokens = known_rows("tokens", tokens, len(embedding), "vocabulary")
    X = embedding[tokens] * (math.sqrt(embedding.shape[1]) if scale else 1)
    if encoding is None:
        return X
    n_tokens = tokens.shape[-1]
    if n_tokens > len(encoding):
        raise ValueError(f"there are {n_tokens} tokens and {len(encoding)} positions: too few")
    return X + encoding[:n_tokens]


def encoder(
    X: Array, blocks: list[Block], n_heads: int, *, mask: Mask | None = None, norm: str = "post"
) -> Array:
    """Return the tokens after a stack of blocks, each of which may see all that ``mask`` allows.

    X: (..., n_tokens, d_model). mask: boolean, True means may attend.
    With ``norm="pre"`` one more layer norm, without parameters, stands at the end.
    Returns: same shape as X.
    """
    for block in blocks:
        X = encoder_block(X, block, n_heads, mask=mask, norm=norm)
    return layer_norm(X) if norm == "pre" else X


def decoder(X: Array, blocks: list[Block], n_heads: int, *, norm: str = "pre") -> Array:
    """Return the tokens after a stack of blocks in which each sees itself and the past (GPT).

    X: (..., n_tokens, d_model). Returns: same shape.
    Source: Radford et al. (2018).
    """
    return encoder(X, blocks, n_heads, mask=causal_mask(X.shape[-2]), norm=norm)


def encoder_decoder(
    X: Array,
    Y: Array,
    encoder_blocks: list[Block],
    decoder_blocks: list[Block],
    n_heads: int,
    *,
    norm: str = "post",
) -> Array:
    """Return the decoder's tokens ``Y`` after they have read the encoder's tokens ``X``.

    X: (..., n_source, d_model), Y: (..., n_target, d_model). Every decoder block
    asks the same memory: what comes out of the last encoder block.
    encoder_blocks, decoder_blocks: lists, the second with cross-attention.
    Returns: (..., n_target, d_model).
    Source: Vaswani et al. (2017), figure 1.
    """
    memory = encoder(X, encoder_blocks, n_heads, norm=norm)
    for block in decoder_blocks:
        Y = decoder_block(Y, memory, block, n_heads, mask=causal_mask(Y.shape[-2]), norm=norm)
    return layer_norm(Y) if norm == "pre" else Y


def next_token_probabilities(X: Array, embedding: Array) -> Array:
    """Return, for each token, the probability of every word to come next.

    The embedding is used once more, as the output matrix (tied weights).

    X: (..., n_tokens, d_model). embedding: (n_words, d_model).
    Returns: (..., n_tokens, n_words), rows sum to 1.
    Source: Vaswani et al. (2017), section 3.4; Press and Wolf (2017).
    """
    return softmax(X @ embedding.T, axis=-1)


def random_stack(
    n_layers: int, d_model: int, n_heads: int, rng: np.random.Generator, **options
) -> list[Block]:
    """Return ``n_layers`` random blocks, in a list.

    d_model, n_heads, rng, options: as for :func:`casebook.layers.random_block`.
    """
    return [random_block(d_model, n_heads, rng, **options) for _ in range(n_layers)]
