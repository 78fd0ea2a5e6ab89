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


@wrong("no correction")
class WithoutCorrection(_Start):
    def direction(self, mean, square):
        return mean / (np.sqrt(square) + self.epsilon)


@wrong("mean is not corrected")
class MeanUncorrected(_Start):
    def direction(self, mean, square):
        return mean / (np.sqrt(square / (1 - self.keep_square**self.n_steps)) + self.epsilon)


@wrong("t is 1 at every step")
class PowerForgotten(_Start):
    def direction(self, mean, square):
        return mean / 0.1 / (np.sqrt(square / 0.05) + self.epsilon)


@wrong("counted from 0")
class CountedFromZero(_Start):
    def step(self, parameters, gradients):
        self.n_steps -= 1
        stepped = super().step(parameters, gradients)
        self.n_steps += 1
        return stepped


@wrong("counted from 2")
class CountedFromTwo(_Start):
    def __init__(self, learning_rate, decay):
        super().__init__(learning_rate, decay)
        self.n_steps = 1


@wrong("grows with every name")
class CountedForEachName(_Start):
    def step(self, parameters, gradients):
        stepped = {}
        for name, W in parameters.items():
            self.n_steps += 1
            stepped[name] = self.moved(name, W, gradients[name])
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


@wrong("L2", "off the parameters")
class DecayInTheGradient(_Start):
    def moved(self, name, W, g):
        self.keep(name, g + self.decay * W)
        return W - self.learning_rate * self.direction(self.mean[name], self.square[name])


@wrong("decay is missing")
class WithoutDecay(_Start):
    def moved(self, name, W, g):
        self.keep(name, g)
        return W - self.learning_rate * self.direction(self.mean[name], self.square[name])


@wrong("decay is not multiplied by the learning rate")
class DecayWithoutRate(_Start):
    def moved(self, name, W, g):
        return super().moved(name, W, g) + self.learning_rate * self.decay * W - self.decay * W


@wrong("decay acts on what the step gave")
class DecayAfterwards(_Start):
    def moved(self, name, W, g):
        self.keep(name, g)
        W = W - self.learning_rate * self.direction(self.mean[name], self.square[name])
        return W - self.learning_rate * self.decay * W


@wrong("epsilon stands in the root")
class EpsilonInTheRoot(_Start):
    def direction(self, mean, square):
        square = square / (1 - self.keep_square**self.n_steps)
        return mean / (1 - self.keep_mean**self.n_steps) / np.sqrt(square + self.epsilon)


@wrong("epsilon is added before the correction")
class EpsilonTooEarly(_Start):
    def direction(self, mean, square):
        t = self.n_steps
        rate = math.sqrt(1 - self.keep_square**t) / (1 - self.keep_mean**t)
        return rate * mean / (np.sqrt(square) + self.epsilon)


@wrong("epsilon is missing")
class WithoutEpsilon(_Start):
    def direction(self, mean, square):
        square = square / (1 - self.keep_square**self.n_steps)
        return mean / (1 - self.keep_mean**self.n_steps) / np.sqrt(square)


@wrong("root is missing")
class WithoutRoot(_Start):
    def direction(self, mean, square):
        square = square / (1 - self.keep_square**self.n_steps)
        return mean / (1 - self.keep_mean**self.n_steps) / (square + self.epsilon)


@wrong("uphill")
class Uphill(_Start):
    def direction(self, mean, square):
        return -super().direction(mean, square)


@wrong("shares are swapped")
class SharesSwapped(_Start):
    def keep(self, name, g):
        before = self.mean.get(name, 0)
        super().keep(name, g)
        self.mean[name] = 0.1 * before + 0.9 * g


@wrong("square keeps 0.999")
class UsualShare(_Start):
    def __init__(self, learning_rate, decay):
        super().__init__(learning_rate, decay)
        self.keep_square = 0.999


@wrong("square takes the gradient", "square it first")
class NotSquared(_Start):
    def keep(self, name, g):
        old = self.square.get(name, 0)
        super().keep(name, g)
        self.square[name] = 0.95 * old + 0.05 * g


@wrong("learning rate is missing")
class WithoutRate(_Start):
    def moved(self, name, W, g):
        self.keep(name, g)
        step = self.direction(self.mean[name], self.square[name])
        return W - self.learning_rate * self.decay * W - step


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


@wrong("this is only the step")
class OnlyTheStep(_Start):
    def moved(self, name, W, g):
        return super().moved(name, W, g) - W


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


@wrong("no correction", "decay is missing")
class TwoMistakes(_Start):
    def moved(self, name, W, g):
        self.keep(name, g)
        return W - self.learning_rate * self.mean[name] / (np.sqrt(self.square[name]) + 1e-8)


@wrong("right up to step 2", "what is kept")
class StopsLearning(_Start):
    def moved(self, name, W, g):
        return super().moved(name, W, g) if self.n_steps < 3 else W + 0.5
