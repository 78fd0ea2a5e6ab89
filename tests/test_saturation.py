"""casebook.saturation against PyTorch, finite differences and known values."""

import numpy as np
import pytest

from casebook.attention import softmax
from casebook.saturation import entropy, scale_factor, softmax_jacobian
from tests import reference

SOFTMAX = reference.load("softmax")


def test_jacobian_and_entropy_equal_pytorch():
    weights = softmax(SOFTMAX["jacobian.scores"])
    np.testing.assert_allclose(softmax_jacobian(weights), SOFTMAX["jacobian.value"], atol=1e-15)
    np.testing.assert_allclose(entropy(weights), SOFTMAX["entropy.value"], atol=1e-14)


@pytest.mark.parametrize("dtype, tolerance", [("float64", 1e-14), ("float32", 2e-6)])
@pytest.mark.parametrize("name", ["vector", "rows", "peaked"])
def test_the_gradient_through_softmax_equals_pytorch(name, dtype, tolerance):
    of = {key: SOFTMAX[f"{name}.{dtype}.{key}"] for key in ("scores", "upstream", "gradient")}
    jacobian = softmax_jacobian(softmax(of["scores"]))
    gradient = (of["upstream"][..., None, :] @ jacobian)[..., 0, :]
    assert gradient.dtype == np.dtype(dtype)
    np.testing.assert_allclose(gradient, of["gradient"], rtol=0, atol=tolerance)


def test_the_jacobian_equals_finite_differences():
    scores, step = np.random.default_rng(0).normal(0, 2, 5), 1e-6
    shifts = step * np.eye(5)
    differences = [(softmax(scores + s) - softmax(scores - s)) / (2 * step) for s in shifts]
    np.testing.assert_allclose(
        softmax_jacobian(softmax(scores)), np.transpose(differences), atol=1e-9
    )


def test_entropy_is_log_n_for_equal_weights_and_zero_for_one_hot():
    np.testing.assert_allclose(entropy(np.full((2, 8), 1 / 8)), np.log(8))
    np.testing.assert_allclose(entropy(np.eye(3)), 0)


def test_scale_factors():
    assert scale_factor("none", 64) == 1
    assert scale_factor("sqrt_d_k", 64) == 1 / 8
    assert scale_factor("d_k", 64) == 1 / 64


def test_bad_scalings_get_a_sentence():
    with pytest.raises(ValueError, match="scaling is 'sqrt'.*none, sqrt_d_k, d_k"):
        scale_factor("sqrt", 64)
    with pytest.raises(ValueError, match="d_k is 0"):
        scale_factor("none", 0)
