"""Retrieval: find the documents that answer a question, with plain Python and NumPy.

An inverted index, TF-IDF with the cosine, BM25, means of word vectors, and chunking.
"""

from casebook.retrieval.chunks import (
    best_window,
    chunk,
    chunk_documents,
    document_of,
    within_budget,
)
from casebook.retrieval.corpora import Question, load_corpus, load_corpus_vectors
from casebook.retrieval.dense import MeanVectors
from casebook.retrieval.index import InvertedIndex
from casebook.retrieval.measure import ranked_names, recall_at
from casebook.retrieval.ranking import NoKnownWordError, best
from casebook.retrieval.sparse import BM25, TfIdf
from casebook.retrieval.weighting import (
    bm25_term_frequency,
    inverse_document_frequency,
    term_frequency,
)
from casebook.retrieval.words import character_bigrams, tokenise

__all__ = [
    "BM25",
    "InvertedIndex",
    "MeanVectors",
    "NoKnownWordError",
    "Question",
    "TfIdf",
    "best",
    "best_window",
    "bm25_term_frequency",
    "character_bigrams",
    "chunk",
    "chunk_documents",
    "document_of",
    "inverse_document_frequency",
    "load_corpus",
    "load_corpus_vectors",
    "ranked_names",
    "recall_at",
    "term_frequency",
    "tokenise",
    "within_budget",
]
