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


def _norm(X, gain, bias, epsilon, axis=-1):
    mean, variance = X.mean(axis, keepdims=True), X.var(axis, keepdims=True)
    return gain * (X - mean) / np.sqrt(variance + epsilon) + bias


@wrong("batch of sentences", "over the tokens")
def over_axis_one(X, gain, bias, epsilon):
    return _norm(X, gain, bias, epsilon, axis=min(1, X.ndim - 1))


@wrong("whole array")
def over_everything(X, gain, bias, epsilon):
    return gain * (X - X.mean()) / np.sqrt(X.var() + epsilon) + bias


@wrong("standard deviation stands under the root")
def deviation_under_the_root(X, gain, bias, epsilon):
    centred = X - X.mean(-1, keepdims=True)
    return gain * centred / np.sqrt(X.std(-1, keepdims=True) + epsilon) + bias


@wrong("epsilon stands outside the root")
def epsilon_outside(X, gain, bias, epsilon):
    centred = X - X.mean(-1, keepdims=True)
    return gain * centred / (X.std(-1, keepdims=True) + epsilon) + bias


@wrong("mean is not subtracted")
def rms_norm(X, gain, bias, epsilon):
    return gain * X / np.sqrt((X**2).mean(-1, keepdims=True) + epsilon) + bias


@wrong("has mean", "it must be 0")
def only_divided(X, gain, bias, epsilon):
    return gain * X / np.sqrt(X.var(-1, keepdims=True) + epsilon) + bias


@wrong("changes its input X in place")
def in_place(X, gain, bias, epsilon):
    X[...] = _norm(X, gain, bias, epsilon)
    return X


@wrong("before gain and bias a token has deviation")
def nobody_foresaw(X, gain, bias, epsilon):
    return 0.9 * gain * _norm(X, 1, 0, epsilon) + bias


@wrong("do not fit entry by entry", "line")
def without_keepdims(X, gain, bias, epsilon):
    return gain * (X - X.mean(-1)) / np.sqrt(X.var(-1) + epsilon) + bias
