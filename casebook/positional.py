"""Positions: sinusoids as clock hands, learned tables, and rotary encoding (RoPE).

All three give attention what it lacks, the order of the tokens. Positions and
pairs are counted from 0. ``base`` sets how slow the slowest clock hand is.
"""

import numpy as np
import numpy.typing as npt

from casebook.guards import at_least, known_rows, one_of, one_position_a_token
from casebook.types import Array, Integers

BASE = 10_000.0
PAIRINGS = ("neighbours", "halves")


def frequencies(d_model: int, base: float = BASE) -> Array:
    """Return how far each clock hand turns per position, in radians.

    Hand i turns by ``base ** (-2 i / d_model)``: the first by 1, the last by
    nearly 1 / base.

    Returns: (d_model / 2,), falling.
    Raises: ValueError if d_model is odd or below 2.
    Source: Vaswani et al. (2017), section 3.5.
    """
    if d_model < 2 or d_model % 2:
        raise ValueError(f"d_model is {d_model}: expected an even width, one pair a clock hand")
    return base ** (-np.arange(0, d_model, 2) / d_model)


def sinusoidal_encoding(positions: npt.ArrayLike, d_model: int, base: float = BASE) -> Array:
    """Return the sinusoidal encoding of each position.

    Column 2i holds the sine and column 2i + 1 the cosine of ``position * frequencies[i]``.

    positions: how many, counted from 0, or an array of positions of any shape.
    Returns: (n_positions, d_model), or (..., d_model) for an array.
    Raises: ValueError if d_model is odd, or fewer than one position is asked for.
    Source: Vaswani et al. (2017), section 3.5.
    """
    angles = clock_angles(positions, d_model, base)
    encoding = np.empty((*angles.shape[:-1], d_model))
    encoding[..., 0::2] = np.sin(angles)
    encoding[..., 1::2] = np.cos(angles)
    return encoding


def clock_angles(positions: npt.ArrayLike, d_model: int, base: float = BASE) -> Array:
    """Return the angle of every hand at every position, in radians, not reduced by turns.

    positions: how many, counted from 0, or an array of positions of any shape.
    Returns: (..., d_model / 2).
    Raises: ValueError if d_model is odd, or fewer than one position is asked for.
    """
    if isinstance(positions, (int, np.integer)):
        at_least("positions", int(positions), 1)
        positions = np.arange(positions)
    return np.asarray(positions, dtype=float)[..., None] * frequencies(d_model, base)


def shift_matrix(k: float, d_model: int, base: float = BASE) -> Array:
    """Return the matrix R with ``R @ PE(position) = PE(position + k)`` for every position.

    It turns each hand by k times its own frequency, and knows nothing of the position.

    k: offset, may be negative. Returns: (d_model, d_model), orthogonal, 2 x 2 blocks.
    Source: Vaswani et al. (2017), section 3.5.
    """
    angles = k * frequencies(d_model, base)
    R = np.zeros((d_model, d_model))
    sines, cosines = np.arange(0, d_model, 2), np.arange(1, d_model, 2)
    R[sines, sines] = R[cosines, cosines] = np.cos(angles)
    R[sines, cosines] = np.sin(angles)
    R[cosines, sines] = -np.sin(angles)
    return R


def learned_encoding(table: Array, positions: Integers) -> Array:
    """Return the rows of a learned table of positions.

    table: (n_trained, d_model). positions: whole numbers, any shape.
    Returns: (..., d_model).
    Raises: ValueError for a position the table has no row for.
    Source: Devlin et al. (2019); Radford et al. (2018).
    """
    return table[known_rows("positions", positions, len(table), "table")]


def rotate(
    X: Array, positions: npt.ArrayLike, pairing: str = "neighbours", base: float = BASE
) -> Array:
    """Return the rows of ``X`` with each pair of columns turned by its position (RoPE).

    A score between a query turned by m and a key turned by n depends on n - m only.

    X: (..., n_tokens, d_head), d_head even. positions: (n_tokens,).
    pairing: which columns make pair i: "neighbours" takes 2i and 2i + 1 (the
        paper), "halves" takes i and i + d_head / 2 (many libraries).
    Returns: same shape as X.
    Raises: ValueError if d_head is odd, the counts differ, or the pairing has another name.
    Source: Su et al. (2021), equation 34.
    """
    X, positions = np.asarray(X), np.asarray(positions)
    one_position_a_token(positions, X)
    angles = clock_angles(positions, X.shape[-1], base)  # (n_tokens, d_head / 2)
    first, second = pair_columns(X.shape[-1], pairing)
    a, b = X[..., first], X[..., second]
    turned = np.empty(X.shape, dtype=np.result_type(X, 1.0))  # whole numbers turn into floats
    turned[..., first] = a * np.cos(angles) - b * np.sin(angles)
    turned[..., second] = a * np.sin(angles) + b * np.cos(angles)
    return turned


def pair_columns(d_head: int, pairing: str) -> tuple[Integers, Integers]:
    """Return the columns that hold the first and the second number of each pair.

    Returns: two arrays (d_head / 2,). Raises: ValueError for another name of a pairing.
    """
    one_of("pairing", pairing, PAIRINGS)
    half = np.arange(d_head // 2)
    if pairing == "neighbours":
        return 2 * half, 2 * half + 1
    return half, half + d_head // 2
