"""Word vectors: what stands near what, and sums that make sense.

A table of vectors is a list of words and an array with one row a word.
"""

from collections.abc import Collection

import numpy as np

from casebook.guards import at_least, known_word, same_width
from casebook.types import Array


def vector_of(word: str, words: list[str], vectors: Array) -> Array:
    """Return the vector of a word.

    words: list of n words. vectors: (n, d). Returns: (d,).
    Raises: KeyError for a word that is not in the list, with the nearest spellings.
    """
    known_word(word, words)
    return vectors[words.index(word)]


def cosine_similarity(vector: Array, vectors: Array) -> Array:
    """Return the cosine of the angle between a vector and each row of others.

    vector: (d,), vectors: (n, d). Returns: (n,), from -1 to 1; 0 for a row of zeros.
    Raises: ValueError if the widths differ.
    """
    vector, vectors = np.asarray(vector, dtype=float), np.asarray(vectors, dtype=float)
    same_width(vector, vectors)
    lengths = np.linalg.norm(vectors, axis=-1) * np.linalg.norm(vector)
    return vectors @ vector / np.where(lengths == 0, 1, lengths)


def neighbours(
    vector: Array, words: list[str], vectors: Array, k: int = 5, leave_out: Collection[str] = ()
) -> list[tuple[str, float]]:
    """Return the ``k`` words whose vectors point most nearly the same way.

    vector: (d,), words: list of n words, vectors: (n, d). leave_out: words not to be named.
    Returns: list of (word, cosine), nearest first; ties in the order of the list.
    Raises: ValueError for k below 1, or if the widths differ.
    """
    at_least("k", k, 1)
    cosines = cosine_similarity(vector, vectors)
    order = np.argsort(-cosines, kind="stable")
    return [(words[i], float(cosines[i])) for i in order if words[i] not in leave_out][:k]


def analogy(
    a: str,
    b: str,
    c: str,
    words: list[str],
    vectors: Array,
    k: int = 3,
    leave_inputs_out: bool = True,
) -> list[tuple[str, float]]:
    """Return the words nearest to ``a - b + c``, as in king - man + woman.

    words: list of n words, vectors: (n, d). leave_inputs_out: False lets a, b and c
        themselves answer, and one of them often wins.
    Returns: list of ``k`` (word, cosine), nearest first.
    Raises: KeyError for a word that is not in the list.
    Source: Mikolov et al. (2013).
    """
    of_a, of_b, of_c = (vector_of(word, words, vectors) for word in (a, b, c))
    leave_out = (a, b, c) if leave_inputs_out else ()
    return neighbours(of_a - of_b + of_c, words, vectors, k, leave_out)
