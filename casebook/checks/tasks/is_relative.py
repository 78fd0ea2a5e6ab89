"""The check of a check: does a learner's test tell relative scores from absolute ones?

The learner writes ``is_relative(score, q, k)``; it is tried on ways to score a query at
position m and a key at position n. Which of them it gets wrong tells what it forgot.
"""

import cmath
import functools

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations
from casebook.checks.engine.verdict import check

N_POSITIONS = 24  # a flaw shows among the positions 0 to 23, or nowhere
RATES = (1.0, 0.1)


def _turned(vector, position, sign=1):
    """Return the two pairs of a vector as complex numbers, turned by a position."""
    return [
        complex(a, b) * cmath.exp(sign * 1j * rate * position)
        for a, b, rate in zip(vector[::2], vector[1::2], RATES, strict=True)
    ]


def _dot(first, second):
    return sum((a * b.conjugate()).real for a, b in zip(first, second, strict=True))


def _rotary(q, k, m, n):
    return _dot(_turned(q, m), _turned(k, n))


def _no_positions(q, k, m, n):
    return _rotary(q, k, 0, 0)


def _penalty(q, k, m, n):
    return _no_positions(q, k, m, n) - 0.1 * abs(n - m)


def _clocks_only(q, k, m, n):
    return sum(cmath.exp(1j * rate * (n - m)).real for rate in RATES)


def _rotary_with_rounding(q, k, m, n):
    return _rotary(q, k, m, n) + 1e-13 * m


def _added(q, k, m, n):
    clocks = [[cmath.exp(1j * rate * position) for rate in RATES] for position in (m, n)]
    rows = [_turned(vector, 0) for vector in (q, k)]
    sums = [
        [a + b for a, b in zip(row, hands, strict=True)]
        for row, hands in zip(rows, clocks, strict=True)
    ]
    return _dot(*sums)


def _query_only(q, k, m, n):
    return _dot(_turned(q, m), _turned(k, 0))


def _key_only(q, k, m, n):
    return _dot(_turned(q, 0), _turned(k, n))


def _opposite(q, k, m, n):
    return _dot(_turned(q, m), _turned(k, n, sign=-1))


def _learned(q, k, m, n):
    return _no_positions(q, k, m, n) + cmath.cos(3 * m * m).real + cmath.sin(5 * n * n).real


def _clipped(q, k, m, n):
    return _rotary(q, k, min(m, 16), min(n, 16))


def _parity(q, k, m, n):
    return _rotary(q, k, m, n) + 0.5 * (m % 2)


def _flawed_backwards(q, k, m, n):
    return _rotary(q, k, m, n) + (0.05 * m if n < m else 0)


def _flawed_forwards(q, k, m, n):
    return _rotary(q, k, m, n) + (0.05 * m if n > m else 0)


def _fine_at_one_place(q, k, m, n):
    return _rotary(q, k, m, n) + 0.05 * m * (n - m)


def _fine_between_neighbours(q, k, m, n):
    return _rotary(q, k, m, n) + (0.05 * m if abs(n - m) > 1 else 0)


def _slightly_off(q, k, m, n):
    return _rotary(q, k, m, n) + 1e-5 * m


RELATIVE = {
    _rotary: "RoPE",
    _no_positions: "a score without positions (every offset scores alike)",
    _penalty: "a penalty for distance",
    _clocks_only: "the dot product of two sinusoidal rows",
    _rotary_with_rounding: "RoPE with rounding of 1e-12",
}
ABSOLUTE = {
    _added: "sinusoids added to q and k",
    _query_only: "only the query is turned",
    _key_only: "only the key is turned",
    _opposite: "query and key turned in opposite directions",
    _learned: "a learned table of positions",
    _clipped: "RoPE whose positions stop at 16",
    _parity: "RoPE with a bonus for queries at odd positions",
    _flawed_backwards: "RoPE with a flaw where the key comes before the query",
    _flawed_forwards: "RoPE with a flaw where the key comes after the query",
    _fine_at_one_place: "RoPE with a flaw that grows with the offset",
    _fine_between_neighbours: "RoPE with a flaw beyond the next token",
    _slightly_off: "RoPE with a flaw of 0.00001 a position",
}


@functools.lru_cache(maxsize=64)
def _table(score, q, k):
    """Return the scores of all pairs of positions, (query, key)."""
    return np.array([[score(q, k, m, n) for n in range(N_POSITIONS)] for m in range(N_POSITIONS)])


def _every_pair(m, n):
    return np.ones(m.shape, dtype=bool)


def _is_relative(
    score,
    q,
    k,
    pairs=_every_pair,
    shifts=range(1, N_POSITIONS),
    move=lambda m, n, shift: (m + shift, n + shift),
    n_positions=N_POSITIONS,
    limit=1e-9,
    verdict=lambda relative: bool(relative),
):
    """Return what a test with these stages finds; without any it is a good test.

    pairs: which pairs of positions are moved; shifts: by how much; move: where to;
        n_positions: how many positions are looked at.
    """
    scores = _table(score, tuple(q), tuple(k))
    m, n = np.indices(scores.shape)
    largest = 0.0
    for shift in shifts:
        to_m, to_n = move(m, n, shift)
        tried = pairs(m, n) & (to_m >= 0) & (np.maximum(to_m, to_n) < n_positions)
        changes = scores[to_m[tried], to_n[tried]] - scores[tried]
        largest = max(largest, np.abs(changes).max(initial=0))
    return (float(verdict(largest <= limit)),)


# fmt: off
FAMILY = Family(
    _is_relative,
    (
        *deviations(
            "verdict",
            ("the answer is turned round: True means that only the offset counts",
             lambda relative: not relative),
            ("always says True: no score was put to the test", lambda _: True),
            ("always says False: RoPE itself is called absolute", lambda _: False),
        ),
        *deviations(
            "move",
            ("only the key is moved: that changes the offset, move both",
             lambda m, n, shift: (m, n + shift)),
            ("only the query is moved: that changes the offset, move both",
             lambda m, n, shift: (m + shift, n)),
            ("the positions are swapped: that tests for a mirror, not for the offset",
             lambda m, n, shift: (n, m)),
            ("the positions move apart: move both the same way",
             lambda m, n, shift: (m - shift, n + shift)),
        ),
        *deviations(
            "limit",
            ("the numbers are compared exactly: a difference of 1e-12 is rounding", 0),
            ("the tolerance is too wide: a small difference is missed", 1e-2),
        ),
        *deviations(
            "pairs",
            ("query and key always share a position: try other offsets too",
             lambda m, n: m == n),
            ("only keys after the query are tried: they may come before it too",
             lambda m, n: n >= m),
            ("only keys before the query are tried: they may come after it too",
             lambda m, n: n <= m),
            ("only one pair of positions is tried: a flaw may sit elsewhere",
             lambda m, n: (m == 0) & (n == 1)),
        ),
        *deviations(
            "shifts",
            ("only even shifts are tried: odd and even positions may differ",
             range(2, N_POSITIONS, 2)),
        ),
        *deviations(
            "n_positions",
            ("far positions are never tried: 0 to 23 are asked for", 12),
        ),
    ),
)
# fmt: on


@check("is_relative", ("score", "q", "k"))
def check_is_relative(learner, rng):
    """Check a learner's test for relative scores, on ways to score that are and are not."""
    q, k = rng.normal(0, 1, (2, 2 * len(RATES)))
    cases = [Case("", (score, q, k)) for score in (*RELATIVE, *ABSOLUTE)]
    examine(learner, cases, FAMILY, ("the verdict",), _about_verdict)


def _about_verdict(case, got, right):
    if got[0].dtype != bool or got[0].shape != ():
        return "the verdict is not True or False, which is asked for."
    score = case.inputs[0]
    if right[0]:
        return f"calls a relative score absolute: {RELATIVE[score]}."
    return f"misses a score that is not relative: {ABSOLUTE[score]}."
