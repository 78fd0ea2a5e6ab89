"""RAG: look documents up, write them into a prompt, and let a model answer from it.

The model is the reader of chapter 07 and the documents are its library, so that every
answer can be marked: with documents and without.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from casebook.retrieval import InvertedIndex, best_window, inverse_document_frequency, tokenise
from casebook.training import attention_weights, generate, library, word_probabilities
from casebook.training.lessons import STATEMENT, open_book
from casebook.training.library import ASKED, FACTS, KNOWN, MEMORIES, NUMBER, PEOPLE, VALUES
from casebook.training.transformer import Reader
from casebook.types import Array

INSTRUCTION = (
    "Answer the question from the documents below, and name the document. "
    'If they do not hold the answer, say "I do not know".'
)


@dataclass(frozen=True)
class LibraryQuestion:
    """A question that one document of the library answers.

    memory: what training taught instead, which is out of date; None for a newcomer.
    """

    text: str
    document: str
    answer: str
    memory: str | None
    person: int
    relation: int


@dataclass(frozen=True)
class Answer:
    """What the model wrote, and the probability that it gave to the whole sentence."""

    text: str
    probability: float


def index_of(
    documents: dict[str, str], tokenise: Callable[[str], list[str]] = tokenise
) -> InvertedIndex:
    """Return an inverted index of documents.

    documents: dict of texts by name. tokenise: as for :class:`InvertedIndex`.
    """
    index = InvertedIndex(tokenise)
    for name, text in documents.items():
        index.add(name, text)
    return index


def stems(text: str) -> list[str]:
    """Return the words of a text without an s at their end: drinks and drink become one.

    A crude stemmer, which also makes "iri" of iris; it does no harm as long as documents
    and questions are treated alike.

    Returns: list of str. Raises: TypeError if text is no string.
    Source: one rule of those in Manning, Raghavan and Schütze (2008), section 2.2.4.
    """
    return [word.removesuffix("s") or word for word in tokenise(text)]


def build_prompt(texts: list[str], question: str) -> str:
    """Return a prompt for a chat model: what to do, the documents by number, the question.

    texts: list of texts, best first; without any, the prompt is the question alone.
    """
    if not texts:
        return question
    numbered = [f"[{number}] {text}" for number, text in enumerate(texts, 1)]
    return "\n\n".join([INSTRUCTION, *numbered, f"Question: {question}"])


def reader_prompt(texts: list[str], question: str) -> str:
    """Return the prompt that the reader was trained on: documents, question, "answer:".

    texts: list of sentences; may be empty.
    """
    return " ".join([*texts, "question:", question, "answer:"])


def library_questions() -> list[LibraryQuestion]:
    """Return the 96 questions to the library, in the order of its documents."""
    return [
        LibraryQuestion(
            text=library.question(person, relation),
            document=f"{PEOPLE[person]} {ASKED[relation]}",
            answer=library.statement(person, relation, FACTS[person, relation]),
            memory=library.statement(person, relation, MEMORIES[person, relation])
            if person in KNOWN
            else None,
            person=person,
            relation=relation,
        )
        for person, relation in np.ndindex(FACTS.shape)
    ]


def look_alikes(
    n_documents: int, n_lessons: int, rng: np.random.Generator
) -> list[tuple[list[str], str, str]]:
    """Return the hard test: one of several easily mistaken facts of the library is asked about.

    n_documents: in each of the ``n_lessons`` lessons. rng: a NumPy random generator.
    Returns: list of (sentences, question, right sentence). With the same ``rng`` they are
        those of :func:`casebook.training.reading_accuracy`.
    """
    stop = STATEMENT * n_documents
    lessons = []
    for tokens in open_book(n_lessons, n_documents, 1, rng, facts=FACTS):
        words = library.decode(tokens).split()
        texts = [" ".join(words[i : i + STATEMENT]) for i in range(0, stop, STATEMENT)]
        question = " ".join(words[stop + 1 : -STATEMENT - 1])  # between question: and answer:
        lessons.append((texts, question, " ".join(words[-STATEMENT:])))
    return lessons


def answer(question: str, texts: list[str], reader: Reader) -> Answer:
    """Return the :class:`Answer` of the reader to a question, with texts before it.

    question: text. texts: list of sentences, in the order in which the model reads them.
    reader: parameters and config, as ``load_reader()`` returns them.
    Raises: ValueError for a word that the model does not know, or a prompt beyond its context.
    """
    text, probabilities = generate(reader_prompt(texts, question), *reader)
    return Answer(text, math.prod(probabilities))


def answer_all(
    questions: list[LibraryQuestion],
    found: list[list[str]],
    documents: dict[str, str],
    reader: Reader,
) -> list[Answer]:
    """Return the answer to each question, given beside the documents found for it.

    questions: list of :class:`LibraryQuestion`. reader: as for :func:`answer`.
    found: for each question a list of names, which may be empty. documents: texts by name.
    Raises: ValueError for lists of unequal length, and as :func:`answer`.
    """
    if len(questions) != len(found):
        raise ValueError(
            f"there are {len(questions)} questions and {len(found)} lists of documents: "
            "expected one list for every question"
        )
    return [
        answer(question.text, [documents[name] for name in names], reader)
        for question, names in zip(questions, found, strict=True)
    ]


def share_right(answers: list[Answer], truths: list[str]) -> float:
    """Return the share of answers that say the truth word by word.

    answers: list of :class:`Answer`. truths: list of sentences.
    Raises: ValueError for lists of unequal length, or empty ones.
    """
    if len(answers) != len(truths) or not truths:
        raise ValueError(
            f"there are {len(answers)} answers and {len(truths)} truths: "
            "expected one of each for every question, and a question at least"
        )
    pairs = zip(answers, truths, strict=True)
    return sum(answer.text == truth for answer, truth in pairs) / len(truths)


def mean_probability_when_wrong(answers: list[Answer], truths: list[str]) -> float:
    """Return how sure the model was, on average, of those answers that are wrong.

    answers, truths: as for :func:`share_right`. Returns: float; NaN if none is wrong.
    """
    pairs = zip(answers, truths, strict=True)
    sure = [answer.probability for answer, truth in pairs if answer.text != truth]
    return sum(sure) / len(sure) if sure else math.nan


def is_well_formed(answer: Answer, question: LibraryQuestion) -> bool:
    """Return whether an answer is one of the ten sentences that could answer the question."""
    return answer.text in [
        library.statement(question.person, question.relation, value)
        for value in range(library.N_VALUES)
    ]


def holds(text: str, phrase: str) -> bool:
    """Return whether the words of a phrase stand in a text, together and in order."""
    return f" {' '.join(tokenise(phrase))} " in f" {' '.join(tokenise(text))} "


def telling_window(text: str, question: str, index: InvertedIndex, size: int) -> str:
    """Return the ``size`` neighbouring words of a text that hold most of a question's words.

    Each counts by its idf in the index.
    """
    weights = {
        term: float(
            inverse_document_frequency(index.document_frequency(term), index.n_documents, "plain")
        )
        for term in index.tokenise(question)
        if term in index
    }
    window = best_window(
        text.split(),
        size,
        lambda word: sum(weights.get(term, 0) for term in index.tokenise(word)),
    )
    return " ".join(window)


def value_probabilities(question: LibraryQuestion, texts: list[str], reader: Reader) -> Array:
    """Return how likely each value of the asked relation is to come next.

    The model is given the answer up to the value: "... answer: vera drinks".

    question: a :class:`LibraryQuestion`. texts, reader: as for :func:`answer`.
    Returns: (10,), in the order of ``VALUES``; they sum to less than 1, since other words
        get a share too.
    """
    start = f"{reader_prompt(texts, question.text)} {_before_value(question)}"
    probabilities = word_probabilities(library.encode(start)[None], *reader)[0, -1]
    return probabilities[[NUMBER[word] for word in VALUES[question.relation]]]


def reading_weights(
    question: LibraryQuestion, texts: list[str], reader: Reader
) -> tuple[list[str], Array]:
    """Return the words of a prompt, and how much each head of the last layer looks at each.

    From the verb of the answer, after which the value is written.

    question: a :class:`LibraryQuestion`. texts, reader: as for :func:`answer`.
    Returns: list of n words, and (n_heads, n).
    """
    start = f"{reader_prompt(texts, question.text)} {_before_value(question)}"
    parameters, config = reader
    weights = attention_weights(start, parameters, config, config.n_layers - 1)
    return start.split(), weights[:, -1]


def weight_of_documents(weights: Array, n_documents: int) -> Array:
    """Return how much of the weight lies on each document of a prompt.

    weights: (n_heads, n_words), of a prompt that begins with the documents, four words each.
    Returns: (n_heads, n_documents).
    Raises: ValueError if there are fewer words than the documents have.
    """
    n_words = STATEMENT * n_documents
    if weights.shape[-1] < n_words:
        raise ValueError(f"weights {weights.shape}: {n_documents} documents have {n_words} words")
    return weights[:, :n_words].reshape(len(weights), n_documents, STATEMENT).sum(axis=-1)


def _before_value(question):
    """Return the answer up to its value, as in "vera drinks"."""
    return " ".join(question.answer.split()[:2])
