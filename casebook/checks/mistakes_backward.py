"""A backward pass and its check cut into stages, and the mistakes people make there."""

import numpy as np

from casebook.checks.mistakes_softmax import deviations, keep


def _all_tokens(rows):
    return rows.reshape(-1, rows.shape[-1])


def feed_forward_backward(
    d_output,
    X,
    W_1,
    W_2,
    back=lambda d, W: d @ W.T,
    back_1=None,
    back_2=None,
    gate=lambda d, hidden: d * (hidden > 0),
    gate_first=lambda d_output, hidden: d_output,
    outer=lambda rows, d: _all_tokens(rows).T @ _all_tokens(d),
    outer_1=None,
    outer_2=None,
    sources=lambda X, hidden, active, d_active, d_hidden: (X, d_hidden, active),
    join=lambda d_output, d_branch, X: d_output + d_branch,
    give=lambda d_X, d_W_1, d_W_2: (d_X, d_W_1, d_W_2),
):
    """Return the results of task ``feed_forward_backward``.

    back: through a matrix. gate_first: a gate at the wrong place. outer: how a matrix gets
        its gradient. sources: what the two gradients are made from, which is the rows before
        W_1, what came back to them, and the rows before W_2.
    """
    hidden = X @ W_1
    active = np.maximum(hidden, 0)
    d_active = (back_2 or back)(gate_first(d_output, hidden), W_2)
    d_hidden = gate(d_active, hidden)
    rows_1, d_rows_1, rows_2 = sources(X, hidden, active, d_active, d_hidden)
    d_W_1, d_W_2 = (outer_1 or outer)(rows_1, d_rows_1), (outer_2 or outer)(rows_2, d_output)
    return give(join(d_output, (back_1 or back)(d_hidden, W_1), X), d_W_1, d_W_2)


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
_OUTER = (
    ("{} is averaged over the tokens: sum over all of them",
     lambda rows, d: _all_tokens(rows).T @ _all_tokens(d) / len(_all_tokens(rows))),
    ("{} is averaged over the sequences: sum over all tokens",
     lambda rows, d: _all_tokens(rows).T @ _all_tokens(d) / len(rows)),
    ("{} is averaged within each sequence: sum over all tokens",
     lambda rows, d: _all_tokens(rows).T @ _all_tokens(d) / rows.shape[-2]),
    ("{} has a matrix for each sequence: sum over the sequences too",
     lambda rows, d: np.swapaxes(rows, -1, -2) @ d),
    ("{} is transposed: rows of the input first, @ what came back",
     lambda rows, d: _all_tokens(d).T @ _all_tokens(rows)),
    ("{} comes from the first sequence alone: sum over all", lambda rows, d: rows[0].T @ d[0]),
    ("{} comes from the last sequence alone: sum over all", lambda rows, d: rows[-1].T @ d[-1]),
)
_BACK = (
    ("the way back through {} needs its transpose: d @ W.T", lambda d, W: d @ W),
    ("the way back leaves {} out: multiply by its transpose", lambda d, W: d),
)

FEED_FORWARD_BACKWARD = (
    *deviations(
        "gate",
        ("the gate is missing: where hidden was cut to 0, nothing flows back", lambda d, h: d),
        ("what comes back is multiplied by the ReLU, not by its slope of 0 or 1",
         lambda d, h: d * np.maximum(h, 0)),
        ("ReLU is applied to what comes back: the gate asks the sign of hidden",
         lambda d, h: np.maximum(d, 0)),
        ("the gate is turned round: it is open where hidden is positive",
         lambda d, h: d * (h <= 0)),
        ("the gate is added: multiply by it", lambda d, h: d + (h > 0)),
        ("the gate stands alone: multiply what comes back by it",
         lambda d, h: (h > 0) * np.ones(d.shape)),
        ("multiplied by hidden itself: the gate is 0 or 1", lambda d, h: d * h),
    ),
    *deviations(
        "gate_first",
        ("a gate stands before W_2: go back through W_2 first, then the gate",
         lambda d, hidden: d * (hidden > 0)),
        ("ReLU is applied to d_output: only hidden has a gate",
         lambda d, hidden: np.maximum(d, 0)),
    ),
    *deviations(
        "join",
        ("d_X lacks the straight road: add d_output", lambda d, branch, X: branch),
        ("d_X is d_output alone: add what comes back through W_1", lambda d, branch, X: d),
        ("d_X adds X: add d_output, which came back along the straight road",
         lambda d, branch, X: X + branch),
        ("d_X is a product: where two roads meet, add", lambda d, branch, X: d * branch),
        ("d_X: the straight road is subtracted, add it", lambda d, branch, X: branch - d),
        ("d_X adds 1: what comes along the straight road is d_output",
         lambda d, branch, X: 1 + branch),
        ("d_X is an average of the two roads: add them", lambda d, branch, X: (d + branch) / 2),
        ("d_X adds the straight road twice", lambda d, branch, X: 2 * d + branch),
    ),
    *deviations(
        "sources",
        ("d_W_2 is made from hidden before the ReLU: W_2 saw it after",
         lambda X, hidden, active, d_active, d_hidden: (X, d_hidden, hidden)),
        ("d_W_1 is made from what came back before the gate: use it after",
         lambda X, hidden, active, d_active, d_hidden: (X, d_active, active)),
        ("d_W_2 is made from the gate of 0 and 1: W_2 saw the ReLU's result",
         lambda X, hidden, active, d_active, d_hidden: (X, d_hidden, (hidden > 0) * 1.0)),
        ("d_W_2 is made from X: W_2 saw the hidden layer",
         lambda X, hidden, active, d_active, d_hidden: (X, d_hidden, X)),
        ("d_W_1 is made from the hidden layer: W_1 saw X",
         lambda X, hidden, active, d_active, d_hidden: (active, d_hidden, active)),
    ),
    *deviations("outer", *((says.format("each d_W"), does) for says, does in _OUTER)),
    *deviations("outer_1", *((says.format("d_W_1"), does) for says, does in _OUTER)),
    *deviations("outer_2", *((says.format("d_W_2"), does) for says, does in _OUTER)),
    *deviations("back", *((says.format("each matrix"), does) for says, does in _BACK)),
    *deviations("back_1", *((says.format("W_1"), does) for says, does in _BACK)),
    *deviations("back_2", *((says.format("W_2"), does) for says, does in _BACK)),
    *deviations(
        "give",
        ("in the order (d_W_1, d_W_2, d_X): d_X comes first", lambda x, a, b: (a, b, x)),
        ("d_W_1 and d_W_2 are swapped", lambda x, a, b: (x, b, a)),
        ("in the order (d_W_2, d_W_1, d_X): d_X comes first", lambda x, a, b: (b, a, x)),
        ("d_X is averaged over the sequences: each token has its own",
         lambda x, a, b: (x.mean(0), a, b)),
        ("d_X is summed over the sequences: each token has its own",
         lambda x, a, b: (x.sum(0), a, b)),
    ),
)

GRADIENT_ERROR = (
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
