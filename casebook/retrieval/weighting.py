"""How much a term counts: the named variants of TF-IDF, and BM25.

n_documents is N; document_frequency is the number of documents that hold the term.
"""

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from casebook.guards import one_of, within
from casebook.types import Array

TERM_FREQUENCY = {
    "count": lambda counts: counts,
    "log": lambda counts: 1 + np.log(counts),
    "binary": lambda counts: np.ones_like(counts),
}
INVERSE_DOCUMENT_FREQUENCY = {
    "none": lambda df, n: np.ones_like(df),
    "plain": lambda df, n: np.log(n / df),
    "plus_one": lambda df, n: np.log(n / df) + 1,
    "smooth": lambda df, n: np.log((1 + n) / (1 + df)) + 1,
    "robertson": lambda df, n: np.log((n - df + 0.5) / (df + 0.5)),
    "lucene": lambda df, n: np.log(1 + (n - df + 0.5) / (df + 0.5)),
}


def term_frequency(counts: npt.ArrayLike, variant: str = "count") -> Array:
    """Return what the counts of a term in documents are worth.

    counts: array of numbers above 0.
    variant: "count" (the count itself), "log" (1 + ln count) or "binary" (1).
    Returns: array like counts, float64. Raises: ValueError for another variant.
    Source: Manning, Raghavan and Schütze (2008), section 6.4.
    """
    return choose("tf", variant, TERM_FREQUENCY)(np.asarray(counts, dtype=float))


def inverse_document_frequency(
    document_frequency: npt.ArrayLike, n_documents: int, variant: str = "smooth"
) -> Array:
    """Return how telling terms are: much for a rare term, little for a common one.

    document_frequency: array of whole numbers from 1 to n_documents.
    variant: "none" 1; "plain" ln(N / df), which is 0 for a term in every document;
        "plus_one" ln(N / df) + 1; "smooth" ln((1 + N) / (1 + df)) + 1, scikit-learn's own;
        and those of BM25: "robertson" ln((N − df + 0.5) / (df + 0.5)), below 0 for a term in
        more than half of the documents; "lucene" ln(1 + (N − df + 0.5) / (df + 0.5)).
    Returns: array like document_frequency, float64. Raises: ValueError for another variant.
    Source: Spärck Jones (1972); Robertson and Zaragoza (2009).
    """
    of = choose("idf", variant, INVERSE_DOCUMENT_FREQUENCY)
    return of(np.asarray(document_frequency, dtype=float), n_documents)


def bm25_term_frequency(
    counts: npt.ArrayLike,
    lengths: npt.ArrayLike,
    mean_length: float,
    k1: float = 1.5,
    b: float = 0.75,
) -> Array:
    """Return what counts are worth in BM25: more, but never more than k1 + 1.

    The tenth time says less than the second, and a count in a long document says less
    than the same count in a short one.

    counts: array. lengths: array like counts, in terms. mean_length: of all documents.
    k1: how slowly repetition wears off; at 0 only presence counts.
    b: how much length matters, from 0 (not at all) to 1 (in proportion).
    Returns: array like counts, float64. Raises: ValueError for k1 below 0 or b outside 0 to 1.
    Source: Robertson and Zaragoza (2009), equation 3.15.
    """
    if not k1 >= 0:
        raise ValueError(f"k1 is {k1}: expected a number from 0 up")
    within("b", b, 0, 1)
    counts, lengths = np.asarray(counts, dtype=float), np.asarray(lengths, dtype=float)
    length_factor = 1 - b + b * lengths / mean_length
    return counts * (k1 + 1) / (counts + k1 * length_factor)


def choose(
    argument: str, variant: str, variants: Mapping[str, Callable[..., Array]]
) -> Callable[..., Array]:
    """Return the named one of several variants, a dict by name.

    argument: what the message calls it. variant: its name.
    Raises: ValueError for a name that is not there.
    """
    one_of(argument, variant, variants)
    return variants[variant]
