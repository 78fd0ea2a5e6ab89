"""Train: lesson, gradients, step, again."""

import math
from collections.abc import Callable

import numpy as np

from casebook.training.adamw import AdamW, clip
from casebook.training.lessons import library_lesson
from casebook.training.library import WORDS
from casebook.training.transformer import Config, loss_and_gradients, random_parameters
from casebook.types import Array, Lesson, Parameters

N_STEPS = 600
PEAK, LEAST = 3e-3, 6e-5  # learning rates
WARM_UP = 30  # steps
FALLS_FROM = 0.6  # of all steps


def learning_rate(step: int, n_steps: int, peak: float = PEAK) -> float:
    """Return the learning rate of a step, counted from 1: up in 30 steps, level, then down.

    n_steps: in all. peak: the largest rate.
    Source: Vaswani et al. (2017), section 5.3, warm up too, but fall with 1 / sqrt(step).
    """
    left = (1 - step / n_steps) / (1 - FALLS_FROM)
    return peak * min(1, step / WARM_UP, max(LEAST / PEAK, left))


def train(
    parameters: Parameters,
    config: Config,
    draw_lesson: Callable[[np.random.Generator], Lesson],
    rng: np.random.Generator,
    *,
    n_steps: int = N_STEPS,
    peak: float = PEAK,
    watch: Callable[[int, Parameters], object] | None = None,
) -> tuple[Parameters, Array]:
    """Return the parameters after ``n_steps`` lessons, and the loss of each lesson.

    Each lesson is drawn anew, so the loss is always on sequences not seen before.

    parameters, config: the model to begin with.
    draw_lesson: a function of ``rng`` that returns tokens, targets and importance.
    peak: the largest learning rate.
    watch: a function of the step, counted from 1, and the parameters after it.
    Returns: dict of arrays, and (n_steps,).
    Raises: FloatingPointError if the loss is no longer a number.
    """
    optimiser, losses = AdamW(), np.empty(n_steps)
    for step in range(1, n_steps + 1):
        loss, gradients = loss_and_gradients(draw_lesson(rng), parameters, config)
        if not math.isfinite(loss):
            raise FloatingPointError(
                f"the loss is {loss} at step {step}: training diverged with a learning rate "
                f"of {peak}; try a smaller one"
            )
        gradients, _ = clip(gradients)
        parameters = optimiser.step(parameters, gradients, learning_rate(step, n_steps, peak))
        losses[step - 1] = loss
        if watch is not None:
            watch(step, parameters)
    return parameters, losses


def train_reader(seed: int = 0, **options) -> tuple[Parameters, Config, Array]:
    """Return a model that reads the library, its config, and its losses.

    seed: decides the start and the lessons. options: as for :func:`train`.
    Returns: dict of arrays, :class:`Config`, and (n_steps,).
    """
    config = Config(n_words=len(WORDS))
    start = random_parameters(config, np.random.default_rng(seed))
    rng = np.random.default_rng(1000 + seed)
    parameters, losses = train(start, config, library_lesson, rng, **options)
    return parameters, config, losses
