"""Transformer: a small decoder, forward and backward, made of :mod:`casebook.passes`.

The Transformers of :mod:`casebook.model` stand apart, because they are to be read and built in
several shapes, while this one is of a single shape, keeps what each layer computed for the way
back, and is fast enough to be trained in a minute.

Parameters are one flat dict of arrays: "embedding", "0.norm_1", "0.W_Q", ...,
"norm", "W_words". Gradients are a dict of the same names and shapes. ``config`` is the
:class:`Config` that they have in common.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from casebook.attention import softmax
from casebook.guards import either
from casebook.multihead import head_width, merge_heads, split_heads
from casebook.passes import (
    attention,
    attention_backward,
    cross_entropy,
    cross_entropy_backward,
    embed,
    embed_backward,
    linear,
    linear_backward,
    relu,
    relu_backward,
    rms_norm,
    rms_norm_backward,
)
from casebook.positional import sinusoidal_encoding
from casebook.types import Array, Integers, Lesson, Parameters

POSITIONS = ("look back", "sinusoidal")
FARTHEST = 8  # the penalty of "look back" grows no further


@dataclass(frozen=True)
class Config:
    """What a model is made of; with the same numbers, parameters have the same shapes.

    positions: "look back", a fixed help: in the first layer head h prefers the token
        h + 1 steps back; or "sinusoidal", as in the 2017 paper.
    causal: False lets every token see both sides.
    Raises: ValueError for another name of positions, or if n_heads does not divide d_model.
    """

    n_words: int
    d_model: int = 48
    n_heads: int = 3
    n_layers: int = 2
    d_ff: int = 96
    n_positions: int = 96
    positions: str = "look back"
    causal: bool = True

    def __post_init__(self):
        either("positions", self.positions, POSITIONS)
        head_width(self.d_model, self.n_heads)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every parameter, by its name."""
        d, d_ff = self.d_model, self.d_ff
        block = {"norm_1": (d,), "W_Q": (d, d), "W_K": (d, d), "W_V": (d, d), "W_O": (d, d)}
        block |= {"norm_2": (d,), "W_1": (d, d_ff), "W_2": (d_ff, d)}
        shapes: dict[str, tuple[int, ...]] = {"embedding": (self.n_words, d)}
        for layer in range(self.n_layers):
            shapes |= {f"{layer}.{name}": shape for name, shape in block.items()}
        return shapes | {"norm": (d,), "W_words": (d, self.n_words)}


Reader = tuple[Parameters, Config]  # a trained model


def random_parameters(
    config: Config, rng: np.random.Generator, dtype: npt.DTypeLike = np.float64
) -> Parameters:
    """Return random parameters: gains of 1, and matrices with variance 1 / rows.

    The embedding has standard deviation 0.2.

    rng: a NumPy random generator. Returns: dict of arrays of ``dtype``.
    """
    parameters = {}
    for name, shape in config.shapes().items():
        spread = 0.2 if name == "embedding" else shape[0] ** -0.5
        gain = len(shape) == 1
        values = np.ones(shape) if gain else rng.normal(0, spread, shape)
        parameters[name] = values.astype(dtype)
    return parameters


def score_bias(config: Config, layer: int, n_tokens: int) -> Array:
    """Return what is added to the scores of a layer: minus infinity hides a token.

    Returns: (1 or n_heads, n_tokens, n_tokens).
    """
    steps_back = np.arange(n_tokens)[:, None] - np.arange(n_tokens)
    bias = np.zeros((1, n_tokens, n_tokens))
    if config.positions == "look back" and layer == 0:
        preferred = np.arange(1, config.n_heads + 1)[:, None, None]
        bias = (-np.minimum(np.abs(steps_back - preferred), FARTHEST)).astype(float)
    return np.where(steps_back < 0, -np.inf, bias) if config.causal else bias


def forward(
    tokens: Integers, parameters: Parameters, config: Config
) -> tuple[Array, dict[str, Any]]:
    """Return what stands at each token after the last norm, and what backward needs.

    tokens: whole numbers (n_sequences, n_tokens). parameters: dict of arrays.
    Returns: (n_sequences, n_tokens, d_model), and a dict of what each pass saved.
    Raises: ValueError for more tokens than positions, or a token outside the vocabulary.
    """
    _check_tokens(tokens, config)
    saved = {}

    def run(name, layer_pass, *given):
        output, saved[name] = layer_pass(*given)
        return output

    n_tokens, dtype = tokens.shape[-1], parameters["embedding"].dtype
    X = run("embedding", embed, tokens, parameters["embedding"])
    if config.positions == "sinusoidal":
        X = X + sinusoidal_encoding(n_tokens, config.d_model).astype(dtype)
    for layer in range(config.n_layers):
        block = of_layer(parameters, layer)
        bias = score_bias(config, layer, n_tokens).astype(dtype)
        normed = run(f"{layer}.norm_1", rms_norm, X, block["norm_1"])
        Q, K, V = (
            split_heads(
                run(f"{layer}.W_{name}", linear, normed, block[f"W_{name}"]), config.n_heads
            )
            for name in "QKV"
        )
        read = merge_heads(run(f"{layer}.attention", attention, Q, K, V, bias))
        X = X + run(f"{layer}.W_O", linear, read, block["W_O"])
        normed = run(f"{layer}.norm_2", rms_norm, X, block["norm_2"])
        hidden = run(f"{layer}.relu", relu, run(f"{layer}.W_1", linear, normed, block["W_1"]))
        X = X + run(f"{layer}.W_2", linear, hidden, block["W_2"])
    return run("norm", rms_norm, X, parameters["norm"]), saved


def backward(d_output: Array, saved: dict[str, Any], config: Config) -> Parameters:
    """Return how the loss moves with every parameter: the passes of forward, backwards.

    d_output: (n_sequences, n_tokens, d_model). saved: what forward returned besides.
    Returns: dict of arrays.
    """
    gradients = {}

    def run(name, layer_pass, d):
        d_input, gradients[name] = layer_pass(d, saved[name])
        return d_input

    d_X = run("norm", rms_norm_backward, d_output)
    for layer in reversed(range(config.n_layers)):
        d_hidden = run(f"{layer}.W_2", linear_backward, d_X)
        d_hidden = relu_backward(d_hidden, saved[f"{layer}.relu"])
        d_normed = run(f"{layer}.W_1", linear_backward, d_hidden)
        d_X = d_X + run(f"{layer}.norm_2", rms_norm_backward, d_normed)
        d_read = split_heads(run(f"{layer}.W_O", linear_backward, d_X), config.n_heads)
        d_heads = attention_backward(d_read, saved[f"{layer}.attention"])
        d_normed = sum(
            run(f"{layer}.W_{name}", linear_backward, merge_heads(d_head))
            for name, d_head in zip("QKV", d_heads, strict=True)
        )
        d_X = d_X + run(f"{layer}.norm_1", rms_norm_backward, d_normed)
    gradients["embedding"] = embed_backward(d_X, saved["embedding"])
    return gradients


def loss_and_gradients(
    lesson: Lesson, parameters: Parameters, config: Config
) -> tuple[float, Parameters]:
    """Return the mean loss in nats of saying the targets of a lesson, and its gradients.

    lesson: tokens and targets, whole numbers (n_sequences, n_tokens), and importance,
        how much each target counts, (n_tokens,) or (n_sequences, n_tokens); only
        proportions count. parameters: dict of arrays.
    Returns: a number, and a dict like ``parameters``.
    """
    tokens, targets, importance = lesson
    X, saved = forward(tokens, parameters, config)
    importance = np.broadcast_to(importance, tokens.shape).astype(X.dtype)
    counts = importance > 0  # words are only guessed where the guess counts
    logits, saved_words = linear(X[counts], parameters["W_words"])
    loss, saved_loss = cross_entropy(logits, targets[counts], importance[counts])
    d_X = np.zeros_like(X)
    d_X[counts], d_words = linear_backward(cross_entropy_backward(saved_loss), saved_words)
    return loss, backward(d_X, saved, config) | {"W_words": d_words}


def word_probabilities(tokens: Integers, parameters: Parameters, config: Config) -> Array:
    """Return, at each token, the probability of each word.

    tokens, parameters: as for :func:`forward`. Returns: (..., n_words). Raises: as there.
    """
    X, _ = forward(tokens, parameters, config)
    return softmax(X @ parameters["W_words"])


def of_layer(named: dict[str, Any], layer: int) -> dict[str, Any]:
    """Return of ``named``, a dict, what belongs to a layer, without its number in the names."""
    start = f"{layer}."
    return {
        name.removeprefix(start): value for name, value in named.items() if name.startswith(start)
    }


def _check_tokens(tokens, config):
    if tokens.shape[-1] > config.n_positions:
        raise ValueError(
            f"there are {tokens.shape[-1]} tokens: the model's context holds {config.n_positions}"
        )
    if tokens.min() < 0 or tokens.max() >= config.n_words:
        raise ValueError(
            f"tokens hold {tokens.min()} to {tokens.max()}: "
            f"the vocabulary knows 0 to {config.n_words - 1}"
        )
