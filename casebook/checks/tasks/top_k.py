"""The check of a ranking by cosine."""

import numpy as np

from casebook.checks.engine import plain_answers as plain
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep
from casebook.checks.engine.verdict import check
from casebook.checks.stages.texts import NAMES, WORDS, length, part_of


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


def cosine(query, vector):
    """Return the cosine of two dicts of weights; 0 if one of them has no length."""
    return part_of(dot(query, vector), length(query) * length(vector))


def _over_shared(query, vector):
    return {term: weight for term, weight in vector.items() if term in query}


def _distance(query, vector):
    terms = query.keys() | vector.keys()
    return sum((query.get(term, 0) - vector.get(term, 0)) ** 2 for term in terms) ** 0.5


# fmt: off
MISTAKES = (
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

FAMILY = Family(rank, MISTAKES, read=plain.ranking)


@check("top_k", ("terms", "vectors", "idf", "k"))
def check_top_k(learner, rng):
    """Check a ranking by cosine: ties, unknown and repeated words, fewer found than asked for."""
    idf = {"tea": 1.5, "boat": 0.5, "ice": 2.0, "oat": 2.0, "fish": 1.0, "the": 0.0}
    tied = {
        "mill": {"tea": 2.0, "boat": 1.0},
        "zoo": {"tea": 2.0, "oat": 1.0},
        "attic": {"tea": 2.0, "ice": 1.0},
        "yard": {"tea": 2.0},
        "market": {"tea": 2.0, "fish": 1.0},
    }
    one = {"mill": {"tea": 3.0, "boat": 0.5, "the": 0.0}}
    bare = {"zoo": {}, "mill": {"tea": 1.5, "ice": 4.0}, "attic": {"the": 0.0}}
    cases = [
        _asked(rng, 6, 3, repeated=True),
        _asked(rng, 7, 2, unknown=True),
        _asked(rng, 5, 4),
        _asked(rng, 7, 1, repeated=True, unknown=True),
        Case("for equal scores", (["tea", "tea"], tied, idf, 3)),
        Case("where fewer than k share a word", (["ice", "boat"], tied, idf, 4)),
        Case("for a question without a known word", (["who", "knows"], tied, idf, 2)),
        Case("for a question without words", ([], tied, idf, 2)),
        Case("for a word that every document has", (["the"], one, idf, 1)),
        Case("beside a document without weights", (["tea", "the"], bare, idf, 2)),
        Case("for a single document", (["boat", "tea"], one, idf, 3)),
        Case("for a low score", (["tea"], {"mill": {"tea": 0.5, "ice": 20.0}}, idf, 1)),
    ]
    examine(learner, cases, FAMILY, ("the documents", "the score"), _about_scores)


def _asked(rng, n_documents, k, repeated=False, unknown=False):
    """Return a case of documents that share several words with a question, no scores equal."""
    words = WORDS[2:12]
    idf = dict(zip(words, rng.uniform(0.2, 3, len(words)).tolist(), strict=True))
    vectors = {}
    for name in NAMES[:n_documents]:
        inside = rng.choice(words, rng.integers(3, 8), replace=False).tolist()
        vectors[name] = {word: float(rng.integers(1, 4)) * idf[word] for word in inside}
    terms = rng.choice(words, 4, replace=False).tolist()
    terms += [terms[0], terms[0], terms[1]] if repeated else []
    terms[2:2] = ["who", "knows", "who"] if unknown else []
    vectors[NAMES[0]] |= {terms[0]: idf[terms[0]], terms[1]: 2 * idf[terms[1]]}
    return Case("", (terms, vectors, idf, k))


def _about_scores(case, got, right):
    """Say what a cosine cannot be, for a mistake that nobody foresaw."""
    beyond = np.flatnonzero(got[1] > 1 + 1e-9)
    if beyond.size:
        score = got[1][beyond[0]]
        return f"the score of {got[0][beyond[0]]} is {score:.4g}: a cosine is never above 1."
    return None
