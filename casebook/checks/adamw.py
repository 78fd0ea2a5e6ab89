"""The check of AdamW in exercise 07: a class that is made once and takes several steps."""

import inspect

import numpy as np

from casebook.checks import mistakes_adamw as descent
from casebook.checks.diagnosis import Case, Family, examine
from casebook.checks.plain_words import Fatal, Wrong
from casebook.checks.verdict import check


class _InUse:
    """A learner's class as one function: several steps of one optimiser."""

    def __init__(self, answer):
        if not inspect.isclass(answer):
            kind = type(answer).__name__
            raise Fatal(f"a class is expected, got {kind}: hand over AdamW, uncalled.")
        if not callable(getattr(answer, "step", None)):
            raise Fatal("the class has no method step(parameters, gradients).")
        self.answer, self.__globals__ = answer, getattr(answer.step, "__globals__", {})

    def __call__(self, parameters, gradients, learning_rate, decay):
        optimiser, rows = self.answer(learning_rate, decay), []
        shapes = {name: W.shape for name, W in parameters.items()}
        for given in gradients:
            parameters = optimiser.step(parameters, given)
            if parameters is None:
                return None
            if not isinstance(parameters, dict):
                kind = type(parameters).__name__
                raise Wrong(f"step returns a {kind}: a dict is asked for, one array a name.")
            rows.append(_in_one_row(parameters, shapes))
        return np.array(rows)


def _in_one_row(parameters, shapes):
    """Return all the parameters one after the other; raise Wrong if one has not its shape."""
    for name, shape in shapes.items():
        if name not in parameters:
            raise Wrong(f"the dict that step returns lacks {name!r}: return every parameter.")
        if np.shape(parameters[name]) != shape:
            came = np.shape(parameters[name])
            raise Wrong(f"the new {name!r} came with shape {came}, expected {shape}.")
    return np.concatenate([np.ravel(parameters[name]) for name in shapes])


ADAMW = Family(descent.adamw, descent.ADAMW)


@check("adamw", ("parameters", "gradients", "learning_rate", "decay"), use=_InUse)
def check_adamw(learner, rng):
    """Check some steps of AdamW, on several parameters of equal and of different shapes."""

    def case(label, shapes, n_steps, learning_rate, decay, size=1.0):
        shapes = dict(shapes)
        parameters = {name: rng.normal(0.5, 1, shape) for name, shape in shapes.items()}
        gradients = [
            {name: size * rng.normal(0.3, 2, shape) for name, shape in shapes.items()}
            for _ in range(n_steps)
        ]
        return Case(label, (parameters, gradients, learning_rate, decay))

    alike, mixed = {"W_1": (2, 3), "W_2": (2, 3)}, {"W": (3, 2), "gain": (4,), "bias": (1,)}
    still = case("where a gradient is 0", {"W": (2, 2)}, 3, 0.1, 0.2)
    for gradients in still.inputs[1]:
        gradients["W"][0] = 0
    turned = case("for gradients with names in another order", mixed, 2, 0.1, 0.2)
    turned.inputs[1][:] = [dict(reversed(given.items())) for given in turned.inputs[1]]
    cases = [
        case("", alike, 3, 0.1, 0.2),
        case("", mixed, 3, 0.03, 0.5),
        case("", {"W": (2, 3)}, 4, 0.2, 0.1),
        case("with decay 0", mixed, 3, 0.1, 0.0),
        case("with learning rate 0", alike, 2, 0.0, 0.2),
        case("for a single step", mixed, 1, 0.1, 0.2),
        case("for gradients as small as epsilon", {"W": (2, 3)}, 3, 0.1, 0.2, size=1e-8),
        still,
        turned,
    ]
    examine(learner, cases, ADAMW, ("the parameters",), _about_steps)


def _about_steps(case, got, right):
    """Say at which step and in which parameter the first difference stands."""
    parameters, gradients, learning_rate, decay = case.inputs
    for words, loss in (("", 0), (" with decay", decay)):
        plain = [
            W - learning_rate * (gradients[0][name] + loss * W) for name, W in parameters.items()
        ]
        if np.allclose(got[0][0], np.concatenate([np.ravel(W) for W in plain])):
            return f"this is plain gradient descent{words}: mean and square play no part."
    off = ~np.isclose(got[0], right[0], rtol=1e-6, atol=1e-9)
    step, column = (int(index) for index in np.argwhere(off)[0])
    names = [name for name, W in parameters.items() for _ in range(W.size)]
    value, wanted = got[0][step, column], right[0][step, column]
    place = f"{names[column]!r} is {value:.4g}, expected {wanted:.4g}"
    if step:
        return f"right up to step {step}, wrong at step {step + 1}: what is kept? {place}."
    if names[column] != names[0]:
        return f"after the first step {names[0]!r} is right, but an entry of {place}."
    return f"after the first step an entry of {place}."
