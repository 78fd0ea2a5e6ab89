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


@wrong("not divided by sqrt(d_k)")
def unscaled(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, Z @ W_k, Z @ W_v, d=1)


@wrong("d_k instead of sqrt(d_k)")
def scaled_by_d_k(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, Z @ W_k, Z @ W_v, d=W_q.shape[1] ** 2)


@wrong("sqrt(d_model)")
def scaled_by_d_model(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, Z @ W_k, Z @ W_v, d=X.shape[1])


@wrong("sqrt(n_k)")
def scaled_by_n_k(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, Z @ W_k, Z @ W_v, d=len(Z))


@wrong("sqrt(d_v)")
def scaled_by_d_v(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, Z @ W_k, Z @ W_v, d=W_v.shape[1])


@wrong("0.894 times", "scale")
def scaled_by_d_k_minus_one_and_a_half(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, Z @ W_k, Z @ W_v, d=1.25 * W_q.shape[1])


@wrong("directions are swapped")
def other_direction(X, Z, W_q, W_k, W_v):
    return _attend(Z @ W_q, X @ W_k, X @ W_v)


@wrong("values come from X")
def values_of_the_asking(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, Z @ W_k, X @ W_v)


@wrong("self-attention of X")
def only_x(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, X @ W_k, X @ W_v)


@wrong("W_q and W_k are swapped")
def projections_swapped(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_k, Z @ W_q, Z @ W_v)


@wrong("values are not projected")
def values_unprojected(X, Z, W_q, W_k, W_v):
    return _attend(X @ W_q, Z @ W_k, Z)


@wrong("W_k makes the values")
def keys_as_values(X, Z, W_q, W_k, W_v):
    K = Z @ W_k
    return _attend(X @ W_q, K, K)


@wrong("down the columns")
def softmax_down_the_columns(X, Z, W_q, W_k, W_v):
    Q, K, V = X @ W_q, Z @ W_k, Z @ W_v
    weights = softmax(Q @ K.T / math.sqrt(K.shape[1]), axis=0)
    return weights @ V, weights


@wrong("Q and K are swapped")
def keys_ask(X, Z, W_q, W_k, W_v):
    Q, K, V = X @ W_q, Z @ W_k, Z @ W_v
    return _attend(K, Q, V)


@wrong("(weights, output)")
def other_order(X, Z, W_q, W_k, W_v):
    return in_matrices(X, Z, W_q, W_k, W_v)[::-1]


@wrong("only the output")
def weights_forgotten(X, Z, W_q, W_k, W_v):
    return in_matrices(X, Z, W_q, W_k, W_v)[0]


@wrong("scores in place of the weights")
def scores_returned(X, Z, W_q, W_k, W_v):
    Q, K, V = X @ W_q, Z @ W_k, Z @ W_v
    scores = Q @ K.T / math.sqrt(Q.shape[1])
    return softmax(scores) @ V, scores


@wrong("transposed before they meet V")
def weights_transposed_for_the_output(X, Z, W_q, W_k, W_v):
    output, weights = in_matrices(X, Z, W_q, W_k, W_v)
    return weights.T @ (Z @ W_v), weights


@wrong("K is not transposed")
def keys_not_transposed(X, Z, W_q, W_k, W_v):
    Q, K, V = X @ W_q, Z @ W_k, Z @ W_v
    weights = softmax(Q @ K / math.sqrt(Q.shape[1]))
    return weights @ V, weights


@wrong("inner sizes differ", "line")
def projection_from_the_wrong_side(X, Z, W_q, W_k, W_v):
    Q, K, V = (X.T @ W_q.T)[:1], Z @ W_k, Z @ W_v
    return _attend(Q, K, V)


@wrong("not divided by sqrt(d_k)", "down the columns")
def two_mistakes(X, Z, W_q, W_k, W_v):
    Q, K, V = X @ W_q, Z @ W_k, Z @ W_v
    weights = softmax(Q @ K.T, axis=-2)
    return weights @ V, weights


@wrong("not divided by sqrt(d_k)", "weights are divided")
def scaled_after_softmax(X, Z, W_q, W_k, W_v):
    Q, K, V = X @ W_q, Z @ W_k, Z @ W_v
    weights = softmax(Q @ K.T) / math.sqrt(Q.shape[1])
    return weights @ V, weights


@wrong("cosines")
def cosine_similarity(X, Z, W_q, W_k, W_v):
    Q, K, V = X @ W_q, Z @ W_k, Z @ W_v
    Q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    K = K / np.linalg.norm(K, axis=1, keepdims=True)
    return _attend(Q, K, V)


@wrong("weights are right", "weighted mean")
def residual_added(X, Z, W_q, W_k, W_v):
    output, weights = in_matrices(X, Z, W_q, W_k, W_v)
    return output + X @ W_v, weights


@wrong("does not depend on W_q")
def query_projection_forgotten(X, Z, W_q, W_k, W_v):
    Q = X[:, : W_k.shape[1]] if X.shape[1] >= W_k.shape[1] else X
    return _attend(Q, Z @ W_k, Z @ W_v)


@wrong("all the weights are equal")
def plain_mean(X, Z, W_q, W_k, W_v):
    weights = np.full((len(X), len(Z)), 1 / len(Z))
    return weights @ (Z @ W_v), weights


@wrong("gives no weight to key", "may see")
def causal_without_being_asked(X, Z, W_q, W_k, W_v):
    mask = np.tril(np.ones((len(X), len(Z)), dtype=bool))
    return scaled_dot_product_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
