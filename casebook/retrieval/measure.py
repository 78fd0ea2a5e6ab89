"""How good a retrieval is: recall at k."""

from casebook.guards import at_least
from casebook.retrieval.ranking import NoKnownWordError, Ranking


def ranked_names(ranking: Ranking, questions: list[str], k: int) -> list[list[str]]:
    """Return the names of the k best documents for each question.

    A question without any known word finds nothing: its list is empty.

    ranking: anything with ``top_k``. questions: list of texts.
    Returns: list of lists of names, best first.
    """
    return [_names(ranking, question, k) for question in questions]


def recall_at(k: int, ranked: list[list[str]], right: list[str | None]) -> float:
    """Return the share of questions whose right document is among the first k.

    ranked: for each question the names found, best first.
    right: for each question the name of the document that answers it.
    Returns: float from 0 to 1.
    Raises: ValueError for k below 1, no question, lists of unequal length, or a question
        that has no right document (leave such questions out).
    """
    at_least("k", k, 1)
    if not right or len(ranked) != len(right):
        raise ValueError(
            f"ranked has {len(ranked)} lists and right has {len(right)} names: "
            "expected one of each for every question, and a question at least"
        )
    if None in right:
        raise ValueError(
            f"right[{right.index(None)}] is None: leave out questions that no document answers"
        )
    hits = sum(name in names[:k] for names, name in zip(ranked, right, strict=True))
    return hits / len(right)


def _names(ranking, question, k):
    try:
        return [name for name, _ in ranking.top_k(question, k)]
    except NoKnownWordError:
        return []
