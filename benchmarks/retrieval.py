"""Retrieval beside scikit-learn and bm25s: ``python -m benchmarks retrieval``.

All of it is one run over a growing corpus: rounds in which each library takes its turn,
medians over the rounds, and the ratios that follow. One document is some 60 words; words are
as uneven as in a real text (Zipf), so a question holds common words too. Nothing is cached
between questions. Times are CPU seconds.
"""

import statistics
import time

import bm25s
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from casebook.retrieval import BM25, InvertedIndex, TfIdf, tokenise

SIZES = (1_000, 10_000, 50_000)
N_WORDS = 30_000
N_QUESTIONS = 50
TOP = 10
BUILD_ROUNDS = 3
QUERY_ROUNDS = 7


def generated_corpus(n_documents, rng):
    """Return texts of documents and questions; word number i stands 1 / i as often as the first."""
    shares = 1 / np.arange(1, N_WORDS + 1)
    shares /= shares.sum()
    names = np.array([f"w{i}x" for i in range(N_WORDS)])

    def texts(lengths):
        words = names[rng.choice(N_WORDS, size=lengths.sum(), p=shares)]
        return [" ".join(part) for part in np.split(words, np.cumsum(lengths)[:-1])]

    return texts(rng.integers(30, 91, n_documents)), texts(rng.integers(4, 9, N_QUESTIONS))


def build_ours(documents, kind):
    """Return a function that answers a question; the arrays are made before it is returned."""
    index = InvertedIndex()
    for name, text in enumerate(documents):
        index.add(str(name), text)
    ranking = kind(index)
    ranking.scores(documents[0])  # the first question reads the index
    return lambda question: ranking.top_k(question, TOP)


def build_scikit_learn(documents):
    """Return a function that answers a question by the product of sparse matrices."""
    vectorizer = TfidfVectorizer()
    vectors = vectorizer.fit_transform(documents)

    def answer(question):
        scores = (vectors @ vectorizer.transform([question]).T).toarray().ravel()
        first = np.argpartition(-scores, TOP)[:TOP]
        return [(row, scores[row]) for row in first[np.argsort(-scores[first])]]

    return answer


def build_bm25s(documents):
    """Return a function that answers a question with bm25s, words cut as ours are."""
    retriever = bm25s.BM25(dtype="float64")
    retriever.index([tokenise(text) for text in documents], show_progress=False)

    def answer(question):
        rows, scores = retriever.retrieve([tokenise(question)], k=TOP, show_progress=False)
        return list(zip(rows[0].tolist(), scores[0].tolist(), strict=True))

    return answer


BUILDERS = {
    "casebook TF-IDF": lambda documents: build_ours(documents, TfIdf),
    "scikit-learn": build_scikit_learn,
    "casebook BM25": lambda documents: build_ours(documents, BM25),
    "bm25s": build_bm25s,
}
RIVALS = {"casebook TF-IDF": "scikit-learn", "casebook BM25": "bm25s"}


def seconds(function, *arguments):
    """Return the CPU seconds of a call, which other programs do not change, and its result."""
    start = time.process_time()
    result = function(*arguments)
    return time.process_time() - start, result


def measure(documents, questions):
    """Return the median seconds to build and to answer one question, by name, and the answers."""
    building = {name: [] for name in BUILDERS}
    asking = {name: [] for name in BUILDERS}
    answerers = {}
    for _ in range(BUILD_ROUNDS):
        for name, build in BUILDERS.items():
            answerers.pop(name, None)  # one copy of each at a time
            took, answerers[name] = seconds(build, documents)
            building[name].append(took)
    for _ in range(QUERY_ROUNDS):
        for name, answer in answerers.items():
            took, _ = seconds(lambda of=answer: [of(question) for question in questions])
            asking[name].append(took / len(questions))
    answers = {name: answer(questions[0]) for name, answer in answerers.items()}
    return (
        {name: statistics.median(of) for name, of in building.items()},
        {name: statistics.median(of) for name, of in asking.items()},
        answers,
    )


def expect_same_scores(answers):
    """Stop unless both of each pair find the same best scores, up to a factor (bm25s has none)."""
    for ours, theirs in RIVALS.items():
        pair = [np.array([score for _, score in answers[name]]) for name in (ours, theirs)]
        np.testing.assert_allclose(*(scores / scores[0] for scores in pair), rtol=1e-9)


def run(n_threads, say=print):
    """Print seconds to build, milliseconds a question, and the rivals' time over ours."""
    say(f"retrieval, {n_threads} threads")
    say(f"{'documents':>9}  {'library':16} {'build s':>8} {'ask ms':>8}  rival / ours: build, ask")
    for n_documents in SIZES:
        documents, questions = generated_corpus(n_documents, np.random.default_rng(0))
        building, asking, answers = measure(documents, questions)
        expect_same_scores(answers)
        for name in BUILDERS:
            rival, ratios = RIVALS.get(name), ""
            if rival:
                ratios = (
                    f"{building[rival] / building[name]:.2f} {asking[rival] / asking[name]:.2f}"
                )
            took = f"{building[name]:8.2f} {1000 * asking[name]:8.3f}"
            say(f"{n_documents:9,}  {name:16} {took}  {ratios}")
