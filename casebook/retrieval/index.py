"""The inverted index: for each term, the documents that hold it and how often."""

from collections import Counter
from collections.abc import Callable

from casebook.retrieval.words import tokenise as tokenise_words


class InvertedIndex:
    """Documents by the terms in them; one is added or removed at a time.

    tokenise: a function from a text to its list of terms, for documents and for questions.
    ``version`` grows with every change, so that a ranking knows when it is out of date.
    Source: Manning, Raghavan and Schütze (2008), chapter 1.
    """

    def __init__(self, tokenise: Callable[[str], list[str]] = tokenise_words) -> None:
        self.tokenise = tokenise
        self.version = 0
        self._postings = {}  # term: {name: count}, names in the order of adding
        self._terms = {}  # name: its distinct terms, so that it can be removed again
        self._lengths = {}  # name: how many terms it has in all

    def add(self, name: str, text: str) -> None:
        """Take in a document.

        A text without terms is taken in too, and no question finds it.

        Raises: ValueError if the name is there already; TypeError if text is no string.
        """
        if name in self._terms:
            raise ValueError(f"name {name!r} is in the index already: remove it first")
        counts = Counter(self.tokenise(text))
        for term, count in counts.items():
            self._postings.setdefault(term, {})[name] = count
        self._terms[name] = tuple(counts)
        self._lengths[name] = counts.total()
        self.version += 1

    def remove(self, name: str) -> None:
        """Take out a document, so that nothing of it is left.

        Raises: ValueError if the name is not there, or no longer.
        """
        self._expect(name)
        for term in self._terms.pop(name):
            del self._postings[term][name]
            if not self._postings[term]:
                del self._postings[term]
        del self._lengths[name]
        self.version += 1

    @property
    def n_documents(self) -> int:
        """How many documents are in the index."""
        return len(self._terms)

    @property
    def names(self) -> list[str]:
        """The names of the documents, in the order of adding."""
        return list(self._terms)

    @property
    def terms(self) -> list[str]:
        """The terms of all documents, sorted."""
        return sorted(self._postings)

    def __contains__(self, term):
        return term in self._postings

    def postings(self, term: str) -> list[tuple[str, int]]:
        """Return where a term stands: a list of (name, count), in the order of adding.

        Returns an empty list for a term that no document holds.
        """
        return list(self._postings.get(term, {}).items())

    def document_frequency(self, term: str) -> int:
        """Return how many documents hold a term; 0 if none does."""
        return len(self._postings.get(term, {}))

    def document_length(self, name: str) -> int:
        """Return how many terms a document has, each as often as it stands there.

        Raises: ValueError if the name is not in the index.
        """
        self._expect(name)
        return self._lengths[name]

    def counts(self, name: str) -> dict[str, int]:
        """Return the terms of a document with their counts: the index read the other way.

        Returns: dict, terms in the order of their first place in the text.
        Raises: ValueError if the name is not in the index.
        """
        self._expect(name)
        return {term: self._postings[term][name] for term in self._terms[name]}

    def _expect(self, name):
        if name not in self._terms:
            raise ValueError(f"name {name!r} is not in the index: it was never added, or removed")
