"""Task 4 of exercise 03: the Jacobian of softmax and what vanishes of it."""

import numpy as np

from casebook.attention import softmax
from casebook.saturation import softmax_jacobian
from tests.answers import right, wrong


def _jacobian(scores):
    return np.array([np.diag(w) - np.outer(w, w) for w in softmax(scores)])


def _share(jacobian, threshold):
    return np.mean(np.abs(jacobian) < threshold)


@right
def in_matrices(scores, threshold):
    return _jacobian(scores), _share(_jacobian(scores), threshold)


@right
def with_loops(scores, threshold):
    jacobian, small = [], 0
    for w in softmax(scores):
        n = len(w)
        rows = [[w[i] * ((i == j) - w[j]) for j in range(n)] for i in range(n)]
        small += sum(abs(entry) < threshold for row in rows for entry in row)
        jacobian.append(rows)
    return jacobian, small / (len(scores) * len(scores[0]) ** 2)


@right
def with_einsum(scores, threshold):
    w = softmax(scores)
    jacobian = np.einsum("ri,ij->rij", w, np.eye(w.shape[1])) - np.einsum("ri,rj->rij", w, w)
    return jacobian, float((abs(jacobian) < threshold).sum() / jacobian.size)


@right
def through_the_course(scores, threshold):
    jacobian = softmax_jacobian(softmax(scores))
    return [jacobian, np.count_nonzero(np.abs(jacobian) < threshold) / jacobian.size]


@right
def below_on_both_sides(scores, threshold):
    jacobian = _jacobian(scores)
    return jacobian, ((jacobian < threshold) & (jacobian > -threshold)).mean()


@wrong("only the diagonal")
def diagonal_only(scores, threshold):
    jacobian = np.array([np.diag(w * (1 - w)) for w in softmax(scores)])
    return jacobian, _share(jacobian, threshold)


@wrong("w_i w_j is missing")
def product_forgotten(scores, threshold):
    jacobian = np.array([np.diag(w) for w in softmax(scores)])
    return jacobian, _share(jacobian, threshold)


@wrong("diag(w) is missing")
def diagonal_forgotten(scores, threshold):
    jacobian = np.array([-np.outer(w, w) for w in softmax(scores)])
    return jacobian, _share(jacobian, threshold)


@wrong("are counted")
def count(scores, threshold):
    return _jacobian(scores), np.sum(np.abs(_jacobian(scores)) < threshold)


@wrong("above the threshold")
def above(scores, threshold):
    return _jacobian(scores), np.mean(np.abs(_jacobian(scores)) > threshold)


@wrong("small weights")
def share_of_weights(scores, threshold):
    return _jacobian(scores), np.mean(softmax(scores) < threshold)


@wrong("symmetric")
def outer_with_shifted_weights(scores, threshold):
    jacobian = np.array([np.diag(w) - np.outer(w, np.roll(w, 1)) for w in softmax(scores)])
    return jacobian, _share(jacobian, threshold)


@wrong("Jacobian is right", "share is not")
def share_of_one_row(scores, threshold):
    return _jacobian(scores), _share(_jacobian(scores)[-1], threshold)
