"""Task 3 of exercise 03: a variance with its error bar."""

import math
import statistics

import numpy as np

from tests.answers import right, wrong


def _dots(queries, keys):
    return (queries * keys).sum(axis=-1)


def _squares(queries, keys):
    x = _dots(queries, keys)
    return (x - x.mean()) ** 2


def _error(queries, keys):
    squares = _squares(queries, keys)
    return squares.std(ddof=1) / math.sqrt(len(squares))


@right
def with_numpy(queries, keys):
    return _dots(queries, keys).var(ddof=1), _error(queries, keys)


@right
def with_loops(queries, keys):
    x = [sum(float(a) * float(b) for a, b in zip(q, k)) for q, k in zip(queries, keys)]  # noqa: B905
    mean = sum(x) / len(x)
    squares = [(value - mean) ** 2 for value in x]
    of_squares = sum(squares) / len(x)
    spread = math.sqrt(sum((s - of_squares) ** 2 for s in squares) / (len(x) - 1))
    return sum(squares) / (len(x) - 1), spread / math.sqrt(len(x))


@right
def with_einsum_and_cov(queries, keys):
    x = np.einsum("id,id->i", queries, keys)
    squares = (x - x.mean()) ** 2
    return float(np.cov(x)), float(np.sqrt(np.cov(squares) / len(x)))


@right
def with_statistics(queries, keys):
    x = np.diag(queries @ keys.T).tolist()
    squares = [(value - statistics.fmean(x)) ** 2 for value in x]
    return [statistics.variance(x), statistics.stdev(squares) / len(x) ** 0.5]


@right
def as_an_array(queries, keys):
    return np.array(with_numpy(queries, keys))


@wrong("ddof=0, divides by n", "error bar has ddof=0")
def numpy_default_twice(queries, keys):
    squares = _squares(queries, keys)
    return _dots(queries, keys).var(), squares.std() / math.sqrt(len(squares))


@wrong("mean is not subtracted")
def mean_square(queries, keys):
    squares = _dots(queries, keys) ** 2
    return squares.sum() / (len(squares) - 1), squares.std(ddof=1) / math.sqrt(len(squares))


@wrong("every query meets every key")
def all_pairs(queries, keys):
    x = (queries @ keys.T).ravel()
    squares = (x - x.mean()) ** 2
    return x.var(ddof=1), squares.std(ddof=1) / math.sqrt(len(x))


@wrong("that of the mean")
def error_of_the_mean(queries, keys):
    x = _dots(queries, keys)
    return x.var(ddof=1), x.std(ddof=1) / math.sqrt(len(x))


@wrong("only the variance")
def without_error(queries, keys):
    return _dots(queries, keys).var(ddof=1)


@wrong("variance is right", "error bar is not")
def error_doubled(queries, keys):
    return _dots(queries, keys).var(ddof=1), 2 * _error(queries, keys)


@wrong("does not depend on keys")
def keys_forgotten(queries, keys):
    return with_numpy(queries, np.ones_like(queries))


@wrong("variance is", "expected")
def theory_returned(queries, keys):
    return float(queries.shape[1]), _error(queries, keys)


@wrong("prints", "return")
def only_printed(queries, keys):
    print(_dots(queries, keys).var(ddof=1), _error(queries, keys))


@wrong("called twice")
def from_new_random_numbers(queries, keys):
    return with_numpy(np.random.default_rng().normal(size=queries.shape), keys)
