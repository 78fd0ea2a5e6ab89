"""Layer normalisation cut into stages."""

import numpy as np


def normalise(
    X,
    gain,
    bias,
    epsilon,
    axis=-1,
    centre=lambda X, mean: X - mean,
    spread=lambda centred, X, axis: (centred**2).mean(axis=axis, keepdims=True),
    divide=lambda centred, variance, epsilon: centred / np.sqrt(variance + epsilon),
    stretch=lambda normed, gain, bias: gain * normed + bias,
):
    """Return the result of task ``layer_norm``; ``axis`` is what mean and variance run over."""
    centred = centre(X, X.mean(axis=axis, keepdims=True))
    return (stretch(divide(centred, spread(centred, X, axis), epsilon), gain, bias),)
