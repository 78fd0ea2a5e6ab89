"""casebook.gradients against PyTorch's backward pass."""

import numpy as np
import pytest

from casebook.attention import softmax
from casebook.gradients import (
    encoder_backward,
    encoder_block_backward,
    residual_backward,
)
from casebook.model import encoder, random_stack
from casebook.passes import softmax_backward
from casebook.saturation import softmax_jacobian
from tests import reference

LAYERS = reference.load("layers")


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_gradients_of_a_block_equal_pytorch(norm):
    block = reference.tree(f"{norm}.encoder", LAYERS)
    d_X, gradients = encoder_block_backward(
        LAYERS[f"{norm}.upstream"], LAYERS["X"], block, 2, mask=LAYERS["mask"], norm=norm
    )
    np.testing.assert_allclose(d_X, LAYERS[f"{norm}.d_X"], rtol=0, atol=1e-11)
    expected = reference.tree(f"{norm}.gradient", LAYERS)
    assert gradients.keys() == expected.keys()
    for part, named in expected.items():
        assert gradients[part].keys() == named.keys()
        for name, gradient in named.items():
            np.testing.assert_allclose(
                gradients[part][name], gradient, rtol=0, atol=1e-11, err_msg=f"{part}.{name}"
            )


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_gradients_of_a_stack_agree_with_small_pushes(norm):
    rng = np.random.default_rng(0)
    X, upstream = rng.normal(0, 1, (3, 8)), rng.normal(0, 1, (3, 8))
    blocks = random_stack(3, 8, 2, rng)
    d_X, d_blocks = encoder_backward(upstream, X, blocks, 2, norm=norm)

    def pushed(array, size):
        before = array[0, 1]
        array[0, 1] = before + size
        value = (encoder(X, blocks, 2, norm=norm) * upstream).sum()
        array[0, 1] = before
        return value

    matrices = [(X, d_X)] + [
        (block["feed_forward"]["W_1"], d_block["feed_forward"]["W_1"])
        for block, d_block in zip(blocks, d_blocks, strict=True)
    ]
    for array, gradient in matrices:
        measured = (pushed(array, 1e-6) - pushed(array, -1e-6)) / 2e-6
        assert measured == pytest.approx(gradient[0, 1], rel=1e-5, abs=1e-8)


def test_softmax_backward_is_its_jacobian_applied():
    rng = np.random.default_rng(0)
    weights, upstream = softmax(rng.normal(0, 2, (3, 5))), rng.normal(0, 1, (3, 5))
    expected = np.einsum("ri,rij->rj", upstream, softmax_jacobian(weights))
    np.testing.assert_allclose(softmax_backward(upstream, weights), expected, atol=1e-15)


def test_another_place_of_the_norm_gets_a_sentence():
    with pytest.raises(ValueError, match="norm is 'sandwich'"):
        residual_backward(np.ones(2), np.ones(2), None, None, {}, "sandwich")
