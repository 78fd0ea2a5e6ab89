"""casebook.cost against formulas, counted multiplications and finite influence."""

import math

import numpy as np
import pytest

from casebook.attention import scaled_dot_product_attention
from casebook.cost import KINDS, feeds, operations, path_length, sequential_steps
from casebook.recurrent import random_cell, run_rnn


class Counted:
    """A number that counts the products it takes part in."""

    n_products = 0

    def __init__(self, value):
        self.value = value

    def __mul__(self, other):
        Counted.n_products += 1
        return Counted(self.value * other.value)

    def __add__(self, other):
        return Counted(self.value + getattr(other, "value", other))

    __radd__ = __add__


def counted(*shape):
    rng = np.random.default_rng(0)
    return np.vectorize(Counted, otypes=[object])(rng.normal(0, 1, shape))


def products_of(compute):
    Counted.n_products = 0
    compute()
    return Counted.n_products


def test_operations_are_the_multiplications_that_are_made():
    n, d = 5, 3
    X, W_x, W_h = counted(n, d), counted(d, d), counted(d, d)

    def recurrence():
        h = X[0] @ W_x
        for x in X[1:]:
            h = x @ W_x + h @ W_h

    def attention():
        (X @ X.T) @ X

    def convolution():
        for t in range(n):
            for j in range(max(0, t - 2), t + 1):
                X[j] @ W_x

    assert operations("recurrence", n, d) == products_of(recurrence)
    assert operations("self-attention", n, d) == products_of(attention)
    assert operations("convolution", n, d, kernel=3) == products_of(convolution)


@pytest.mark.parametrize("n", [1, 2, 10, 100, 1000])
def test_the_counts_grow_as_in_table_1_of_the_paper(n):
    d = 512
    assert [sequential_steps(kind, n) for kind in KINDS] == [n, 1, 1]
    assert path_length("recurrence", n) == n
    assert path_length("self-attention", n) == 1
    assert operations("recurrence", n, d) == (2 * n - 1) * d * d
    assert operations("self-attention", n, d) == 2 * n * n * d


@pytest.mark.parametrize("kernel", [2, 3, 5])
def test_a_stack_of_convolutions_reaches_as_far_as_its_kernels_allow(kernel):
    for n in (2, 3, 9, 10, 26, 27, 28, 200):
        dilated = next(layers for layers in range(1, 20) if kernel**layers >= n)
        assert path_length("convolution", n, kernel) == dilated
        neighbours_only = max(1, math.ceil((n - 1) / (kernel - 1)))
        assert path_length("convolution", n, kernel, dilated=False) == neighbours_only


def test_the_graph_is_that_of_the_layers_we_compute():
    rng = np.random.default_rng(1)
    n, X = 5, rng.normal(0, 1, (5, 3))
    cell = random_cell(3, 4, rng, "rnn")
    runs = {
        "recurrence": lambda X: run_rnn(X, cell),
        "self-attention": lambda X: scaled_dot_product_attention(X, X, X)[0],
    }
    for kind, run in runs.items():
        for token in range(n):
            pushed = X.copy()
            pushed[token] += 1
            moved = np.flatnonzero(np.abs(run(pushed) - run(X)).max(axis=-1) > 1e-12)
            reached, waiting = set(), list(feeds(kind, token, n)[0])
            while waiting:
                output = waiting.pop()
                reached.add(output)
                waiting.extend(feeds(kind, output, n)[1])
            assert reached == set(moved.tolist())


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="kind is 'lstm': expected one of recurrence"):
        operations("lstm", 3, 4)
    with pytest.raises(ValueError, match="token is 3: expected one of the 3 tokens"):
        feeds("recurrence", 3, 3)
    with pytest.raises(ValueError, match="kernel is 1: expected at least 2"):
        path_length("convolution", 3, kernel=1)
    for count in (lambda: path_length("recurrence", 0), lambda: sequential_steps("recurrence", 0)):
        with pytest.raises(ValueError, match="n_tokens is 0: expected at least 1 token"):
            count()
