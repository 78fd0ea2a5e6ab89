"""Task 4 of exercise 05: a test that tells relative scores from absolute ones."""

import math

import numpy as np

from tests.answers import right, wrong


def _same(a, b):
    return abs(a - b) <= 1e-9


def _pairs(n=24):
    return [(m, n_key) for m in range(n) for n_key in range(n)]


@right
def against_the_start(score, q, k):
    for m, n in _pairs():
        earlier = min(m, n)
        if not _same(score(q, k, m, n), score(q, k, m - earlier, n - earlier)):
            return False
    return True


@right
def one_step_on(score, q, k):
    return all(_same(score(q, k, m, n), score(q, k, m + 1, n + 1)) for m, n in _pairs(23))


@right
def along_the_diagonals(score, q, k):
    table = np.array([[score(q, k, m, n) for n in range(24)] for m in range(24)])
    return bool(np.allclose(table[1:, 1:], table[:-1, :-1], rtol=0, atol=1e-9))


@right
def remembers_each_offset(score, q, k):
    seen = {}
    for m, n in _pairs():
        value = score(q, k, m, n)
        if not math.isclose(seen.setdefault(n - m, value), value, rel_tol=0, abs_tol=1e-9):
            return False
    return True


@right
def every_shift(score, q, k):
    return all(
        _same(score(q, k, m, n), score(q, k, m + s, n + s))
        for m, n in _pairs()
        for s in range(24 - max(m, n))
    )


@wrong("always says True")
def trusting(score, q, k):
    return True


@wrong("only the key is moved")
def moves_the_key(score, q, k):
    return all(_same(score(q, k, m, n), score(q, k, m, n + 1)) for m, n in _pairs(23))


@wrong("compared exactly")
def to_the_last_bit(score, q, k):
    return all(score(q, k, m, n) == score(q, k, m + 1, n + 1) for m, n in _pairs(23))


@wrong("always share a position")
def at_equal_positions(score, q, k):
    return all(_same(score(q, k, m, m), score(q, k, 0, 0)) for m in range(24))


@wrong("only even shifts")
def two_steps_on(score, q, k):
    return all(_same(score(q, k, m, n), score(q, k, m + 2, n + 2)) for m, n in _pairs(22))


@wrong("far positions are never tried")
def stays_near(score, q, k):
    return all(_same(score(q, k, m, n), score(q, k, m + 1, n + 1)) for m, n in _pairs(10))


@wrong("misses a score that is not relative")
def tries_one_far_pair(score, q, k):
    return _same(score(q, k, 3, 5), score(q, k, 13, 15))


@wrong("True or False")
def returns_the_difference(score, q, k):
    return max(abs(score(q, k, m, n) - score(q, k, m + 1, n + 1)) for m, n in _pairs(23))
