"""Task 4 of exercise 04: how far apart two heads are."""

import numpy as np

from tests.answers import right, wrong


def _apart(weights):
    return np.abs(weights[:, None] - weights[None])  # (n_heads, n_heads, n_q, n_k)


@right
def by_broadcasting(weights):
    return _apart(weights).sum(axis=-1).mean(axis=-1) / 2


@right
def by_loops(weights):
    n_heads, n_q, _ = weights.shape
    table = np.zeros((n_heads, n_heads))
    for a in range(n_heads):
        for b in range(n_heads):
            for i in range(n_q):
                table[a, b] += sum(abs(weights[a, i] - weights[b, i])) / 2 / n_q
    return table


@right
def by_what_they_share(weights):
    return 1 - np.minimum(weights[:, None], weights[None]).sum(axis=-1).mean(axis=-1)


@right
def by_half_the_table(weights):
    n_heads = len(weights)
    table = np.zeros((n_heads, n_heads))
    for a in range(n_heads):
        for b in range(a):
            table[a, b] = np.abs(weights[a] - weights[b]).sum() / (2 * weights.shape[1])
    return (table + table.T).tolist()


@right
def by_positive_parts(weights):
    return np.maximum(weights[:, None] - weights[None], 0).sum(axis=(-1, -2)) / weights.shape[1]


@wrong("keep their sign")
def signed(weights):
    return (weights[:, None] - weights[None]).sum(axis=-1).mean(axis=-1) / 2


@wrong("averaged over the keys")
def mean_of_everything(weights):
    return _apart(weights).mean(axis=(-1, -2)) / 2


@wrong("summed over the queries")
def sum_of_everything(weights):
    return _apart(weights).sum(axis=(-1, -2)) / 2


@wrong("Euclidean")
def euclidean(weights):
    return np.linalg.norm(weights[:, None] - weights[None], axis=-1).mean(axis=-1)
