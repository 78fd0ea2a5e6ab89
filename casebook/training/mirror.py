"""Mirror: words that read the same from both ends, for two models of the same shape.

Four letters, then the same four backwards: "star" becomes "starrats". To go on after
the fourth letter, the left side is enough. To fill a blank in the first half, one must
see the right side. ``rng`` is a NumPy random generator.
"""

import numpy as np

from casebook.types import Integers, Lesson

LETTERS = "abcdefghijklmnopqrstuvwxyz"
BLANK = "_"
HALF = 4
HIDDEN = 0.15  # share of the letters that a lesson of blanks hides
N_SEQUENCES = 64  # in a lesson
N_SYMBOLS = len(LETTERS + BLANK)

_NUMBER = {symbol: number for number, symbol in enumerate(LETTERS + BLANK)}


def read(words: list[str]) -> Integers:
    """Return the number of each letter of ``words``, texts of one length; "_" is a blank.

    Returns: whole numbers, (n_words, n_letters).
    Raises: ValueError for another symbol, or words of different lengths.
    """
    lengths = {len(word) for word in words}
    if len(lengths) != 1:
        raise ValueError(f"words have {sorted(lengths)} letters: expected one length for all")
    strange = [symbol for symbol in "".join(words) if symbol not in _NUMBER]
    if strange:
        raise ValueError(f"words hold {strange[0]!r}: expected letters from a to z, or {BLANK!r}")
    return np.array([[_NUMBER[symbol] for symbol in word] for word in words], dtype=np.int64)


def spell(tokens: Integers) -> list[str]:
    """Return the text of each row of numbers. tokens: (n_words, n_letters)."""
    return ["".join((LETTERS + BLANK)[token] for token in row) for row in tokens]


def mirrored_words(n_words: int, rng: np.random.Generator) -> Integers:
    """Return random words, each followed by itself backwards. Returns: (n_words, 8)."""
    half = rng.integers(0, len(LETTERS), (n_words, HALF))
    return np.concatenate([half, half[:, ::-1]], axis=1)


def next_letters(rng: np.random.Generator) -> Lesson:
    """Return a lesson in which each letter is to say the next one, as GPT learns.

    Returns: tokens and targets (64, 7), and importance (7,), the same for all.
    """
    words = mirrored_words(N_SEQUENCES, rng)
    return words[:, :-1], words[:, 1:], np.ones(2 * HALF - 1)


def hidden_letters(rng: np.random.Generator) -> Lesson:
    """Return a lesson in which some letters are blanks, and those count, as BERT learns.

    Returns: tokens, targets and importance, each (64, 8).
    Source: Devlin et al. (2019), section 3.1, hide 15 % too.
    """
    words = mirrored_words(N_SEQUENCES, rng)
    hidden = rng.random(words.shape) < HIDDEN
    return np.where(hidden, _NUMBER[BLANK], words), words, hidden.astype(float)
