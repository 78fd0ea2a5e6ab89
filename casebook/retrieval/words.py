"""Cut text into the terms of an index: words, and pairs of characters for Chinese."""

import re
import unicodedata

POSSESSIVE = re.compile(r"['’]s\b")
WORD = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+(?:['’][^\W_]+)*")  # 6:40 is one word, and so is don't
# The unified ideographs, their extensions, and the two signs 々 and 〇 that stand among them.
CHINESE = re.compile(r"([\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af]+)")


def tokenise(text: str) -> list[str]:
    """Return the words of a text, in order: lower case, without punctuation.

    A number keeps the marks inside it (6:40), a possessive loses its 's (town's is town).

    Returns: list of str. Raises: TypeError if text is no string.
    """
    return WORD.findall(POSSESSIVE.sub("", _plain(text)))


def character_bigrams(text: str) -> list[str]:
    """Return the terms of a Chinese text, in order: every two neighbouring characters.

    Chinese is written without spaces, and pairs that overlap find words without knowing
    any: 渡輪時間 gives 渡輪, 輪時, 時間. A character that stands alone gives itself; words in
    other scripts, and numbers, stay words. No pair reaches across punctuation.

    Returns: list of str. Raises: TypeError if text is no string.
    """
    terms = []
    for i, piece in enumerate(CHINESE.split(_plain(text))):
        is_chinese = i % 2 == 1  # split puts what it split at in every second place
        terms += _pairs(piece) if is_chinese else tokenise(piece)
    return terms


def _pairs(run):
    """Return the overlapping pairs of a run of characters; a single character is its own."""
    return [run[i : i + 2] for i in range(max(1, len(run) - 1))]


def _plain(text):
    """Return the text in lower case, with one code for each character, however it was typed."""
    if not isinstance(text, str):
        raise TypeError(f"text is {text!r}: expected a string")
    return unicodedata.normalize("NFKC", text).lower()
