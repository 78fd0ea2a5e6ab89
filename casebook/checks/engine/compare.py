"""Comparing an answer with the right one, and saying in one sentence what differs."""

import inspect
import math

import numpy as np

from casebook.checks.engine.plain_words import Wrong, shorten

# How close is right: to rounding in float64; float32 is accepted at its own precision.
TOLERANCE = {"f": (1e-4, 1e-5), "d": (1e-6, 1e-9)}  # by NumPy's letter, the rest as "d"
MOST_NUMBERS = 10**7  # more than any task asks for, and few enough to compare
OVERFLOW = ": 0/0, or an overflow?"


def parts_of(value, names):
    """Return the arrays that an answer consists of.

    names: what the task asks for, one name an array; several come as a tuple or a list.
    Raises: Wrong if the value cannot be read as numbers.
    """
    if isinstance(value, tuple) and len(value) == 1 and len(names) == 1:
        raise Wrong(f"{names[0]} came in a tuple of one: is there a comma after the return?")
    rows = isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim > 0)
    several = isinstance(value, tuple) or (len(names) > 1 and rows and len(value) == len(names))
    values = list(value) if several else [value]
    if len(values) == len(names):
        return [as_array(name, part) for name, part in zip(names, values, strict=True)]
    return [as_array("the result", part) for part in values]


def as_array(name, value):
    """Return one value as an array of numbers or booleans, or say what it is instead."""
    refuse_unfinished(name, value)
    if isinstance(value, (str, bytes, dict, set)):
        raise Wrong(f"{name} came as {type(value).__name__}: numbers in an array are expected.")
    try:
        array = np.asarray(value)
    except ValueError:
        raise Wrong(f"{name} came with rows of unequal length, or axes that do not fit.") from None
    if array.dtype.kind == "O":
        raise Wrong(f"{name} came as objects (dtype object): is an entry None, or itself a list?")
    if array.dtype.kind == "c":
        raise Wrong(f"{name} came as complex numbers: was a root of a negative one taken?")
    if array.dtype.kind not in "fiub":
        raise Wrong(f"{name} came with dtype {array.dtype}: numbers are expected.")
    if array.size > MOST_NUMBERS:
        raise Wrong(f"{name} came with shape {array.shape}: far more numbers than are asked for.")
    return array


def refuse_unfinished(name, value):
    """Raise Wrong for what is not an answer yet: a placeholder, a function, a generator."""
    if value is None:
        raise Wrong(f"{name} came as None: was it ever computed?")
    if value is Ellipsis:
        raise Wrong(f"{name} came as `...`: the placeholder is still there.")
    if inspect.iscoroutine(value):
        value.close()
        raise Wrong(f"{name} came as a coroutine: take the word `async` away.")
    if inspect.isgenerator(value) or isinstance(value, (map, zip, filter)):
        kind = type(value).__name__
        raise Wrong(f"{name} came as a {kind}, not yet computed: make a list or array of it.")
    if callable(value):
        raise Wrong(f"{name} came as a function: are the brackets of a call missing?")


def same(got, expected, absolute=None):
    """Tell whether two lists of arrays hold the same numbers; NaN counts as a number here.

    absolute: how far apart counts as the same; None asks for equality up to rounding.
    """
    return len(got) == len(expected) and all(
        _same_array(*pair, absolute) for pair in zip(got, expected, strict=True)
    )


def is_words(array):
    """Tell whether an array holds words and not numbers."""
    return array.dtype.kind == "U"


def _same_array(got, expected, absolute):
    if got.shape != expected.shape:
        return False
    if is_words(got) or is_words(expected):
        return np.array_equal(got, expected)
    relative, smallest = TOLERANCE.get(got.dtype.char, TOLERANCE["d"])
    absolute = smallest if absolute is None else absolute
    if _far_at_once(got, expected, absolute, relative):
        return False
    apart = np.abs(np.subtract(got, expected, dtype=float))
    if np.isfinite(apart).all():
        return bool((apart <= absolute + relative * np.abs(expected)).all())
    return np.allclose(got, expected, rtol=relative, atol=absolute, equal_nan=True)


def _far_at_once(got, expected, absolute, relative):
    """Tell whether the first two numbers differ already: most pairs of mistakes end here."""
    if not got.size:
        return False
    one, other = float(got.item(0)), float(expected.item(0))
    return math.isfinite(one - other) and abs(one - other) > absolute + relative * abs(other)


def nearly(names, got, expected, absolute=None):
    """Return a sentence if a number is right but for rounding or precision, or None."""
    if [array.shape for array in got] != [array.shape for array in expected]:
        return None
    if not all(
        np.array_equal(*pair) for pair in zip(got, expected, strict=True) if is_words(pair[1])
    ):
        return None
    triples = [t for t in zip(names, got, expected, strict=True) if not is_words(t[2])]
    for name, array, right in triples:
        if not _same_array(array, right, absolute):
            digits, sentence = _rounding(name, array, right)
            off = 10.0**-digits  # what follows from a rounded result is off by as much
            if sentence and all(np.allclose(a, r, rtol=off, atol=off) for _, a, r in triples):
                return sentence
    if all(np.allclose(array, right, rtol=1e-3, atol=1e-4) for _, array, right in triples):
        worst = max(np.abs(np.subtract(a, r, dtype=float)).max() for _, a, r in triples)
        return f"only nearly right, off by up to {worst:.1g} (dtype {got[0].dtype})."
    return None


def _rounding(name, array, right):
    """Return to how many decimals an array was rounded, and what to say; 0, None if it was not."""
    whole = np.round(right.astype(float))
    for digits in range(7):
        rounded = np.round(right.astype(float), digits)
        if digits and np.array_equal(rounded, whole):
            continue  # weights of 0 and 1 are an argmax, nobody's rounding
        if np.abs(rounded).max(initial=0) > 1 - (digits > 0) and np.allclose(
            array, rounded, rtol=0, atol=1e-12
        ):
            return digits, f"{name}: rounded to {digits} decimals; return the full numbers."
    if array.ndim and array.dtype.kind in "iu" and np.array_equal(array, np.trunc(right)):
        return 0, f"{name}: whole numbers ({array.dtype}); was an array of integers filled?"
    return 0, None


def relation(name, got, right):
    """Return a sentence if every number is the same function of the right one, or None.

    got, right: the numbers of all the general cases, one after the other.
    """
    got, right = got.astype(float), right.astype(float)
    if got.size < 3 or np.allclose(got, right) or np.allclose(right, right[0]):
        return None
    known = {
        "the right numbers with the sign turned": -right,
        "1 over the right numbers": 1 / right,
        "the squares of the right numbers": right**2,
        "the square roots of the right numbers": np.sqrt(right),
        "the logarithms of the right numbers": np.log(right),
        "exp of the right numbers": np.exp(right),
    }
    for what, numbers in known.items():
        if np.allclose(got, numbers, rtol=1e-5, atol=1e-8):
            return f"{name}: {what}."
    factor = (got * right).sum() / (right**2).sum()
    if np.allclose(got, factor * right, rtol=1e-5, atol=1e-8) and abs(factor) > 1e-6:
        return f"{name}: everywhere {factor:.4g} times the right numbers."
    offset = (got - right).mean()
    if np.allclose(got, right + offset, rtol=1e-5, atol=1e-8):
        return f"{name}: everywhere {abs(offset):.4g} too {'large' if offset > 0 else 'small'}."
    if np.allclose(np.sort(got), np.sort(right), rtol=1e-5, atol=1e-8):
        return f"{name}: the right numbers, but in another order."
    return None


def difference(names, got, expected, absolute=None):
    """Return the most telling sentence about how ``got`` differs, or None if it does not.

    An array of words that comes first says what the numbers after it are.
    """
    if len(got) != len(names):
        asked = ", ".join(names)
        return f"returns {_count(len(got))}, but the task asks for {_count(len(names))}: {asked}."
    if is_words(expected[0]) and not np.array_equal(got[0], expected[0]):
        return _about_words(names[0], got[0].tolist(), expected[0].tolist())
    labels = expected[0] if is_words(expected[0]) else None
    triples = [t for t in zip(names, got, expected, strict=True) if not is_words(t[2])]
    for name, array, right in triples:
        if array.shape != right.shape:
            return _about_shape(name, array.shape, right.shape)
    for name, array, right in triples:
        if not np.isfinite(array).all():
            return _about_first(name, array, right, ~np.isfinite(array), labels, OVERFLOW)
    for name, array, right in triples:
        if not _same_array(array, right, absolute):
            return _about_first(name, array, right, ~np.isclose(array, right, 1e-5, 1e-8), labels)
    return None


def _count(number):
    return f"{number} result" if number == 1 else f"{number} results"


def _about_shape(name, got, right):
    sentence = f"{name} came with shape {got}, expected {right}"
    if got == right[::-1]:
        return f"{sentence}: it is transposed."
    if [n for n in got if n != 1] == [n for n in right if n != 1]:
        verb = "too many" if len(got) > len(right) else "missing"
        return f"{sentence}: an axis of length 1 is {verb}."
    if np.prod(got) == np.prod(right):
        return f"{sentence}: the axes are flattened or mixed."
    if len(got) < len(right):
        return f"{sentence}: an axis is lost, by a sum, a mean or an index."
    return f"{sentence}."


def _about_words(name, got, right):
    """Name the first word that is missing, that is too much, or that stands elsewhere."""
    missing = [f"{_quoted(word)} is missing" for word in right if word not in got]
    extra = [f"{_quoted(word)} should not be there" for word in got if word not in right]
    if missing or extra:
        return f"{name}: {', and '.join(missing[:1] + extra[:1])}."
    for place, (word, wanted) in enumerate(zip(got, right, strict=False)):
        if word != wanted:
            return f"{name}: {_quoted(word)} stands at place {place}, expected {_quoted(wanted)}."
    return f"{name}: {len(got)} came, expected {len(right)}."


def _quoted(word):
    return repr(shorten(word, 50))


def _about_first(name, got, right, wrong, labels, why=""):
    """Name the first entry that is wrong; ``wrong`` marks them all."""
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    place = f"[{', '.join(map(str, first))}]" if first else ""
    if labels is not None:
        place = f" of {labels[first]}"
    many = f" ({int(wrong.sum())} of {wrong.size} entries differ)" if wrong.size > 1 else ""
    return f"{name}{place} is {got[first]:.4g}, expected {right[first]:.4g}{many}{why or '.'}"
