"""casebook.gradients against PyTorch's backward pass."""

import numpy as np
import pytest

from casebook.attention import softmax
from casebook.gradients import encoder_block_backward, residual_backward, softmax_backward
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


def test_softmax_backward_is_its_jacobian_applied():
    rng = np.random.default_rng(0)
    weights, upstream = softmax(rng.normal(0, 2, (3, 5))), rng.normal(0, 1, (3, 5))
    expected = np.einsum("ri,rij->rj", upstream, softmax_jacobian(weights))
    np.testing.assert_allclose(softmax_backward(upstream, weights), expected, atol=1e-15)


def test_another_place_of_the_norm_gets_a_sentence():
    with pytest.raises(ValueError, match="norm is 'sandwich'"):
        residual_backward(np.ones(2), np.ones(2), None, None, {}, "sandwich")
