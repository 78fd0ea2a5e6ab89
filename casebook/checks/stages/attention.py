"""Attention cut into stages, and the mistakes that people make at each of them.

:func:`attend` is scaled dot-product attention; every stage can be replaced by a mistaken
one, those of :mod:`casebook.checks.stages.softmax` included.
"""

import math
from types import SimpleNamespace

import numpy as np

from casebook.checks.engine.family import deviations, stages_of
from casebook.checks.stages.softmax import weigh


def over_sqrt_d_k(raw_scores, sizes):
    """Return the scores of scaled dot-product attention."""
    return raw_scores / math.sqrt(sizes.d_k)


@stages_of(weigh)
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


def _of_length_one(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


# fmt: off
SCALE = deviations(
    "scale",
    ("the scores are not divided by sqrt(d_k)", lambda s, of: s),
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
# fmt: on
