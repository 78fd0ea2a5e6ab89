"""The check of a cut into heads."""

import numpy as np

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations
from casebook.checks.engine.plain_words import Wrong
from casebook.checks.engine.verdict import check
from casebook.checks.stages import heads


def split(matrix, n_heads, cut=heads.cut_columns):
    """Return the result of task ``split_heads``."""
    return (cut(matrix, n_heads),)


# fmt: off
MISTAKES = (
    *heads.CUT,
    *deviations(
        "cut",
        ("every head gets all the columns: give each its own d_head columns",
         lambda M, h: np.stack([M] * h)),
        ("the heads are not first: swap the axes of tokens and heads",
         lambda M, h: M.reshape(len(M), h, -1)),
        ("the heads are transposed: the tokens come before the columns",
         lambda M, h: M.reshape(len(M), h, -1).transpose(1, 2, 0)),
        ("the tokens are cut, not the columns: each head needs every token",
         lambda M, h: M.reshape(h, -1, M.shape[1])),
        ("only head 0 is returned: stack all the heads", lambda M, h: heads.cut_columns(M, h)[0]),
        ("only the last head is returned: stack all the heads",
         lambda M, h: heads.cut_columns(M, h)[-1]),
        ("nothing is cut: the result is the input", lambda M, h: M),
    ),
)
# fmt: on

FAMILY = Family(split, MISTAKES)


@check("split_heads", ("X", "n_heads"))
def check_split_heads(learner, rng):
    """Check a cut into heads, and that a number of heads that does not divide is refused."""
    sizes = [("", 4, 15, 3), ("", 6, 8, 2), ("", 5, 12, 4), ("", 6, 12, 6)]
    sizes += [("for one head", 4, 5, 1), ("for a single token", 1, 6, 2)]
    sizes += [("for heads of width 1", 4, 3, 3)]
    cases = [Case(label, (rng.normal(0, 1, (n, width)), h)) for label, n, width, h in sizes]
    examine(learner, cases, FAMILY, ("the result",))
    try:
        learner(rng.normal(0, 1, (4, 6)), 4)
    except Wrong:
        return
    raise Wrong("4 heads do not divide d_model = 6: raise a ValueError, do not drop columns.")
