"""The options of retrieval, of what is asked beside documents, and of the endpoint."""

import math
import os
import socket
from unittest.mock import patch

import numpy as np

from casebook import endpoint, rag
from casebook.retrieval import chunks, dense, index, sparse, weighting
from tests.options import Case

TEXTS = {"a": "oak oak elm", "b": "elm fir fir fir oak ash", "c": "ash"}
COUNTS = {name: {word: text.split().count(word) for word in text.split()}
          for name, text in TEXTS.items()}  # fmt: skip
DF = {"oak": 2, "elm": 2, "fir": 1, "ash": 2}
LENGTHS = {name: len(text.split()) for name, text in TEXTS.items()}
VECTORS = {"words": ["oak", "elm", "fir"], "vectors": np.array([[1.0, 0], [0, 1], [2, 2]])}
QUESTION = "oak fir"
WORDS = list("abcdefg")
RANKED = [("long", 3.0), ("short", 2.0)]
LETTERS = {"long": "ab cd", "short": "e"}
LISTENER = socket.create_server(("127.0.0.1", 0))  # takes a call, and never answers
ASKED = {"COURSE_LLM_URL": f"http://127.0.0.1:{LISTENER.getsockname()[1]}", "COURSE_LLM_MODEL": "m"}


def an_index():
    return rag.index_of(TEXTS)


def smooth(df):
    return math.log((1 + 3) / (1 + df)) + 1


def tf_idf(tf=lambda count: count, idf=smooth, cosine=True):
    """Return the scores of the question, document by document, with loops."""
    asked = {word: tf(1) * idf(DF[word]) for word in QUESTION.split()}
    scores = []
    for counts in COUNTS.values():
        weights = {word: tf(count) * idf(DF[word]) for word, count in counts.items()}
        score = sum(asked[word] * weights.get(word, 0) for word in asked)
        lengths = [math.hypot(*vector.values()) for vector in (asked, weights)]
        scores.append(score / math.prod(lengths) if cosine else score)
    return scores


def bm25(k1=1.5, b=0.75, idf=lambda df: math.log(1 + (3 - df + 0.5) / (df + 0.5))):
    """Return the scores of the question by BM25, document by document."""
    mean = sum(LENGTHS.values()) / 3
    return [
        sum(
            idf(DF[word]) * count * (k1 + 1) / (count + k1 * (1 - b + b * LENGTHS[name] / mean))
            for word, count in counts.items()
            if word in QUESTION.split()
        )
        for name, counts in COUNTS.items()
    ]


def weighted_means():
    """Return the cosines when the rare word of the corpus counts for more."""
    of = dict(zip(VECTORS["words"], VECTORS["vectors"], strict=True))
    plain = {word: math.log(3 / df) for word, df in DF.items()}

    def direction(counts):
        total = sum(n * plain[word] * of[word] for word, n in counts.items() if word in of)
        return total / math.hypot(*total) if np.ndim(total) else np.zeros(2)

    asked = direction({"oak": 1, "fir": 1})
    return [direction(counts) @ asked for counts in COUNTS.values()]


def scores_of(ranking):
    return ranking.scores(QUESTION)


def tf_idf_case(option, other, expected):
    return Case(sparse.TfIdf, option, other, lambda: {"index": an_index()}, expected, scores_of)


def bm25_case(option, other, expected):
    return Case(sparse.BM25, option, other, lambda: {"index": an_index()}, expected, scores_of)


CASES = [
    Case(index.InvertedIndex, "tokenise", str.upper, {}, ["A", "B"],
         see=lambda made: [made.add("x", "ab"), made.terms][1]),
    Case(rag.index_of, "tokenise", str.upper, {"documents": {"x": "ab"}}, ["A", "B"],
         see=lambda made: made.terms),
    tf_idf_case("tf", "log", tf_idf(tf=lambda count: 1 + math.log(count))),
    tf_idf_case("idf", "plain", tf_idf(idf=lambda df: math.log(3 / df))),
    tf_idf_case("cosine", False, tf_idf(cosine=False)),
    bm25_case("k1", 0.3, bm25(k1=0.3)),
    bm25_case("b", 0.1, bm25(b=0.1)),
    bm25_case("idf", "plain", bm25(idf=lambda df: math.log(3 / df))),
    Case(dense.MeanVectors, "idf", "plain", lambda: {"index": an_index(), **VECTORS},
         weighted_means, scores_of),
    Case(weighting.term_frequency, "variant", "binary", {"counts": [1, 3]}, [1, 1]),
    Case(weighting.inverse_document_frequency, "variant", "robertson",
         {"document_frequency": [1, 4], "n_documents": 5},
         [math.log(4.5 / 1.5), math.log(1.5 / 4.5)]),
    Case(weighting.bm25_term_frequency, "k1", 0.0,
         {"counts": [1, 7], "lengths": [2, 9], "mean_length": 4}, [1, 1]),
    Case(weighting.bm25_term_frequency, "b", 0.0,
         {"counts": [2, 2], "lengths": [2, 9], "mean_length": 4}, [2 * 2.5 / 3.5] * 2),
    Case(chunks.chunk, "overlap", 2, {"words": WORDS, "size": 4}, [list("abcd"), list("cdef"),
         list("efg")]),
    Case(chunks.chunk_documents, "overlap", 1, {"documents": {"x": "a b c"}, "size": 2},
         {"x/1": "a b", "x/2": "b c"}),
    Case(chunks.chunk_documents, "cut", list, {"documents": {"x": "abc"}, "size": 2},
         {"x/1": "a b", "x/2": "c"}),
    Case(chunks.chunk_documents, "joint", "+", {"documents": {"x": "a b c"}, "size": 2},
         {"x/1": "a+b", "x/2": "c"}),
    Case(chunks.within_budget, "cut", list, {"ranked": RANKED, "texts": LETTERS, "n_words": 3},
         ["short"]),
    Case(endpoint.ask, "timeout", 0.2, {"prompt": "Are you there?"},
         "The endpoint did not answer within 0.2 s.", see=str, usual={"timeout": 0.1},
         setting=lambda: patch.dict(os.environ, ASKED)),
]  # fmt: skip
