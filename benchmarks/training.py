"""Training steps a second in NumPy and in PyTorch: ``python -m benchmarks training``.

The same model, lessons, batch and threads; whole steps: loss, gradients, clipping, AdamW.
PyTorch runs as one writes it (eager), not compiled.
"""

import itertools

import numpy as np
import torch

from benchmarks.timing import take_turns
from casebook.training import AdamW, Config, clip, loss_and_gradients, random_parameters
from casebook.training.lessons import importance, next_words, open_book
from casebook.training.library import WORDS
from provenance.torch_transformer import as_tensors, biases_of, loss

N_ROUNDS, N_CALLS, LEARNING_RATE = 9, 20, 1e-3


def numpy_step(config, dtype, lessons):
    """Return a function that takes one training step with casebook.training."""
    state = {"parameters": random_parameters(config, np.random.default_rng(0), dtype)}
    optimiser, turn = AdamW(), itertools.cycle(lessons)

    def step():
        _, gradients = loss_and_gradients(next(turn), state["parameters"], config)
        clipped, _ = clip(gradients)
        state["parameters"] = optimiser.step(state["parameters"], clipped, LEARNING_RATE)

    return step


def torch_step(config, dtype, lessons):
    """Return a function that takes the same step with PyTorch's autograd and AdamW."""
    dtype = getattr(torch, dtype)
    start = random_parameters(config, np.random.default_rng(0))
    tensors = as_tensors(start, dtype)
    biases = biases_of(config, lessons[0][0].shape[1], dtype)
    settings = {"lr": LEARNING_RATE, "betas": (0.9, 0.95), "weight_decay": 0.2, "foreach": True}
    optimiser = torch.optim.AdamW(tensors.values(), **settings)
    turn = itertools.cycle([[torch.tensor(array) for array in lesson] for lesson in lessons])

    def step():
        optimiser.zero_grad()
        loss(next(turn), tensors, config, biases).backward()
        torch.nn.utils.clip_grad_norm_(tensors.values(), 1.0)
        optimiser.step()

    return step


def run(n_threads, say=print):
    """Print tokens a second of both, and their ratio, for both precisions."""
    torch.set_num_threads(n_threads)
    config, rng = Config(n_words=len(WORDS)), np.random.default_rng(0)
    lessons = [next_words(open_book(32, 3, 3, rng), importance(3, 3)) for _ in range(8)]
    n_tokens = lessons[0][0].size
    for dtype in ("float32", "float64"):
        steps = {
            "NumPy": numpy_step(config, dtype, lessons),
            "PyTorch": torch_step(config, dtype, lessons),
        }
        seconds = take_turns(steps, N_ROUNDS, N_CALLS)
        ratio = seconds["PyTorch"] / seconds["NumPy"]
        speeds = "  ".join(f"{name} {n_tokens / s:8,.0f}" for name, s in seconds.items())
        say(f"training  {dtype}  {n_threads} threads  tokens/s: {speeds}  ratio {ratio:.2f}")
