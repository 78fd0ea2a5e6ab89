"""Attention cut into stages, and the mistakes that people make at each of them.

:func:`attend` is scaled dot-product attention; every stage can be replaced by a mistaken
one, those of :mod:`casebook.checks.mistakes_softmax` included.
"""

import math
from types import SimpleNamespace

import numpy as np

from casebook.checks.mistakes_softmax import deviations, keep, weigh


def over_sqrt_d_k(raw_scores, sizes):
    """Return the scores of scaled dot-product attention."""
    return raw_scores / math.sqrt(sizes.d_k)


def attend(
    Q,
    K,
    V,
    sizes=None,
    roles=lambda Q, K, V: (Q, K, V),
    compare=lambda Q, K: Q @ K.T,
    scale=over_sqrt_d_k,
    mix=lambda weights, V, scores, sizes: weights @ V,
    give=lambda output, weights, scores: (output, weights),
    **weigh_stages,
):
    """Return output and weights of attention, with the given stages.

    sizes: what else ``scale`` can go wrong with, by name, beside the widths of Q, K and V.
    """
    own = {"d_k": Q.shape[-1], "n_q": len(Q), "n_k": len(K), "d_v": V.shape[-1]}
    sizes = SimpleNamespace(**own, **(sizes or {}))
    Q, K, V = roles(Q, K, V)
    scores = scale(compare(Q, K), sizes)
    weights = weigh(scores, sizes=sizes, **weigh_stages)
    return give(mix(weights, V, scores, sizes), weights, scores)


def _projected(X, Z, W_q, W_k, W_v):
    return X @ W_q, Z @ W_k, Z @ W_v


def attend_across(X, Z, W_q, W_k, W_v, project=_projected, **stages):
    """Return output and weights of the tokens X attending to the tokens Z."""
    return attend(*project(X, Z, W_q, W_k, W_v), sizes={"d_model": X.shape[-1]}, **stages)


def _of_length_one(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


# fmt: off
SCALE = deviations(
    "scale",
    ("the scores are not divided by sqrt(d_k)", keep),
    ("divides by d_k instead of sqrt(d_k)", lambda s, of: s / of.d_k),
    ("divides by sqrt(n_k), the number of keys, instead of sqrt(d_k)",
     lambda s, of: s / math.sqrt(of.n_k)),
    ("divides by sqrt(n_q), the number of queries, instead of sqrt(d_k)",
     lambda s, of: s / math.sqrt(of.n_q)),
    ("multiplies by sqrt(d_k) instead of dividing", lambda s, of: s * math.sqrt(of.d_k)),
    ("divides by the number of keys instead of sqrt(d_k)", lambda s, of: s / of.n_k),
    ("divides by d_k squared instead of sqrt(d_k)", lambda s, of: s / of.d_k**2),
    ("the square root is taken twice: divide by sqrt(d_k)", lambda s, of: s / of.d_k**0.25),
    ("divides by sqrt(d_k) twice, or by d_k ** 1.5, instead of once",
     lambda s, of: s / of.d_k**1.5),
    ("divides by sqrt(n_k * d_k) instead of sqrt(d_k)",
     lambda s, of: s / math.sqrt(of.n_k * of.d_k)),
    ("always divides by 2, which is sqrt(d_k) for d_k = 4 only", lambda s, of: s / 2),
    ("always divides by 8, which is sqrt(d_k) for d_k = 64 only", lambda s, of: s / 8),
    ("divides by the largest score instead of sqrt(d_k)", lambda s, of: s / s.max()),
)

SCALE_BY_VALUES = deviations(
    "scale",
    ("divides by sqrt(d_v), the width of a value, instead of sqrt(d_k)",
     lambda s, of: s / math.sqrt(of.d_v)),
    ("divides by d_v instead of sqrt(d_k)", lambda s, of: s / of.d_v),
)

SCALE_BY_MODEL = deviations(
    "scale",
    ("divides by sqrt(d_model), not sqrt(d_k), the width after projecting",
     lambda s, of: s / math.sqrt(of.d_model)),
    ("divides by d_model instead of sqrt(d_k)", lambda s, of: s / of.d_model),
)

SCALE_TOO_LATE = (
    *deviations(
        "finish",
        ("the weights are divided by sqrt(d_k): divide the scores instead",
         lambda w, of: w / math.sqrt(of.d_k)),
    ),
    *deviations(
        "mix",
        ("the output is divided by sqrt(d_k): divide the scores instead",
         lambda w, V, s, of: w @ V / math.sqrt(of.d_k)),
    ),
)

COMPARE = deviations(
    "compare",
    ("cosines instead of dot products: q and k must not be normalised",
     lambda Q, K: _of_length_one(Q) @ _of_length_one(K).T),
    ("distances instead of dot products",
     lambda Q, K: np.linalg.norm(Q[:, None] - K[None], axis=-1)),
    ("minus distances instead of dot products",
     lambda Q, K: -np.linalg.norm(Q[:, None] - K[None], axis=-1)),
    ("minus squared distances instead of dot products",
     lambda Q, K: -((Q[:, None] - K[None]) ** 2).sum(-1)),
    ("the dot products lost their sign (absolute values)", lambda Q, K: np.abs(Q @ K.T)),
    ("the dot products lost their sign (squares)", lambda Q, K: (Q @ K.T) ** 2),
    ("K is not transposed: scores are Q K^T, every query with every key", lambda Q, K: Q @ K),
    ("entry by entry product instead of dot products", lambda Q, K: Q * K),
    ("the last entry of q and k is left out of the dot product",
     lambda Q, K: Q[:, :-1] @ K[:, :-1].T),
    ("the first entry of q and k is left out of the dot product",
     lambda Q, K: Q[:, 1:] @ K[:, 1:].T),
    ("sums q + k instead of multiplying", lambda Q, K: (Q[:, None] + K[None]).sum(-1)),
)

ROLES_OF_KEYS = deviations(
    "roles",
    ("Q and K are swapped: rows must belong to the queries", lambda Q, K, V: (K, Q, V)),
    ("Q is compared with itself: compare the queries with K", lambda Q, K, V: (Q, Q, V)),
    ("K is compared with itself: the queries are not used", lambda Q, K, V: (K, K, V)),
)

ROLES_OF_VALUES = deviations(
    "roles",
    ("K stands in for V: the output must mix the values", lambda Q, K, V: (Q, K, K)),
    ("V stands in for K: queries are compared with keys", lambda Q, K, V: (Q, V, V)),
    ("K and V are swapped: compare with K, mix V", lambda Q, K, V: (Q, V, K)),
    ("Q stands in for V: the output must mix the values", lambda Q, K, V: (Q, K, Q)),
)

MIX = deviations(
    "mix",
    ("the weights are transposed before they meet V: output is weights @ V",
     lambda w, V, *_: w.T @ V),
    ("the scores are mixed with V, not the weights: softmax is skipped", lambda w, V, s, _: s @ V),
    ("the output is the plain mean of the values: the weights are not used",
     lambda w, V, *_: np.broadcast_to(V.mean(0), (len(w), V.shape[1]))),
    ("the output is the plain sum of the values: the weights are not used",
     lambda w, V, *_: np.broadcast_to(V.sum(0), (len(w), V.shape[1]))),
    ("the output is divided by n_k: the weights already sum to 1", lambda w, V, *_: w @ V / len(V)),
    ("only the value with the largest weight is returned: mix all the values",
     lambda w, V, *_: V[w.argmax(-1)]),
    ("weights and values are multiplied entry by entry: use weights @ V", lambda w, V, *_: w * V),
    ("the output is averaged over the queries: one row a query", lambda w, V, *_: (w @ V).mean(0)),
    ("the output is summed over the queries: one row a query", lambda w, V, *_: (w @ V).sum(0)),
    ("the output is transposed", lambda w, V, *_: (w @ V).T),
    ("the output is flattened: keep the shape (n_q, d_v)", lambda w, V, *_: (w @ V).ravel()),
)

GIVE = deviations(
    "give",
    ("returned (weights, output): the order is output, weights", lambda o, w, s: (w, o)),
    ("returned only the output: the weights are asked for too", lambda o, w, s: (o,)),
    ("returned only the weights: the output is asked for too", lambda o, w, s: (w,)),
    ("returned the scores in place of the weights", lambda o, w, s: (o, s)),
    ("returned the output twice: output, weights are asked for", lambda o, w, s: (o, o)),
    ("returned the weights twice: output, weights are asked for", lambda o, w, s: (w, w)),
    ("returned three results: output, weights are asked for", lambda o, w, s: (o, w, s)),
)

PROJECT = deviations(
    "project",
    ("the directions are swapped: X asks (Q), Z is asked (K and V)",
     lambda X, Z, q, k, v: (Z @ q, X @ k, X @ v)),
    ("the values come from X: they belong to Z, as the keys do",
     lambda X, Z, q, k, v: (X @ q, Z @ k, X @ v)),
    ("the keys come from X: they belong to Z, as the values do",
     lambda X, Z, q, k, v: (X @ q, X @ k, Z @ v)),
    ("Z is never used: this is self-attention of X",
     lambda X, Z, q, k, v: (X @ q, X @ k, X @ v)),
    ("X is never used: this is self-attention of Z",
     lambda X, Z, q, k, v: (Z @ q, Z @ k, Z @ v)),
    ("the queries and keys have changed places: Q = X W_q, K = Z W_k",
     lambda X, Z, q, k, v: (Z @ q, X @ k, Z @ v)),
    ("W_q and W_k are swapped", lambda X, Z, q, k, v: (X @ k, Z @ q, Z @ v)),
    ("W_k and W_v are swapped", lambda X, Z, q, k, v: (X @ q, Z @ v, Z @ k)),
    ("W_q and W_v are swapped", lambda X, Z, q, k, v: (X @ v, Z @ k, Z @ q)),
    ("W_k makes the values: V = Z W_v", lambda X, Z, q, k, v: (X @ q, Z @ k, Z @ k)),
    ("W_q makes the keys: K = Z W_k", lambda X, Z, q, k, v: (X @ q, Z @ q, Z @ v)),
    ("W_k makes the queries: Q = X W_q", lambda X, Z, q, k, v: (X @ k, Z @ k, Z @ v)),
    ("the values are not projected: V = Z W_v", lambda X, Z, q, k, v: (X @ q, Z @ k, Z)),
    ("the queries are not projected: Q = X W_q", lambda X, Z, q, k, v: (X, Z @ k, Z @ v)),
    ("the keys are not projected: K = Z W_k", lambda X, Z, q, k, v: (X @ q, Z, Z @ v)),
    ("queries and keys are not projected: W_q, W_k are unused",
     lambda X, Z, q, k, v: (X, Z, Z @ v)),
    ("nothing is projected: W_q, W_k and W_v are unused", lambda X, Z, q, k, v: (X, Z, Z)),
    ("the projections are transposed: Q = X W_q, not X W_q^T",
     lambda X, Z, q, k, v: (X @ q.T, Z @ k.T, Z @ v.T)),
)
