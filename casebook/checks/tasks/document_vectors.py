"""The check of the weights count * log(N / df)."""

from collections import Counter

import numpy as np

from casebook.checks.engine import plain_answers as plain
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep
from casebook.checks.engine.verdict import check
from casebook.checks.stages.texts import NAMES, WORDS, length, part_of, turned


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
    counts = turned(index)
    n = number(index, n_documents)
    vectors = {name: {} for name in counts}
    for term, postings in index.items():
        idf = rarity(n, frequency(postings))
        for name, count in postings.items():
            inside = counts[name].values()
            vectors[name][term] = join(often(count, sum(inside), max(inside)), idf)
    return finish(vectors)


def _scaled(vectors, size):
    return {
        name: {term: part_of(weight, size(vector)) for term, weight in vector.items()}
        for name, vector in vectors.items()
    }


# fmt: off
MISTAKES = (
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
         lambda index, n: len(turned(index))),
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
        ("the result is turned round: it is {name: {term: weight}}", turned),
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

FAMILY = Family(
    weigh,
    MISTAKES,
    read=lambda value: plain.table(
        value,
        "{name: {term: weight}}",
        lambda name, term: f"{term} in {name}",
        without_zeros=True,
    ),
)


@check("document_vectors", ("index", "n_documents"))
def check_document_vectors(learner, rng):
    """Check weights count * log(N / df), with a term in every document, and wordless ones."""
    cases = [
        Case("", (_index(rng, 5), 7)),
        Case("", (_index(rng, 4, everywhere="the"), 4)),
        Case("", (_index(rng, 6), 40)),
        Case("for a single document", (_index(rng, 1), 1)),
        Case("for an empty index", ({}, 3)),
    ]
    examine(learner, cases, FAMILY, ("the vectors", "the weight"), _about_weights)


def _index(rng, n_documents, everywhere=None):
    """Return an index of documents of unequal length with repeated words."""
    index = {}
    for number, name in enumerate(NAMES[:n_documents]):
        words = rng.choice(WORDS[2:], 4 + 2 * number).tolist()
        words += [words[0], words[0], words[1], *[everywhere] * (1 if everywhere else 0)]
        for term, count in Counter(words).items():
            index.setdefault(term, {})[name] = count
    return index


def _about_weights(case, got, right):
    """Say what a weight cannot be, for a mistake that nobody foresaw."""
    if (got[1] < 0).any():
        row = int(np.argmin(got[1]))
        return f"the weight of {right[0][row]} is below 0: N / df is at least 1, so its log is not."
    return None
