"""The check of a gradient check: central differences, and a relative error."""

import numpy as np

from casebook.checks.engine.compare import parts_of
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep
from casebook.checks.engine.plain_words import Wrong
from casebook.checks.engine.verdict import check


def _at(loss, W, place, step):
    moved = W.copy()
    moved[place] += step
    return loss(moved)


def _central(loss, W, place, h):
    return (_at(loss, W, place, h) - _at(loss, W, place, -h)) / (2 * h)


def _length(array):
    return np.sqrt((array**2).sum())


def _relative(gradient, measured, length=_length):
    total = length(gradient) + length(measured)
    return length(gradient - measured) / total if total else 0.0


def gradient_error(
    loss,
    W,
    gradient,
    h,
    step=keep,
    slope=_central,
    places=lambda places: places,
    compare=_relative,
    give=lambda error, measured, shape: error,
):
    """Return the result of task ``gradient_error``.

    step: which step is used. slope: of the loss at one place. places: where it is measured.
    """
    W, tried = W.astype(float), places(list(np.ndindex(W.shape)))
    measured = np.array([slope(loss, W, place, step(h)) for place in tried])
    given = np.array([gradient[place] for place in tried])
    return give(compare(given, measured), measured, W.shape)


def _drifting(start, end):
    """Return a slope that puts no entry back: it moves ``start`` steps, then ``end`` more."""

    def slope(loss, W, place, h):
        W[place] += start * h
        first = loss(W)
        W[place] += end * h
        return (first - loss(W)) / (-end * h)

    return slope


def _row_at_once(loss, W, place, h):
    return _central(loss, W, place[0], h)


def _all_at_once(loss, W, place, h):
    return _central(loss, W, ..., h)


# fmt: off
MISTAKES = (
    *deviations(
        "slope",
        ("one-sided: use the loss at W + h and at W - h",
         lambda loss, W, place, h: (_at(loss, W, place, h) - loss(W)) / h),
        ("one-sided, backwards: use the loss at W + h and at W - h",
         lambda loss, W, place, h: (loss(W) - _at(loss, W, place, -h)) / h),
        ("the difference is divided by h: W + h and W - h are 2 h apart",
         lambda loss, W, place, h: 2 * _central(loss, W, place, h)),
        ("the difference is not divided by 2 h",
         lambda loss, W, place, h: 2 * h * _central(loss, W, place, h)),
        ("divided by 2 and multiplied by h: brackets, / (2 * h)",
         lambda loss, W, place, h: h * h * _central(loss, W, place, h)),
        ("the sign is turned: W + h comes first, less W - h",
         lambda loss, W, place, h: -_central(loss, W, place, h)),
        ("one-sided, and divided by 2 h",
         lambda loss, W, place, h: (_at(loss, W, place, h) - loss(W)) / (2 * h)),
        ("W - h is left behind: put each entry back before the next", _drifting(1, -2)),
        ("W + h is left behind: put each entry back before the next", _drifting(-1, 2)),
        ("one-sided, and W + h is left behind: put each entry back", _drifting(0, 1)),
        ("a whole row is moved at once: move one entry at a time", _row_at_once),
        ("all entries are moved at once: move one entry at a time", _all_at_once),
        ("the entry is replaced by h: add h to it",
         lambda loss, W, place, h:
         (_at(loss, W, place, h - W[place]) - _at(loss, W, place, -h - W[place])) / (2 * h)),
        ("the entry is multiplied by 1 + h: add h to it",
         lambda loss, W, place, h:
         (_at(loss, W, place, h * W[place]) - _at(loss, W, place, -h * W[place])) / (2 * h)),
        ("nothing was measured: the slope is 0 everywhere", lambda loss, W, place, h: 0.0),
    ),
    *deviations(
        "step",
        *(("h is not used, but a step of its own: use the step that is given", lambda h, s=step: s)
          for step in (1e-5, 1e-3, 1e-2, 0.1, 1.0)),
        ("the step is h / 2: use h on both sides", lambda h: h / 2),
        ("the step is 2 h: use h on both sides", lambda h: 2 * h),
    ),
    *deviations(
        "places",
        ("only the first entry is tried: a mistake may sit anywhere", lambda places: places[:1]),
        ("the last entry is never tried: a mistake may sit there", lambda places: places[:-1]),
        ("the first entry is never tried: a mistake may sit there", lambda places: places[1:]),
        ("only the last entry is tried: a mistake may sit anywhere", lambda places: places[-1:]),
        ("only the first row is tried: a mistake may sit anywhere",
         lambda places: [place for place in places if place[0] == 0]),
        ("only the first column is tried: a mistake may sit anywhere",
         lambda places: [place for place in places if not any(place[1:])]),
        ("only the diagonal is tried: a mistake may sit anywhere",
         lambda places: [place for place in places if len(set(place)) == 1]),
    ),
    *deviations(
        "compare",
        ("the error is always 0: compare the given gradient with the measured", lambda a, b: 0.0),
        ("an absolute distance: divide by the two lengths together",
         lambda a, b: _length(a - b)),
        ("the largest difference, absolute: divide lengths as the task says",
         lambda a, b: np.abs(a - b).max()),
        ("the mean difference, absolute: divide lengths as the task says",
         lambda a, b: np.abs(a - b).mean()),
        ("the root mean square, absolute: divide lengths as the task says",
         lambda a, b: np.sqrt(((a - b) ** 2).mean())),
        ("1 less the cosine: lengths matter too, divide as the task says",
         lambda a, b: 1 - (a * b).sum() / (_length(a) * _length(b))),
        ("the sum of the differences, absolute: divide lengths as the task says",
         lambda a, b: np.abs(a - b).sum()),
        ("divides by the gradient's length alone: add the measured one's",
         lambda a, b: _length(a - b) / _length(a)),
        ("divides by the measured length alone: add the gradient's",
         lambda a, b: _length(a - b) / _length(b)),
        ("divides by the larger length: divide by both together",
         lambda a, b: _length(a - b) / max(_length(a), _length(b))),
        ("divides by the length of the sum: add the two lengths",
         lambda a, b: _length(a - b) / _length(a + b)),
        ("0 / 0 where both are 0: the error is 0 there",
         lambda a, b: np.divide(_length(a - b), _length(a) + _length(b))),
        ("the square is taken, not the length: its root is missing",
         lambda a, b: _relative(a, b, lambda c: (c**2).sum())),
        ("lengths are sums of sizes: take the root of the sum of squares",
         lambda a, b: _relative(a, b, lambda c: np.abs(c).sum())),
        ("lengths are largest sizes: take the root of the sum of squares",
         lambda a, b: _relative(a, b, lambda c: np.abs(c).max())),
        ("each entry has its own error, and the largest is taken: use lengths",
         lambda a, b: (np.abs(a - b) / (np.abs(a) + np.abs(b))).max()),
        ("each entry has its own error, and the mean is taken: use lengths",
         lambda a, b: (np.abs(a - b) / (np.abs(a) + np.abs(b))).mean()),
        ("the errors of the entries, one each: one number for all is asked for",
         lambda a, b: np.abs(a - b) / (np.abs(a) + np.abs(b))),
        ("the difference of the lengths: take the length of the difference",
         lambda a, b: abs(_length(a) - _length(b)) / (_length(a) + _length(b))),
        ("differences cancel: take the length, not the sum",
         lambda a, b: (a - b).sum() / (_length(a) + _length(b))),
        ("half of the lengths together, their mean: divide by their sum",
         lambda a, b: 2 * _relative(a, b)),
        ("the lengths are multiplied: add them",
         lambda a, b: _length(a - b) / (_length(a) * _length(b))),
        ("brackets are missing: divide by (the sum of both lengths)",
         lambda a, b: _length(a - b) / _length(a) + _length(b)),
    ),
    *deviations(
        "give",
        ("this is the measured gradient: compare it with the given one",
         lambda error, measured, shape: measured.reshape(shape)),
        ("1 - error: 0 must mean the same, 1 the worst",
         lambda error, measured, shape: 1 - error),
    ),
)
# fmt: on


def _one_error(value):
    if isinstance(value, (bool, np.bool_)):
        raise Wrong("True or False: the error itself is asked for, a number.")
    return parts_of(value, ("the error",))


FAMILY = Family(gradient_error, MISTAKES, absolute=1e-8, read=_one_error)


@check("gradient_error", ("loss", "W", "gradient", "h"))
def check_gradient_error(learner, rng):
    """Check a gradient check, on gradients that are right and on gradients that are not."""

    def case(label, shape, h, spoil, whole=False):
        W = rng.integers(0, 4, shape) if whole else rng.normal(0.4, 1, shape)
        of_loss, slope = _bent(rng, shape)
        return Case(label, (of_loss, W, spoil(slope(W)), h))

    def one_wrong(gradient):
        gradient[-1, -1] += 1
        return gradient

    flat = Case("where loss and gradient are flat", (_level, rng.normal(0, 1, 3), np.zeros(3), 0.1))
    cases = [
        case("", (2, 3), 0.3, lambda gradient: gradient + rng.normal(0, 1, gradient.shape)),
        case("", (3, 3), 0.2, np.transpose),
        case("", (5,), 0.4, lambda gradient: gradient[::-1].copy()),
        case("", (2, 3, 2), 0.5, lambda gradient: 1.5 * gradient + 0.3),
        case("for a right gradient", (2, 4), 1e-5, lambda gradient: gradient),
        case("for a gradient with one wrong entry, the last", (4, 3), 1e-4, one_wrong),
        case("for a gradient of zeros", (2, 3), 1e-3, np.zeros_like),
        case("for a gradient with the sign turned", (3, 2), 1e-4, np.negative),
        case("for a single number", (1,), 0.25, lambda gradient: 3 * gradient),
        flat,
        case("for W of whole numbers", (2, 3), 0.3, lambda gradient: gradient, whole=True),
    ]
    examine(learner, cases, FAMILY, ("the error",), _about_error)


def _bent(rng, shape):
    """Return a loss in which every entry matters and is bent, and its gradient."""
    A, B = rng.normal(1, 0.7, shape), rng.normal(0, 1, shape)

    def of_loss(W):
        W = np.asarray(W, dtype=float)
        return float((A * np.sin(W + B) + 0.3 * (A * W) ** 3).sum() + 0.2 * W.sum() ** 3)

    def slope(W):
        return A * np.cos(W + B) + 0.9 * A**3 * W**2 + 0.6 * W.sum() ** 2

    return of_loss, slope


def _level(W):
    return 2.0


def _about_error(case, got, right):
    """Say what must hold of an error, for a mistake that nobody foresaw."""
    error, W = got[0], case.inputs[1]
    if error < 0 or error > 1 + 1e-9:
        return f"an error of {error:.3g}: it lies between 0 (the same) and 1."
    if W.dtype.kind == "i":
        return "what is added to W is cut to a whole number: use W.astype(float)."
    if error < 1e-6:
        return f"misses a wrong gradient: the error is {right[0]:.3g}, yours is {error:.1g}."
    if right[0] < 1e-6:
        return f"blames a right gradient: the error is nearly 0, yours is {error:.2g}."
    return None
