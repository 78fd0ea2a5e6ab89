"""Write tests/reference/retrieval.json: scores by scikit-learn, rank_bm25 and bm25s.

The tests compare casebook.retrieval with these numbers, so that nobody has to install
the three to run them. To make them anew, in an environment of its own:

    pip install numpy==2.4.6 scikit-learn==1.9.1 rank-bm25==0.2.2 bm25s==0.3.16
    python -m provenance.make_retrieval_reference

The file holds the texts too, and notes the versions that made it.
"""

import importlib.metadata
import json
from pathlib import Path

import bm25s
import numpy as np
from rank_bm25 import BM25Okapi
from sklearn.feature_extraction.text import TfidfVectorizer

from casebook.retrieval import character_bigrams, load_corpus, tokenise

PATH = Path(__file__).resolve().parent.parent / "tests" / "reference" / "retrieval.json"
PACKAGES = ("scikit-learn", "rank-bm25", "bm25s", "numpy")
N_QUESTIONS = 4
# tf, idf and cosine as casebook names them: the same as arguments of TfidfVectorizer.
TFIDF_OPTIONS = {
    ("count", "smooth", True): {},
    ("log", "smooth", True): {"sublinear_tf": True},
    ("binary", "smooth", True): {"binary": True},
    ("count", "plus_one", True): {"smooth_idf": False},
    ("log", "plus_one", False): {"smooth_idf": False, "sublinear_tf": True, "norm": None},
    ("count", "none", True): {"use_idf": False},
    ("count", "smooth", False): {"norm": None},
}
K1_AND_B = [(1.5, 0.75), (1.2, 0.0), (0.3, 0.75), (2.0, 1.0)]
# The idf variants of casebook, by the method of bm25s that has them.
BM25S_METHODS = {"lucene": "lucene", "plain": "atire"}


def generated_corpus(rng):
    """Return documents and questions of invented words, common ones far more often than rare."""
    words = np.array(["".join(rng.choice(list("abcdefgh"), size=4)) for _ in range(60)])
    shares = 1 / np.arange(1, 61)
    texts = [
        " ".join(rng.choice(words, size=length, p=shares / shares.sum()))
        for length in rng.integers(3, 40, size=34)
    ]
    return {f"d{i}": text for i, text in enumerate(texts[:30])}, texts[30:]


def tfidf_cases(documents, questions, tokenise_with):
    """Return the scores (n_questions, n_documents) of TfidfVectorizer for all options.

    tokenise_with: a function, or None for scikit-learn's own way with words.
    """
    own = {}
    if tokenise_with is not None:
        own = {"tokenizer": tokenise_with, "token_pattern": None, "lowercase": False}
    for (tf, idf, cosine), options in TFIDF_OPTIONS.items():
        vectorizer = TfidfVectorizer(**own, **options)
        vectors = vectorizer.fit_transform(documents.values())
        scores = (vectorizer.transform(questions) @ vectors.T).toarray()
        yield {"tf": tf, "idf": idf, "cosine": cosine, "scores": scores.tolist()}


def bm25_cases(documents, questions, tokenise_with):
    """Return the scores (n_questions, n_documents) of rank_bm25 and bm25s for all options."""
    texts = [tokenise_with(text) for text in documents.values()]
    asked = [tokenise_with(question) for question in questions]
    for k1, b in K1_AND_B:
        by_okapi = BM25Okapi(texts, k1=k1, b=b)
        # rank_bm25 replaces a negative idf by its own number; such words are left out there.
        rare = [[word for word in words if _is_rare(word, texts)] for words in asked]
        scores = [by_okapi.get_scores(words).tolist() for words in rare]
        yield _bm25_case("rank_bm25", "robertson", k1, b, rare, scores)
        for idf, method in BM25S_METHODS.items():
            yield _bm25_case("bm25s", idf, k1, b, asked, _by_bm25s(texts, asked, k1, b, method))


def _bm25_case(package, idf, k1, b, asked, scores):
    return {
        "package": package,
        "idf": idf,
        "k1": k1,
        "b": b,
        "questions": [" ".join(words) for words in asked],
        "scores": scores,
    }


def _by_bm25s(texts, asked, k1, b, method):
    """Return the scores of bm25s; its Lucene, as Lucene itself, leaves out the factor k1 + 1."""
    retriever = bm25s.BM25(k1=k1, b=b, method=method, dtype="float64")
    retriever.index(texts, show_progress=False)
    factor = k1 + 1 if method == "lucene" else 1
    return [(retriever.get_scores(words) * factor).tolist() for words in asked]


def _is_rare(word, texts):
    return 2 * sum(word in words for words in texts) < len(texts)


def main():
    """Write what the other implementations answer into the reference file."""
    corpora = {"generated": (*generated_corpus(np.random.default_rng(0)), None)}
    for language, of_language in (("english", tokenise), ("chinese", character_bigrams)):
        documents, questions = load_corpus(language)
        texts = [question.text for question in questions[:N_QUESTIONS]]
        corpora[language] = (documents, texts, of_language)
    reference = {
        "versions": ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    }
    for name, (documents, questions, of_language) in corpora.items():
        reference[name] = {
            "documents": documents,
            "questions": questions,
            "tfidf": list(tfidf_cases(documents, questions, of_language)),
            "bm25": list(bm25_cases(documents, questions, of_language or str.split)),
        }
    lines = [
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in reference.items()
    ]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")
    print(f"{PATH.name}: {PATH.stat().st_size / 1000:.0f} kB by {reference['versions']}")


if __name__ == "__main__":
    main()
