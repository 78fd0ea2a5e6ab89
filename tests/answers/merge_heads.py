"""Task 2 of exercise 04: put the heads side by side."""

import numpy as np

from casebook.multihead import merge_heads
from tests.answers import right, wrong


@right
def by_swap_and_reshape(heads):
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


@right
def by_concatenate(heads):
    return np.concatenate(list(heads), axis=-1)


@right
def by_hstack(heads):
    return np.hstack(heads)


@right
def by_loops(heads):
    n_heads, n_tokens, d_head = heads.shape
    merged = np.zeros((n_tokens, n_heads * d_head))
    for h in range(n_heads):
        merged[:, h * d_head : (h + 1) * d_head] = heads[h]
    return merged


@right
def by_einsum(heads):
    return np.einsum("hnd->nhd", heads).reshape(heads.shape[1], -1)


@right
def by_the_course(heads):
    return merge_heads(heads)


@wrong("one reshape", "swap axes first")
def reshape_alone(heads):
    return heads.reshape(heads.shape[1], -1)


@wrong("averaged")
def mean_of_heads(heads):
    return heads.mean(axis=0)


@wrong("shape", "expected")
def without_the_last_head(heads):
    return np.hstack(heads[:-1]) if len(heads) > 1 else heads[0]
