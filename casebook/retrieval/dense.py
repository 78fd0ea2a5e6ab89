"""Ranking by meaning: a text is the mean of its words' vectors, whatever its words are."""

import numpy as np

from casebook.retrieval.columns import Columns
from casebook.retrieval.index import InvertedIndex
from casebook.retrieval.ranking import Ranking
from casebook.retrieval.weighting import INVERSE_DOCUMENT_FREQUENCY, choose
from casebook.types import Array


class MeanVectors(Ranking):
    """Documents and questions as means of word vectors, compared by the cosine.

    index: an :class:`InvertedIndex`. words: list of n words. vectors: (n, d), one for each.
    idf: how much a word weighs in the mean; "none" weighs all alike, any other variant of
        :func:`inverse_document_frequency` counts the rare words of the corpus for more. A
        word of the question that no document holds weighs as if one document held it.
    Words without a vector are left out; :meth:`left_out` says which.
    Raises: ValueError if words and vectors do not match, or for an unknown variant.
    """

    def __init__(
        self, index: InvertedIndex, words: list[str], vectors: Array, idf: str = "none"
    ) -> None:
        vectors = np.asarray(vectors, dtype=float)
        if vectors.ndim != 2 or len(vectors) != len(words):
            raise ValueError(
                f"{len(words)} words and vectors of shape {vectors.shape}: expected (n_words, d)"
            )
        choose("idf", idf, INVERSE_DOCUMENT_FREQUENCY)
        super().__init__(index)
        self.idf = idf
        self._vector_of = dict(zip(words, vectors, strict=True))
        self._width = vectors.shape[1]

    def scores(self, query: str) -> Array:
        """Return the cosine of the question's vector with each document's, from -1 to 1.

        query: text. Returns and raises: as :meth:`Ranking.scores`.
        """
        query_vector = self.query_vector(query)  # first, since it reads the index
        return self._document_vectors @ query_vector

    def document_vectors(self) -> Array:
        """Return the mean vector of every document, brought to length 1.

        Returns: (n_documents, d), float64; zeros for a document without any known word.
        """
        self._refresh()
        return self._document_vectors.copy()

    def query_vector(self, query: str) -> Array:
        """Return the mean vector of a question's words, brought to length 1.

        query: text. Returns: (d,), float64. Raises: as ``scores``.
        """
        self._refresh()
        counts = self._known_counts(query, self._vector_of, "the table of vectors")
        rare = self._idf_of(1)
        weights = {term: count * self._idf.get(term, rare) for term, count in counts.items()}
        return to_unit_length(sum(weights[term] * self._vector_of[term] for term in counts))

    def left_out(self, text: str) -> list[str]:
        """Return the words of a text that have no vector, each once, in order."""
        terms = dict.fromkeys(self.index.tokenise(text))
        return [term for term in terms if term not in self._vector_of]

    def _prepare(self):
        columns = Columns.of(self.index)
        n_documents, _ = columns.shape
        self._idf = dict(zip(columns.slices, self._idf_of(columns.document_frequency), strict=True))
        sums = np.zeros((n_documents, self._width))
        for term in filter(self._vector_of.__contains__, columns.slices):  # sorted, as slices are
            entries = columns.slices[term]
            weights = columns.counts[entries] * self._idf[term]
            sums[columns.rows[entries]] += weights[:, None] * self._vector_of[term]
        self._document_vectors = to_unit_length(sums)


def to_unit_length(vectors: Array) -> Array:
    """Return vectors (..., d) brought to length 1; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths == 0, 1, lengths)
