"""The check of AdamW: a class that is made once and takes several steps."""

import inspect

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep
from casebook.checks.engine.plain_words import Fatal, Wrong
from casebook.checks.engine.verdict import check

EPSILON = 1e-8


def adamw(
    parameters,
    gradients,
    learning_rate,
    decay,
    key=keep,
    feed=lambda g, W, decay: g,
    shares=(0.9, 0.95),
    mean_of=lambda old, g, kept: kept * old + (1 - kept) * g,
    square_of=lambda old, g, kept: kept * old + (1 - kept) * g**2,
    count=lambda step, index, n_names: step,
    so_far=lambda t, m, s: (1 - m**t, 1 - s**t),
    kept=lambda mean, square, so_far: (mean, square),
    divide=lambda mean, square, a, b: mean / a / (np.sqrt(square / b) + EPSILON),
    move=lambda W, step, rate, decay: W - rate * decay * W - rate * step,
    remember=True,
):
    """Return the result of task ``adamw``: after each step, all the parameters in one row.

    gradients: one dict a step. key: under which name a state is kept. shares: how much of the
    old mean and of the old square a step keeps. kept: what of both is kept for the next step.
    """
    means, squares, rows = {}, {}, []
    for step, given in enumerate(gradients, 1):
        parameters = dict(parameters)
        if not remember:
            means, squares = {}, {}
        for index, (name, W) in enumerate(parameters.items()):
            g, place = feed(given[name], W, decay), key(name)
            mean = mean_of(means.get(place, 0.0), g, shares[0])
            square = square_of(squares.get(place, 0.0), g, shares[1])
            held = so_far(count(step, index, len(parameters)), *shares)
            means[place], squares[place] = kept(mean, square, held)
            parameters[name] = move(W, divide(mean, square, *held), learning_rate, decay)
        rows.append(np.concatenate([np.ravel(W) for W in parameters.values()]))
    return (np.array(rows),)


# fmt: off
MISTAKES = (
    *deviations(
        "so_far",
        ("no correction: divide mean and square by what they hold so far", lambda t, m, s: (1, 1)),
        ("the mean is not corrected: divide it by 1 - 0.9 ** t",
         lambda t, m, s: (1, 1 - s**t)),
        ("the square is not corrected: divide it by 1 - 0.95 ** t",
         lambda t, m, s: (1 - m**t, 1)),
        ("0.9 * t in place of 0.9 ** t", lambda t, m, s: (1 - m * t, 1 - s * t)),
        ("both corrections use 0.9: the square has 0.95",
         lambda t, m, s: (1 - m**t, 1 - m**t)),
        ("both corrections use 0.95: the mean has 0.9",
         lambda t, m, s: (1 - s**t, 1 - s**t)),
        ("0.9 and 0.95 are swapped in the corrections",
         lambda t, m, s: (1 - s**t, 1 - m**t)),
        ("multiplied by 1 - 0.9 ** t and 1 - 0.95 ** t: divide by them",
         lambda t, m, s: (1 / (1 - m**t), 1 / (1 - s**t))),
    ),
    *deviations(
        "count",
        ("steps are counted from 0: the first is step 1, or 0 / 0",
         lambda step, index, n: step - 1),
        ("steps are counted from 2: the first is step 1", lambda step, index, n: step + 1),
        ("t is 1 at every step: count the steps, and take 0.9 ** t, 0.95 ** t",
         lambda step, index, n: 1),
        ("the count grows with every name: add 1 once a step, before the loop",
         lambda step, index, n: (step - 1) * n + index + 1),
        ("the count grows with every name, from 0: add 1 once a step",
         lambda step, index, n: (step - 1) * n + index),
    ),
    *deviations("key", ("one state for all names: each name keeps its own", lambda name: "")),
    *deviations("remember", ("the state is forgotten after each step: keep it in self", False)),
    *deviations(
        "kept",
        ("the corrected mean and square are kept: keep them as they were",
         lambda mean, square, held: (mean / held[0], square / held[1])),
        ("the corrected mean is kept: keep it as it was",
         lambda mean, square, held: (mean / held[0], square)),
        ("the corrected square is kept: keep it as it was",
         lambda mean, square, held: (mean, square / held[1])),
        ("the mean is forgotten after each step: keep it in self",
         lambda mean, square, held: (0.0, square)),
        ("the square is forgotten after each step: keep it in self",
         lambda mean, square, held: (mean, 0.0)),
        ("the root is kept as the square: keep the square",
         lambda mean, square, held: (mean, np.sqrt(square))),
    ),
    *deviations(
        "move",
        ("the parameters go uphill: subtract the step",
         lambda W, step, rate, decay: W - rate * decay * W + rate * step),
        ("decay is missing: W also loses learning_rate * decay of itself",
         lambda W, step, rate, decay: W - rate * step),
        ("decay is not multiplied by the learning rate",
         lambda W, step, rate, decay: W - decay * W - rate * step),
        ("decay makes W grow: subtract it",
         lambda W, step, rate, decay: W + rate * decay * W - rate * step),
        ("decay acts on what the step gave: take it of W as it was",
         lambda W, step, rate, decay: (W - rate * step) * (1 - rate * decay)),
        ("the learning rate is missing: multiply the step by it",
         lambda W, step, rate, decay: W - rate * decay * W - step),
        ("the learning rate is missing in both parts",
         lambda W, step, rate, decay: W - decay * W - step),
        ("the learning rate is squared in the decay",
         lambda W, step, rate, decay: W - rate * (rate * decay * W + step)),
        ("the old parameters are lost: this is only the step",
         lambda W, step, rate, decay: -rate * decay * W - rate * step),
        ("the parameters do not move", lambda W, step, rate, decay: W),
        ("this is the step: return the parameters after it",
         lambda W, step, rate, decay: rate * decay * W + rate * step),
    ),
    *deviations(
        "feed",
        ("decay goes into the gradient (L2): take it off the parameters instead",
         lambda g, W, decay: g + decay * W),
        ("the gradient is clipped to -1 and 1: use it as it is",
         lambda g, W, decay: np.clip(g, -1, 1)),
    ),
    *deviations(
        "divide",
        ("epsilon stands in the root: add it after the root is taken",
         lambda m, s, a, b: m / a / np.sqrt(s / b + EPSILON)),
        ("epsilon is missing: 0 / 0 where a gradient is 0",
         lambda m, s, a, b: m / a / np.sqrt(s / b)),
        ("the root is missing: divide by the root of the mean square",
         lambda m, s, a, b: m / a / (s / b + EPSILON)),
        ("epsilon is added before the correction: correct the square first",
         lambda m, s, a, b: m / a / ((np.sqrt(s) + EPSILON) / np.sqrt(b))),
        ("the square's correction stands outside the root: divide under it",
         lambda m, s, a, b: m / a / (np.sqrt(s) / b + EPSILON)),
        ("the mean square plays no part: divide by its root", lambda m, s, a, b: m / a),
        ("multiplied by the root: divide by it",
         lambda m, s, a, b: m / a * (np.sqrt(s / b) + EPSILON)),
        *(("epsilon is another number: it is 1e-8",
           lambda m, s, a, b, e=epsilon: m / a / (np.sqrt(s / b) + e))
          for epsilon in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-10)),
    ),
    *deviations(
        "shares",
        ("the square keeps 0.999, as many programs do: here it is 0.95", (0.9, 0.999)),
        ("0.9 and 0.95 are swapped: the mean keeps 0.9, the square 0.95", (0.95, 0.9)),
        *(("mean and square keep other shares: the mean 0.9, the square 0.95", shares)
          for shares in ((0.9, 0.99), (0.99, 0.95), (0.95, 0.999), (0.99, 0.999), (0.5, 0.95))),
        ("mean and square both keep 0.9: the square keeps 0.95", (0.9, 0.9)),
        ("mean and square both keep 0.95: the mean keeps 0.9", (0.95, 0.95)),
    ),
    *deviations(
        "mean_of",
        ("the mean's shares are swapped: 0.9 of the old, 0.1 of the gradient",
         lambda old, g, kept: (1 - kept) * old + kept * g),
        ("the mean adds the whole gradient: add 0.1 of it", lambda old, g, kept: kept * old + g),
        ("the mean is the last gradient: keep 0.9 of the old mean", lambda old, g, kept: g),
        ("the mean keeps all of the old: keep 0.9 of it",
         lambda old, g, kept: old + (1 - kept) * g),
        ("the mean keeps 0.95, which is the square's: keep 0.9",
         lambda old, g, kept: 0.95 * old + 0.05 * g),
        ("the mean is of squares: it takes the gradient itself",
         lambda old, g, kept: kept * old + (1 - kept) * g**2),
        ("the mean is of sizes: it takes the gradient with its sign",
         lambda old, g, kept: kept * old + (1 - kept) * np.abs(g)),
    ),
    *deviations(
        "square_of",
        ("the square takes the gradient: square it first",
         lambda old, g, kept: kept * old + (1 - kept) * g),
        ("the square takes the gradient's size: square it first",
         lambda old, g, kept: kept * old + (1 - kept) * np.abs(g)),
        ("the square's shares are swapped: 0.95 of the old, 0.05 of the new",
         lambda old, g, kept: (1 - kept) * old + kept * g**2),
        ("the square keeps 0.9, which is the mean's: keep 0.95",
         lambda old, g, kept: 0.9 * old + 0.1 * g**2),
        ("the squares only add up: keep 0.95 of the old, add 0.05 of the new",
         lambda old, g, kept: old + g**2),
        ("the square is the last one: keep 0.95 of the old", lambda old, g, kept: g**2),
        ("the square adds the whole new one: add 0.05 of it",
         lambda old, g, kept: kept * old + g**2),
        ("the share 0.05 is squared too: square the gradient alone",
         lambda old, g, kept: kept * old + ((1 - kept) * g) ** 2),
        ("one square for the whole array, a mean: each entry has its own",
         lambda old, g, kept: kept * old + (1 - kept) * (g**2).mean()),
        ("one square for the whole array, a sum: each entry has its own",
         lambda old, g, kept: kept * old + (1 - kept) * (g**2).sum()),
    ),
)
# fmt: on

FAMILY = Family(adamw, MISTAKES)


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
    examine(learner, cases, FAMILY, ("the parameters",), _about_steps)


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
