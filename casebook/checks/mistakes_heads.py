"""Splitting, merging and attending with several heads, and the mistakes that people make.

Each head attends by the stages of :mod:`casebook.checks.mistakes_attention`, so the mistakes
of chapter 02 are known here too.
"""

import numpy as np

from casebook.attention import softmax
from casebook.checks import mistakes_attention as attention
from casebook.checks.mistakes_softmax import deviations, keep, one_for_zero


def cut_columns(matrix, n_heads):
    """Return the columns of each head, heads first: (n_heads, n_tokens, d_head)."""
    return matrix.reshape(len(matrix), n_heads, -1).swapaxes(0, 1)


def side_by_side(heads):
    """Return the heads side by side: (n_tokens, n_heads * d_head)."""
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


def split(matrix, n_heads, cut=cut_columns):
    """Return the result of task ``split_heads``."""
    return (cut(matrix, n_heads),)


def merge(heads, join=side_by_side):
    """Return the result of task ``merge_heads``."""
    return (join(heads),)


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
    across=None,
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


def _blocks(matrix, n_heads):
    """Return the square blocks on the diagonal, one for each head."""
    ends = np.arange(n_heads + 1) * (len(matrix) // n_heads)
    return [matrix[a:b, a:b] for a, b in zip(ends[:-1], ends[1:], strict=True)]


def _by_blocks(rows, matrix, n_heads):
    """Return each head's columns times its own block, side by side."""
    parts, blocks = cut_columns(rows, n_heads), _blocks(matrix, n_heads)
    return np.hstack([part @ block for part, block in zip(parts, blocks, strict=True)])


def _slices_of_x(X, q, k, v, n_heads):
    return [_by_blocks(X, matrix, n_heads) for matrix in (q, k, v)]


def _reduced(how):
    """Return a last step that makes one head of all, and uses as many rows of W_O as it needs."""

    def leave(joined, W_O, n_heads):
        head = how(cut_columns(joined, n_heads), axis=0)
        return head @ W_O[: head.shape[1]]

    return leave


def _hidden_where_seen(scores, mask, never=-np.inf):
    return np.where(mask, never, scores)


def _lost_where_all_is_seen(scores, mask):
    """Return the scores with the mask turned round; a row that loses everything becomes NaN."""
    return np.where(mask.all(axis=-1, keepdims=True), np.nan, _hidden_where_seen(scores, mask))


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

SPLIT = (
    *CUT,
    *deviations(
        "cut",
        ("every head gets all the columns: give each its own d_head columns",
         lambda M, h: np.stack([M] * h)),
        ("the heads are not first: swap the axes of tokens and heads",
         lambda M, h: M.reshape(len(M), h, -1)),
        ("the heads are transposed: the tokens come before the columns",
         lambda M, h: M.reshape(len(M), h, -1).transpose(1, 2, 0)),
        ("the tokens are cut, not the columns: each head needs every token",
         lambda M, h: M.reshape(h, -1, M.shape[1])),
        ("only head 0 is returned: stack all the heads", lambda M, h: cut_columns(M, h)[0]),
        ("only the last head is returned: stack all the heads",
         lambda M, h: cut_columns(M, h)[-1]),
        ("nothing is cut: the result is the input", lambda M, h: M),
    ),
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

MERGE = (
    *JOIN,
    *deviations(
        "join",
        ("the heads stand below one another: join them along the last axis",
         lambda H: H.reshape(-1, H.shape[-1])),
        ("the last two axes are not joined: (n_tokens, d_model) is asked for",
         lambda H: H.swapaxes(0, 1)),
        ("the result is transposed: one row a token", lambda H: side_by_side(H).T),
        ("only head 0 is returned: put all the heads side by side", lambda H: H[0]),
        ("only the last head is returned: put all the heads side by side", lambda H: H[-1]),
        ("the largest of the heads is taken: put them side by side", lambda H: H.max(axis=0)),
        ("nothing is merged: the result is the input", keep),
        ("everything is in one row: keep a row for each token",
         lambda H: side_by_side(H).ravel()),
    ),
)

WITH_HEADS = (
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
    *CUT,
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
        ("the mask is not applied to the scores", keep),
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
    *JOIN[:3],
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
