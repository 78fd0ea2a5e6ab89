"""Functions give back something new: what they were given is afterwards as it was."""

import copy

import numpy as np
import pytest

from casebook import attention, gradients, layers, model, multihead, passes, positional, vectors
from casebook.training import Config, backward, forward, loss_and_gradients, random_parameters

RNG = np.random.default_rng(4)
X, D = RNG.normal(size=(2, 5, 8)), RNG.normal(size=(2, 5, 8))
Q, K, V = RNG.normal(size=(3, 2, 5, 4))
MASK = attention.causal_mask(5)
BLOCK = layers.random_block(8, 2, RNG, cross_attention=True)
BLOCKS = model.random_stack(2, 8, 2, RNG)
TOKENS = np.array([[1, 4, 2, 0, 3], [2, 2, 1, 0, 4]])
GAIN = RNG.normal(1, 0.1, 8)
CONFIG = Config(9, 8, 2, 1, 8, n_positions=6)
PARAMETERS = random_parameters(CONFIG, RNG)
LESSON = (TOKENS, TOKENS[:, ::-1].copy(), np.array([0.0, 1, 1, 2, 1]))
LOGITS, TARGETS, IMPORTANCE = RNG.normal(size=(4, 9)), np.array([1, 0, 8, 2]), np.ones(4)
BIAS = np.where(MASK, 0, -np.inf)

# The name of a function, the function, and what it is given.
CALLS = {
    "softmax": (attention.softmax, (X,)),
    "attention": (attention.scaled_dot_product_attention, (Q, K, V, MASK)),
    "layer_norm": (layers.layer_norm, (X, GAIN, GAIN)),
    "rms_norm": (layers.rms_norm, (X, GAIN)),
    "relu": (layers.relu, (X,)),
    "gelu": (layers.gelu, (X,)),
    "gelu_tanh": (layers.gelu_tanh, (X,)),
    "feed_forward": (layers.feed_forward, (X, BLOCK["feed_forward"])),
    "encoder_block": (layers.encoder_block, (X, BLOCK, 2)),
    "decoder_block": (layers.decoder_block, (X, D, BLOCK, 2)),
    "multi_head": (multihead.multi_head_attention, (X, BLOCK["attention"], 2)),
    "split_heads": (multihead.split_heads, (X, 2)),
    "merge_heads": (multihead.merge_heads, (Q,)),
    "encoder": (model.encoder, (X, BLOCKS, 2)),
    "rotate": (positional.rotate, (X, np.arange(5))),
    "cosine_similarity": (vectors.cosine_similarity, (X[0, 0], D[0])),
    "passes.embed": (passes.embed, (TOKENS, RNG.normal(size=(9, 8)))),
    "passes.linear": (passes.linear, (X, RNG.normal(size=(8, 3)))),
    "passes.rms_norm": (passes.rms_norm, (X, GAIN)),
    "passes.relu": (passes.relu, (X,)),
    "passes.attention": (passes.attention, (Q, K, V, BIAS)),
    "passes.cross_entropy": (passes.cross_entropy, (LOGITS, TARGETS, IMPORTANCE)),
    "passes.embed_backward": (
        passes.embed_backward,
        (D, passes.embed(TOKENS, RNG.normal(size=(9, 8)))[1]),
    ),
    "passes.linear_backward": (
        passes.linear_backward,
        (D[..., :3], passes.linear(X, RNG.normal(size=(8, 3)))[1]),
    ),
    "passes.rms_norm_backward": (passes.rms_norm_backward, (D, passes.rms_norm(X, GAIN)[1])),
    "passes.relu_backward": (passes.relu_backward, (D, passes.relu(X)[1])),
    "passes.softmax_backward": (passes.softmax_backward, (D, attention.softmax(X))),
    "passes.attention_backward": (
        passes.attention_backward,
        (Q, passes.attention(Q, K, V, BIAS)[1]),
    ),
    "passes.cross_entropy_backward": (
        passes.cross_entropy_backward,
        (passes.cross_entropy(LOGITS, TARGETS, IMPORTANCE)[1],),
    ),
    "gradients.attention_backward": (gradients.attention_backward, (Q, Q, K, V, MASK)),
    "gradients.linear_backward": (
        gradients.linear_backward,
        (D, X, BLOCK["attention"], "Q"),
    ),
    "gradients.multi_head_backward": (
        gradients.multi_head_backward,
        (D, X, BLOCK["attention"], 2, MASK),
    ),
    "gradients.layer_norm_backward": (gradients.layer_norm_backward, (D, X, GAIN, GAIN)),
    "gradients.feed_forward_backward": (
        gradients.feed_forward_backward,
        (D, X, BLOCK["feed_forward"]),
    ),
    "gradients.residual_backward": (
        gradients.residual_backward,
        (D, X, layers.relu, lambda d, x: (d * (x > 0), {}), BLOCK["norm_1"], "post"),
    ),
    "gradients.encoder_block_backward": (gradients.encoder_block_backward, (D, X, BLOCKS[0], 2)),
    "gradients.encoder_backward": (gradients.encoder_backward, (D, X, BLOCKS, 2)),
    "training.forward": (forward, (TOKENS, PARAMETERS, CONFIG)),
    "training.backward": (backward, (D, forward(TOKENS, PARAMETERS, CONFIG)[1], CONFIG)),
    "training.loss_and_gradients": (loss_and_gradients, (LESSON, PARAMETERS, CONFIG)),
}


def changed(function, given):
    """Return which of its arguments a function changes, by their numbers."""
    before = copy.deepcopy(given)
    function(*given)
    return [
        number for number, pair in enumerate(zip(before, given, strict=True)) if not _same(*pair)
    ]


def _same(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return callable(one) or one == other


@pytest.mark.parametrize("name", CALLS)
def test_what_a_function_is_given_stays_as_it_was(name):
    function, given = CALLS[name]
    assert changed(function, copy.deepcopy(given)) == []


def test_every_backward_pass_is_tried():
    passed = {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in (passes, gradients)
        for name, thing in vars(module).items()
        if name.endswith("_backward") and getattr(thing, "__module__", "") == module.__name__
    }
    assert passed - CALLS.keys() == set()


def test_a_function_that_changes_what_it_is_given_is_noticed():
    def in_place(d_output, saved):
        saved["X"] *= 2
        return d_output

    assert changed(in_place, (D.copy(), {"X": X.copy()})) == [1]
