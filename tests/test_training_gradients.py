"""The passes of casebook.training, and AdamW, against PyTorch and small pushes."""

import numpy as np
import pytest

from casebook.attention import scaled_dot_product_attention
from casebook.gradients import attention_backward as attention_backward_anew
from casebook.layers import rms_norm as plain_rms_norm
from casebook.passes import attention, attention_backward, cross_entropy, rms_norm
from casebook.training import (
    AdamW,
    Config,
    backward,
    clip,
    forward,
    loss_and_gradients,
    random_parameters,
)
from tests import reference

TRAINING = reference.load("training")
CONFIGS = {
    "look_back": Config(11, 12, 3, 2, 20),
    "both_sides": Config(7, 10, 2, 3, 6, positions="sinusoidal", causal=False),
    "one_sequence": Config(5, 8, 1, 1, 8),
}


def of(case, part):
    """Return the arrays of one part of a case: parameters, gradients, stepped, lesson."""
    return reference.under(f"{case}.{part}", TRAINING)


@pytest.mark.parametrize("case", CONFIGS)
def test_loss_and_gradients_equal_pytorch(case):
    loss, gradients = loss_and_gradients(
        of(case, "lesson").values(), of(case, "parameters"), CONFIGS[case]
    )
    assert loss == pytest.approx(float(TRAINING[f"{case}.loss"]), abs=1e-13)
    expected = of(case, "gradients")
    assert gradients.keys() == expected.keys()
    for name, gradient in expected.items():
        np.testing.assert_allclose(gradients[name], gradient, rtol=0, atol=1e-13, err_msg=name)


@pytest.mark.parametrize("case", CONFIGS)
def test_three_steps_of_adamw_equal_pytorch(case):
    parameters, optimiser = of(case, "parameters"), AdamW()
    for _ in range(3):
        _, gradients = loss_and_gradients(of(case, "lesson").values(), parameters, CONFIGS[case])
        parameters = optimiser.step(parameters, clip(gradients)[0], 0.02)
    for name, stepped in of(case, "stepped").items():
        np.testing.assert_allclose(parameters[name], stepped, rtol=0, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("case", CONFIGS)
def test_gradients_agree_with_small_pushes(case):
    config, lesson = CONFIGS[case], tuple(of(case, "lesson").values())
    parameters = of(case, "parameters")
    _, gradients = loss_and_gradients(lesson, parameters, config)
    rng = np.random.default_rng(3)
    for name, array in parameters.items():
        place = tuple(rng.integers(array.shape))
        measured = []
        for push in (1e-6, -1e-6):
            pushed = array.copy()
            pushed[place] += push
            measured.append(loss_and_gradients(lesson, parameters | {name: pushed}, config)[0])
        slope = (measured[0] - measured[1]) / 2e-6
        assert slope == pytest.approx(gradients[name][place], rel=1e-5, abs=1e-8), name


def test_nothing_that_is_given_is_changed():
    case = "look_back"
    parameters, lesson = of(case, "parameters"), of(case, "lesson")
    before = {name: array.copy() for name, array in (parameters | lesson).items()}
    _, gradients = loss_and_gradients(lesson.values(), parameters, CONFIGS[case])
    kept = {name: array.copy() for name, array in gradients.items()}
    AdamW().step(parameters, clip(gradients, 0.01)[0], 0.1)
    for name, array in (parameters | lesson).items():
        np.testing.assert_array_equal(array, before[name])
    for name, array in gradients.items():
        np.testing.assert_array_equal(array, kept[name])


def test_attention_is_the_attention_of_chapter_02_and_so_is_its_backward_pass():
    rng = np.random.default_rng(4)
    Q, K, V, d_output = rng.normal(0, 1, (4, 2, 3, 5, 6))
    mask = np.tri(5, dtype=bool)
    output, saved = attention(Q, K, V, np.where(mask, 0.0, -np.inf))
    expected, weights = scaled_dot_product_attention(Q, K, V, mask)
    np.testing.assert_allclose(output, expected, atol=1e-14)
    np.testing.assert_allclose(saved.weights, weights, atol=1e-14)
    anew = attention_backward_anew(d_output, Q, K, V, mask)
    for got, slope in zip(attention_backward(d_output, saved), anew, strict=True):
        np.testing.assert_allclose(got, slope, atol=1e-14)


def test_rms_norm_is_that_of_chapter_06():
    rng = np.random.default_rng(5)
    X, gain = rng.normal(0, 3, (2, 4, 6)), rng.normal(1, 0.3, 6)
    np.testing.assert_allclose(rms_norm(X, gain)[0], plain_rms_norm(X, gain), atol=1e-15)


def test_cross_entropy_is_safe_for_huge_logits():
    loss, _ = cross_entropy(
        np.array([[1000.0, -1000], [-1000, 1000]]), np.array([0, 0]), np.ones(2)
    )
    assert loss == pytest.approx(1000)


def test_only_proportions_of_importance_count():
    case = "look_back"
    tokens, targets, importance = of(case, "lesson").values()
    parameters = of(case, "parameters")
    first = loss_and_gradients((tokens, targets, importance), parameters, CONFIGS[case])
    second = loss_and_gradients((tokens, targets, 7 * importance), parameters, CONFIGS[case])
    assert first[0] == pytest.approx(second[0], abs=1e-14)
    for name in first[1]:
        np.testing.assert_allclose(first[1][name], second[1][name], atol=1e-15)


def test_float32_stays_float32():
    config = Config(6, 8, 2, 1, 8, positions="sinusoidal")
    parameters = random_parameters(config, np.random.default_rng(0), np.float32)
    tokens = np.array([[0, 1, 2]])
    X, saved = forward(tokens, parameters, config)
    gradients = backward(X, saved, config)
    assert X.dtype == np.float32
    assert {gradient.dtype for gradient in gradients.values()} == {np.dtype(np.float32)}
    stepped = AdamW().step(parameters, gradients | {"W_words": parameters["W_words"]}, 0.1)
    assert {array.dtype for array in stepped.values()} == {np.dtype(np.float32)}


def test_clip_shrinks_long_gradients_alike_and_leaves_short_ones():
    gradients = {"a": np.array([3.0, 0.0]), "b": np.array([[4.0]])}
    clipped, length = clip(gradients)
    assert length == pytest.approx(5)
    np.testing.assert_allclose(clipped["a"], [0.6, 0])
    np.testing.assert_allclose(clipped["b"], [[0.8]])
    assert clip(gradients, 6)[0] is gradients
