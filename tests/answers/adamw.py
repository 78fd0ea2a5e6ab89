"""Task 4 of exercise 07: AdamW as a class."""

import math

import numpy as np

from casebook import training
from tests.answers import right, wrong


class _Start:
    """What the exercise gives, and the right step, in parts that an answer can replace."""

    def __init__(self, learning_rate, decay):
        self.learning_rate, self.decay = learning_rate, decay
        self.keep_mean, self.keep_square, self.epsilon = 0.9, 0.95, 1e-8
        self.n_steps, self.mean, self.square = 0, {}, {}

    def step(self, parameters, gradients):
        self.n_steps += 1
        return {name: self.moved(name, W, gradients[name]) for name, W in parameters.items()}

    def moved(self, name, W, g):
        self.keep(name, g)
        step = self.direction(self.mean[name], self.square[name])
        return W - self.learning_rate * self.decay * W - self.learning_rate * step

    def keep(self, name, g):
        self.mean[name] = self.keep_mean * self.mean.get(name, 0) + (1 - self.keep_mean) * g
        self.square[name] = (
            self.keep_square * self.square.get(name, 0) + (1 - self.keep_square) * g**2
        )

    def direction(self, mean, square):
        mean = mean / (1 - self.keep_mean**self.n_steps)
        square = square / (1 - self.keep_square**self.n_steps)
        return mean / (np.sqrt(square) + self.epsilon)


@right
class InParts(_Start):
    pass


@right
class AsInTheCourse:
    def __init__(self, learning_rate, decay):
        self.rate, self.inner = learning_rate, training.AdamW(decay=decay)

    def step(self, parameters, gradients):
        return self.inner.step(parameters, gradients, self.rate)


@right
class WithLoopsOverEntries(_Start):
    def step(self, parameters, gradients):
        self.n_steps += 1
        stepped = {}
        for name in gradients:
            new = np.empty_like(parameters[name])
            for place, g in np.ndenumerate(gradients[name]):
                key = name, place
                self.mean[key] = 0.9 * self.mean.get(key, 0) + 0.1 * g
                self.square[key] = 0.95 * self.square.get(key, 0) + 0.05 * g * g
                m = self.mean[key] / (1 - 0.9**self.n_steps)
                v = self.square[key] / (1 - 0.95**self.n_steps)
                old = parameters[name][place]
                new[place] = old - self.learning_rate * (
                    m / (math.sqrt(v) + 1e-8) + self.decay * old
                )
            stepped[name] = new
        return stepped


@right
class WithTheCountLast(_Start):
    """Keeps zeros from the start, counts at the end, and decays first, as PyTorch does."""

    def step(self, parameters, gradients):
        if self.n_steps == 0:
            self.mean = {name: np.zeros_like(W) for name, W in parameters.items()}
            self.square = {name: np.zeros_like(W) for name, W in parameters.items()}
        t = self.n_steps + 1
        left = 1 - self.learning_rate * self.decay
        stepped = {name: left * W for name, W in parameters.items()}
        for name, g in gradients.items():
            self.mean[name] += (1 - self.keep_mean) * (g - self.mean[name])
            self.square[name] *= self.keep_square
            self.square[name] += (1 - self.keep_square) * np.square(g)
            size = np.sqrt(self.square[name]) / math.sqrt(1 - self.keep_square**t) + self.epsilon
            stepped[name] -= self.learning_rate / (1 - self.keep_mean**t) * self.mean[name] / size
        self.n_steps = t
        return stepped


@right
class WithPowersKept(_Start):
    def __init__(self, learning_rate, decay):
        super().__init__(learning_rate, decay)
        self.powers = [1.0, 1.0]

    def step(self, parameters, gradients):
        self.powers = [self.powers[0] * 0.9, self.powers[1] * 0.95]
        return super().step(parameters, gradients)

    def direction(self, mean, square):
        m, v = (x / (1 - power) for x, power in zip((mean, square), self.powers, strict=True))
        return m / (v**0.5 + self.epsilon)


@right
class InFloat32(_Start):
    def moved(self, name, W, g):
        return super().moved(name, W, g).astype(np.float32)


@wrong("counted from 0")
class CountedFromZero(_Start):
    def step(self, parameters, gradients):
        self.n_steps -= 1
        stepped = super().step(parameters, gradients)
        self.n_steps += 1
        return stepped


@wrong("one state for all names")
class SharedState(_Start):
    def moved(self, name, W, g):
        return super().moved("state", W, g)


@wrong("state is forgotten")
class Forgetful(_Start):
    def step(self, parameters, gradients):
        self.mean, self.square = {}, {}
        return super().step(parameters, gradients)


@wrong("corrected mean and square are kept")
class CorrectionKept(_Start):
    def direction(self, mean, square):
        mean /= 1 - self.keep_mean**self.n_steps
        square /= 1 - self.keep_square**self.n_steps
        return mean / (np.sqrt(square) + self.epsilon)


@wrong("changes its input parameters in place")
class InPlace(_Start):
    def step(self, parameters, gradients):
        for name, new in super().step(parameters, gradients).items():
            parameters[name] -= parameters[name] - new
        return parameters


@wrong("changes its input gradients in place")
class GradientsInPlace(_Start):
    def moved(self, name, W, g):
        g += self.decay * W
        return super().moved(name, W, g)


@wrong("changes its input parameters in place")
class DictInPlace(_Start):
    def step(self, parameters, gradients):
        parameters.update(super().step(parameters, gradients))
        return parameters


@wrong("returned None")
class ReturnsNothing(_Start):
    def step(self, parameters, gradients):
        super().step(parameters, gradients)


@wrong("lacks 'bias'")
class LastNameLost(_Start):
    def step(self, parameters, gradients):
        stepped = super().step(parameters, gradients)
        stepped.pop("bias", None)
        return stepped


@wrong("called twice")
class StateOfTheClass(_Start):
    mean_of_all = {}

    def keep(self, name, g):
        super().keep(name, g)
        before = np.resize(self.mean_of_all.get(name, 0), g.shape)
        self.mean_of_all[name] = self.mean[name] = 0.9 * before + 0.1 * g


@wrong("a class is expected")
def a_function(parameters, gradients, learning_rate, decay):
    return parameters


@wrong("no method step")
class NoStep:
    def __init__(self, learning_rate, decay):
        self.learning_rate, self.decay = learning_rate, decay


@wrong("right up to step 2", "what is kept")
class StopsLearning(_Start):
    def moved(self, name, W, g):
        return super().moved(name, W, g) if self.n_steps < 3 else W + 0.5
