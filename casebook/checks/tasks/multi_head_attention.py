"""The check of the class MultiHeadAttention.

Mistakes inside one head are those of chapter 02.
"""

import inspect

import numpy as np

from casebook.attention import softmax
from casebook.checks.engine import properties
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations
from casebook.checks.engine.plain_words import Fatal
from casebook.checks.engine.verdict import check
from casebook.checks.stages import attention, heads
from casebook.checks.stages import softmax as soft


def _blocks(matrix, n_heads):
    """Return the square blocks on the diagonal, one for each head."""
    ends = np.arange(n_heads + 1) * (len(matrix) // n_heads)
    return [matrix[a:b, a:b] for a, b in zip(ends[:-1], ends[1:], strict=True)]


def _by_blocks(rows, matrix, n_heads):
    """Return each head's columns times its own block, side by side."""
    parts, blocks = heads.cut_columns(rows, n_heads), _blocks(matrix, n_heads)
    return np.hstack([part @ block for part, block in zip(parts, blocks, strict=True)])


def _slices_of_x(X, q, k, v, n_heads):
    return [_by_blocks(X, matrix, n_heads) for matrix in (q, k, v)]


def _reduced(how):
    """Return a last step that makes one head of all, and uses as many rows of W_O as it needs."""

    def leave(joined, W_O, n_heads):
        head = how(heads.cut_columns(joined, n_heads), axis=0)
        return head @ W_O[: head.shape[1]]

    return leave


def _hidden_where_seen(scores, mask, never=-np.inf):
    return np.where(mask, never, scores)


def _lost_where_all_is_seen(scores, mask):
    """Return the scores with the mask turned round; a row that loses everything becomes NaN."""
    return np.where(mask.all(axis=-1, keepdims=True), np.nan, _hidden_where_seen(scores, mask))


# fmt: off
_WITH_HEADS = (
    *deviations(
        "project",
        ("heads are slices of X here: project all of X, then cut the projections",
         _slices_of_x),
        ("W_Q and W_K are swapped", lambda X, q, k, v, h: (X @ k, X @ q, X @ v)),
        ("W_Q and W_V are swapped", lambda X, q, k, v, h: (X @ v, X @ k, X @ q)),
        ("W_K and W_V are swapped", lambda X, q, k, v, h: (X @ q, X @ v, X @ k)),
        ("the values are not projected: V = X W_V", lambda X, q, k, v, h: (X @ q, X @ k, X)),
        ("the keys are not projected: K = X W_K", lambda X, q, k, v, h: (X @ q, X, X @ v)),
        ("W_K makes the values: V = X W_V", lambda X, q, k, v, h: (X @ q, X @ k, X @ k)),
        ("W_Q makes the keys: K = X W_K", lambda X, q, k, v, h: (X @ q, X @ q, X @ v)),
        ("nothing is projected: W_Q, W_K and W_V are unused",
         lambda X, q, k, v, h: (X, X, X)),
        ("the projections are transposed: Q = X W_Q, not X W_Q^T",
         lambda X, q, k, v, h: (X @ q.T, X @ k.T, X @ v.T)),
    ),
    *heads.CUT,
    *deviations(
        "across",
        ("softmax runs over the heads: it goes along a row of keys, axis=-1",
         lambda scores: softmax(scores, axis=0)),
    ),
    *deviations(
        "mask_of",
        ("only head 0 is masked: the mask is for every head",
         lambda mask, head: mask if head == 0 else None),
    ),
    *deviations(
        "hide",
        ("the mask is not applied to the scores", lambda s, mask: s),
        *(("the mask is turned round: True means may attend", hide) for hide in (
            _hidden_where_seen, _lost_where_all_is_seen,
            lambda s, mask: _hidden_where_seen(s, mask, never=-1e9),
        )),
        ("0 instead of -inf for hidden scores: exp(0) is 1, so they keep weight",
         lambda s, mask: np.where(mask, s, 0)),
        ("the mask is added as 1 and 0: hidden scores must become -inf",
         lambda s, mask: s + mask),
        ("the mask is transposed: rows ask, columns are asked",
         lambda s, mask: np.where(mask.T, s, -np.inf)),
    ),
    *deviations(
        "mask_after",
        ("hidden weights are set to 0 after softmax: rows no longer sum to 1", np.multiply),
    ),
    *heads.JOIN[:3],
    *deviations(
        "leave",
        ("W_O is missing: the merged heads must be multiplied by it", lambda j, W, h: j),
        ("W_O is transposed: merged @ W_O is asked for", lambda j, W, h: j @ W.T),
        ("each head gets a block of W_O of its own: W_O mixes all the heads", _by_blocks),
        ("the output is divided by n_heads: heads are not averaged", lambda j, W, h: j @ W / h),
        ("W_O multiplies twice", lambda j, W, h: j @ W @ W),
        *((f"the heads are {what}, and meet few rows of W_O: put them side by side", reduce)
          for what, reduce in (("averaged", _reduced(np.mean)), ("summed", _reduced(np.sum)))),
    ),
    *deviations(
        "give",
        ("the weights are averaged over the heads: return each head's own",
         lambda o, w, s: (o, w.mean(axis=0))),
        ("the weights are summed over the heads: return each head's own",
         lambda o, w, s: (o, w.sum(axis=0))),
        ("only head 0's weights are returned", lambda o, w, s: (o, w[0])),
        ("only the last head's weights are returned: keep those of each head",
         lambda o, w, s: (o, w[-1])),
        ("the heads come last in the weights: (n_heads, n_q, n_k) is asked for",
         lambda o, w, s: (o, np.moveaxis(w, 0, -1))),
        ("the heads come second in the weights: (n_heads, n_q, n_k) is asked for",
         lambda o, w, s: (o, w.swapaxes(0, 1))),
        ("the weights are transposed: rows ask", lambda o, w, s: (o, w.swapaxes(1, 2))),
    ),
)
# fmt: on

# The commonest first. Mistakes inside one head are those of chapter 02.
FAMILY = Family(
    heads.attend_with_heads,
    (
        *_WITH_HEADS,
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
    examine(learner, cases, FAMILY, names, _about_weights)


def _heads_case(label, rng, n_tokens, d_model, n_heads, mask, size=0.6):
    X = rng.normal(0.2, 1, (n_tokens, d_model))
    W_Q, W_K = (rng.normal(0, size, (d_model, d_model)) for _ in range(2))
    W_V, W_O = (rng.normal(0.1, 0.5, (d_model, d_model)) for _ in range(2))
    return Case(label, (X, W_Q, W_K, W_V, W_O, n_heads, mask))


def _about_weights(case, got, right):
    if np.allclose(got[1], right[1]):
        return "the weights are right, the output is not: look at V, the merge and W_O."
    return properties.of_weights(got[1], right[1])
