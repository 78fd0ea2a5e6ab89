"""Index and weights cut into stages, and the mistakes that people make there."""

import re
from collections import Counter

import numpy as np

from casebook.checks.mistakes_ranking import length, part_of
from casebook.checks.mistakes_softmax import deviations, keep
from casebook.retrieval import tokenise as split_into_words


def _put(index, term, name, count):
    index.setdefault(term, {})[name] = count


def index_of(
    documents,
    tokenise,
    cut=lambda name, text, tokenise: tokenise(text),
    count=lambda terms, text: Counter(terms),
    put=_put,
    start=lambda documents, tokenise: {},
    finish=lambda index, documents: index,
):
    """Return the result of task ``build_index``, a dict {term: {name: count}}."""
    index = start(documents, tokenise)
    for name, text in documents.items():
        for term, times in count(cut(name, text, tokenise), text).items():
            put(index, term, name, times)
    return finish(index, documents)


def weigh(
    index,
    n_documents,
    number=lambda index, n: n,
    frequency=len,
    rarity=lambda n, df: np.log(n / df),
    often=lambda count, length, most: count,
    join=lambda tf, idf: tf * idf,
    finish=keep,
):
    """Return the result of task ``document_vectors``, a dict {name: {term: weight}}.

    number: what stands for N. frequency: what stands for df, of {name: count}.
    rarity: of N and df. often: of a count, with the sum and the largest of its document.
    """
    counts = _turned(index)
    n = number(index, n_documents)
    vectors = {name: {} for name in counts}
    for term, postings in index.items():
        idf = rarity(n, frequency(postings))
        for name, count in postings.items():
            inside = counts[name].values()
            vectors[name][term] = join(often(count, sum(inside), max(inside)), idf)
    return finish(vectors)


def _turned(table):
    """Return a dict of dicts with the two keys in the other order."""
    turned = {}
    for outer, row in table.items():
        for inner, value in row.items():
            turned.setdefault(inner, {})[outer] = value
    return turned


def _shared_dict(documents, tokenise):
    """Return what ``dict.fromkeys(terms, {})`` makes: one dict under every term."""
    return dict.fromkeys((term for text in documents.values() for term in tokenise(text)), {})


def _scaled(vectors, size):
    return {
        name: {term: part_of(weight, size(vector)) for term, weight in vector.items()}
        for name, vector in vectors.items()
    }


# fmt: off
INDEX = (
    *deviations(
        "finish",
        ("the index is turned round: it is {term: {name: count}}",
         lambda index, docs: _turned(index)),
        ("counts the documents of a term: count the term inside each document",
         lambda index, docs: {t: dict.fromkeys(p, len(p)) for t, p in index.items()}),
        ("each document has the count of all together: count inside each one",
         lambda index, docs: {t: dict.fromkeys(p, sum(p.values())) for t, p in index.items()}),
        ("documents without the term stand there with 0: leave them out",
         lambda index, docs: {t: {n: p.get(n, 0) for n in docs} for t, p in index.items()}),
        ("the result is empty: nothing was put in", lambda index, docs: {}),
        ("drops the terms of a single document: keep every term",
         lambda index, docs: {t: p for t, p in index.items() if len(p) > 1}),
        ("drops terms that stand once in a document: keep every term",
         lambda index, docs: {t: {n: c for n, c in p.items() if c > 1} for t, p in index.items()}),
        ("drops short words: keep every term that tokenise gives",
         lambda index, docs: {t: p for t, p in index.items() if len(t) > 3}),
        ("drops words of one letter: keep every term that tokenise gives",
         lambda index, docs: {t: p for t, p in index.items() if len(t) > 1}),
        ("the last document is missing", lambda index, docs: {
            t: {n: c for n, c in p.items() if n != list(docs)[-1]} for t, p in index.items()}),
        ("only the last document is there: the index is begun anew in the loop",
         lambda index, docs: {
             t: {n: c for n, c in p.items() if n == list(docs)[-1]} for t, p in index.items()}),
        ("only the first document is there: the return stands inside the loop",
         lambda index, docs: {
             t: {n: c for n, c in p.items() if n == list(docs)[0]} for t, p in index.items()}),
    ),
    *deviations(
        "count",
        ("a repeated word counts once: count how often it stands there",
         lambda terms, text: Counter(set(terms))),
        ("the counts are 1 too small: the first time counts too",
         lambda terms, text: {t: n - 1 for t, n in Counter(terms).items()}),
        ("the counts are 1 too large: the first time counts 1, not 2",
         lambda terms, text: {t: n + 1 for t, n in Counter(terms).items()}),
        ("every count is 0: nothing was added",
         lambda terms, text: dict.fromkeys(terms, 0)),
        ("text.count finds a term inside longer words: count in tokenise(text)",
         lambda terms, text: {t: text.count(t) for t in terms}),
        ("text.count finds a term inside longer words: count in tokenise(text)",
         lambda terms, text: {t: text.lower().count(t) for t in terms}),
        ("counts are divided by the length of the document: keep whole counts",
         lambda terms, text: {t: n / len(terms) for t, n in Counter(terms).items()}),
    ),
    *deviations(
        "cut",
        ("text.split() stands in for tokenise: use the function that is given",
         lambda name, text, tokenise: text.split()),
        ("text.lower().split() stands in for tokenise: use what is given",
         lambda name, text, tokenise: text.lower().split()),
        ("the text is put in lower case and split at spaces: use tokenise",
         lambda name, text, tokenise: text.lower().split(" ")),
        ("the text is put in lower case: give it to tokenise as it is",
         lambda name, text, tokenise: tokenise(text.lower())),
        ("another tokeniser is used: use the function that is given",
         lambda name, text, tokenise: split_into_words(text)),
        ("another tokeniser is used: use the function that is given",
         lambda name, text, tokenise: re.findall(r"\w+", text.lower())),
        ("the name is cut into terms: tokenise the text",
         lambda name, text, tokenise: tokenise(name)),
        ("the name is indexed too: only the text is asked for",
         lambda name, text, tokenise: tokenise(f"{name} {text}")),
        ("single characters are indexed: the terms are those of tokenise",
         lambda name, text, tokenise: list(text)),
        ("tokenise gets the text in words already: give it the text as it is",
         lambda name, text, tokenise: [t for word in text.split() for t in tokenise(word)[:1]]),
    ),
    *deviations(
        "put",
        ("a document overwrites the earlier ones of its term: add to the dict",
         lambda index, term, name, times: index.update({term: {name: times}})),
        ("only the first document of each term is kept: add the others",
         lambda index, term, name, times: index.setdefault(term, {name: times})),
    ),
    *deviations(
        "start",
        ("all terms share one dict (dict.fromkeys): make one for each term", _shared_dict),
    ),
)

WEIGHTS = (
    *deviations(
        "frequency",
        ("df counts occurrences: it is the number of documents with the term",
         lambda postings: sum(postings.values())),
        ("df is the largest count: it is the number of documents",
         lambda postings: max(postings.values())),
    ),
    *deviations(
        "rarity",
        ("the logarithm is inverted: it is log(N / df), not log(df / N)",
         lambda n, df: np.log(df / n)),
        ("a term of a single document gets no weight: it tells the most",
         lambda n, df: np.log(n / df) if df > 1 else 0.0),
        ("the logarithm has base 10: the natural one, math.log, is asked for",
         lambda n, df: np.log10(n / df)),
        ("the logarithm has base 2: the natural one, math.log, is asked for",
         lambda n, df: np.log2(n / df)),
        ("1 is added after the logarithm: the weight is count * log(N / df)",
         lambda n, df: np.log(n / df) + 1),
        ("1 is added inside the logarithm: it is log(N / df)", lambda n, df: np.log(1 + n / df)),
        ("1 is added to df: it is log(N / df)", lambda n, df: np.log(n / (1 + df))),
        ("1 is added to df, and 1 outside: it is log(N / df)",
         lambda n, df: np.log(n / (1 + df)) + 1),
        ("smoothed as in scikit-learn: here it is log(N / df), without any 1",
         lambda n, df: np.log((1 + n) / (1 + df)) + 1),
        ("smoothed, 1 added to N and df: here it is log(N / df)",
         lambda n, df: np.log((1 + n) / (1 + df))),
        ("the idf is that of BM25: here it is log(N / df)",
         lambda n, df: np.log((n - df + 0.5) / (df + 0.5))),
        ("the idf is that of BM25: here it is log(N / df)",
         lambda n, df: np.log(1 + (n - df + 0.5) / (df + 0.5))),
        ("the logarithm is missing: the weight is count * log(N / df)", lambda n, df: n / df),
        ("divides by df: the weight is count * log(N / df)", lambda n, df: 1 / df),
        ("N is missing: it is log(N / df)", lambda n, df: -np.log(df)),
        ("the logarithm of df alone: it is log(N / df)", lambda n, df: np.log(df)),
        ("the logarithm of N alone: it is log(N / df)", lambda n, df: np.log(n)),
        ("the logarithm takes N alone and df divides it: it is log(N / df)",
         lambda n, df: np.log(n) / df),
        ("log(N) / log(df) is another number than log(N / df)",
         lambda n, df: np.log(n) / np.log(df)),
        ("N / df is rounded down by //: use /", lambda n, df: np.log(n // df)),
        ("the root stands in for the logarithm: it is log(N / df)",
         lambda n, df: np.sqrt(n / df)),
        ("the share df / N stands in for the logarithm: it is log(N / df)",
         lambda n, df: df / n),
        ("idf is squared: multiply by log(N / df) once",
         lambda n, df: np.log(n / df) ** 2),
    ),
    *deviations(
        "join",
        ("idf is missing: multiply the count by log(N / df)", lambda tf, idf: tf),
        ("the count is missing: multiply log(N / df) by it", lambda tf, idf: idf),
        ("count and idf are added: multiply them", lambda tf, idf: tf + idf),
        ("the logarithm takes the count too: it is count * log(N / df)",
         lambda tf, idf: np.log(tf) + idf),
        ("the weights are cut to whole numbers by int()", lambda tf, idf: int(tf * idf)),
        ("the count is divided by idf: multiply",
         lambda tf, idf: tf / idf if idf else 0),
    ),
    *deviations(
        "number",
        ("N is the number of terms: it is the number of documents", lambda index, n: len(index)),
        ("N counts the documents in the index: use n_documents",
         lambda index, n: len(_turned(index))),
        ("N counts all occurrences: it is the number of documents",
         lambda index, n: sum(sum(postings.values()) for postings in index.values())),
        ("N is n_documents + 1", lambda index, n: n + 1),
    ),
    *deviations(
        "often",
        ("a repeated word counts once: multiply by its count", lambda c, all_of, most: 1),
        ("the count is divided by the document's length: take it as it is",
         lambda c, all_of, most: c / all_of),
        ("the count is divided by the largest one: take it as it is",
         lambda c, all_of, most: c / most),
        ("1 + log(count) stands in for the count", lambda c, all_of, most: 1 + np.log(c)),
        ("log(1 + count) stands in for the count", lambda c, all_of, most: np.log(1 + c)),
        ("the count is squared: take it as it is", lambda c, all_of, most: c**2),
    ),
    *deviations(
        "finish",
        ("the result is turned round: it is {name: {term: weight}}", _turned),
        ("the result is empty: nothing was put in", lambda vectors: {}),
        ("a vector keeps its last term only: add to the dict of the document",
         lambda vectors: {n: dict(list(vector.items())[-1:]) for n, vector in vectors.items()}),
        ("the vectors are cut to length 1: return them as they are",
         lambda vectors: _scaled(vectors, length)),
        ("the weights of a document are made to sum to 1: return them as they are",
         lambda vectors: _scaled(vectors, lambda vector: sum(vector.values()))),
    ),
)
# fmt: on
