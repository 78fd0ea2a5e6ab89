"""The check of the loss, weighed by importance, and of its gradient."""

import numpy as np

from casebook.checks.engine.diagnosis import examine, of_one_part
from casebook.checks.engine.family import Absent, Case, Family, deviations
from casebook.checks.engine.verdict import check
from casebook.checks.stages import softmax as soft

EPSILONS = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-16, 1e-20, 1e-300)


def _right_words(table, targets):
    return table[np.arange(len(targets)), targets]


def _one_hot(p, targets):
    return np.eye(p.shape[-1])[targets]


def _safe(logits):
    """Return the probabilities, and their logarithms without a detour through 0."""
    p = soft.softmax(logits)
    shifted = logits - soft.largest_of_row(logits)
    return p, shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def cross_entropy(
    logits,
    targets,
    importance,
    rows=lambda importance: slice(None),
    look_up=lambda targets, n_words: targets,
    probabilities=_safe,
    share=lambda importance: importance / importance.sum(),
    share_of_loss=Absent("importance"),
    share_of_slope=Absent("importance"),
    surprise=lambda log_p, p, targets: -_right_words(log_p, targets),
    total=lambda share, surprise: (share * surprise).sum(),
    slope=lambda p, targets: p - _one_hot(p, targets),
    give=lambda loss, d_logits: (loss, d_logits),
):
    """Return the results of task ``cross_entropy``.

    rows: which of them are looked at. look_up: where the right words are. share: how much
    each row counts; share_of_loss and share_of_slope stand in for it in one half.
    """
    kept = rows(importance)
    logits, targets, importance = logits[kept], targets[kept], importance[kept]
    targets = look_up(targets, logits.shape[-1])
    p, log_p = probabilities(logits)
    loss = total((share_of_loss or share)(importance), surprise(log_p, p, targets))
    d_rows = slope(p, targets)
    return give(loss, d_rows * (share_of_slope or share)(importance)[:, None])


def _logged(p):
    return p, np.log(p)


def _unsafe(logits):
    return _logged(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))


def _with_floor(epsilon, floor):
    def run(logits):
        p = soft.softmax(logits)
        return p, np.log(floor(p, epsilon))

    return run


def _columns_less_one(p, targets):
    d = p.copy()
    d[:, targets] -= 1
    return d


def _through_softmax(p, targets):
    d = p - _one_hot(p, targets)
    return p * (d - (d * p).sum(-1, keepdims=True))


def _of_others(p, log_p, targets):
    others = np.where(_one_hot(p, targets) == 1, 0, np.log1p(-p))
    return -_right_words(log_p, targets) - others.sum(-1)


# fmt: off
MISTAKES = (
    *deviations(
        "share",
        ("importance is not used: a plain mean over the rows", lambda i: np.ones(len(i)) / len(i)),
        ("importance is not divided by its sum: only proportions count", lambda i: i * 1.0),
        ("importance is divided by the number of rows: divide by its sum", lambda i: i / len(i)),
        ("a sum over the rows, without importance", lambda i: np.ones(len(i))),
        ("divides by the sum of importance, and by n once more", lambda i: i / i.sum() / len(i)),
        ("divides by the count of rows with importance: divide by its sum",
         lambda i: i / (i > 0).sum()),
        ("importance counts only as yes or no: weigh the rows with it",
         lambda i: (i > 0) / (i > 0).sum()),
        ("importance is divided by its largest: divide by its sum", lambda i: i / i.max()),
        ("softmax of importance: divide it by its sum", lambda i: soft.softmax(i * 1.0)),
    ),
    *deviations(
        "share_of_slope",
        ("d_logits is not weighted: multiply each row by its share", lambda i: np.ones(len(i))),
        ("d_logits is divided by n: use importance over its sum, as in the loss",
         lambda i: np.ones(len(i)) / len(i)),
        ("d_logits: importance is not divided by its sum", lambda i: i * 1.0),
        ("d_logits is divided by n once more", lambda i: i / i.sum() / len(i)),
        ("d_logits is weighted twice", lambda i: (i / i.sum()) ** 2),
        ("d_logits: importance is divided by n, not by its sum", lambda i: i / len(i)),
    ),
    *deviations(
        "share_of_loss",
        ("the loss is a plain mean: weigh the rows with their share",
         lambda i: np.ones(len(i)) / len(i)),
        ("the loss: importance is not divided by its sum", lambda i: i * 1.0),
        ("the loss is a sum over the rows: weigh them", lambda i: np.ones(len(i))),
        ("the loss: importance is divided by n, not by its sum", lambda i: i / len(i)),
    ),
    *deviations(
        "slope",
        ("d_logits is p: take 1 away at the right word", lambda p, t: p),
        ("d_logits has the sign turned: p less one-hot", lambda p, t: _one_hot(p, t) - p),
        ("d_logits: 1 is taken away at every word, not only at the right one", lambda p, t: p - 1),
        ("d_logits: every row loses 1 at all the targets: pair rows with targets",
         _columns_less_one),
        ("d_logits is only at the right word: the others have p",
         lambda p, t: (p - 1) * _one_hot(p, t)),
        ("d_logits is by the probabilities, -1 / p: go on, to the logits",
         lambda p, t: -_one_hot(p, t) / p),
        ("d_logits: softmax backward is applied once too often", _through_softmax),
        ("d_logits: 1 is taken away at the likeliest word, not at the target",
         lambda p, t: p - _one_hot(p, p.argmax(-1))),
        ("d_logits is minus one-hot: p is missing", lambda p, t: -_one_hot(p, t)),
        ("d_logits is of the squared error: take p less one-hot",
         lambda p, t: 2 * (p - _one_hot(p, t))),
        ("d_logits adds 1 at the right word: take it away", lambda p, t: p + _one_hot(p, t)),
        ("d_logits is 0: it was never filled", lambda p, t: np.zeros(p.shape)),
        ("d_logits is divided by the number of words too",
         lambda p, t: (p - _one_hot(p, t)) / p.shape[-1]),
    ),
    *deviations(
        "probabilities",
        ("exp overflows for large logits: subtract the row's largest first", _unsafe),
        ("softmax runs down the columns: the words stand along a row",
         lambda z: _logged(soft.along(0)(z))),
        ("one softmax for the whole table: each row has its own",
         lambda z: _logged(soft.along(None)(z))),
        ("log of a probability of 0: use logits less the log of the sum",
         lambda z: _logged(soft.softmax(z))),
        ("no softmax: these are the logits", lambda z: (z * 1.0, z * 1.0)),
        ("logits stand where log p belongs: subtract the log of the sum",
         lambda z: (soft.softmax(z), z * 1.0)),
        ("one maximum is subtracted from all rows: low rows vanish, use each own",
         lambda z: _logged(soft.softmax(z, np.max))),
        ("softmax is applied twice", lambda z: _logged(soft.softmax(soft.softmax(z)))),
        ("sigmoid instead of softmax", lambda z: _logged(1 / (1 + np.exp(-z)))),
        ("exp of the logits is not divided by the row's sum", lambda z: (np.exp(z), z * 1.0)),
        *(("log(p + epsilon), or p clipped, hides sure mistakes: go by the logits",
           _with_floor(epsilon, floor))
          for epsilon in EPSILONS for floor in (np.add, np.maximum)),
    ),
    *deviations(
        "surprise",
        ("the loss has the sign turned: surprise is minus the log",
         lambda log_p, p, t: _right_words(log_p, t)),
        ("the loss is 1 - p: take minus the log of p", lambda log_p, p, t: 1 - _right_words(p, t)),
        ("the loss is p itself: take minus its log", lambda log_p, p, t: _right_words(p, t)),
        ("the loss is -p: the log is missing", lambda log_p, p, t: -_right_words(p, t)),
        ("the loss is in bits (log2): use the natural log",
         lambda log_p, p, t: -_right_words(log_p, t) / np.log(2)),
        ("the loss uses log10: use the natural log",
         lambda log_p, p, t: -_right_words(log_p, t) / np.log(10)),
        ("the loss sums over all words: only the right word counts",
         lambda log_p, p, t: -log_p.sum(-1)),
        ("the loss averages over all words: only the right word counts",
         lambda log_p, p, t: -log_p.mean(-1)),
        ("the loss is divided by the number of words too",
         lambda log_p, p, t: -_right_words(log_p, t) / p.shape[-1]),
        ("the loss is the entropy: look up the right word",
         lambda log_p, p, t: -(p * log_p).sum(-1)),
        ("the loss looks at the likeliest word: look at the target",
         lambda log_p, p, t: -log_p.max(-1)),
        ("log_p[:, targets] is a table: pair each row with its own target",
         lambda log_p, p, t: -log_p[:, t].sum(0)),
        ("log_p[:, targets] is a table: pair each row with its target",
         lambda log_p, p, t: -log_p[:, t].mean(0)),
        ("log(1 - p) of the other words is added: only the right word counts",
         lambda log_p, p, t: _of_others(p, log_p, t)),
        ("the loss is a squared error: take minus the log of p",
         lambda log_p, p, t: ((p - _one_hot(p, t)) ** 2).sum(-1)),
    ),
    *deviations(
        "total",
        ("the loss is one number a row: sum the weighted rows", lambda share, s: share * s),
        ("the loss is divided by n once more", lambda share, s: (share * s).mean()),
        ("the loss is the largest surprise: take the weighted mean", lambda share, s: s.max()),
        ("exp of the loss is the perplexity: leave exp out",
         lambda share, s: np.exp((share * s).sum())),
    ),
    *deviations(
        "rows",
        ("rows with importance 0 are left out: d_logits has a row for each", lambda i: i > 0),
    ),
    *deviations(
        "look_up",
        ("the word after the target is looked up: words are counted from 0",
         lambda targets, n_words: (targets + 1) % n_words),
        ("the word before the target is looked up: words are counted from 0",
         lambda targets, n_words: (targets - 1) % n_words),
    ),
    *deviations(
        "give",
        ("in the order (d_logits, loss): the loss comes first", lambda loss, d: (d, loss)),
        ("d_logits is summed over the rows: each row has its own",
         lambda loss, d: (loss, d.sum(0))),
        ("d_logits is averaged over the rows: each row has its own",
         lambda loss, d: (loss, d.mean(0))),
        ("d_logits is transposed", lambda loss, d: (loss, d.T)),
    ),
)
# fmt: on

FAMILY = Family(cross_entropy, MISTAKES)
HALVES = ("the loss", "d_logits")


@check("cross_entropy", ("logits", "targets", "importance"))
def check_cross_entropy(learner, rng):
    """Check the mean surprise, weighed by importance, and its gradient by the logits."""

    def case(label, n, n_words, size=1.5, importance=None):
        importance = rng.uniform(0.5, 4, n) if importance is None else np.array(importance)
        targets = rng.integers(0, n_words, n)
        return Case(label, (rng.normal(0.3, size, (n, n_words)), targets, importance))

    large = np.array([[1000.0, -1000, 0], [-1000, 1000, 999], [0, 1000, -1000], [5, -1000, 5]])
    cases = [
        case("", 5, 7),
        case("", 4, 4, importance=[0.0, 3, 0.5, 2]),
        case("", 6, 3),
        case("for importance of 0 and 1", 5, 6, importance=[0, 1, 1, 0, 1]),
        case("for a single row", 1, 5, importance=[2.5]),
        Case("for logits of ±1000", (large, np.array([0, 2, 2, 0]), np.array([1.0, 2, 3, 4]))),
    ]
    examine(learner, cases, FAMILY, HALVES, _about_loss)


def _about_loss(case, got, right):
    """Say which half is right, and what must hold of the other."""
    sentence = of_one_part(FAMILY, HALVES, case, got, right)
    if sentence:
        return sentence
    value, d_logits = got
    if value < 0:
        return f"a loss of {value:.3g}: a surprise is never negative."
    if not np.isclose(value, right[0]):
        led = "d_logits is right, " if np.allclose(d_logits, right[1]) else ""
        return f"{led}the loss is {value:.4g}, expected {right[0]:.4g}."
    sums = d_logits.sum(axis=-1)
    if not np.allclose(sums, 0, atol=1e-7):
        row = int(np.argmax(np.abs(sums)))
        return f"the loss is right, d_logits is not: row {row} sums to {sums[row]:.3g}, not to 0."
    return "the loss is right, d_logits is not: compare it with differences of the loss."
