"""Task 3 of exercise 04: the class MultiHeadAttention.

Most answers are made by :func:`variant`: the same clean class with one thing done wrong.
"""

import numpy as np

from casebook import multihead
from casebook.attention import scaled_dot_product_attention, softmax
from tests.answers import right, wrong


class _Base:
    """Keeps the matrices; each answer has its own ``__call__``."""

    def __init__(self, W_Q, W_K, W_V, W_O, n_heads):
        self.W_Q, self.W_K, self.W_V, self.W_O, self.n_heads = W_Q, W_K, W_V, W_O, n_heads
        self.d_head = W_Q.shape[1] // n_heads

    def split(self, M):
        return M.reshape(len(M), self.n_heads, -1).swapaxes(0, 1)

    def merge(self, heads):
        return np.concatenate(list(heads), axis=-1)

    def project(self, X):
        return X @ self.W_Q, X @ self.W_K, X @ self.W_V

    def scale(self, X):
        return self.d_head**-0.5

    def weigh(self, scores, mask):
        return softmax(scores if mask is None else np.where(mask, scores, -np.inf))

    def leave(self, merged):
        return merged @ self.W_O

    def give(self, output, weights):
        return output, weights

    def __call__(self, X, mask=None):
        Q, K, V = (self.split(M) for M in self.project(X))
        weights = self.weigh(Q @ K.swapaxes(1, 2) * self.scale(X), mask)
        return self.give(self.leave(self.merge(weights @ V)), weights)


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


def variant(name, *pieces, **methods):
    """Return the clean class with some methods replaced, marked as wrong."""
    return wrong(*pieces)(type(name, (_Base,), methods))


split_by_reshape_alone = variant(
    "SplitByReshapeAlone", "one reshape to (n_heads",
    split=lambda self, M: M.reshape(self.n_heads, len(M), -1),
)  # fmt: skip
merged_by_reshape_alone = variant(
    "MergedByReshapeAlone", "one reshape to (n_tokens",
    merge=lambda self, heads: heads.reshape(heads.shape[1], -1),
)  # fmt: skip
both_by_reshape_alone = variant(
    "BothByReshapeAlone", "to (n_heads, n_tokens", "mixes the tokens",
    split=lambda self, M: M.reshape(self.n_heads, len(M), -1),
    merge=lambda self, heads: heads.reshape(heads.shape[1], -1),
)  # fmt: skip
every_other_column = variant(
    "EveryOtherColumn", "every n_heads-th column",
    split=lambda self, M: np.stack([M[:, h :: self.n_heads] for h in range(self.n_heads)]),
)  # fmt: skip
unscaled = variant("Unscaled", "not divided by sqrt(d_k)", scale=lambda self, X: 1.0)
scaled_by_d_model = variant(
    "ScaledByDModel", "sqrt(d_model)", scale=lambda self, X: X.shape[1] ** -0.5
)
scaled_by_d_head = variant("ScaledByDHead", "d_k instead of", scale=lambda self, X: 1 / self.d_head)
without_w_o = variant("WOMissing", "W_O is missing", leave=lambda self, merged: merged)
w_o_transposed = variant(
    "WOTransposed", "W_O is transposed", leave=lambda self, merged: merged @ self.W_O.T
)
heads_averaged = variant(
    "HeadsAveraged", "averaged", "side by side",
    merge=lambda self, heads: heads.mean(axis=0),
    leave=lambda self, merged: merged @ self.W_O[: self.d_head],
)  # fmt: skip
averaged_and_not_joined = variant(
    "HeadsAveragedBeforeWO", "inner sizes differ",
    merge=lambda self, heads: heads.mean(axis=0),
)  # fmt: skip
output_over_heads = variant(
    "OutputOverHeads", "divided by n_heads",
    leave=lambda self, merged: merged @ self.W_O / self.n_heads,
)  # fmt: skip
merged_from_the_end = variant(
    "MergedFromTheEnd", "reverse order", merge=lambda self, heads: np.hstack(heads[::-1])
)
interleaved = variant(
    "Interleaved", "interleaved",
    merge=lambda self, heads: np.moveaxis(heads, 0, -1).reshape(heads.shape[1], -1),
)  # fmt: skip
softmax_over_heads = variant(
    "SoftmaxOverHeads", "over the heads",
    weigh=lambda self, scores, mask: softmax(
        scores if mask is None else np.where(mask, scores, -np.inf), axis=0
    ),
)  # fmt: skip
softmax_over_queries = variant(
    "SoftmaxOverQueries", "down the columns",
    weigh=lambda self, scores, mask: softmax(
        scores if mask is None else np.where(mask, scores, -np.inf), axis=1
    ),
)  # fmt: skip
mask_forgotten = variant(
    "MaskForgotten", "mask is not applied", weigh=lambda self, scores, mask: softmax(scores)
)
mask_turned_round = variant(
    "MaskTurnedRound", "True means may attend",
    weigh=lambda self, scores, mask: softmax(
        scores if mask is None else np.where(mask, -1e9, scores)
    ),
)  # fmt: skip
mask_as_zero = variant(
    "MaskAsZero", "0 instead of -inf",
    weigh=lambda self, scores, mask: softmax(scores if mask is None else np.where(mask, scores, 0)),
)  # fmt: skip
only_the_first_head_masked = variant(
    "OnlyTheFirstHeadMasked", "only head 0 is masked",
    weigh=lambda self, scores, mask: softmax(
        scores if mask is None
        else np.where(mask | (np.arange(len(scores)) > 0)[:, None, None], scores, -np.inf)
    ),
)  # fmt: skip
mask_after_softmax = variant(
    "MaskAfterSoftmax", "after softmax",
    weigh=lambda self, scores, mask: softmax(scores) * (1 if mask is None else mask),
)  # fmt: skip
keys_and_queries_swapped = variant(
    "KeysAndQueriesSwapped", "W_Q and W_K are swapped",
    project=lambda self, X: (X @ self.W_K, X @ self.W_Q, X @ self.W_V),
)  # fmt: skip
values_not_projected = variant(
    "ValuesNotProjected", "values are not projected",
    project=lambda self, X: (X @ self.W_Q, X @ self.W_K, X),
)  # fmt: skip
weights_averaged = variant(
    "WeightsAveraged", "averaged over the heads",
    give=lambda self, output, weights: (output, weights.mean(axis=0)),
)  # fmt: skip
weights_first = variant(
    "WeightsFirst", "(weights, output)", give=lambda self, output, weights: (weights, output)
)
output_alone = variant("OutputAlone", "only the output", give=lambda self, output, weights: output)
heads_last = variant(
    "HeadsLast", "heads come last", give=lambda self, o, weights: (o, np.moveaxis(weights, 0, -1))
)
residual_added = variant(
    "ResidualAdded", "weights are right, the output is not",
    __call__=lambda self, X, mask=None: (
        _Base.__call__(self, X, mask)[0] + X, _Base.__call__(self, X, mask)[1]
    ),
)  # fmt: skip


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


@wrong("every head is head 0")
class SameMatricesInAllHeads(_Base):
    def split(self, M):
        return np.stack([M[:, : self.d_head]] * self.n_heads)


@wrong("always cuts into 2 heads")
class AlwaysTwoHeads(_Base):
    def split(self, M):
        return M.reshape(len(M), 2, -1).swapaxes(0, 1)

    def scale(self, X):
        return (X.shape[1] / 2) ** -0.5


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
