"""The check of how far apart the heads of a layer are."""

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Absent, Case, Family, deviations, keep
from casebook.checks.engine.verdict import check
from casebook.checks.stages import softmax as soft


def head_distances(
    weights,
    differ=lambda a, b: np.abs(a - b),
    over_keys=lambda apart: apart.sum(axis=-1),
    halve=lambda apart: apart / 2,
    over_queries=lambda apart: apart.mean(axis=-1),
    finish=keep,
    instead=Absent("a", "b"),
):
    """Return how far apart each two heads are: (n_heads, n_heads), from 0 to 1."""
    if instead:
        return (instead(weights[:, None], weights[None]),)
    apart = halve(over_keys(differ(weights[:, None], weights[None])))
    return (finish(over_queries(apart)),)


def _between_tokens(a, b):
    """Return the distances with the axes of heads and tokens taken for one another."""
    tokens = a[:, 0].swapaxes(0, 1)
    return np.abs(tokens[:, None] - tokens[None]).sum(axis=-1).mean(axis=-1) / 2


def _cosines(a, b):
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return (a * b).sum(axis=-1) / lengths


# fmt: off
MISTAKES = (
    *deviations(
        "halve",
        ("not halved: heads with nothing in common are 1 apart, here they are 2", keep),
    ),
    *deviations(
        "differ",
        ("the differences keep their sign and cancel: take absolute values",
         lambda a, b: a - b),
        ("squares in place of absolute differences", lambda a, b: (a - b) ** 2),
    ),
    *deviations(
        "over_keys",
        ("averaged over the keys: the differences of a row add up",
         lambda apart: apart.mean(axis=-1)),
        ("only the largest difference of a row is taken: they add up",
         lambda apart: apart.max(axis=-1)),
    ),
    *deviations(
        "over_queries",
        ("summed over the queries: the mean is asked for", lambda apart: apart.sum(axis=-1)),
        ("only the query with the largest distance is kept: the mean is asked for",
         lambda apart: apart.max(axis=-1)),
        ("only the first query is looked at: take the mean of all",
         lambda apart: apart[..., 0]),
        ("not averaged over the queries: one number for two heads", keep),
    ),
    *deviations(
        "finish",
        ("this is likeness: equal heads must be 0 apart, not 1", lambda d: 1 - d),
        ("only half of the table is filled: d(a, b) = d(b, a)", np.triu),
        ("only half of the table is filled: d(a, b) = d(b, a)", np.tril),
        ("only the distances to head 0 are returned: every two heads are asked for",
         lambda d: d[0]),
        ("one number for all: a table of every two heads is asked for", np.mean),
    ),
    *deviations(
        "instead",
        ("the weights are averaged over the queries first: differences cancel",
         lambda a, b: np.abs(a.mean(-2) - b.mean(-2)).sum(-1) / 2),
        ("tokens are compared, not heads: the first axis counts the heads",
         _between_tokens),
        ("only the largest weights are compared: use all the weights",
         lambda a, b: (a.argmax(-1) != b.argmax(-1)).mean(-1)),
        ("Euclidean distance of the rows: half the summed |a - b| is asked for",
         lambda a, b: np.linalg.norm(a - b, axis=-1).mean(-1)),
        ("Euclidean distance, halved: half the summed |a - b| is asked for",
         lambda a, b: np.linalg.norm(a - b, axis=-1).mean(-1) / 2),
        ("1 - cosine of the rows: half the summed |a - b| is asked for",
         lambda a, b: 1 - _cosines(a, b).mean(-1)),
    ),
)
# fmt: on

FAMILY = Family(head_distances, MISTAKES)


@check("head_distances", ("weights",))
def check_head_distances(learner, rng):
    """Check the distances of heads: equal heads, heads with nothing in common, any n_q and n_k."""
    same = soft.softmax(rng.normal(0, 1, (1, 4, 5)))
    cases = [
        Case("", (soft.softmax(rng.normal(0, 1.5, (3, 4, 5))),)),
        Case("", (soft.softmax(rng.normal(0, 1.5, (2, 6, 3))),)),
        Case("", (soft.softmax(rng.normal(0, 1.5, (4, 4, 4))),)),
        Case("for two equal heads", (np.concatenate([same, same]),)),
        Case(
            "for one-hot rows", (np.stack([np.eye(4), np.eye(4)[::-1], np.eye(4)[[0, 0, 0, 0]]]),)
        ),
        Case("for a single head", (same,)),
    ]
    examine(learner, cases, FAMILY, ("the distances",), _about_distances)


def _about_distances(case, got, right):
    table = got[0]
    if not np.allclose(table, table.T):
        return "the table is not symmetric: d(a, b) must equal d(b, a)."
    if not np.allclose(np.diagonal(table), 0):
        return "a head must be 0 apart from itself: look at the diagonal."
    if (table > 1 + 1e-9).any() or (table < 0).any():
        return f"a distance of {table.max():.3g}: it must lie between 0 and 1."
    return None
