"""casebook.layers and casebook.model against PyTorch."""

import numpy as np
import pytest

from casebook.attention import causal_mask
from casebook.layers import (
    decoder_block,
    encoder_block,
    gelu,
    gelu_tanh,
    layer_norm,
    relu,
    residual,
    rms_norm,
)
from casebook.model import (
    decoder,
    embed,
    encoder,
    encoder_decoder,
    next_token_probabilities,
    random_stack,
)
from tests import reference

LAYERS = reference.load("layers")
X, MEMORY, MASK = LAYERS["X"], LAYERS["memory"], LAYERS["mask"]


@pytest.mark.parametrize(
    "name, function",
    [
        ("layer_norm", lambda x: layer_norm(x, LAYERS["gain"], LAYERS["bias"])),
        ("rms_norm", lambda x: rms_norm(x, LAYERS["gain"])),
        ("relu", relu),
        ("gelu", gelu),
        ("gelu_tanh", gelu_tanh),
    ],
)
def test_a_layer_equals_pytorch(name, function):
    np.testing.assert_allclose(function(X), LAYERS[name], rtol=0, atol=1e-14)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_blocks_equal_pytorch(norm):
    block, of_decoder = (reference.tree(f"{norm}.{k}", LAYERS) for k in ("encoder", "decoder"))
    output = encoder_block(X, block, 2, mask=MASK, norm=norm)
    np.testing.assert_allclose(output, LAYERS[f"{norm}.encoder.output"], rtol=0, atol=1e-12)
    output = decoder_block(X, MEMORY, of_decoder, 2, mask=MASK, norm=norm)
    np.testing.assert_allclose(output, LAYERS[f"{norm}.decoder.output"], rtol=0, atol=1e-12)


def test_a_decoder_does_not_see_the_future_and_an_encoder_does():
    rng = np.random.default_rng(0)
    blocks = random_stack(3, 8, 2, rng)
    before = rng.normal(0, 1, (6, 8))
    after = before.copy()
    after[4:] += 1
    np.testing.assert_array_equal(decoder(before, blocks, 2)[:4], decoder(after, blocks, 2)[:4])
    assert np.abs(encoder(before, blocks, 2)[:4] - encoder(after, blocks, 2)[:4]).min() > 1e-6


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_encoder_decoder_is_its_parts(norm):
    rng = np.random.default_rng(1)
    blocks, readers = random_stack(2, 8, 2, rng), random_stack(2, 8, 2, rng, cross_attention=True)
    source, target = rng.normal(0, 1, (5, 8)), rng.normal(0, 1, (3, 8))
    memory = encoder(source, blocks, 2, norm=norm)
    expected = target
    for block in readers:
        expected = decoder_block(expected, memory, block, 2, mask=causal_mask(3), norm=norm)
    expected = layer_norm(expected) if norm == "pre" else expected
    output = encoder_decoder(source, target, blocks, readers, 2, norm=norm)
    np.testing.assert_array_equal(output, expected)


def test_words_go_in_and_probabilities_come_out():
    rng = np.random.default_rng(2)
    embedding, encoding = rng.normal(0, 1, (7, 4)), rng.normal(0, 1, (9, 4))
    np.testing.assert_array_equal(embed([3, 1], embedding), embedding[[3, 1]])
    np.testing.assert_array_equal(
        embed([3, 1], embedding, encoding, scale=True), 2 * embedding[[3, 1]] + encoding[:2]
    )
    probabilities = next_token_probabilities(embedding[:3], embedding)
    assert probabilities.shape == (3, 7)
    np.testing.assert_allclose(probabilities.sum(-1), 1)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: layer_norm(np.ones((3, 0))), r"X has shape \(3, 0\)"),
        (lambda: rms_norm(np.float64(1)), r"X has shape \(\)"),
        (lambda: residual(X, relu, {}, "sandwich"), "norm is 'sandwich'"),
        (lambda: embed([7], np.ones((7, 4))), "tokens hold 7.*0 to 6"),
        (lambda: embed([1, 2], np.ones((7, 4)), np.ones((1, 4))), "2 tokens and 1 positions"),
    ],
)
def test_bad_input_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
