"""Guards: what a function asks of what it is given, each refused in one sentence.

They stand here so that a function reads as its formula. A guard says which argument it is,
what came and what was expected; where that helps, it returns the argument as an array. It
knows no other module of the course, but for the types.

``name`` is what the caller calls the argument.
"""

import difflib
from collections.abc import Collection, Iterable

import numpy as np
import numpy.typing as npt

from casebook.types import Array, Integers, Mask

# --- Numbers and names ----------------------------------------------------------------------


def at_least(name: str, number: float, least: int, unit: str = "") -> None:
    """Refuse a number below ``least``. number: what came. unit: words behind the number expected.

    Raises: ValueError.
    """
    if number < least:
        raise ValueError(f"{name} is {number}: expected at least {least}{unit}")


def within(name: str, number: float, low: float, high: float) -> None:
    """Refuse a number outside ``low`` to ``high``, and NaN. number: what came.

    Raises: ValueError.
    """
    if not low <= number <= high:
        raise ValueError(f"{name} is {number}: expected a number from {low} to {high}")


def whole_number(name: str, number: object, of_what: str = "") -> None:
    """Refuse what is no whole number. number: what came. of_what: words behind "number".

    Raises: TypeError.
    """
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
        raise TypeError(f"{name} is {number!r}: expected a whole number{of_what}")


def divisor(name: str, number: int, whole_name: str, whole: int) -> None:
    """Refuse a ``number`` that does not divide ``whole``, which is called ``whole_name``.

    Raises: ValueError.
    """
    if number < 1 or whole % number:
        raise ValueError(
            f"{name} is {number} and {whole_name} is {whole}: expected a divisor of it"
        )


def multiple(name: str, number: int, part_name: str, part: int) -> None:
    """Refuse a ``number`` that ``part``, which is called ``part_name``, does not divide.

    Raises: ValueError.
    """
    if number % part:
        raise ValueError(f"{name} is {number} and {part_name} is {part}: expected a multiple of it")


def one_of(name: str, value: str, choices: Iterable[str]) -> None:
    """Refuse a ``value`` that is none of the ``choices``. Raises: ValueError."""
    if value not in (choices := list(choices)):
        raise ValueError(f"{name} is {value!r}: expected one of {', '.join(choices)}")


def either(name: str, value: str, choices: Iterable[str]) -> None:
    """Refuse a ``value`` that is none of the ``choices``, which are quoted. Raises: ValueError."""
    if value not in (choices := list(choices)):
        raise ValueError(f"{name} is {value!r}: expected {' or '.join(map(repr, choices))}")


def known_word(word: str, words: Collection[str]) -> None:
    """Refuse a ``word`` that is not among ``words``, with the nearest spellings.

    Raises: KeyError.
    """
    if word not in words:
        close = difflib.get_close_matches(word, words, n=3)
        hint = f"; did you mean {', '.join(close)}?" if close else ""
        raise KeyError(f"{word!r} is not among the {len(words)} words{hint}")


def list_of_words(words: object) -> None:
    """Refuse a text where a list of ``words`` belongs. Raises: TypeError."""
    if isinstance(words, str):
        raise TypeError("words is a string: expected a list of words, as text.split() gives")


# --- Arrays ---------------------------------------------------------------------------------


def float_array(name: str, values: npt.ArrayLike, least_axes: int) -> Array:
    """Return ``values`` as a floating array of ``least_axes`` or more, none of them empty.

    Raises: TypeError for another dtype, ValueError for another shape.
    """
    array = np.asarray(values)
    if not np.issubdtype(array.dtype, np.floating):
        raise TypeError(
            f"{name} has dtype {array.dtype}: expected floating-point numbers, "
            f"for example {name}.astype(float)"
        )
    if array.ndim < least_axes:
        raise ValueError(f"{name} has shape {array.shape}: expected {least_axes} or more axes")
    if array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}: expected no empty axis")
    return array


def of_form(name: str, values: npt.ArrayLike, least_axes: int, form: str) -> Array:
    """Return ``values`` as an array of ``least_axes`` or more; ``form`` says which they are.

    Raises: ValueError for fewer axes.
    """
    array = np.asarray(values)
    if array.ndim < least_axes:
        raise ValueError(f"{name} has shape {array.shape}: expected {form}")
    return array


def with_features(X: npt.ArrayLike) -> Array:
    """Return ``X`` as an array whose last axis is not empty. Raises: ValueError if it is."""
    array = np.asarray(X)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(
            f"X has shape {array.shape}: expected features along a last axis, not none"
        )
    return array


def square_weights(weights: npt.ArrayLike, least: int) -> Array:
    """Return ``weights`` as an array (..., n, n), n at least ``least``.

    Raises: ValueError for another shape.
    """
    array = np.asarray(weights)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.shape[-1] < least:
        raise ValueError(
            f"weights has shape {array.shape}: expected (..., n, n), n at least {least}"
        )
    return array


def known_rows(name: str, numbers: npt.ArrayLike, n_rows: int, holder: str) -> Integers:
    """Return ``numbers`` as an array, each the number of one of ``n_rows`` rows of ``holder``.

    Raises: ValueError for a number outside.
    """
    array = np.asarray(numbers)
    outside = array[(array < 0) | (array >= n_rows)]
    if outside.size:
        raise ValueError(
            f"{name} hold {outside.flat[0]}: the {holder} knows 0 to {n_rows - 1} only"
        )
    return array


def same_width(vector: Array, vectors: Array) -> None:
    """Refuse a ``vector`` that is not as wide as the rows of ``vectors``. Raises: ValueError."""
    if vector.shape != vectors.shape[-1:]:
        raise ValueError(f"vector {vector.shape} and vectors {vectors.shape}: widths differ")


def rows_for(name: str, W: Array, X: Array) -> None:
    """Refuse a matrix ``W`` that has not a row for each feature of ``X``. Raises: ValueError."""
    if X.shape[-1] != W.shape[0]:
        raise ValueError(
            f"{name} has shape {W.shape} and its input {X.shape}: expected {X.shape[-1]} rows"
        )


def one_position_a_token(positions: Integers, X: Array) -> None:
    """Refuse ``positions`` of which ``X`` has not one for each token. Raises: ValueError."""
    if positions.shape != X.shape[-2:-1]:
        raise ValueError(
            f"positions has shape {positions.shape} and X {X.shape}: expected {X.shape[-2:-1]}"
        )


# --- Attention ------------------------------------------------------------------------------


def softmax_scores(scores: npt.ArrayLike, axis: int) -> Array:
    """Return ``scores`` as floats that softmax can weigh along ``axis``.

    Raises: TypeError for a dtype that is not floating; ValueError for an empty axis, an axis
        that is not there, a NaN or a ``+inf``.
    """
    array = float_array("scores", scores, least_axes=1)
    if not -array.ndim <= axis < array.ndim:
        raise ValueError(
            f"axis is {axis}, but scores has shape {array.shape}: "
            f"expected an axis from {-array.ndim} to {array.ndim - 1}"
        )
    if np.isnan(array).any() or np.isposinf(array).any():
        raise ValueError("scores hold NaN or +inf: expected numbers, or -inf for 'never'")
    return array


def queries_keys_values(
    Q: npt.ArrayLike, K: npt.ArrayLike, V: npt.ArrayLike
) -> tuple[Array, Array, Array]:
    """Return ``Q``, ``K`` and ``V`` as floating arrays that fit one another.

    Raises: TypeError for a dtype that is not floating; ValueError for shapes that do not fit.
    """
    q, k, v = (
        float_array(name, values, least_axes=2) for name, values in (("Q", Q), ("K", K), ("V", V))
    )
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"Q has shape {q.shape} and K has shape {k.shape}: "
            "expected the same last axis d_k in both"
        )
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"K has shape {k.shape} and V has shape {v.shape}: "
            "expected the same number of rows n_k in both"
        )
    try:
        np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    except ValueError:
        raise ValueError(
            f"Q {q.shape}, K {k.shape} and V {v.shape} have axes in front "
            f"that do not fit: {q.shape[:-2]}, {k.shape[:-2]} and {v.shape[:-2]}"
        ) from None
    return q, k, v


def finite(scores: Array, V: Array) -> None:
    """Refuse ``scores`` or values ``V`` that are not finite. Raises: ValueError."""
    if not np.isfinite(scores).all():
        raise ValueError("the scores Q K^T are not finite: Q or K hold NaN, inf or huge numbers")
    if not np.isfinite(V).all():
        raise ValueError("V holds NaN or inf: expected finite numbers")


def mask_for(mask: npt.ArrayLike, shape: tuple[int, ...]) -> Mask:
    """Return ``mask`` as an array of booleans that broadcasts to scores of ``shape``.

    Raises: TypeError for another dtype, ValueError for another shape.
    """
    array = np.asarray(mask)
    if array.dtype != bool:
        raise TypeError(f"mask has dtype {array.dtype}: expected booleans, True means may attend")
    try:
        fits = np.broadcast_shapes(array.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"mask has shape {array.shape}: expected one that broadcasts to {shape}")
    return array


def additive_network(
    S: npt.ArrayLike, H: npt.ArrayLike, W: npt.ArrayLike, U: npt.ArrayLike, v: npt.ArrayLike
) -> tuple[Array, Array, Array, Array, Array]:
    """Return what asks ``S`` and is asked ``H``, and ``W``, ``U`` and ``v``, which fit them.

    Raises: TypeError for a dtype that is not floating; ValueError for shapes that do not fit.
    """
    given = (("S", S), ("H", H), ("W", W), ("U", U))
    asks, asked, by_asks, by_asked = (float_array(name, a, least_axes=2) for name, a in given)
    mix = float_array("v", v, least_axes=1)
    for name, rows, matrix_name, matrix in (("S", asks, "W", by_asks), ("H", asked, "U", by_asked)):
        if rows.shape[-1:] + mix.shape != matrix.shape:
            raise ValueError(
                f"{name} has shape {rows.shape}, {matrix_name} has shape {matrix.shape} and v has "
                f"shape {mix.shape}: expected {matrix_name} {rows.shape[-1:] + mix.shape}"
            )
    return asks, asked, by_asks, by_asked, mix
