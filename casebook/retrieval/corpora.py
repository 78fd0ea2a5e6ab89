"""The two corpora of the course: a small harbour town in English, a mountain town in Chinese.

Town, people and numbers are invented, so that no language model has read of them.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from casebook.guards import one_of
from casebook.types import Array

FOLDER = Path(__file__).parent.parent / "data"
LANGUAGES = ("english", "chinese")
STEPS = 1000  # the vectors are stored in whole thousandths


@dataclass(frozen=True)
class Question:
    """A question to a corpus, with the document that answers it (None: no document does).

    evidence: the words of the document that hold the answer, as they stand there (None if none).
    kind: "plain"; "synonym" (the document uses another word), "outdated" (an older document
    says otherwise), "contradiction" (two documents disagree), "long" (the answer stands
    inside the long document) or "unanswerable".
    """

    text: str
    document: str | None
    answer: str
    evidence: str | None
    kind: str


def load_corpus(language: str) -> tuple[dict[str, str], list[Question]]:
    """Return the documents and the questions of a corpus.

    language: "english" or "chinese" (Traditional, for :func:`character_bigrams`).
    Returns: dict of texts by name, and list of :class:`Question`.
    Raises: ValueError for another language.
    """
    one_of("language", language, LANGUAGES)
    corpus = json.loads((FOLDER / f"corpus_{language}.json").read_text("utf-8"))
    return corpus["documents"], [Question(**question) for question in corpus["questions"]]


def load_corpus_vectors() -> tuple[list[str], Array]:
    """Return the words of the English corpus, its questions too, and their GloVe vectors.

    A few names, such as Penmora, have no vector and are not in the list.

    Returns: list of n words, sorted, and vectors (n, 50), float64, rounded to 3 decimals.
    Source: Pennington et al. (2014), GloVe 6B, 50 dimensions.
    """
    with np.load(FOLDER / "corpus_english_vectors.npz") as arrays:
        return arrays["words"].tolist(), arrays["steps"] / STEPS
