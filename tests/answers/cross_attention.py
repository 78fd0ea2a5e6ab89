"""Task 3 of exercise 02: one sequence attends to another."""

import math

import numpy as np

from casebook.attention import (
    scaled_dot_product_attention,
    scaled_dot_product_attention_loop,
    softmax,
)
from tests.answers import right, wrong


def _attend(Q, K, V, d=None):
    weights = softmax(Q @ K.T / math.sqrt(d or Q.shape[-1]))
    return weights @ V, weights


@right
def in_matrices(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, Z @ W_k, Z @ W_v)


@right
def with_loops(X, Z, W_q, W_k, W_v):
    return scaled_dot_product_attention_loop(X @ W_q, Z @ W_k, Z @ W_v)


@right
def with_einsum(X, Z, W_q, W_k, W_v):
    scores = np.einsum("id,dk,jm,mk->ij", X, W_q, Z, W_k) / W_q.shape[1] ** 0.5
    weights = softmax(scores)
    return np.einsum("ij,jd,dv->iv", weights, Z, W_v), weights


@right
def values_projected_last(X, Z, W_q, W_k, W_v):
    weights = softmax(X @ (W_q @ W_k.T) @ Z.T / np.sqrt(W_k.shape[-1]))
    return (weights @ Z) @ W_v, weights


@right
def queries_scaled_first(X, Z, W_q, W_k, W_v):
    Q = X @ W_q * W_q.shape[-1] ** -0.25
    K = Z @ W_k * W_q.shape[-1] ** -0.25
    weights = softmax((K @ Q.T).T)
    return [weights @ (Z @ W_v), weights]


@right
def through_the_course(X, Z, W_q, W_k, W_v):
    return scaled_dot_product_attention(X @ W_q, Z @ W_k, Z @ W_v)


@right
def as_lists(X, Z, W_q, W_k, W_v):
    output, weights = in_matrices(X, Z, W_q, W_k, W_v)
    return output.tolist(), weights.tolist()


@wrong("0.894 times", "scale")
def scaled_by_d_k_minus_one_and_a_half(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, Z @ W_k, Z @ W_v, d=1.25 * W_q.shape[1])


@wrong("scores in place of the weights")
def scores_returned(X, Z, W_q, W_k, W_v):
    Q, K, V = X @ W_q, Z @ W_k, Z @ W_v
    scores = Q @ K.T / math.sqrt(Q.shape[1])
    return softmax(scores) @ V, scores


@wrong("K is not transposed")
def keys_not_transposed(X, Z, W_q, W_k, W_v):
    Q, K, V = X @ W_q, Z @ W_k, Z @ W_v
    weights = softmax(Q @ K / math.sqrt(Q.shape[1]))
    return weights @ V, weights


@wrong("inner sizes differ", "line")
def projection_from_the_wrong_side(X, Z, W_q, W_k, W_v):
    Q, K, V = (X.T @ W_q.T)[:1], Z @ W_k, Z @ W_v
    return _attend(Q, K, V)


@wrong("not divided by sqrt(d_k)", "weights are divided")
def scaled_after_softmax(X, Z, W_q, W_k, W_v):
    Q, K, V = X @ W_q, Z @ W_k, Z @ W_v
    weights = softmax(Q @ K.T) / math.sqrt(Q.shape[1])
    return weights @ V, weights


@wrong("weights are right", "weighted mean")
def residual_added(X, Z, W_q, W_k, W_v):
    output, weights = in_matrices(X, Z, W_q, W_k, W_v)
    return output + X @ W_v, weights


@wrong("does not depend on W_q")
def query_projection_forgotten(X, Z, W_q, W_k, W_v):
    Q = X[:, : W_k.shape[1]] if X.shape[1] >= W_k.shape[1] else X
    return _attend(Q, Z @ W_k, Z @ W_v)


@wrong("gives no weight to key", "may see")
def causal_without_being_asked(X, Z, W_q, W_k, W_v):
    mask = np.tril(np.ones((len(X), len(Z)), dtype=bool))
    return scaled_dot_product_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
