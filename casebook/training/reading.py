"""Reading: what a trained model answers, where it looks, and how often it is right.

The model is given by its ``parameters`` and its ``config``.
"""

from collections.abc import Sequence

import numpy as np

from casebook.training import lessons
from casebook.training.library import ASKED, FACTS, NUMBER, decode, encode
from casebook.training.transformer import Config, forward, word_probabilities
from casebook.types import Array, Integers, Parameters

MOST_WORDS = 6


def generate(
    prompt: str, parameters: Parameters, config: Config, most_words: int = MOST_WORDS
) -> tuple[str, list[float]]:
    """Return what the model writes after ``prompt``, and how sure it was of each word.

    It always takes the likeliest word, and stops after a full stop.

    prompt: text, words parted by spaces. most_words: of the answer, at most.
    Returns: text, and a list of probabilities.
    Raises: ValueError for an unknown word, or a prompt that leaves no room in the context.
    """
    tokens, written, sure = encode(prompt), [], []
    if len(tokens) + most_words > config.n_positions:
        raise ValueError(
            f"prompt has {len(tokens)} words: with {most_words} for the answer, the model's "
            f"context of {config.n_positions} is too short"
        )
    while len(written) < most_words and (not written or written[-1] != NUMBER["."]):
        sequence = np.concatenate([tokens, np.array(written, dtype=np.int64)])
        probabilities = word_probabilities(sequence[None], parameters, config)[0, -1]
        written.append(int(probabilities.argmax()))
        sure.append(float(probabilities.max()))
    return decode(written), sure


def attention_weights(text: str, parameters: Parameters, config: Config, layer: int) -> Array:
    """Return the weights of every head of one layer.

    text: words parted by spaces. layer: counted from 0.
    Returns: (n_heads, n_words, n_words). Raises: ValueError for an unknown word.
    """
    _, saved = forward(encode(text)[None], parameters, config)
    return saved[f"{layer}.attention"].weights[0]


def reading_accuracy(
    n_documents: int,
    parameters: Parameters,
    config: Config,
    rng: np.random.Generator,
    n_lessons: int = 400,
) -> float:
    """Return the share of right values when one of ``n_documents`` look-alikes is asked about.

    The facts are those of the library, which training never shows. The model is given
    the answer up to the value.

    n_documents: in each of the ``n_lessons`` lessons. rng: a NumPy random generator.
    Returns: from 0 to 1.
    """
    sequences = lessons.open_book(n_lessons, n_documents, 1, rng, facts=FACTS)
    return _share_right(sequences, parameters, config)


def closed_book_accuracy(
    people: Sequence[int], facts: Integers, parameters: Parameters, config: Config
) -> float:
    """Return the share of values said as in ``facts``, without a document.

    people: numbers. Every relation is asked. facts: (n_people, n_relations).
    Returns: from 0 to 1.
    """
    person = np.repeat(np.array(people), len(ASKED))
    relation = np.tile(np.arange(len(ASKED)), len(people))
    sequences = lessons.questions(person, relation, facts[person, relation])
    return _share_right(sequences, parameters, config)


def _share_right(sequences, parameters, config):
    """Return how often the last word but one is the likeliest after those before it."""
    said = word_probabilities(sequences[:, :-2], parameters, config)[:, -1].argmax(axis=-1)
    return float((said == sequences[:, -2]).mean())
