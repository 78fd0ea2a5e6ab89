"""AdamW: from gradients to steps."""

import math
from dataclasses import dataclass, field

import numpy as np

from casebook.types import Parameters


def clip(gradients: Parameters, largest: float = 1.0) -> tuple[Parameters, float]:
    """Return the gradients, all shrunk alike if together they are longer than ``largest``.

    Returns: dict of arrays, and the length before.
    Source: Pascanu et al. (2013), algorithm 1.
    """
    length = math.sqrt(sum(float((g * g).sum()) for g in gradients.values()))
    if length <= largest:
        return gradients, length
    return {name: g * (largest / length) for name, g in gradients.items()}, length


@dataclass
class AdamW:
    """Adam with decay of the weights: each entry steps by its mean gradient over its mean size.

    Source: Kingma and Ba (2015), algorithm 1; Loshchilov and Hutter (2019), algorithm 2.
    """

    keep_mean: float = 0.9  # beta_1
    keep_square: float = 0.95  # beta_2
    decay: float = 0.2
    epsilon: float = 1e-8
    n_steps: int = 0
    mean: dict = field(default_factory=dict)
    square: dict = field(default_factory=dict)

    def step(
        self, parameters: Parameters, gradients: Parameters, learning_rate: float
    ) -> Parameters:
        """Return the parameters after one step.

        parameters, gradients: dicts of arrays of the same names.
        learning_rate: about how far an entry moves. Returns: a new dict.
        """
        self.n_steps += 1
        # Both means start at 0 and would be too small at first.
        mean_so_far = 1 - self.keep_mean**self.n_steps
        square_so_far = 1 - self.keep_square**self.n_steps
        stepped = {}
        for name, gradient in gradients.items():
            mean, square = self.mean.get(name, 0.0), self.square.get(name, 0.0)
            self.mean[name] = mean + (1 - self.keep_mean) * (gradient - mean)
            self.square[name] = square + (1 - self.keep_square) * (gradient**2 - square)
            size = np.sqrt(self.square[name] / square_so_far) + self.epsilon
            step = self.mean[name] / mean_so_far / size
            stepped[name] = (
                parameters[name] * (1 - learning_rate * self.decay) - learning_rate * step
            )
        return stepped
