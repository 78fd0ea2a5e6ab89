"""Task 3 of exercise 07: a gradient check by differences of the loss."""

import numpy as np

from tests.answers import right, wrong


def _error(a, b):
    total = np.linalg.norm(a) + np.linalg.norm(b)
    return np.linalg.norm(a - b) / total if total > 0 else 0.0


def _moved(W, place, step):
    moved = W.astype(float)
    moved[place] += step
    return moved


def _measured(loss, W, h):
    measured = np.zeros(W.shape)
    for place in np.ndindex(W.shape):
        measured[place] = (loss(_moved(W, place, h)) - loss(_moved(W, place, -h))) / (2 * h)
    return measured


@right
def on_copies(loss, W, gradient, h):
    return _error(gradient, _measured(loss, W, h))


@right
def puts_back(loss, W, gradient, h):
    W = W.astype(float)
    measured = np.empty_like(W)
    for place in np.ndindex(W.shape):
        before = W[place]
        W[place] = before + h
        up = loss(W)
        W[place] = before - h
        measured[place] = (up - loss(W)) / 2 / h
        W[place] = before
    difference = np.sqrt(np.sum((gradient - measured) ** 2))
    lengths = np.sqrt(np.sum(gradient**2)) + np.sqrt(np.sum(measured**2))
    return 0.0 if lengths == 0 else difference / lengths


@right
def with_unit_steps(loss, W, gradient, h):
    steps = h * np.eye(W.size).reshape(W.size, *W.shape)
    measured = np.array([(loss(W + step) - loss(W - step)) / (2 * h) for step in steps])
    return float(_error(gradient.ravel(), measured))


@right
def with_nditer(loss, W, gradient, h):
    squares = [0.0, 0.0, 0.0]
    it = np.nditer(np.zeros(W.shape), flags=["multi_index"])
    for _ in it:
        place = it.multi_index
        slope = (loss(_moved(W, place, h)) - loss(_moved(W, place, -h))) / (h + h)
        given = gradient[place]
        for index, value in enumerate((given, slope, given - slope)):
            squares[index] += value**2
    given, slope, apart = np.sqrt(squares)
    return apart / max(given + slope, 1e-30)


@right
def with_a_small_floor(loss, W, gradient, h):
    measured = _measured(loss, W, h)
    lengths = np.linalg.norm(gradient) + np.linalg.norm(measured)
    return np.linalg.norm(gradient - measured) / (lengths + 1e-12)


@right
def in_place_and_put_back(loss, W, gradient, h):
    if W.dtype.kind == "i":
        W = W.astype(float)
    measured = np.zeros(W.shape)
    flat, out = W.reshape(-1), measured.reshape(-1)
    for i in range(flat.size):
        before = flat[i]
        flat[i] = before + h
        out[i] = loss(W)
        flat[i] = before - h
        out[i] = (out[i] - loss(W)) / (2 * h)
        flat[i] = before
    return _error(gradient, measured)


@wrong("changes its input W in place")
def input_changed(loss, W, gradient, h):
    measured = np.zeros(W.shape)
    for place in np.ndindex(W.shape):
        W[place] += h
        up = loss(W)
        W[place] -= 2 * h
        measured[place] = (up - loss(W)) / (2 * h)
    return _error(gradient, measured)


@wrong("changes its input W in place")
def put_back_with_rounding(loss, W, gradient, h):
    measured = np.zeros(W.shape)
    for place in np.ndindex(W.shape):
        W[place] += h
        up = loss(W)
        W[place] -= 2 * h
        measured[place] = (up - loss(W)) / (2 * h)
        W[place] += h
    return _error(gradient, measured)


@wrong("only the first entry")
def first_entry(loss, W, gradient, h):
    measured = _measured(loss, W, h).flat[0]
    return abs(gradient.flat[0] - measured) / (abs(gradient.flat[0]) + abs(measured))


@wrong("all entries are moved at once")
def everything_at_once(loss, W, gradient, h):
    return _error(gradient, np.full(W.shape, (loss(W + h) - loss(W - h)) / (2 * h)))


@wrong("absolute distance")
def absolute(loss, W, gradient, h):
    return np.linalg.norm(gradient - _measured(loss, W, h))


@wrong("larger length")
def by_the_larger(loss, W, gradient, h):
    measured = _measured(loss, W, h)
    larger = max(np.linalg.norm(gradient), np.linalg.norm(measured), 1e-30)
    return np.linalg.norm(gradient - measured) / larger


@wrong("each entry has its own error, and the largest")
def largest_of_the_entries(loss, W, gradient, h):
    measured = _measured(loss, W, h)
    sizes = np.maximum(np.abs(gradient) + np.abs(measured), 1e-8)
    return (np.abs(gradient - measured) / sizes).max()


@wrong("measured gradient", "compare it")
def the_measured_one(loss, W, gradient, h):
    return _measured(loss, W, h)


@wrong("True or False")
def a_verdict(loss, W, gradient, h):
    return bool(_error(gradient, _measured(loss, W, h)) < 1e-6)


@wrong("whole numbers", "cut to a whole number")
def kept_whole(loss, W, gradient, h):
    measured = np.zeros(W.shape)
    for place in np.ndindex(W.shape):
        up, down = W.copy(), W.copy()
        up[place] += h if W.dtype.kind == "f" else 0
        down[place] = W[place] - h
        measured[place] = (loss(up) - loss(down)) / (2 * h)
    return _error(gradient, measured)


@wrong("line", "IndexError")
def only_for_matrices(loss, W, gradient, h):
    measured = np.zeros(W.shape)
    for i in range(W.shape[0]):
        for j in range(W.shape[1]):
            at = (i, j)
            measured[at] = (loss(_moved(W, at, h)) - loss(_moved(W, at, -h))) / (2 * h)
    return _error(gradient, measured)
