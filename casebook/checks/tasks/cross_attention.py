"""The check of attention from one sequence to another."""

import math

from casebook.checks.engine import properties
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, stages_of
from casebook.checks.engine.verdict import check
from casebook.checks.stages import attention
from casebook.checks.stages import softmax as soft


def _projected(X, Z, W_q, W_k, W_v):
    return X @ W_q, Z @ W_k, Z @ W_v


@stages_of(attention.attend)
def attend_across(X, Z, W_q, W_k, W_v, project=_projected, **stages):
    """Return output and weights of the tokens X attending to the tokens Z."""
    return attention.attend(*project(X, Z, W_q, W_k, W_v), sizes={"d_model": X.shape[-1]}, **stages)


# fmt: off
_SCALE_BY_VALUES = deviations(
    "scale",
    ("divides by sqrt(d_v), the width of a value, instead of sqrt(d_k)",
     lambda s, of: s / math.sqrt(of.d_v)),
    ("divides by d_v instead of sqrt(d_k)", lambda s, of: s / of.d_v),
)

_PROJECT = deviations(
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
# fmt: on

FAMILY = Family(
    attend_across,
    (
        *attention.SCALE,
        *attention.SCALE_BY_MODEL,
        *_SCALE_BY_VALUES,
        *_PROJECT,
        *soft.SOFTMAX,
        *attention.SCALE_TOO_LATE,
        *attention.ROLES_OF_KEYS,
        *attention.ROLES_OF_VALUES,
        *attention.COMPARE,
        *attention.MIX,
        *attention.GIVE,
    ),
)


def _cross_case(label, rng, n_q, n_k, d_model, d_k, d_v, size=0.5):
    X, Z = rng.normal(0.2, 1, (n_q, d_model)), rng.normal(-0.2, 1, (n_k, d_model))
    W_q, W_k = (rng.normal(0, size, (d_model, d_k)) for _ in range(2))
    return Case(label, (X, Z, W_q, W_k, rng.normal(0.1, 0.5, (d_model, d_v))))


def _case_of_low_scores(rng):
    """Return a case of one query whose largest score by size is a negative one, far down."""
    label = "for very low scores"
    case = _cross_case(label, rng, n_q=1, n_k=5, d_model=7, d_k=6, d_v=4, size=50)
    X, Z, W_q, W_k, W_v = case.inputs
    scores = X @ W_q @ (Z @ W_k).T
    return case if scores.max() < -scores.min() else Case(label, (X, Z, -W_q, W_k, W_v))


def _about_attention(case, got, right):
    Z, W_v = case.inputs[1], case.inputs[4]
    return properties.of_attention(got, right, Z @ W_v)


@check("cross_attention", ("X", "Z", "W_q", "W_k", "W_v"))
def check_cross_attention(learner, rng):
    """Check attention of one sequence to another, from the projections to the weighted mean."""
    cases = [
        _cross_case("", rng, n_q=3, n_k=5, d_model=7, d_k=6, d_v=10),
        _cross_case("", rng, n_q=5, n_k=5, d_model=5, d_k=5, d_v=5),
        _cross_case("", rng, n_q=3, n_k=5, d_model=6, d_k=6, d_v=6),
        _cross_case("", rng, n_q=5, n_k=5, d_model=7, d_k=6, d_v=10),
        _cross_case("for a single token to ask", rng, n_q=3, n_k=1, d_model=7, d_k=6, d_v=4),
        _cross_case("for a single query", rng, n_q=1, n_k=5, d_model=7, d_k=6, d_v=4),
        _cross_case("for very large scores", rng, 3, 5, d_model=7, d_k=6, d_v=4, size=50),
        _case_of_low_scores(rng),
    ]
    examine(learner, cases, FAMILY, ("output", "weights"), _about_attention)
