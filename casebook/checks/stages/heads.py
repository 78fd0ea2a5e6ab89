"""Attending with several heads cut into stages, and the mistakes made in cutting and joining.

Each head attends by the stages of :mod:`casebook.checks.stages.attention`, so the mistakes
of chapter 02 are known here too.
"""

import numpy as np

from casebook.checks.engine.family import Absent, deviations, stages_of
from casebook.checks.stages import attention
from casebook.checks.stages.softmax import one_for_zero


def cut_columns(matrix, n_heads):
    """Return the columns of each head, heads first: (n_heads, n_tokens, d_head)."""
    return matrix.reshape(len(matrix), n_heads, -1).swapaxes(0, 1)


def side_by_side(heads):
    """Return the heads side by side: (n_tokens, n_heads * d_head)."""
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


@stages_of(attention.attend)
def attend_with_heads(
    X,
    W_Q,
    W_K,
    W_V,
    W_O,
    n_heads,
    mask,
    project=lambda X, q, k, v, n_heads: (X @ q, X @ k, X @ v),
    cut=cut_columns,
    mask_of=lambda mask, head: mask,
    across=Absent("scores"),
    empty=one_for_zero,
    join=side_by_side,
    leave=lambda joined, W_O, n_heads: joined @ W_O,
    give=lambda output, weights, scores: (output, weights),
    **stages,
):
    """Return output and weights of multi-head attention, with the given stages.

    across: makes the weights of all the heads from all their scores, (n_heads, n_q, n_k).
    """
    Q, K, V = (cut(matrix, n_heads) for matrix in project(X, W_Q, W_K, W_V, n_heads))
    sizes = {"d_model": X.shape[-1], "n_heads": n_heads}
    each = [
        attention.attend(
            *(matrix[head] for matrix in (Q, K, V)),
            sizes=sizes,
            allowed=mask_of(mask, head),
            give=lambda *results: results,
            empty=empty,
            **stages,
        )
        for head in range(len(Q))
    ]
    heads, weights, scores = (np.stack(parts) for parts in zip(*each, strict=True))
    if across:
        weights = across(scores if mask is None else np.where(mask, scores, -np.inf))
        heads = weights @ V
    return give(leave(join(heads), W_O, n_heads), weights, scores)


# fmt: off
CUT = deviations(
    "cut",
    ("one reshape to (n_heads, n_tokens, d_head) mixes the tokens: swap axes",
     lambda M, h: M.reshape(h, len(M), -1)),
    ("a head takes every n_heads-th column: it needs d_head neighbours",
     lambda M, h: M.reshape(len(M), -1, h).transpose(2, 0, 1)),
    ("n_heads and d_head are swapped: n_heads is how many heads there are",
     lambda M, h: M.reshape(len(M), -1, h).swapaxes(0, 1)),
    ("every head is head 0: head h takes columns h * d_head and on",
     lambda M, h: np.stack([cut_columns(M, h)[0]] * h)),
    ("always cuts into 2 heads: use n_heads", lambda M, h: cut_columns(M, 2)),
    ("the heads are in reverse order: head 0 takes the first columns",
     lambda M, h: cut_columns(M, h)[::-1]),
)

JOIN = deviations(
    "join",
    ("one reshape to (n_tokens, d_model) mixes the tokens: swap axes first",
     lambda H: H.reshape(H.shape[1], -1)),
    ("the columns of the heads are interleaved: put whole heads side by side",
     lambda H: H.transpose(1, 2, 0).reshape(H.shape[1], -1)),
    ("the heads are in reverse order: head 0 gives the first columns",
     lambda H: side_by_side(H[::-1])),
    ("the heads are averaged: put them side by side (concatenate)",
     lambda H: H.mean(axis=0)),
    ("the heads are summed: put them side by side (concatenate)", lambda H: H.sum(axis=0)),
)
# fmt: on
