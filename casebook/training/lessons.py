"""Lessons: the sequences that the model is trained and tested on.

An open-book lesson holds documents, then questions about them, each with its answer.
A closed-book lesson holds questions alone. Everything is one word a token:

    vera drinks cocoa . omar plays golf .
    question: what does vera drink ? answer: vera drinks cocoa .

``person``, ``relation`` and ``value`` are arrays of numbers, of one shape, and ``rng`` is a
NumPy random generator. ``n_sequences`` lessons are alike in their numbers of documents and
questions, ``n_documents`` and ``n_questions``.
"""

import numpy as np

from casebook.training.library import (
    ASKED,
    FACTS,
    KNOWN,
    MEMORIES,
    N_VALUES,
    NUMBER,
    PEOPLE,
    STATED,
    VALUES,
    encode,
)
from casebook.types import Array, Integers, Lesson

N_SEQUENCES = 32  # in a lesson of training
CLOSED_BOOK = 0.2  # share of the lessons of training without documents
STATEMENT, QUESTION = 4, 7  # how many words each takes
ANSWER_IMPORTANCE = (1, 1, 4, 1)  # the value is what matters
SAME_PERSON, SAME_RELATION = 0.3, 0.6  # shares of the other documents; the rest share neither

_person = np.array([NUMBER[name] for name in PEOPLE])
_asked = np.array([NUMBER[word] for word in ASKED])
_stated = np.array([NUMBER[word] for word in STATED])
_value = np.array([[NUMBER[word] for word in words] for words in VALUES])
_START, _END = encode("question: what does"), encode("? answer:")


def statements(person: Integers, relation: Integers, value: Integers) -> Integers:
    """Return the words of "vera drinks cocoa ." for arrays of numbers.

    Returns: whole numbers, (..., 4).
    """
    stop = np.full(person.shape, NUMBER["."])
    return np.stack([_person[person], _stated[relation], _value[relation, value], stop], axis=-1)


def questions(person: Integers, relation: Integers, value: Integers) -> Integers:
    """Return the words of "question: what does vera drink ? answer: vera drinks cocoa .".

    Returns: whole numbers, (..., 11).
    """
    start = np.broadcast_to(_START, (*person.shape, len(_START)))
    end = np.broadcast_to(_END, (*person.shape, len(_END)))
    asked = np.stack([_person[person], _asked[relation]], axis=-1)
    return np.concatenate([start, asked, end, statements(person, relation, value)], axis=-1)


def closed_book(n_sequences: int, n_questions: int, rng: np.random.Generator) -> Integers:
    """Return lessons without documents: the known people, and what training says of them.

    Returns: whole numbers, (n_sequences, 11 n_questions).
    """
    person = rng.choice(KNOWN, (n_sequences, n_questions))
    relation = rng.integers(0, len(ASKED), person.shape)
    return questions(person, relation, MEMORIES[person, relation]).reshape(n_sequences, -1)


def open_book(
    n_sequences: int,
    n_documents: int,
    n_questions: int,
    rng: np.random.Generator,
    facts: Integers | None = None,
) -> Integers:
    """Return lessons of documents in random order, then questions about some of them.

    facts: (n_people, n_relations), the values that the documents state. Without it the
        values are drawn anew for each lesson, and are never those of ``FACTS``.
    Returns: whole numbers, (n_sequences, 4 n_documents + 11 n_questions).
    Raises: ValueError for more questions than documents.
    """
    if n_questions > n_documents:
        raise ValueError(f"n_questions is {n_questions}: expected at most {n_documents} documents")
    person, relation = _look_alikes(n_sequences, n_documents, rng)
    if facts is None:
        value = (FACTS[person, relation] + rng.integers(1, N_VALUES, person.shape)) % N_VALUES
    else:
        value = facts[person, relation]
    order = np.tile(np.arange(n_documents), (n_sequences, 1))
    asked = rng.permuted(order, axis=1)[:, :n_questions]
    about = [np.take_along_axis(numbers, asked, axis=1) for numbers in (person, relation, value)]
    parts = statements(person, relation, value), questions(*about)
    return np.concatenate([part.reshape(n_sequences, -1) for part in parts], axis=1)


def next_words(sequences: Integers, importance: Array) -> Lesson:
    """Return a lesson in which each token is to say the next one.

    sequences: whole numbers (n_sequences, n). importance: (n,), how much each token counts.
    Returns: tokens and targets (n_sequences, n - 1), and importance (n - 1,).
    """
    return sequences[:, :-1], sequences[:, 1:], importance[1:]


def importance(n_documents: int, n_questions: int) -> Array:
    """Return how much each token counts: the answers alone, and their value most.

    Returns: (4 n_documents + 11 n_questions,).
    """
    one = np.array([0.0] * QUESTION + list(ANSWER_IMPORTANCE))
    return np.concatenate([np.zeros(STATEMENT * n_documents), np.tile(one, n_questions)])


def library_lesson(rng: np.random.Generator) -> Lesson:
    """Return a lesson of training: three documents and questions, or no document at all.

    Returns: tokens, targets and importance, as :func:`next_words`.
    """
    if rng.random() < CLOSED_BOOK:
        return next_words(closed_book(N_SEQUENCES, 4, rng), importance(0, 4))
    return next_words(open_book(N_SEQUENCES, 3, 3, rng), importance(3, 3))


def _look_alikes(n_sequences, n_documents, rng):
    """Return people and relations of documents that are easily mistaken for one another.

    Most share the person or the relation with one of them; no two share both.
    Returns: two arrays (n_sequences, n_documents), in random order.
    """
    person = rng.integers(0, len(PEOPLE), (n_sequences, n_documents))
    relation = rng.integers(0, len(ASKED), person.shape)
    kind = rng.random((n_sequences, n_documents - 1))
    same_person, same_relation = kind < SAME_PERSON, kind > 1 - SAME_RELATION
    person[:, 1:] = np.where(same_person, person[:, :1], person[:, 1:])
    relation[:, 1:] = np.where(same_relation, relation[:, :1], relation[:, 1:])
    while (twice := _seen_before(person * len(ASKED) + relation)).any():
        person[twice] = rng.integers(0, len(PEOPLE), twice.sum())
        relation[twice] = rng.integers(0, len(ASKED), twice.sum())
    order = rng.permuted(np.tile(np.arange(n_documents), (n_sequences, 1)), axis=1)
    return np.take_along_axis(person, order, axis=1), np.take_along_axis(relation, order, axis=1)


def _seen_before(keys):
    """Return where a row holds a key that stands further left already. keys: (n, m)."""
    columns = range(keys.shape[1])
    return np.stack([(keys[:, :c] == keys[:, c : c + 1]).any(axis=1) for c in columns], axis=1)
