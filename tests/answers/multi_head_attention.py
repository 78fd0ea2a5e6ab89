"""Task 3 of exercise 04: the class MultiHeadAttention."""

import numpy as np

from casebook import multihead
from casebook.attention import scaled_dot_product_attention, softmax
from tests.answers import right, wrong


class _Base:
    """The right class, in parts that an answer can replace."""

    def __init__(self, W_Q, W_K, W_V, W_O, n_heads):
        self.W_Q, self.W_K, self.W_V, self.W_O, self.n_heads = W_Q, W_K, W_V, W_O, n_heads
        self.d_head = W_Q.shape[1] // n_heads

    def split(self, M):
        return M.reshape(len(M), self.n_heads, -1).swapaxes(0, 1)

    def merge(self, heads):
        return np.concatenate(list(heads), axis=-1)

    def project(self, X):
        return X @ self.W_Q, X @ self.W_K, X @ self.W_V

    def weigh(self, scores, mask):
        return softmax(scores if mask is None else np.where(mask, scores, -np.inf))

    def __call__(self, X, mask=None):
        Q, K, V = (self.split(M) for M in self.project(X))
        weights = self.weigh(Q @ K.swapaxes(1, 2) * self.d_head**-0.5, mask)
        return self.merge(weights @ V) @ self.W_O, weights


@right
class InOneGo(_Base):
    pass


@right
class WithALoopOverHeads:
    def __init__(self, W_Q, W_K, W_V, W_O, n_heads):
        self.triples = [np.split(W, n_heads, axis=1) for W in (W_Q, W_K, W_V)]
        self.W_O = W_O

    def __call__(self, X, mask=None):
        heads, weights = [], []
        for W_q, W_k, W_v in zip(*self.triples, strict=True):
            head, of_head = scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v, mask)
            heads.append(head)
            weights.append(of_head)
        return np.hstack(heads) @ self.W_O, np.array(weights)


@right
class AsASumOfContributions(_Base):
    def __call__(self, X, mask=None):
        Q, K, V = (self.split(M) for M in self.project(X))
        heads, weights = scaled_dot_product_attention(Q, K, V, mask)
        rows = self.W_O.reshape(self.n_heads, self.d_head, -1)
        return (heads @ rows).sum(axis=0), weights


@right
class WithEinsum(_Base):
    def __call__(self, X, mask=None):
        Q, K, V = (M.reshape(len(X), self.n_heads, -1) for M in self.project(X))
        scores = np.einsum("qhd,khd->hqk", Q, K) / np.sqrt(Q.shape[-1])
        hidden = 0 if mask is None else np.where(mask, 0, -1e9)
        weights = softmax(scores + hidden)
        mixed = np.einsum("hqk,khd->qhd", weights, V).reshape(len(X), -1)
        return [mixed @ self.W_O, weights]


@right
class ByTheCourse:
    def __init__(self, W_Q, W_K, W_V, W_O, n_heads):
        self.parameters = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}
        self.n_heads = n_heads

    def __call__(self, X, mask=None):
        return multihead.multi_head_attention(X, self.parameters, self.n_heads, mask=mask)


@wrong("inner sizes differ")
class HeadsAveraged(_Base):
    def merge(self, heads):
        return heads.mean(axis=0)


@wrong("after softmax")
class MaskAfterSoftmax(_Base):
    def weigh(self, scores, mask):
        return softmax(scores) * (1 if mask is None else mask)


@wrong("weights are right, the output is not")
class ResidualAdded(_Base):
    def __call__(self, X, mask=None):
        output, weights = super().__call__(X, mask)
        return output + X, weights


@wrong("slices of X")
class SlicesOfTheInput(_Base):
    def __call__(self, X, mask=None):
        heads, weights = [], []
        for h in range(self.n_heads):
            own = slice(h * self.d_head, (h + 1) * self.d_head)
            Q, K, V = (X[:, own] @ W[own, own] for W in (self.W_Q, self.W_K, self.W_V))
            head, of_head = scaled_dot_product_attention(Q, K, V, mask)
            heads.append(head)
            weights.append(of_head)
        return np.hstack(heads) @ self.W_O, np.stack(weights)


@wrong("block of W_O of its own")
class OneOutputMatrixForEachHead(_Base):
    def __call__(self, X, mask=None):
        Q, K, V = (self.split(M) for M in self.project(X))
        heads, weights = scaled_dot_product_attention(Q, K, V, mask)
        own = [slice(h * self.d_head, (h + 1) * self.d_head) for h in range(self.n_heads)]
        parts = [head @ self.W_O[s, s] for head, s in zip(heads, own, strict=True)]
        return np.hstack(parts), weights


@wrong("does not depend on W_Q")
class MakesItsOwnMatrices(_Base):
    def __init__(self, W_Q, W_K, W_V, W_O, n_heads):
        super().__init__(W_Q, W_K, W_V, W_O, n_heads)
        rng = np.random.default_rng(0)
        self.W_Q, self.W_K = (rng.normal(0, 0.5, W_Q.shape) for _ in range(2))


@wrong("a class is expected", "function")
def a_function(W_Q, W_K, W_V, W_O, n_heads):
    return InOneGo(W_Q, W_K, W_V, W_O, n_heads)


@wrong("no __call__")
class ForwardInsteadOfCall:
    def __init__(self, W_Q, W_K, W_V, W_O, n_heads):
        self.n_heads = n_heads

    def forward(self, X, mask=None):
        return X


@wrong("AttributeError", "line")
class MatricesNotKept(_Base):
    def __init__(self, W_Q, W_K, W_V, W_O, n_heads):
        self.n_heads = n_heads
