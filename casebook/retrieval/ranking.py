"""What every ranking shares: scores for a question, and the best documents, with stable ties."""

from abc import ABC, abstractmethod
from collections import Counter

import numpy as np

from casebook.guards import at_least, whole_number
from casebook.retrieval.index import InvertedIndex
from casebook.retrieval.weighting import inverse_document_frequency
from casebook.types import Array

DECIMALS = 12  # scores that agree so far are equal


class NoKnownWordError(ValueError):
    """A question of which no word is known, so that nothing can be said of any document."""


class Ranking(ABC):
    """Documents of an index ordered by how well they answer a question.

    index: an :class:`InvertedIndex`, which is read again whenever it has changed.
    """

    idf: str  # a variant of inverse_document_frequency

    def __init__(self, index: InvertedIndex) -> None:
        self.index = index
        self._version = None

    @abstractmethod
    def scores(self, query: str) -> Array:
        """Return how well each document answers, in the order of ``index.names``.

        query: text. Returns: (n_documents,), float64.
        Raises: ValueError for an empty corpus, and NoKnownWordError, a ValueError that names the
            words, for a question without any known word.
        """

    @abstractmethod
    def _prepare(self):
        """Read the index."""

    def top_k(self, query: str, k: int) -> list[tuple[str, float]]:
        """Return the k best documents as a list of (name, score), best first.

        Equal scores keep the order of adding. A document of score 0 has nothing to say on
        the question and is left out, so the list may be shorter than k.

        query: text.
        Raises: ValueError for k below 1 or above the number of documents, and as ``scores``.
        """
        return best(self.scores(query), self._names, k)

    def _idf_of(self, document_frequency):
        """Return how telling terms are, in the variant of this ranking."""
        return inverse_document_frequency(document_frequency, self.index.n_documents, self.idf)

    def _known_counts(self, query, known, known_to):
        """Return the terms of a question that are known, with their counts."""
        asked = Counter(self.index.tokenise(query))
        if not asked:
            raise NoKnownWordError(f"query is {query!r}: expected at least one word")
        counts = {term: count for term, count in asked.items() if term in known}
        if not counts:
            raise NoKnownWordError(f"no word of the query is in {known_to}: {', '.join(asked)}")
        return counts

    def _refresh(self):
        """Read the index again if it has changed. Raises: ValueError if it is empty."""
        if not self.index.n_documents:
            raise ValueError("the corpus is empty: add a document first")
        if self._version != self.index.version:
            self._prepare()
            self._names = self.index.names  # a list made anew at each call, so kept here
            self._version = self.index.version


def best(scores: Array, names: list[str], k: int) -> list[tuple[str, float]]:
    """Return the k names with the highest scores as a list of (name, score), best first.

    Scores equal to 12 decimals keep the order of names; a score of 0 is left out.

    scores: (n,). names: list of n.
    Raises: ValueError for k below 1 or above n, TypeError if k is no whole number.
    """
    whole_number("k", k)
    at_least("k", k, 1)
    if k > len(names):
        raise ValueError(f"k is {k}: expected at most {len(names)}, the number of documents")
    # The same sum taken in another order may differ in its last bits: that is still a tie.
    rounded = np.round(scores, DECIMALS)
    found = np.flatnonzero(rounded != 0)
    if len(found) > k:  # sorting everything would cost more than finding the k-th
        smallest = np.partition(rounded[found], -k)[-k]
        found = found[rounded[found] >= smallest]
    order = found[np.argsort(-rounded[found], kind="stable")]
    return [(names[row], float(scores[row])) for row in order[:k]]
