"""The check of the backward pass of a feed-forward layer with its residual."""

import numpy as np

from casebook.checks.engine.diagnosis import examine, of_one_part
from casebook.checks.engine.family import Absent, Case, Family, deviations
from casebook.checks.engine.verdict import check


def _all_tokens(rows):
    return rows.reshape(-1, rows.shape[-1])


def feed_forward_backward(
    d_output,
    X,
    W_1,
    W_2,
    back=lambda d, W: d @ W.T,
    back_1=Absent("d", "W"),
    back_2=Absent("d", "W"),
    gate=lambda d, hidden: d * (hidden > 0),
    gate_first=lambda d_output, hidden: d_output,
    outer=lambda rows, d: _all_tokens(rows).T @ _all_tokens(d),
    outer_1=Absent("rows", "d"),
    outer_2=Absent("rows", "d"),
    sources=lambda X, hidden, active, d_active, d_hidden: (X, d_hidden, active),
    join=lambda d_output, d_branch, X: d_output + d_branch,
    give=lambda d_X, d_W_1, d_W_2: (d_X, d_W_1, d_W_2),
):
    """Return the results of task ``feed_forward_backward``.

    back: through a matrix. gate_first: a gate at the wrong place. outer: how a matrix gets
        its gradient. sources: what the two gradients are made from, which is the rows before
        W_1, what came back to them, and the rows before W_2.
    """
    hidden = X @ W_1
    active = np.maximum(hidden, 0)
    d_active = (back_2 or back)(gate_first(d_output, hidden), W_2)
    d_hidden = gate(d_active, hidden)
    rows_1, d_rows_1, rows_2 = sources(X, hidden, active, d_active, d_hidden)
    d_W_1, d_W_2 = (outer_1 or outer)(rows_1, d_rows_1), (outer_2 or outer)(rows_2, d_output)
    return give(join(d_output, (back_1 or back)(d_hidden, W_1), X), d_W_1, d_W_2)


# fmt: off
_OUTER = (
    ("{} is averaged over the tokens: sum over all of them",
     lambda rows, d: _all_tokens(rows).T @ _all_tokens(d) / len(_all_tokens(rows))),
    ("{} is averaged over the sequences: sum over all tokens",
     lambda rows, d: _all_tokens(rows).T @ _all_tokens(d) / len(rows)),
    ("{} is averaged within each sequence: sum over all tokens",
     lambda rows, d: _all_tokens(rows).T @ _all_tokens(d) / rows.shape[-2]),
    ("{} has a matrix for each sequence: sum over the sequences too",
     lambda rows, d: np.swapaxes(rows, -1, -2) @ d),
    ("{} is transposed: rows of the input first, @ what came back",
     lambda rows, d: _all_tokens(d).T @ _all_tokens(rows)),
    ("{} comes from the first sequence alone: sum over all", lambda rows, d: rows[0].T @ d[0]),
    ("{} comes from the last sequence alone: sum over all", lambda rows, d: rows[-1].T @ d[-1]),
)

_BACK = (
    ("the way back through {} needs its transpose: d @ W.T", lambda d, W: d @ W),
    ("the way back leaves {} out: multiply by its transpose", lambda d, W: d),
)

MISTAKES = (
    *deviations(
        "gate",
        ("the gate is missing: where hidden was cut to 0, nothing flows back", lambda d, h: d),
        ("what comes back is multiplied by the ReLU, not by its slope of 0 or 1",
         lambda d, h: d * np.maximum(h, 0)),
        ("ReLU is applied to what comes back: the gate asks the sign of hidden",
         lambda d, h: np.maximum(d, 0)),
        ("the gate is turned round: it is open where hidden is positive",
         lambda d, h: d * (h <= 0)),
        ("the gate is added: multiply by it", lambda d, h: d + (h > 0)),
        ("the gate stands alone: multiply what comes back by it",
         lambda d, h: (h > 0) * np.ones(d.shape)),
        ("multiplied by hidden itself: the gate is 0 or 1", lambda d, h: d * h),
    ),
    *deviations(
        "gate_first",
        ("a gate stands before W_2: go back through W_2 first, then the gate",
         lambda d, hidden: d * (hidden > 0)),
        ("ReLU is applied to d_output: only hidden has a gate",
         lambda d, hidden: np.maximum(d, 0)),
    ),
    *deviations(
        "join",
        ("d_X lacks the straight road: add d_output", lambda d, branch, X: branch),
        ("d_X is d_output alone: add what comes back through W_1", lambda d, branch, X: d),
        ("d_X adds X: add d_output, which came back along the straight road",
         lambda d, branch, X: X + branch),
        ("d_X is a product: where two roads meet, add", lambda d, branch, X: d * branch),
        ("d_X: the straight road is subtracted, add it", lambda d, branch, X: branch - d),
        ("d_X adds 1: what comes along the straight road is d_output",
         lambda d, branch, X: 1 + branch),
        ("d_X is an average of the two roads: add them", lambda d, branch, X: (d + branch) / 2),
        ("d_X adds the straight road twice", lambda d, branch, X: 2 * d + branch),
    ),
    *deviations(
        "sources",
        ("d_W_2 is made from hidden before the ReLU: W_2 saw it after",
         lambda X, hidden, active, d_active, d_hidden: (X, d_hidden, hidden)),
        ("d_W_1 is made from what came back before the gate: use it after",
         lambda X, hidden, active, d_active, d_hidden: (X, d_active, active)),
        ("d_W_2 is made from the gate of 0 and 1: W_2 saw the ReLU's result",
         lambda X, hidden, active, d_active, d_hidden: (X, d_hidden, (hidden > 0) * 1.0)),
        ("d_W_2 is made from X: W_2 saw the hidden layer",
         lambda X, hidden, active, d_active, d_hidden: (X, d_hidden, X)),
        ("d_W_1 is made from the hidden layer: W_1 saw X",
         lambda X, hidden, active, d_active, d_hidden: (active, d_hidden, active)),
    ),
    *deviations("outer", *((says.format("each d_W"), does) for says, does in _OUTER)),
    *deviations("outer_1", *((says.format("d_W_1"), does) for says, does in _OUTER)),
    *deviations("outer_2", *((says.format("d_W_2"), does) for says, does in _OUTER)),
    *deviations("back", *((says.format("each matrix"), does) for says, does in _BACK)),
    *deviations("back_1", *((says.format("W_1"), does) for says, does in _BACK)),
    *deviations("back_2", *((says.format("W_2"), does) for says, does in _BACK)),
    *deviations(
        "give",
        ("in the order (d_W_1, d_W_2, d_X): d_X comes first", lambda x, a, b: (a, b, x)),
        ("d_W_1 and d_W_2 are swapped", lambda x, a, b: (x, b, a)),
        ("in the order (d_W_2, d_W_1, d_X): d_X comes first", lambda x, a, b: (b, a, x)),
        ("d_X is averaged over the sequences: each token has its own",
         lambda x, a, b: (x.mean(0), a, b)),
        ("d_X is summed over the sequences: each token has its own",
         lambda x, a, b: (x.sum(0), a, b)),
    ),
)
# fmt: on

FAMILY = Family(feed_forward_backward, MISTAKES)
GRADIENTS = ("d_X", "d_W_1", "d_W_2")

WHERE_TO_LOOK = {
    "d_X": "look at the way back through W_1, and at the straight road",
    "d_W_1": "it is made of X and what comes out of the gate, for all tokens",
    "d_W_2": "it is made of the ReLU's result and d_output, for all tokens",
}


@check("feed_forward_backward", ("d_output", "X", "W_1", "W_2"))
def check_feed_forward_backward(learner, rng):
    """Check the backward pass of a feed-forward layer with its residual, over a batch."""

    def case(label, n_sequences, n_tokens, d_model, d_ff):
        shape = n_sequences, n_tokens, d_model
        W_1, W_2 = rng.normal(0.1, 1, (d_model, d_ff)), rng.normal(-0.1, 1, (d_ff, d_model))
        return Case(label, (rng.normal(0.2, 1, shape), rng.normal(0.2, 1, shape), W_1, W_2))

    cases = [
        case("", 3, 4, 5, 5),
        case("", 4, 3, 4, 6),
        case("", 2, 7, 3, 2),
        case("for a single sequence", 1, 4, 3, 5),
        case("for a single token", 1, 1, 3, 4),
        case("for sequences of one token", 4, 1, 3, 3),
    ]
    examine(learner, cases, FAMILY, GRADIENTS, _about_gradients)


def _about_gradients(case, got, right):
    """Name the mistake in one of the three, or say which of them are right."""
    sentence = of_one_part(FAMILY, GRADIENTS, case, got, right)
    if sentence:
        return sentence
    fits = [np.allclose(*pair) for pair in zip(got, right, strict=True)]
    good = [name for name, fit in zip(GRADIENTS, fits, strict=True) if fit]
    bad = [name for name, fit in zip(GRADIENTS, fits, strict=True) if not fit]
    if not good:
        return None
    verbs = ("is" if len(good) == 1 else "are"), ("is" if len(bad) == 1 else "are")
    advice = f": {WHERE_TO_LOOK[bad[0]]}." if len(bad) == 1 else ": look at the gate."
    return f"{' and '.join(good)} {verbs[0]} right, {' and '.join(bad)} {verbs[1]} not{advice}"
