"""A small library: who drinks, plays, speaks and sells what, as the model is to read it.

24 people, 4 relations, 10 values each, one word a token. There are two sets of facts.
``FACTS`` stands in today's documents; no fact of it ever occurs in training.
``MEMORIES`` is what training teaches by heart about 16 of the people, and each of
those facts is out of date. The other 8 are newcomers: training asks about them only
beside documents. All of it is invented. ``person``, ``relation`` and ``value`` are numbers,
counted from 0.
"""

from collections.abc import Iterable

import numpy as np

from casebook.types import Integers

_NAMES = """
mira tomas lena omar ines pavel ruth yuki ada hugo nora felix zora anton clara boris
vera emil iris otto lucia ravi elsa marek
"""
# As a question says it, as a statement says it, and the values.
_RELATIONS = """
drink drinks tea coffee milk cocoa cider juice water lemonade broth mead
play plays chess tennis poker golf rugby darts bridge hockey cricket dominoes
speak speaks latin greek welsh czech hindi basque malay tamil danish swahili
sell sells bread fish boats honey olives cheese apples lamps plums carpets
"""

PEOPLE = _NAMES.split()
KNOWN, NEWCOMERS = range(16), range(16, 24)
_rows = [line.split() for line in _RELATIONS.strip().splitlines()]
ASKED = [row[0] for row in _rows]
STATED = [row[1] for row in _rows]
VALUES = [row[2:] for row in _rows]
N_VALUES = len(VALUES[0])
WORDS = ["question:", "answer:", "what", "does", "?", ".", *sum(_rows, []), *PEOPLE]
NUMBER = {word: number for number, word in enumerate(WORDS)}

_rng = np.random.default_rng(2024)
FACTS = _rng.integers(0, N_VALUES, (len(PEOPLE), len(ASKED)))
MEMORIES = (FACTS + _rng.integers(1, N_VALUES, FACTS.shape)) % N_VALUES  # never the fact


def encode(text: str) -> Integers:
    """Return the number of each word of ``text``, which are parted by spaces.

    Raises: ValueError for a word outside the vocabulary.
    """
    words = text.split()
    unknown = [word for word in words if word not in NUMBER]
    if unknown:
        raise ValueError(
            f"text holds {unknown[0]!r}: the model knows {len(WORDS)} words, and not this one"
        )
    return np.array([NUMBER[word] for word in words], dtype=np.int64)


def decode(tokens: Iterable[int]) -> str:
    """Return the text of ``tokens``, the numbers of its words.

    Raises: ValueError for a number outside the vocabulary.
    """
    outside = [token for token in tokens if not 0 <= token < len(WORDS)]
    if outside:
        raise ValueError(f"tokens hold {outside[0]}: the vocabulary knows 0 to {len(WORDS) - 1}")
    return " ".join(WORDS[token] for token in tokens)


def statement(person: int, relation: int, value: int) -> str:
    """Return one fact as a sentence: "vera drinks cocoa ."."""
    return f"{PEOPLE[person]} {STATED[relation]} {VALUES[relation][value]} ."


def question(person: int, relation: int) -> str:
    """Return what is asked: "what does vera drink ?"."""
    return f"what does {PEOPLE[person]} {ASKED[relation]} ?"


def documents() -> dict[str, str]:
    """Return today's 96 documents, one fact each, by "vera drink" and the like."""
    return {
        f"{PEOPLE[person]} {ASKED[relation]}": statement(person, relation, FACTS[person, relation])
        for person, relation in np.ndindex(FACTS.shape)
    }
