"""Task 3 of exercise 08: the best documents by the cosine, ties in their order."""

import heapq
import math
from collections import Counter

import numpy as np

from tests.answers import right, wrong


def _query(terms, idf):
    return {term: count * idf[term] for term, count in Counter(terms).items() if term in idf}


def _length(vector):
    return math.sqrt(sum(weight**2 for weight in vector.values()))


def _dot(query, vector):
    return sum(weight * vector.get(term, 0) for term, weight in query.items())


def _cosine(query, vector):
    lengths = _length(query) * _length(vector)
    return _dot(query, vector) / lengths if lengths else 0.0


def _scores(terms, vectors, idf):
    asked = _query(terms, idf)
    pairs = [(name, _cosine(asked, vector)) for name, vector in vectors.items()]
    return [pair for pair in pairs if pair[1] > 0]


def _best(pairs, k):
    return sorted(pairs, key=lambda pair: -pair[1])[:k]


@right
def with_counter(terms, vectors, idf, k):
    query = {term: count * idf[term] for term, count in Counter(terms).items() if term in idf}
    found = []
    for name, vector in vectors.items():
        product = sum(weight * vector.get(term, 0) for term, weight in query.items())
        if product > 0:
            found.append((name, product / (_length(query) * _length(vector))))
    return sorted(found, key=lambda pair: pair[1], reverse=True)[:k]


@right
def with_matrices(terms, vectors, idf, k):
    columns = list(idf)
    documents = np.array([[vector.get(term, 0) for term in columns] for vector in vectors.values()])
    query = np.array([terms.count(term) * idf[term] for term in columns])
    lengths = np.linalg.norm(documents, axis=1) * np.linalg.norm(query)
    scores = (documents @ query) / np.where(lengths == 0, 1, lengths)
    names = list(vectors)
    order = np.argsort(-scores, kind="stable")
    return [(names[row], scores[row]) for row in order if scores[row] > 0][:k]


@right
def normalised_first(terms, vectors, idf, k):
    query = _query(terms, idf)
    unit = {term: weight / _length(query) for term, weight in query.items() if weight}
    scores = {}
    for name, vector in vectors.items():
        if shared := unit.keys() & vector.keys():
            size = _length(vector)
            scores[name] = sum(unit[term] * (vector[term] / size) for term in sorted(shared))
    positive = {name: score for name, score in scores.items() if score > 0}
    return [(n, positive[n]) for n in sorted(positive, key=positive.get, reverse=True)][:k]


@right
def with_a_heap(terms, vectors, idf, k):
    return heapq.nlargest(k, _scores(terms, vectors, idf), key=lambda pair: pair[1])


@right
def one_after_the_other(terms, vectors, idf, k):
    left, chosen = dict(_scores(terms, vectors, idf)), []
    while left and len(chosen) < k:
        best = max(left, key=left.get)
        chosen.append([best, left.pop(best)])
    return tuple(chosen)


@right
def word_by_word(terms, vectors, idf, k):
    scores = dict.fromkeys(vectors, 0.0)
    for term in terms:
        for name, vector in vectors.items():
            scores[name] += idf.get(term, 0) * vector.get(term, 0)
    size = _length(_query(terms, idf))
    pairs = [(n, s / size / _length(vectors[n])) for n, s in scores.items() if s]
    pairs.sort(key=lambda pair: -pair[1])
    return pairs[:k]


@wrong("of equal scores only one")
def by_score(terms, vectors, idf, k):
    names = {score: name for name, score in _scores(terms, vectors, idf)}
    return [(names[score], score) for score in sorted(names, reverse=True)][:k]


@wrong("equal scores are turned round")
def argsort_backwards(terms, vectors, idf, k):
    pairs = _scores(terms, vectors, idf)
    order = np.argsort([score for _, score in pairs], kind="stable")[::-1][:k]
    return [pairs[row] for row in order]


@wrong("KeyError")
def unknown_words_looked_up(terms, vectors, idf, k):
    query = {term: terms.count(term) * idf[term] for term in terms}
    return _best([(n, _cosine(query, v)) for n, v in vectors.items() if _cosine(query, v)], k)


@wrong("for a question without a known word", "ZeroDivisionError")
def nothing_in_common(terms, vectors, idf, k):
    query = _query(terms, idf)
    pairs = []
    for name, vector in vectors.items():
        score = _dot(query, vector) / (_length(query) * _length(vector))
        if score > 0:
            pairs.append((name, score))
    return _best(pairs, k)


@wrong("a pair (name, score) is asked for")
def names_only(terms, vectors, idf, k):
    return [name for name, _ in _best(_scores(terms, vectors, idf), k)]


@wrong("turned round: (name, score)")
def score_first(terms, vectors, idf, k):
    return [(score, name) for name, score in _best(_scores(terms, vectors, idf), k)]


@wrong("came as dict: a list of (name, score)")
def as_dict(terms, vectors, idf, k):
    return dict(_best(_scores(terms, vectors, idf), k))


@wrong("where fewer than k share a word", "IndexError")
def always_k(terms, vectors, idf, k):
    best = sorted(_scores(terms, vectors, idf), key=lambda pair: -pair[1])
    return [best[place] for place in range(k)]


@wrong("counts the terms in common")
def shared_terms(terms, vectors, idf, k):
    return _best(
        [(n, len(set(terms) & set(v))) for n, v in vectors.items() if set(terms) & set(v)], k
    )


@wrong("the score is the cosine", "distance")
def nearest(terms, vectors, idf, k):
    query = _query(terms, idf)
    pairs = [(n, 1 - _cosine(query, v)) for n, v in vectors.items()]
    return sorted(pairs, key=lambda pair: pair[1])[:k]


@wrong("changes its input terms")
def terms_emptied(terms, vectors, idf, k):
    query = {}
    while terms:
        term = terms.pop()
        if term in idf:
            query[term] = query.get(term, 0) + idf[term]
    return _best([(n, _cosine(query, v)) for n, v in vectors.items() if _cosine(query, v)], k)


@wrong("changes its input vectors")
def vectors_normalised(terms, vectors, idf, k):
    for vector in vectors.values():
        size = _length(vector)
        for term in vector:
            vector[term] /= size or 1
    return _best(_scores(terms, vectors, idf), k)


@wrong("rounded to 2 decimals")
def rounded(terms, vectors, idf, k):
    return [(n, round(s, 2)) for n, s in _best(_scores(terms, vectors, idf), k)]


@wrong("never above 1")
def percent(terms, vectors, idf, k):
    return [(n, 100 * s) for n, s in _best(_scores(terms, vectors, idf), k)]


@wrong("an angle")
def angle(terms, vectors, idf, k):
    return [(n, math.acos(min(1, s))) for n, s in _best(_scores(terms, vectors, idf), k)]


@wrong("a number is asked for")
def written_out(terms, vectors, idf, k):
    return [(n, f"{s:.3f}") for n, s in _best(_scores(terms, vectors, idf), k)]
