"""Task 1 of exercise 04: cut a matrix into heads."""

import numpy as np

from casebook.multihead import split_heads
from tests.answers import right, wrong


def _d_head(X, n_heads):
    if X.shape[1] % n_heads:
        raise ValueError(f"{n_heads} heads do not divide {X.shape[1]}")
    return X.shape[1] // n_heads


@right
def by_reshape_and_swap(X, n_heads):
    return X.reshape(len(X), n_heads, _d_head(X, n_heads)).swapaxes(0, 1)


@right
def by_slices(X, n_heads):
    d = _d_head(X, n_heads)
    return [X[:, h * d : (h + 1) * d] for h in range(n_heads)]


@right
def by_split(X, n_heads):
    return np.stack(np.split(X, n_heads, axis=1))


@right
def by_loops(X, n_heads):
    d = _d_head(X, n_heads)
    return [[[row[h * d + m] for m in range(d)] for row in X.tolist()] for h in range(n_heads)]


@right
def by_einsum(X, n_heads):
    return np.einsum("nhd->hnd", X.reshape(len(X), n_heads, -1))


@right
def by_the_course(X, n_heads):
    return split_heads(X, n_heads)


@wrong("every head gets all the columns")
def copies(X, n_heads):
    return np.repeat(X[None], n_heads, axis=0)


@wrong("reverse order")
def from_the_end(X, n_heads):
    return np.stack(np.split(X, n_heads, axis=1)[::-1])


@wrong("(2, 5, 6)", "expected (4, 5, 3)")
def two_heads(X, n_heads):
    return np.stack(np.split(X, 2, axis=1)) if X.shape[1] % 2 == 0 else by_split(X, n_heads)


@wrong("do not divide", "ValueError")
def columns_dropped(X, n_heads):
    d = X.shape[1] // n_heads
    return np.stack([X[:, h * d : (h + 1) * d] for h in range(n_heads)])


@wrong("changes its input X")
def in_place(X, n_heads):
    X -= X.mean()
    return by_split(X, n_heads)
