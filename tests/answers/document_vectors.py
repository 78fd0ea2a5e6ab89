"""Task 2 of exercise 08: document vectors of count * log(N / df)."""

import math
from collections import Counter, defaultdict

import numpy as np

from tests.answers import right, wrong


def _vectors(index, weigh):
    """Return {name: {term: weight}}; ``weigh(term, name, count, postings)``."""
    vectors = {}
    for term, postings in index.items():
        for name, count in postings.items():
            vectors.setdefault(name, {})[term] = weigh(term, name, count, postings)
    return vectors


@right
def by_postings(index, n_documents):
    vectors = {}
    for term, postings in index.items():
        idf = math.log(n_documents / len(postings))
        for name, count in postings.items():
            vectors.setdefault(name, {})[term] = count * idf
    return vectors


@right
def with_defaultdict_and_numpy(index, n_documents):
    idf = {term: np.log(n_documents) - np.log(len(postings)) for term, postings in index.items()}
    vectors = defaultdict(dict)
    for term in index:
        for name in index[term]:
            vectors[name][term] = idf[term] * index[term][name]
    return vectors


@right
def document_by_document(index, n_documents):
    names = sorted({name for postings in index.values() for name in postings})
    return {
        name: {
            term: postings[name] * -math.log(len(postings) / n_documents)
            for term, postings in index.items()
            if name in postings
        }
        for name in names
    }


@right
def without_zero_weights(index, n_documents):
    vectors = defaultdict(Counter)
    for term, postings in index.items():
        if len(postings) < n_documents:
            for name, count in postings.items():
                vectors[name][term] = math.log(n_documents / len(postings)) * count
    return dict(vectors)


@right
def dense_with_zeros(index, n_documents):
    names = {name for postings in index.values() for name in postings}
    return {
        name: {
            term: postings.get(name, 0) * math.log(n_documents / len(postings))
            for term, postings in index.items()
        }
        for name in names
    }


@wrong("df counts occurrences")
def occurrences(index, n_documents):
    return _vectors(index, lambda t, n, c, p: c * math.log(n_documents / sum(p.values())))


@wrong("inverted")
def inverted(index, n_documents):
    return _vectors(index, lambda t, n, c, p: c * math.log(len(p) / n_documents))


@wrong("idf is missing")
def counts_alone(index, n_documents):
    return _vectors(index, lambda t, n, c, p: c)


@wrong("number of terms")
def size_of_vocabulary(index, n_documents):
    return _vectors(index, lambda t, n, c, p: c * math.log(len(index) / len(p)))


@wrong("1 + log(count)")
def sublinear(index, n_documents):
    return _vectors(index, lambda t, n, c, p: (1 + math.log(c)) * math.log(n_documents / len(p)))


@wrong("turned round: it is {name: {term: weight}}")
def in_the_form_of_the_index(index, n_documents):
    return {
        term: {name: count * math.log(n_documents / len(p)) for name, count in p.items()}
        for term, p in index.items()
    }


@wrong("came as ndarray, no dict")
def as_matrix(index, n_documents):
    names = sorted({name for postings in index.values() for name in postings})
    return np.array(
        [
            [p.get(name, 0) * math.log(n_documents / len(p)) for p in index.values()]
            for name in names
        ]
    )


@wrong("came as list, no dict")
def lists_of_weights(index, n_documents):
    return {name: list(vector.items()) for name, vector in by_postings(index, n_documents).items()}


@wrong("changes its input index")
def in_place(index, n_documents):
    for postings in index.values():
        idf = math.log(n_documents / len(postings))
        for name in postings:
            postings[name] *= idf
    return _vectors(index, lambda t, n, c, p: c)


@wrong("rounded to 2 decimals")
def rounded(index, n_documents):
    return _vectors(index, lambda t, n, c, p: round(c * math.log(n_documents / len(p)), 2))


@wrong("everywhere 0.5 times")
def halved(index, n_documents):
    return _vectors(index, lambda t, n, c, p: 0.5 * c * math.log(n_documents / len(p)))


@wrong("returned None")
def no_return(index, n_documents):
    by_postings(index, n_documents)
