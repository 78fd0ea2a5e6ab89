"""The check of cross-attention with several heads."""

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep, stages_of
from casebook.checks.engine.verdict import check
from casebook.checks.stages import attention, heads
from casebook.checks.stages import softmax as soft


@stages_of(heads.attend_with_heads, without=("project", "give"))
def read_from(
    Y,
    memory,
    W_Q,
    W_K,
    W_V,
    W_O,
    n_heads,
    sources=lambda Y, memory: (Y, memory, memory),
    matrices=lambda q, k, v: (q, k, v),
    count=keep,
    causal=False,
    after=lambda output, Y: output,
    **stages,
):
    """Return the result of task ``ask_the_encoder``.

    sources: what queries, keys and values are made from. matrices: what makes them.
    count: how many heads are cut. causal: True hides as if both were one sequence.
    """
    made = zip(sources(Y, memory), matrices(W_Q, W_K, W_V), strict=True)
    Q, K, V = (rows @ matrix for rows, matrix in made)
    n_heads = count(n_heads)
    mask = np.tril(np.ones((len(Q), len(K)), dtype=bool)) if causal else None
    output, _ = heads.attend_with_heads(
        Y, W_Q, W_K, W_V, W_O, n_heads, mask, project=lambda *_: (Q, K, V), **stages
    )
    return (after(output, Y),)


# fmt: off
_SOURCES = deviations(
    "sources",
    ("the encoder asks here: Q comes from Y, K and V come from memory", lambda Y, m: (m, Y, Y)),
    ("K and V come from Y: this is self-attention; they come from memory",
     lambda Y, m: (Y, Y, Y)),
    ("Q comes from memory: the decoder asks, so Q comes from Y", lambda Y, m: (m, m, m)),
    ("K comes from Y: keys and values come from memory", lambda Y, m: (Y, Y, m)),
    ("V comes from Y: keys and values come from memory", lambda Y, m: (Y, m, Y)),
)

_READ = (
    *_SOURCES,
    *deviations(
        "matrices",
        ("W_Q and W_K are swapped", lambda q, k, v: (k, q, v)),
        ("W_K and W_V are swapped", lambda q, k, v: (q, v, k)),
        ("W_K makes the values too: W_V makes them", lambda q, k, v: (q, k, k)),
        ("W_Q makes the keys too: W_K makes them", lambda q, k, v: (q, q, v)),
    ),
    *deviations(
        "causal",
        ("a causal mask hides part of memory: all of the source may be seen", True),
    ),
    *deviations(
        "count",
        ("one single head: cut Q, K and V into n_heads", lambda n: 1),
    ),
    *heads.CUT,
    *heads.JOIN[:3],  # the others do not fit W_O
    *deviations(
        "leave",
        ("W_O is missing: it mixes the joined heads", lambda joined, W_O, n: joined),
        ("W_O is transposed", lambda joined, W_O, n: joined @ W_O.T),
    ),
    *deviations(
        "after",
        ("the residual is added: return what was read, without Y", lambda out, Y: out + Y),
        ("the result is averaged over the tokens: one row for each of Y",
         lambda out, Y: out.mean(axis=0)),
    ),
)
# fmt: on

# The roles of the two sequences first; mistakes inside a head are those of chapters 02 and 04.
FAMILY = Family(
    read_from,
    (
        *_READ,
        *attention.SCALE_BY_MODEL,
        *attention.SCALE,
        *soft.SOFTMAX[:6],
        *attention.SCALE_TOO_LATE,
    ),
)


def _asking_case(label, rng, n_q, n_k, d_model, n_heads, d_head):
    Y, memory = rng.normal(0.3, 1, (n_q, d_model)), rng.normal(-0.3, 1, (n_k, d_model))
    width = n_heads * d_head
    W_Q, W_K, W_V = rng.normal(0, 1.5 / np.sqrt(d_model), (3, d_model, width))
    W_O = rng.normal(0.1, 0.5, (width, d_model))
    return Case(label, (Y, memory, W_Q, W_K, W_V, W_O, n_heads))


@check("ask_the_encoder", ("Y", "memory", "W_Q", "W_K", "W_V", "W_O", "n_heads"))
def check_ask_the_encoder(learner, rng):
    """Check cross-attention with several heads: the decoder asks, the encoder is asked."""
    sizes = [
        ("", 4, 4, 6, 2, 3),
        ("", 3, 5, 7, 3, 4),
        ("", 5, 3, 6, 3, 2),
        ("for one head", 3, 5, 6, 1, 6),
        ("for a single source token", 3, 1, 6, 2, 3),
        ("for a single target token", 1, 4, 6, 2, 3),
    ]
    cases = [_asking_case(label, rng, *shape) for label, *shape in sizes]
    examine(learner, cases, FAMILY, ("the result",), _about_asking)


def _about_asking(case, got, right):
    """Say which sequence the result must depend on, for a mistake that nobody foresaw."""
    Y, memory, *_ = case.inputs
    if len(memory) == 1 and not np.allclose(got[0], got[0][0]):
        return "with one source token every row reads the same, so all rows must be equal."
    return None
