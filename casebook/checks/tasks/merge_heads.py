"""The check of heads put side by side."""

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep
from casebook.checks.engine.verdict import check
from casebook.checks.stages import heads


def merge(parts, join=heads.side_by_side):
    """Return the result of task ``merge_heads``."""
    return (join(parts),)


# fmt: off
MISTAKES = (
    *heads.JOIN,
    *deviations(
        "join",
        ("the heads stand below one another: join them along the last axis",
         lambda H: H.reshape(-1, H.shape[-1])),
        ("the last two axes are not joined: (n_tokens, d_model) is asked for",
         lambda H: H.swapaxes(0, 1)),
        ("the result is transposed: one row a token", lambda H: heads.side_by_side(H).T),
        ("only head 0 is returned: put all the heads side by side", lambda H: H[0]),
        ("only the last head is returned: put all the heads side by side", lambda H: H[-1]),
        ("the largest of the heads is taken: put them side by side", lambda H: H.max(axis=0)),
        ("nothing is merged: the result is the input", keep),
        ("everything is in one row: keep a row for each token",
         lambda H: heads.side_by_side(H).ravel()),
    ),
)
# fmt: on

FAMILY = Family(merge, MISTAKES)


@check("merge_heads", ("heads",))
def check_merge_heads(learner, rng):
    """Check that heads are put side by side, token by token."""
    shapes = [("", 3, 4, 5), ("", 2, 7, 3), ("", 4, 4, 4)]
    shapes += [("for one head", 1, 4, 5), ("for a single token", 3, 1, 5)]
    cases = [Case(label, (rng.normal(0.3, 1, shape),)) for label, *shape in shapes]
    examine(learner, cases, FAMILY, ("the result",))
