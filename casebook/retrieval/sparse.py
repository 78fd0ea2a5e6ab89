"""Rankings by shared words: TF-IDF with the cosine, and BM25."""

from abc import abstractmethod

import numpy as np

from casebook.retrieval.columns import Columns
from casebook.retrieval.index import InvertedIndex
from casebook.retrieval.ranking import Ranking
from casebook.retrieval.weighting import (
    INVERSE_DOCUMENT_FREQUENCY,
    TERM_FREQUENCY,
    bm25_term_frequency,
    choose,
    term_frequency,
)
from casebook.types import Array


class SharedWords(Ranking):
    """Scores from the postings of the question's words alone: other documents cost nothing.

    Words that no document holds are left out of the question.
    """

    @abstractmethod
    def _weigh_postings(self):
        """Return what each posting weighs. Returns: (n_entries,)."""

    @abstractmethod
    def _weigh_query(self, counts):
        """Return what each term of a question weighs, by its count there. Returns: dict."""

    def scores(self, query: str) -> Array:
        """Return how well each document answers; 0 where no word of the question stands.

        query: text. Returns and raises: as :meth:`Ranking.scores`.
        """
        query_weights = self._query_weights(query)
        scores = np.zeros(self.index.n_documents)
        for term, weight in query_weights.items():
            entries = self._columns.slices[term]
            scores[self._columns.rows[entries]] += weight * self._weights[entries]
        return scores

    def document_vectors(self) -> Array:
        """Return every document as a vector, one column for each of ``index.terms``.

        Returns: (n_documents, n_terms), float64; large for a large corpus.
        """
        self._refresh()
        return self._columns.full(self._weights)

    def query_vector(self, query: str) -> Array:
        """Return a question as a vector, one number for each of ``index.terms``.

        ``document_vectors() @ query_vector(query)`` are the scores.

        query: text. Returns: (n_terms,), float64. Raises: as ``scores``.
        """
        query_weights = self._query_weights(query)
        return np.array([query_weights.get(term, 0) for term in self._columns.slices], dtype=float)

    def _prepare(self):
        self._columns = Columns.of(self.index)
        self._weights = self._weigh_postings()

    def _query_weights(self, query):
        """Return the known terms of a question with their weights."""
        self._refresh()
        return self._weigh_query(self._known_counts(query, self._columns.slices, "the corpus"))


class TfIdf(SharedWords):
    """Documents and questions as vectors of tf · idf, compared by the cosine.

    index: an :class:`InvertedIndex`.
    tf, idf: a variant of :func:`term_frequency` and :func:`inverse_document_frequency`.
    cosine: False leaves the vectors as long as they are, and scores are dot products.
    Raises: ValueError for a variant that is not known.
    Source: Salton and Buckley (1988).
    """

    def __init__(
        self, index: InvertedIndex, tf: str = "count", idf: str = "smooth", cosine: bool = True
    ) -> None:
        choose("tf", tf, TERM_FREQUENCY)
        choose("idf", idf, INVERSE_DOCUMENT_FREQUENCY)
        super().__init__(index)
        self.tf, self.idf, self.cosine = tf, idf, cosine

    def _weigh_postings(self):
        columns = self._columns
        idf = self._idf_of(columns.document_frequency)
        self._idf = dict(zip(columns.slices, idf.tolist(), strict=True))
        weights = term_frequency(columns.counts, self.tf) * columns.spread(idf)
        if not self.cosine:
            return weights
        squares = np.bincount(columns.rows, weights**2, minlength=len(columns.lengths))
        lengths = np.sqrt(squares)
        return weights / np.where(lengths == 0, 1, lengths)[columns.rows]

    def _weigh_query(self, counts):
        tf = term_frequency(list(counts.values()), self.tf)
        weights = tf * [self._idf[term] for term in counts]
        length = np.linalg.norm(weights) if self.cosine else 1
        return dict(zip(counts, (weights / (length or 1)).tolist(), strict=True))


class BM25(SharedWords):
    """Best match 25: repetition wears off, and long documents get no bonus for length.

    index: an :class:`InvertedIndex`. k1, b: as in :func:`bm25_term_frequency`.
    idf: "lucene" (never below 0), "robertson", or any other variant.
    Raises: ValueError for a variant that is not known, and a bad k1 or b.
    Source: Robertson and Zaragoza (2009).
    """

    def __init__(
        self, index: InvertedIndex, k1: float = 1.5, b: float = 0.75, idf: str = "lucene"
    ) -> None:
        choose("idf", idf, INVERSE_DOCUMENT_FREQUENCY)
        bm25_term_frequency([], [], 1, k1, b)  # refuses a bad k1 or b
        super().__init__(index)
        self.k1, self.b, self.idf = k1, b, idf

    def _weigh_postings(self):
        columns = self._columns
        idf = self._idf_of(columns.document_frequency)
        lengths = columns.lengths[columns.rows]
        tf = bm25_term_frequency(columns.counts, lengths, columns.lengths.mean(), self.k1, self.b)
        return columns.spread(idf) * tf

    def _weigh_query(self, counts):
        return counts
