"""Task 1 of exercise 07: the mean surprise and its gradient."""

import numpy as np

from casebook import passes
from casebook.attention import softmax
from tests.answers import right, wrong


def _log_softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _rows(logits, targets):
    """Return log p, the surprises and p less one-hot."""
    log_p = _log_softmax(logits)
    rows = np.arange(len(targets))
    d = np.exp(log_p)
    d[rows, targets] -= 1
    return log_p, -log_p[rows, targets], d


@right
def in_matrices(logits, targets, importance):
    _, surprise, d = _rows(logits, targets)
    share = importance / importance.sum()
    return (surprise * share).sum(), d * share[:, None]


@right
def with_loops(logits, targets, importance):
    n, n_words = logits.shape
    whole = sum(importance)
    loss, d_logits = 0.0, [[0.0] * n_words for _ in range(n)]
    for i in range(n):
        largest = max(logits[i])
        total = sum(np.exp(z - largest) for z in logits[i])
        loss += importance[i] / whole * (np.log(total) + largest - logits[i][targets[i]])
        for j in range(n_words):
            p = np.exp(logits[i][j] - largest) / total
            d_logits[i][j] = importance[i] / whole * (p - (j == targets[i]))
    return loss, d_logits


@right
def with_one_hot_and_einsum(logits, targets, importance):
    one_hot = np.eye(logits.shape[1])[targets]
    log_p = _log_softmax(logits)
    loss = -np.einsum("ij,ij,i->", one_hot, log_p, importance) / importance.sum()
    d = np.einsum("ij,i->ij", softmax(logits) - one_hot, importance) / importance.sum()
    return [loss, d]


@right
def with_average_and_logaddexp(logits, targets, importance):
    log_totals = np.logaddexp.reduce(logits, axis=1)
    chosen = np.take_along_axis(logits, targets[:, None], axis=1)[:, 0]
    d = np.exp(logits - log_totals[:, None]) - (np.arange(logits.shape[1]) == targets[:, None])
    d *= (importance / importance.sum())[:, None]
    return np.average(log_totals - chosen, weights=importance), d


@right
def through_the_course(logits, targets, importance):
    loss, saved = passes.cross_entropy(logits, targets, importance)
    return loss, passes.cross_entropy_backward(saved)


@right
def in_float32(logits, targets, importance):
    _, surprise, d = _rows(logits.astype(np.float32), targets)
    share = (importance / importance.sum()).astype(np.float32)
    return surprise @ share, d * share[:, None]


@wrong("importance is not used", "plain mean")
def plain_mean(logits, targets, importance):
    _, surprise, d = _rows(logits, targets)
    return surprise.mean(), d / len(targets)


@wrong("d_logits is not weighted")
def gradient_unweighted(logits, targets, importance):
    _, surprise, d = _rows(logits, targets)
    return np.average(surprise, weights=importance), d


@wrong("d_logits is p", "take 1 away")
def minus_one_missing(logits, targets, importance):
    share = importance / importance.sum()
    return _rows(logits, targets)[1] @ share, softmax(logits) * share[:, None]


@wrong("hides sure mistakes")
def clipped(logits, targets, importance):
    share = importance / importance.sum()
    p = np.clip(softmax(logits), 1e-15, 1)
    loss = -(np.log(p[np.arange(len(p)), targets]) * share).sum()
    p[np.arange(len(p)), targets] -= 1
    return loss, p * share[:, None]


@wrong("sums over all words")
def all_words(logits, targets, importance):
    share = importance / importance.sum()
    log_p, _, d = _rows(logits, targets)
    return -(log_p * share[:, None]).sum(), d * share[:, None]


@wrong("loss is one number a row")
def loss_of_each_row(logits, targets, importance):
    share = importance / importance.sum()
    _, surprise, d = _rows(logits, targets)
    return surprise * share, d * share[:, None]


@wrong("1 result, but the task asks for 2")
def loss_only(logits, targets, importance):
    return in_matrices(logits, targets, importance)[0]


@wrong("changes its input logits in place")
def in_place(logits, targets, importance):
    logits -= logits.max(axis=1, keepdims=True)
    return in_matrices(logits, targets, importance)


@wrong("changes its input importance in place")
def importance_in_place(logits, targets, importance):
    importance *= 1 / importance.sum()
    return in_matrices(logits, targets, importance)


@wrong("does not depend on importance")
def never_weighed(logits, targets, importance):
    return _rows(logits, targets)[1].mean(), softmax(logits) / len(targets)


@wrong("in the loss: the loss uses log10")
def three_mistakes(logits, targets, importance):
    share = importance / importance.sum()
    _, surprise, d = _rows(logits, targets)
    return surprise @ share / np.log(10), (1 - d) * len(targets)


@wrong("the loss is right, d_logits is not")
def one_taken_from_the_first_word(logits, targets, importance):
    share = importance / importance.sum()
    d = softmax(logits)
    d[:, 0] -= 1
    return _rows(logits, targets)[1] @ share, d * share[:, None]
