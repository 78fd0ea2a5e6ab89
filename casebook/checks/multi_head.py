"""The checks of exercise 04: split, merge, the class MultiHeadAttention, distances of heads."""

import inspect

import numpy as np

from casebook.checks import mistakes_attention as attention
from casebook.checks import mistakes_distances as distances
from casebook.checks import mistakes_heads as heads
from casebook.checks import mistakes_softmax as soft
from casebook.checks import properties
from casebook.checks.diagnosis import Case, Family, examine
from casebook.checks.plain_words import Fatal, Wrong
from casebook.checks.verdict import check

SPLIT_HEADS = Family(heads.split, heads.SPLIT)


@check("split_heads", ("X", "n_heads"))
def check_split_heads(learner, rng):
    """Check a cut into heads, and that a number of heads that does not divide is refused."""
    sizes = [("", 4, 15, 3), ("", 6, 8, 2), ("", 5, 12, 4), ("", 6, 12, 6)]
    sizes += [("for one head", 4, 5, 1), ("for a single token", 1, 6, 2)]
    sizes += [("for heads of width 1", 4, 3, 3)]
    cases = [Case(label, (rng.normal(0, 1, (n, width)), h)) for label, n, width, h in sizes]
    examine(learner, cases, SPLIT_HEADS, ("the result",))
    try:
        learner(rng.normal(0, 1, (4, 6)), 4)
    except Wrong:
        return
    raise Wrong("4 heads do not divide d_model = 6: raise a ValueError, do not drop columns.")


MERGE_HEADS = Family(heads.merge, heads.MERGE)


@check("merge_heads", ("heads",))
def check_merge_heads(learner, rng):
    """Check that heads are put side by side, token by token."""
    shapes = [("", 3, 4, 5), ("", 2, 7, 3), ("", 4, 4, 4)]
    shapes += [("for one head", 1, 4, 5), ("for a single token", 3, 1, 5)]
    cases = [Case(label, (rng.normal(0.3, 1, shape),)) for label, *shape in shapes]
    examine(learner, cases, MERGE_HEADS, ("the result",))


# The commonest first. Mistakes inside one head are those of chapter 02.
MULTI_HEAD_ATTENTION = Family(
    heads.attend_with_heads,
    (
        *heads.WITH_HEADS,
        *attention.SCALE_BY_MODEL,
        *attention.SCALE,
        *(mistake for mistake in soft.SOFTMAX if mistake.stage == "total"),
        *soft.SOFTMAX[:6],
        *attention.ROLES_OF_KEYS,
        *attention.ROLES_OF_VALUES,
        *attention.SCALE_TOO_LATE,
        *attention.GIVE,
    ),
)
GIVEN = ("X", "W_Q", "W_K", "W_V", "W_O", "n_heads", "mask")


class _InUse:
    """A learner's class as one function: make an object of it, then call the object."""

    def __init__(self, answer):
        if not inspect.isclass(answer):
            kind = type(answer).__name__
            raise Fatal(f"a class is expected, got {kind}: hand over MultiHeadAttention, uncalled.")
        if not any("__call__" in vars(kind) for kind in answer.__mro__):
            raise Fatal("the class has no __call__: an object must be usable like a function.")
        self.answer, self.__globals__ = answer, getattr(answer.__init__, "__globals__", {})

    def __call__(self, X, W_Q, W_K, W_V, W_O, n_heads, mask):
        attend = self.answer(W_Q, W_K, W_V, W_O, n_heads)
        return attend(X) if mask is None else attend(X, mask)


@check("multi_head_attention", GIVEN, use=_InUse)
def check_multi_head_attention(learner, rng):
    """Check a class that is made from its matrices and returns output and weights when called."""
    cases = [
        _heads_case("", rng, 5, 12, 3, np.tril(np.ones((5, 5), dtype=bool))),
        _heads_case("", rng, 6, 8, 4, rng.random((6, 6)) < np.eye(6) + 0.6),
        _heads_case("without a mask", rng, 4, 10, 2, None),
        _heads_case("for one head", rng, 5, 6, 1, None),
        _heads_case("for a single token", rng, 1, 6, 3, None),
        _heads_case("for very large scores", rng, 4, 6, 2, None, size=60),
    ]
    names = ("the output", "the weights")
    examine(learner, cases, MULTI_HEAD_ATTENTION, names, _about_weights)


def _heads_case(label, rng, n_tokens, d_model, n_heads, mask, size=0.6):
    X = rng.normal(0.2, 1, (n_tokens, d_model))
    W_Q, W_K = (rng.normal(0, size, (d_model, d_model)) for _ in range(2))
    W_V, W_O = (rng.normal(0.1, 0.5, (d_model, d_model)) for _ in range(2))
    return Case(label, (X, W_Q, W_K, W_V, W_O, n_heads, mask))


def _about_weights(case, got, right):
    if np.allclose(got[1], right[1]):
        return "the weights are right, the output is not: look at V, the merge and W_O."
    return properties.of_weights(got[1], right[1])


HEAD_DISTANCES = Family(distances.head_distances, distances.DISTANCES)


@check("head_distances", ("weights",))
def check_head_distances(learner, rng):
    """Check the distances of heads: equal heads, heads with nothing in common, any n_q and n_k."""
    same = soft.softmax(rng.normal(0, 1, (1, 4, 5)))
    cases = [
        Case("", (soft.softmax(rng.normal(0, 1.5, (3, 4, 5))),)),
        Case("", (soft.softmax(rng.normal(0, 1.5, (2, 6, 3))),)),
        Case("", (soft.softmax(rng.normal(0, 1.5, (4, 4, 4))),)),
        Case("for two equal heads", (np.concatenate([same, same]),)),
        Case(
            "for one-hot rows", (np.stack([np.eye(4), np.eye(4)[::-1], np.eye(4)[[0, 0, 0, 0]]]),)
        ),
        Case("for a single head", (same,)),
    ]
    examine(learner, cases, HEAD_DISTANCES, ("the distances",), _about_distances)


def _about_distances(case, got, right):
    table = got[0]
    if not np.allclose(table, table.T):
        return "the table is not symmetric: d(a, b) must equal d(b, a)."
    if not np.allclose(np.diagonal(table), 0):
        return "a head must be 0 apart from itself: look at the diagonal."
    if (table > 1 + 1e-9).any() or (table < 0).any():
        return f"a distance of {table.max():.3g}: it must lie between 0 and 1."
    return None
