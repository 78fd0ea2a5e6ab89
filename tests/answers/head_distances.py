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


@wrong("not halved")
def not_halved(weights):
    return 2 * by_broadcasting(weights)


@wrong("keep their sign")
def signed(weights):
    return (weights[:, None] - weights[None]).sum(axis=-1).mean(axis=-1) / 2


@wrong("averaged over the keys")
def mean_of_everything(weights):
    return _apart(weights).mean(axis=(-1, -2)) / 2


@wrong("summed over the queries")
def sum_of_everything(weights):
    return _apart(weights).sum(axis=(-1, -2)) / 2


@wrong("largest difference of a row")
def largest_difference(weights):
    return _apart(weights).max(axis=-1).mean(axis=-1) / 2


@wrong("query with the largest distance")
def worst_query(weights):
    return _apart(weights).sum(axis=-1).max(axis=-1) / 2


@wrong("only the first query")
def first_query(weights):
    return by_broadcasting(weights[:, :1])


@wrong("squares")
def squared(weights):
    return (_apart(weights) ** 2).sum(axis=-1).mean(axis=-1) / 2


@wrong("Euclidean")
def euclidean(weights):
    return np.linalg.norm(weights[:, None] - weights[None], axis=-1).mean(axis=-1)


@wrong("likeness")
def likeness(weights):
    return 1 - by_broadcasting(weights)


@wrong("tokens are compared")
def between_tokens(weights):
    return by_broadcasting(weights.swapaxes(0, 1))


@wrong("averaged over the queries first")
def rows_averaged_first(weights):
    return by_broadcasting(weights.mean(axis=1, keepdims=True))


@wrong("only the largest weights")
def favourites(weights):
    first = weights.argmax(axis=-1)
    return (first[:, None] != first[None]).mean(axis=-1)


@wrong("half of the table")
def half_a_table(weights):
    return np.triu(by_broadcasting(weights))


@wrong("only the distances to head 0")
def to_the_first_head(weights):
    return by_broadcasting(weights)[0]


@wrong("one number for all")
def one_number(weights):
    return by_broadcasting(weights).mean()


@wrong("cosine")
def cosine_distance(weights):
    unit = weights / np.linalg.norm(weights, axis=-1, keepdims=True)
    return 1 - (unit[:, None] * unit[None]).sum(axis=-1).mean(axis=-1)


@wrong("not halved", "averaged over the keys")
def two_mistakes(weights):
    return _apart(weights).mean(axis=(-1, -2))
