"""The ranking of documents cut into stages, and the mistakes that people make there."""

import numpy as np

from casebook.checks.mistakes_softmax import deviations, keep


def rank(
    terms,
    vectors,
    idf,
    k,
    ask=lambda terms, idf: {term: terms.count(term) * idf[term] for term in terms if term in idf},
    score=lambda query, vector, idf: cosine(query, vector),
    worth=lambda score: score > 0,
    order=lambda pairs: sorted(pairs, key=lambda pair: -pair[1]),
    cut=lambda pairs, k: pairs[:k],
    finish=keep,
):
    """Return the result of task ``top_k``, a list of (name, score), best first."""
    query = ask(terms, idf)
    pairs = [(name, score(query, vector, idf)) for name, vector in vectors.items()]
    return finish(cut(order([pair for pair in pairs if worth(pair[1])]), k))


def dot(query, vector):
    """Return the sum of the products of the weights of shared terms."""
    return sum(weight * vector[term] for term, weight in query.items() if term in vector)


def length(vector, power=2):
    """Return the length of a vector, which is a dict of weights."""
    return sum(abs(weight) ** power for weight in vector.values()) ** (1 / power)


def cosine(query, vector):
    """Return the cosine of two dicts of weights; 0 if one of them has no length."""
    return part_of(dot(query, vector), length(query) * length(vector))


def part_of(part, whole):
    """Return part / whole; 0 if there is no whole."""
    return part / whole if whole else 0.0


def _over_shared(query, vector):
    return {term: weight for term, weight in vector.items() if term in query}


def _distance(query, vector):
    terms = query.keys() | vector.keys()
    return sum((query.get(term, 0) - vector.get(term, 0)) ** 2 for term in terms) ** 0.5


# fmt: off
RANK = (
    *deviations(
        "order",
        ("sorted the wrong way: the highest score comes first",
         lambda pairs: sorted(pairs, key=lambda pair: pair[1])),
        ("equal scores stand in alphabetical order: keep that of vectors",
         lambda pairs: sorted(pairs, key=lambda pair: (-pair[1], pair[0]))),
        ("equal scores are turned round: keep the order of vectors",
         lambda pairs: sorted(pairs, key=lambda pair: pair[1])[::-1]),
        ("equal scores stand in reverse alphabetical order: keep that of vectors",
         lambda pairs: sorted(pairs, key=lambda pair: (pair[1], pair[0]), reverse=True)),
        ("of equal scores only one document is kept: keep them all",
         lambda pairs: sorted({s: (n, s) for n, s in pairs}.values(), key=lambda p: -p[1])),
        ("not sorted: the highest score comes first", lambda pairs: pairs),
        ("sorted by name: the highest score comes first", sorted),
    ),
    *deviations(
        "score",
        ("a dot product: the cosine divides by both lengths", lambda q, v, idf: dot(q, v)),
        ("divides by the question's length only: by the document's too",
         lambda q, v, idf: part_of(dot(q, v), length(q))),
        ("divides by the document's length only: by the question's too",
         lambda q, v, idf: part_of(dot(q, v), length(v))),
        ("the root is missing in the lengths",
         lambda q, v, idf: part_of(dot(q, v), length(q) ** 2 * length(v) ** 2)),
        ("divides by the sum of the lengths: by their product",
         lambda q, v, idf: part_of(dot(q, v), length(q) + length(v))),
        ("divides by how many terms there are: by the lengths of the vectors",
         lambda q, v, idf: part_of(dot(q, v), len(q) * len(v))),
        ("divides by the number of the document's terms: by both lengths",
         lambda q, v, idf: part_of(dot(q, v), len(v))),
        ("a length sums the weights: it is the root of the sum of squares",
         lambda q, v, idf: part_of(dot(q, v), length(q, 1) * length(v, 1))),
        ("the document's length leaves out terms that are not asked for",
         lambda q, v, idf: part_of(dot(q, v), length(q) * length(_over_shared(q, v)))),
        ("the question's length leaves out terms that the document lacks",
         lambda q, v, idf: part_of(dot(q, v), length(_over_shared(v, q)) * length(v))),
        ("idf counts twice: the weights in vectors have it already",
         lambda q, v, idf: cosine(q, {t: w * idf.get(t, 1) for t, w in v.items()})),
        ("counts the terms in common: the score is the cosine",
         lambda q, v, idf: float(len(q.keys() & v.keys()))),
        ("only documents that hold every known word are kept: one word is enough",
         lambda q, v, idf: cosine(q, v) * (q.keys() <= v.keys())),
        ("the share of terms in common: the score is the cosine",
         lambda q, v, idf: part_of(len(q.keys() & v.keys()), len(q.keys() | v.keys()))),
        ("the distance of the vectors: the score is the cosine",
         lambda q, v, idf: _distance(q, v)),
        ("an angle: the score is its cosine",
         lambda q, v, idf: np.arccos(min(1, cosine(q, v)))),
        ("1 - cosine is a distance: the score is the cosine",
         lambda q, v, idf: 1 - cosine(q, v)),
        ("only the best term counts: sum over all that are shared",
         lambda q, v, idf: part_of(
             max((w * v.get(t, 0) for t, w in q.items()), default=0), length(q) * length(v))),
        ("the question is not weighed in the product: its count * idf",
         lambda q, v, idf: part_of(
             sum(v.get(t, 0) for t in q), length(q) * length(v))),
    ),
    *deviations(
        "ask",
        ("a repeated word of the question counts once: count * idf",
         lambda terms, idf: {t: idf[t] for t in terms if t in idf}),
        ("idf is missing in the question: its weights are count * idf",
         lambda terms, idf: {t: terms.count(t) for t in terms if t in idf}),
        ("every word of the question weighs 1: its weights are count * idf",
         lambda terms, idf: {t: 1 for t in terms if t in idf}),
        ("unknown words get a weight and lengthen the question: leave them out",
         lambda terms, idf: {t: terms.count(t) * idf.get(t, 1) for t in terms}),
        ("idf is squared in the question: its weights are count * idf",
         lambda terms, idf: {t: terms.count(t) * idf[t] ** 2 for t in terms if t in idf}),
        ("the count is squared in the question: its weights are count * idf",
         lambda terms, idf: {t: terms.count(t) ** 2 * idf[t] for t in terms if t in idf}),
    ),
    *deviations(
        "worth",
        ("documents of score 0 are in the list: leave them out", lambda score: True),
        ("leaves out low scores: every score above 0 counts", lambda score: score > 0.5),
        ("leaves out low scores: every score above 0 counts", lambda score: score > 0.1),
    ),
    *deviations(
        "cut",
        ("k is not used: return at most k documents", lambda pairs, k: pairs),
        ("always two documents: return at most k", lambda pairs, k: pairs[:2]),
        ("one document too few: return k", lambda pairs, k: pairs[: k - 1]),
        ("one document too many: return k", lambda pairs, k: pairs[: k + 1]),
        ("only the best document: return k", lambda pairs, k: pairs[:1]),
        ("the worst k are returned: the best k are asked for", lambda pairs, k: pairs[-k:]),
    ),
    *deviations(
        "finish",
        ("the list is empty: no document was put in", lambda pairs: []),
        ("the k best are there, but the best must come first", lambda pairs: pairs[::-1]),
    ),
)
# fmt: on
