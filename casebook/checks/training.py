"""The checks of exercise 07 but for AdamW: loss, a backward pass, its check, two lessons."""

import numpy as np

from casebook.checks import mistakes_backward as back
from casebook.checks import mistakes_lessons as lessons
from casebook.checks import mistakes_training as loss
from casebook.checks.compare import as_array, parts_of, refuse_unfinished, same
from casebook.checks.diagnosis import Case, Family, examine
from casebook.checks.plain_words import Wrong
from casebook.checks.verdict import check

CROSS_ENTROPY = Family(loss.cross_entropy, loss.CROSS_ENTROPY)
HALVES = ("the loss", "d_logits")


@check("cross_entropy", ("logits", "targets", "importance"))
def check_cross_entropy(learner, rng):
    """Check the mean surprise, weighed by importance, and its gradient by the logits."""

    def case(label, n, n_words, size=1.5, importance=None):
        importance = rng.uniform(0.5, 4, n) if importance is None else np.array(importance)
        targets = rng.integers(0, n_words, n)
        return Case(label, (rng.normal(0.3, size, (n, n_words)), targets, importance))

    large = np.array([[1000.0, -1000, 0], [-1000, 1000, 999], [0, 1000, -1000], [5, -1000, 5]])
    cases = [
        case("", 5, 7),
        case("", 4, 4, importance=[0.0, 3, 0.5, 2]),
        case("", 6, 3),
        case("for importance of 0 and 1", 5, 6, importance=[0, 1, 1, 0, 1]),
        case("for a single row", 1, 5, importance=[2.5]),
        Case("for logits of ±1000", (large, np.array([0, 2, 2, 0]), np.array([1.0, 2, 3, 4]))),
    ]
    examine(learner, cases, CROSS_ENTROPY, HALVES, _about_loss)


def _about_one_part(family, names, case, got, right):
    """Return the sentence of a mistake that explains one of the results by itself, or None.

    With three mistakes or more, no pair of them explains everything.
    """
    for index, name in enumerate(names):
        part = slice(index, index + 1)
        if same(got[part], right[part]):
            continue
        for mistake in family.deviations:
            results = family.results(case.inputs, [mistake])
            if results and same(got[part], results[part]):
                return f"in {name}: {mistake.says}."
    return None


def _about_loss(case, got, right):
    """Say which half is right, and what must hold of the other."""
    sentence = _about_one_part(CROSS_ENTROPY, HALVES, case, got, right)
    if sentence:
        return sentence
    value, d_logits = got
    if value < 0:
        return f"a loss of {value:.3g}: a surprise is never negative."
    if not np.isclose(value, right[0]):
        led = "d_logits is right, " if np.allclose(d_logits, right[1]) else ""
        return f"{led}the loss is {value:.4g}, expected {right[0]:.4g}."
    sums = d_logits.sum(axis=-1)
    if not np.allclose(sums, 0, atol=1e-7):
        row = int(np.argmax(np.abs(sums)))
        return f"the loss is right, d_logits is not: row {row} sums to {sums[row]:.3g}, not to 0."
    return "the loss is right, d_logits is not: compare it with differences of the loss."


FEED_FORWARD_BACKWARD = Family(back.feed_forward_backward, back.FEED_FORWARD_BACKWARD)
GRADIENTS = ("d_X", "d_W_1", "d_W_2")
WHERE_TO_LOOK = {
    "d_X": "look at the way back through W_1, and at the straight road",
    "d_W_1": "it is made of X and what comes out of the gate, for all tokens",
    "d_W_2": "it is made of the ReLU's result and d_output, for all tokens",
}


@check("feed_forward_backward", ("d_output", "X", "W_1", "W_2"))
def check_feed_forward_backward(learner, rng):
    """Check the backward pass of a feed-forward layer with its residual, over a batch."""

    def case(label, n_sequences, n_tokens, d_model, d_ff):
        shape = n_sequences, n_tokens, d_model
        W_1, W_2 = rng.normal(0.1, 1, (d_model, d_ff)), rng.normal(-0.1, 1, (d_ff, d_model))
        return Case(label, (rng.normal(0.2, 1, shape), rng.normal(0.2, 1, shape), W_1, W_2))

    cases = [
        case("", 3, 4, 5, 5),
        case("", 4, 3, 4, 6),
        case("", 2, 7, 3, 2),
        case("for a single sequence", 1, 4, 3, 5),
        case("for a single token", 1, 1, 3, 4),
        case("for sequences of one token", 4, 1, 3, 3),
    ]
    examine(learner, cases, FEED_FORWARD_BACKWARD, GRADIENTS, _about_gradients)


def _about_gradients(case, got, right):
    """Name the mistake in one of the three, or say which of them are right."""
    sentence = _about_one_part(FEED_FORWARD_BACKWARD, GRADIENTS, case, got, right)
    if sentence:
        return sentence
    fits = [np.allclose(*pair) for pair in zip(got, right, strict=True)]
    good = [name for name, fit in zip(GRADIENTS, fits, strict=True) if fit]
    bad = [name for name, fit in zip(GRADIENTS, fits, strict=True) if not fit]
    if not good:
        return None
    verbs = ("is" if len(good) == 1 else "are"), ("is" if len(bad) == 1 else "are")
    advice = f": {WHERE_TO_LOOK[bad[0]]}." if len(bad) == 1 else ": look at the gate."
    return f"{' and '.join(good)} {verbs[0]} right, {' and '.join(bad)} {verbs[1]} not{advice}"


def _one_error(value):
    if isinstance(value, (bool, np.bool_)):
        raise Wrong("True or False: the error itself is asked for, a number.")
    return parts_of(value, ("the error",))


GRADIENT_ERROR = Family(back.gradient_error, back.GRADIENT_ERROR, absolute=1e-8, read=_one_error)


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
    examine(learner, cases, GRADIENT_ERROR, ("the error",), _about_error)


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


LESSONS = ("next word", "fill in")
PARTS = ("tokens", "targets", "importance")


def _two_lessons(value):
    """Return each lesson as one array, (3, n_sequences, n_tokens)."""
    refuse_unfinished("the result", value)
    if isinstance(value, dict):
        raise Wrong("came as dict: two lessons are asked for, next word and fill in.")
    if not hasattr(value, "__len__") or len(value) != len(LESSONS):
        count = f"{len(value)} results" if hasattr(value, "__len__") else "1 result"
        raise Wrong(f"returns {count}, but the task asks for 2 lessons: next word, fill in.")
    return [_one_lesson(name, lesson) for name, lesson in zip(LESSONS, value, strict=True)]


def _one_lesson(name, lesson):
    refuse_unfinished(name, lesson)
    if isinstance(lesson, dict) or not hasattr(lesson, "__len__") or len(lesson) != len(PARTS):
        raise Wrong(f"{name}: three arrays are asked for: tokens, targets, importance.")
    arrays = [as_array(f"{name}: {part}", array) for part, array in zip(PARTS, lesson, strict=True)]
    if len({array.shape for array in arrays}) > 1:
        shapes = ", ".join(
            f"{part} {array.shape}" for part, array in zip(PARTS, arrays, strict=True)
        )
        raise Wrong(f"{name}: {shapes}: the three must have one shape.")
    return np.array(arrays)


TWO_LESSONS = Family(lessons.two_lessons, lessons.TWO_LESSONS, read=_two_lessons)


@check("two_lessons", ("sequences", "blank", "mask_word"))
def check_two_lessons(learner, rng):
    """Check the two lessons that one text gives: say the next word, fill in the blanks."""

    def case(label, n_sequences, n_words, share=0.4):
        words = rng.permutation(np.arange(3, 3 + n_sequences * n_words))
        blank = rng.random((n_sequences, n_words)) < share
        blank[:, :2] = [True, False] if 0 < share < 1 else share
        return Case(label, (words.reshape(n_sequences, n_words), blank, 2 + words.size + 1))

    cases = [
        case("", 3, 5),
        case("", 2, 7),
        case("", 4, 4),
        case("for a single sequence", 1, 6),
        case("for sequences of two words", 3, 2),
        case("where nothing is blank", 2, 4, share=0),
        case("where everything is blank", 2, 3, share=1),
    ]
    examine(learner, cases, TWO_LESSONS, LESSONS, _about_lessons)


def _about_lessons(case, got, right):
    """Say which array of which lesson is wrong, for a mistake that nobody foresaw."""
    for name, lesson, wanted in zip(LESSONS, got, right, strict=True):
        off = [not np.allclose(*pair) for pair in zip(lesson, wanted, strict=True)]
        if any(off):
            index = off.index(True)
            row = int(np.flatnonzero((lesson[index] != wanted[index]).any(axis=-1))[0])
            came, expected = _in_short(lesson[index][row]), _in_short(wanted[index][row])
            return f"{name}: {PARTS[index]} of sequence {row}: {came}, expected {expected}."
    return None


def _in_short(row):
    return "[" + " ".join(f"{number:g}" for number in row[:6]) + (" …]" if len(row) > 6 else "]")
