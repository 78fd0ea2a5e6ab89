"""AdamW cut into stages, and the mistakes people make there."""

import numpy as np

from casebook.checks.mistakes_softmax import deviations, keep

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
ADAMW = (
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
