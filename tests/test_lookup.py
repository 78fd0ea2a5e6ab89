"""casebook.lookup: its gradients, its task, and that training learns it."""

import numpy as np
import pytest

from casebook import lookup
from casebook.saturation import SCALINGS, scale_factor


@pytest.fixture
def setting():
    """Return parameters and sequences, small enough to take every derivative by steps."""
    rng = np.random.default_rng(3)
    vocabulary = lookup.make_vocabulary(rng)
    return lookup.start_parameters(5, rng), lookup.draw_sequences(vocabulary, rng, 4)


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("name", ["W_Q", "W_K", "W_V"])
def test_the_gradients_equal_finite_differences(setting, name, scaling):
    parameters, sequences = setting
    factor, step = scale_factor(scaling, 5), 1e-6
    _, slopes = lookup.gradients(parameters, sequences, factor)
    measured = np.zeros_like(slopes[name])
    for index in np.ndindex(measured.shape):
        losses = []
        for sign in (1, -1):
            moved = {**parameters, name: parameters[name].copy()}
            moved[name][index] += sign * step
            losses.append(lookup.forward(moved, sequences, factor)[0])
        measured[index] = (losses[0] - losses[1]) / (2 * step)
    assert np.abs(measured).max() > 1e-3
    np.testing.assert_allclose(slopes[name], measured, rtol=1e-6, atol=1e-9)


def test_gradients_return_the_loss_of_forward_and_leave_the_parameters_alone(setting):
    parameters, sequences = setting
    before = {name: matrix.copy() for name, matrix in parameters.items()}
    loss, _ = lookup.gradients(parameters, sequences, 0.5)
    assert loss == lookup.forward(parameters, sequences, 0.5)[0]
    for name, matrix in parameters.items():
        np.testing.assert_array_equal(matrix, before[name])


def test_the_answer_is_the_label_of_the_item_with_the_asked_name():
    rng = np.random.default_rng(4)
    names, labels = lookup.make_vocabulary(rng)
    asking, items, answers = lookup.draw_sequences((names, labels), rng, 50)
    half = lookup.D_MODEL // 2
    np.testing.assert_array_equal(asking[:, half:], np.tile(labels[-1], (50, 1)))
    same_name = (items[:, :, :half] == asking[:, None, :half]).all(axis=-1)
    np.testing.assert_array_equal(same_name.sum(axis=1), 1)
    np.testing.assert_array_equal(items[same_name][:, half:], labels[answers])


def test_training_learns_and_the_same_seed_gives_the_same_run():
    first, parameters, _ = lookup.train("sqrt_d_k", 1.0, np.random.default_rng(0), n_steps=150)
    again, _, _ = lookup.train("sqrt_d_k", 1.0, np.random.default_rng(0), n_steps=150)
    np.testing.assert_array_equal(first, again)
    assert first[0] > 1.9
    assert first[-20:].mean() < 0.1
    assert parameters["W_Q"].shape == (lookup.D_MODEL, 64)


def test_all_scalings_start_from_the_same_weights_and_data():
    starts = [lookup.train(s, 1.0, np.random.default_rng(0), n_steps=0)[1:] for s in SCALINGS]
    for parameters, vocabulary in starts[1:]:
        for name, matrix in parameters.items():
            np.testing.assert_array_equal(matrix, starts[0][0][name])
        np.testing.assert_array_equal(vocabulary[0], starts[0][1][0])


def test_unscaled_training_magnifies_the_last_bit_unless_gradients_are_rounded(monkeypatch):
    def apart(scaling, decimals):
        """Return how far two runs part whose starts differ in the thirteenth decimal."""
        monkeypatch.setattr(lookup, "GRADIENT_DECIMALS", decimals)
        start = lookup.start_parameters
        runs = []
        for nudge in (0.0, 1e-13):
            monkeypatch.setattr(
                lookup,
                "start_parameters",
                lambda d_k, rng, nudge=nudge: {n: m + nudge for n, m in start(d_k, rng).items()},
            )
            runs.append(lookup.train(scaling, 1.0, np.random.default_rng(0))[0])
        monkeypatch.setattr(lookup, "start_parameters", start)
        return np.abs(runs[0] - runs[1]).max()

    assert apart("none", 15) > 0.1
    assert apart("none", 6) < 1e-9
    assert apart("sqrt_d_k", 15) < 1e-9
