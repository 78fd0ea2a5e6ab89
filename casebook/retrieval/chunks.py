"""Long documents in short pieces, and as many pieces as a prompt has room for."""

import math
from collections.abc import Callable

from casebook.guards import at_least, list_of_words


def chunk(words: list[str], size: int, overlap: int = 0) -> list[list[str]]:
    """Return a list of words cut into pieces; each begins with the last words of the one before.

    The last piece may be shorter. No piece lies wholly inside the one before.

    words: list of str. size: words in a piece, at least 1.
    overlap: words shared by neighbours, below size.
    Returns: list of lists; empty for no words.
    Raises: ValueError for a size below 1, or an overlap below 0 or not below size;
        TypeError if words is a string.
    """
    list_of_words(words)
    at_least("size", size, 1)
    if not 0 <= overlap < size:
        raise ValueError(f"overlap is {overlap} and size is {size}: expected 0 to {size - 1}")
    if not words:
        return []
    step = size - overlap
    end_of_starts = max(1, len(words) - overlap)  # from there on, nothing new would come
    return [words[start : start + size] for start in range(0, end_of_starts, step)]


def chunk_documents(
    documents: dict[str, str],
    size: int,
    overlap: int = 0,
    cut: Callable[[str], list[str]] = str.split,
    joint: str = " ",
) -> dict[str, str]:
    """Return the pieces of all documents under names like "ferry/1".

    documents: dict of texts by name. size, overlap: as in :func:`chunk`.
    cut, joint: how a text becomes words and words a text; for Chinese, ``list`` and "".
    Returns: dict of texts by name of the piece, in order, counted from 1.
    Raises: ValueError for a bad size or overlap.
    """
    return {
        f"{name}/{i}": joint.join(piece)
        for name, text in documents.items()
        for i, piece in enumerate(chunk(cut(text), size, overlap), start=1)
    }


def document_of(piece_name: str) -> str:
    """Return the name of the document that a piece comes from.

    piece_name: as :func:`chunk_documents` gives it.
    """
    return piece_name.rpartition("/")[0]


def best_window(words: list[str], size: int, weigh: Callable[[str], float]) -> list[str]:
    """Return the piece of ``size`` neighbouring words that weighs most, wherever it begins.

    The first of equals wins.

    words: list of str. weigh: a function from a word to its weight.
    Returns: list of words, all of them if there are no more than size.
    Raises: ValueError for a size below 1; TypeError if words is a string.
    """
    list_of_words(words)
    at_least("size", size, 1)
    weights = [weigh(word) for word in words]
    starts = range(max(1, len(words) - size + 1))
    # fsum rounds once, so that equal windows weigh the same in whatever order they are summed.
    best_start = max(starts, key=lambda start: math.fsum(weights[start : start + size]))
    return words[best_start : best_start + size]


def within_budget(
    ranked: list[tuple[str, float]],
    texts: dict[str, str],
    n_words: int,
    cut: Callable[[str], list[str]] = str.split,
) -> list[str]:
    """Return the best-ranked names whose texts together have at most ``n_words`` words.

    Taken in the order of rank; a text that no longer fits is passed over, and a shorter
    one after it may still come in.

    ranked: list of (name, score), best first. texts: dict of texts by name.
    cut: how a text becomes words; for Chinese, ``list``.
    Returns: list of names, in the order of rank; empty if none fits.
    Raises: ValueError for n_words below 1.
    """
    at_least("n_words", n_words, 1)
    chosen, left = [], n_words
    for name, _ in ranked:
        needed = len(cut(texts[name]))
        if needed <= left:
            chosen.append(name)
            left -= needed
    return chosen
