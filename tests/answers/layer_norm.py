"""Task 1 of exercise 06: layer normalisation."""

import math

import numpy as np

from tests.answers import right, wrong


@right
def in_arrays(X, gain, bias, epsilon):
    centred = X - X.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gain * centred / np.sqrt(variance + epsilon) + bias


@right
def with_var(X, gain, bias, epsilon):
    X = np.array(X, dtype=float)
    X -= X.mean(-1)[..., None]
    X *= (X.var(-1)[..., None] + epsilon) ** -0.5
    return X * gain + bias


@right
def with_loops(X, gain, bias, epsilon):
    def one(token):
        mean = sum(token) / len(token)
        variance = sum((x - mean) ** 2 for x in token) / len(token)
        root = math.sqrt(variance + epsilon)
        return [g * (x - mean) / root + b for x, g, b in zip(token, gain, bias, strict=True)]

    rows = [one(list(token)) for token in np.reshape(X, (-1, np.shape(X)[-1]))]
    return np.reshape(rows, np.shape(X))


@right
def mean_of_squares_less_square_of_mean(X, gain, bias, epsilon):
    d_model = X.shape[-1]
    mean = np.einsum("...d->...", X) / d_model
    variance = np.einsum("...d,...d->...", X, X) / d_model - mean**2
    scale = gain / np.sqrt(np.maximum(variance, 0) + epsilon)[..., None]
    return X * scale + (bias - mean[..., None] * scale)


@right
def token_by_token(X, gain, bias, epsilon):
    def one(x):
        return (x - x.mean()) / math.sqrt(x.var() + epsilon)

    return np.apply_along_axis(one, -1, X) * gain + bias


def _norm(X, gain, bias, epsilon, axis=-1, ddof=0):
    mean, variance = X.mean(axis, keepdims=True), X.var(axis, keepdims=True, ddof=ddof)
    return gain * (X - mean) / np.sqrt(variance + epsilon) + bias


@wrong("over the tokens")
def over_the_tokens(X, gain, bias, epsilon):
    return _norm(X, gain, bias, epsilon, axis=-2)


@wrong("over axis 0")
def over_the_batch(X, gain, bias, epsilon):
    return _norm(X, gain, bias, epsilon, axis=0)


@wrong("batch of sentences", "over the tokens")
def over_axis_one(X, gain, bias, epsilon):
    return _norm(X, gain, bias, epsilon, axis=min(1, X.ndim - 1))


@wrong("whole array")
def over_everything(X, gain, bias, epsilon):
    return gain * (X - X.mean()) / np.sqrt(X.var() + epsilon) + bias


@wrong("ddof=1")
def unbiased_variance(X, gain, bias, epsilon):
    return _norm(X, gain, bias, epsilon, ddof=1)


@wrong("standard deviation stands under the root")
def deviation_under_the_root(X, gain, bias, epsilon):
    centred = X - X.mean(-1, keepdims=True)
    return gain * centred / np.sqrt(X.std(-1, keepdims=True) + epsilon) + bias


@wrong("epsilon stands outside the root")
def epsilon_outside(X, gain, bias, epsilon):
    centred = X - X.mean(-1, keepdims=True)
    return gain * centred / (X.std(-1, keepdims=True) + epsilon) + bias


@wrong("epsilon is missing")
def without_epsilon(X, gain, bias, epsilon):
    return _norm(X, gain, bias, 0)


@wrong("always 1e-5")
def own_epsilon(X, gain, bias, epsilon):
    return _norm(X, gain, bias, 1e-5)


@wrong("square root is missing")
def divided_by_the_variance(X, gain, bias, epsilon):
    centred = X - X.mean(-1, keepdims=True)
    return gain * centred / (X.var(-1, keepdims=True) + epsilon) + bias


@wrong("gain and bias are missing")
def without_parameters(X, gain, bias, epsilon):
    return _norm(X, 1, 0, epsilon)


@wrong("the gain is missing")
def without_gain(X, gain, bias, epsilon):
    return _norm(X, 1, bias, epsilon)


@wrong("the bias is missing")
def without_bias(X, gain, bias, epsilon):
    return _norm(X, gain, 0, epsilon)


@wrong("gain and bias are swapped")
def parameters_swapped(X, gain, bias, epsilon):
    return _norm(X, bias, gain, epsilon)


@wrong("added before the gain")
def bias_inside(X, gain, bias, epsilon):
    return gain * (_norm(X, 1, 0, epsilon) + bias)


@wrong("root mean square of X")
def rms_of_x(X, gain, bias, epsilon):
    square = (X**2).mean(-1, keepdims=True)
    return gain * (X - X.mean(-1, keepdims=True)) / np.sqrt(square + epsilon) + bias


@wrong("mean is not subtracted")
def rms_norm(X, gain, bias, epsilon):
    return gain * X / np.sqrt((X**2).mean(-1, keepdims=True) + epsilon) + bias


@wrong("has mean", "it must be 0")
def only_divided(X, gain, bias, epsilon):
    return gain * X / np.sqrt(X.var(-1, keepdims=True) + epsilon) + bias


@wrong("summed, not averaged")
def sum_of_squares(X, gain, bias, epsilon):
    centred = X - X.mean(-1, keepdims=True)
    return gain * centred / np.sqrt((centred**2).sum(-1, keepdims=True) + epsilon) + bias


@wrong("changes its input X in place")
def in_place(X, gain, bias, epsilon):
    X[...] = _norm(X, gain, bias, epsilon)
    return X


@wrong("ddof=1", "outside the root")
def two_mistakes(X, gain, bias, epsilon):
    centred = X - X.mean(-1, keepdims=True)
    n = max(X.shape[-1] - 1, 1)
    return gain * centred / (np.sqrt((centred**2).sum(-1, keepdims=True) / n) + epsilon) + bias


@wrong("before gain and bias a token has deviation")
def nobody_foresaw(X, gain, bias, epsilon):
    return 0.9 * gain * (_norm(X, 1, 0, epsilon)) + bias


@wrong("do not fit entry by entry", "line")
def without_keepdims(X, gain, bias, epsilon):
    return gain * (X - X.mean(-1)) / np.sqrt(X.var(-1) + epsilon) + bias
