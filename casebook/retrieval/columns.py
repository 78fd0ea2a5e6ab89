"""All postings of an index in arrays, for rankings to compute with."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from casebook.retrieval.index import InvertedIndex
from casebook.types import Array


@dataclass(frozen=True)
class Columns:
    """One entry for each term and document that holds it, one term after the other.

    Terms are sorted, so that every sum is taken in the same order however the index came
    about. ``slices[term]`` says which entries are its own.
    """

    slices: dict  # term: slice of the entries
    rows: np.ndarray  # (n_entries,), which document
    counts: np.ndarray  # (n_entries,), how often the term stands in it
    document_frequency: np.ndarray  # (n_terms,)
    lengths: np.ndarray  # (n_documents,), in terms

    @classmethod
    def of(cls, index: InvertedIndex) -> Self:
        """Return the postings of an index as they are now."""
        names, terms = index.names, index.terms
        row_of = {name: row for row, name in enumerate(names)}
        frequencies = np.array([index.document_frequency(term) for term in terms], dtype=np.int64)
        ends = np.cumsum(frequencies)
        n_entries = int(frequencies.sum())
        rows = (row_of[name] for term in terms for name, _ in index.postings(term))
        counts = (count for term in terms for _, count in index.postings(term))
        return cls(
            slices={
                term: slice(end - frequency, end)
                for term, frequency, end in zip(
                    terms, frequencies.tolist(), ends.tolist(), strict=True
                )
            },
            rows=np.fromiter(rows, np.int64, n_entries),
            counts=np.fromiter(counts, float, n_entries),
            document_frequency=frequencies,
            lengths=np.array([index.document_length(name) for name in names], dtype=float),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """(n_documents, n_terms)."""
        return len(self.lengths), len(self.slices)

    def spread(self, of_terms: np.ndarray) -> np.ndarray:
        """Return one number a term as one number an entry. of_terms: (n_terms,)."""
        return np.repeat(of_terms, self.document_frequency)

    def full(self, weights: Array) -> Array:
        """Return the weights of the entries as a matrix. Returns: (n_documents, n_terms)."""
        matrix = np.zeros(self.shape)
        matrix[self.rows, self.spread(np.arange(len(self.slices)))] = weights
        return matrix
