"""The check of a check: does a learner's test tell honest attention from leaking attention?

The learner writes ``sees_the_future(attention, Q, K, V)``; it is tried on stand-ins for
attention, some of which leak. Which of them it gets wrong tells what it forgot.
"""

import numpy as np

from casebook.attention import causal_mask, scaled_dot_product_attention, softmax
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Absent, Case, Family, deviations
from casebook.checks.engine.verdict import check


def _honest(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, causal_mask(len(Q)))


def _honest_window(Q, K, V):
    near = causal_mask(len(Q)) & ~np.tril(np.ones((len(Q), len(Q)), dtype=bool), k=-2)
    return scaled_dot_product_attention(Q, K, V, near)


def _honest_past_only(Q, K, V):
    past = np.tril(np.ones((len(Q), len(Q)), dtype=bool), k=-1)
    return scaled_dot_product_attention(Q, K, V, past)


def _honest_but_blind(Q, K, V):
    return np.zeros((len(Q), V.shape[-1])), np.zeros((len(Q), len(K)))


def _honest_but_rounded(Q, K, V):
    output, weights = _honest(Q, K, V)
    return output + 1e-14 * np.tanh(V.sum() + K.sum()), weights


def _unmasked(Q, K, V):
    return scaled_dot_product_attention(Q, K, V)


def _unmasked_behind_a_triangle(Q, K, V):
    return _unmasked(Q, K, V)[0], _honest(Q, K, V)[1]


def _one_too_many(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, np.tril(np.ones((len(Q), len(Q)), dtype=bool), 1))


def _turned_round(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, ~causal_mask(len(Q)))


def _masked_after_softmax(Q, K, V):
    weights = _unmasked(Q, K, V)[1] * causal_mask(len(Q))
    return weights @ V, weights


def _values_centred(Q, K, V):
    return _honest(Q, K, V - V.mean(axis=0))


def _last_token_seen(Q, K, V):
    mask = causal_mask(len(Q))
    mask[:, -1] = True
    return scaled_dot_product_attention(Q, K, V, mask)


def _one_entry_too_many(row, column):
    def attention(Q, K, V):
        mask = causal_mask(len(Q))
        mask[row : row + 1, column : column + 1] = True
        return scaled_dot_product_attention(Q, K, V, mask)

    return attention


def _weakly_masked(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[-1]) - 10.0 * ~causal_mask(len(Q)))
    return weights @ V, weights


def _mean_of_all_added(Q, K, V):
    output, weights = _honest(Q, K, V)
    return output + 1e-3 * V.mean(axis=0), weights


HONEST = {
    _honest: "causal attention",
    _honest_window: "causal attention that looks back one token",
    _honest_past_only: "attention to strictly earlier tokens",
    _honest_but_blind: "attention that attends to nothing",
    _honest_but_rounded: "causal attention with rounding of 1e-14",
}
LEAKING = {
    _unmasked: "attention without a mask",
    _one_too_many: "a mask with one diagonal too many",
    _turned_round: "the wrong triangle, which sees the future only",
    _masked_after_softmax: "a mask put on after softmax (future keys change the sums)",
    _values_centred: "values centred over all the tokens",
    _last_token_seen: "a mask that lets every token see the last",
    _one_entry_too_many(0, 1): "a mask with a single wrong entry, [0, 1]",
    _one_entry_too_many(1, 2): "a mask with a single wrong entry, [1, 2]",
    _one_entry_too_many(0, 3): "a mask with a single wrong entry, [0, 3]",
    _weakly_masked: "-10 in place of -inf, a small leak",
    _mean_of_all_added: "0.001 of the mean of all values in every row, a small leak",
    _unmasked_behind_a_triangle: "a leaking output behind a causal triangle of weights",
}


def _every_token(n_tokens):
    return range(1, n_tokens)


def _fresh(rows):
    """Return other numbers of the same size, the same ones each time."""
    return 3 + np.cos(np.arange(rows.size)).reshape(rows.shape)


def _change_both(K, V, token):
    return _with_row(K, token), _with_row(V, token)


def _with_row(rows, token):
    rows = rows.copy()
    rows[token] = _fresh(rows)[token]
    return rows


def _shuffled(K, V, token):
    order = np.r_[:token, len(K) - 1 : token - 1 : -1]
    return K[order], V[order]


def _sees_the_future(
    attention,
    Q,
    K,
    V,
    tokens=_every_token,
    change=_change_both,
    look_at=lambda output, weights, token: output[:token],
    limit=1e-9,
    verdict=lambda leaks: bool(leaks),
    instead=Absent("attention", "Q", "K", "V"),
):
    """Return what a test with these stages finds; without any it is a good test."""
    if instead:
        return (instead(attention, Q, K, V),)
    before, largest = attention(Q, K, V), 0.0
    for token in tokens(len(Q)):
        after = attention(Q, *change(K, V, token))
        seen = [look_at(*results, token) for results in (before, after)]
        largest = max(largest, np.abs(seen[0] - seen[1]).max(initial=0))
    return (verdict(largest > limit),)


# fmt: off
FAMILY = Family(
    _sees_the_future,
    (
        *deviations(
            "verdict",
            ("the answer is turned round: True means that it leaks", lambda leaks: not leaks),
            ("always says True: no attention was put to the test", lambda _: True),
            ("always says False: no leak is ever found", lambda _: False),
        ),
        *deviations(
            "change",
            ("only the value is changed: a leak through the keys is missed",
             lambda K, V, token: (K, _with_row(V, token))),
            ("only the key is changed: a leak through the values is missed",
             lambda K, V, token: (_with_row(K, token), V)),
            ("future tokens are only reordered: a leak of their mean is missed",
             _shuffled),
        ),
        *deviations(
            "look_at",
            ("the changed token's own row is compared: it may see itself",
             lambda output, weights, token: output[: token + 1]),
            ("all the rows are compared: later ones may see the changed token",
             lambda output, weights, token: output),
            ("the wrong rows are compared: look at those before the change",
             lambda output, weights, token: output[token:]),
            ("the weights are compared, not the output: some leaks hide there",
             lambda output, weights, token: weights[:token]),
            ("only the first row is compared: later ones can leak too",
             lambda output, weights, token: output[:1]),
            ("only the row before the change is compared: earlier ones can leak",
             lambda output, weights, token: output[token - 1 : token]),
        ),
        *deviations(
            "instead",
            ("it only looks for weights above the diagonal: some leaks hide there",
             lambda attention, *QKV: (np.triu(attention(*QKV)[1], 1) > 1e-9).any()),
        ),
        *deviations(
            "tokens",
            ("only the last token is changed: leaks of earlier ones are missed",
             lambda n: [n - 1]),
            ("only the second token is changed: later ones can leak too", lambda n: [1]),
            ("only the middle token is changed: others can leak too", lambda n: [n // 2]),
            ("the last token is never changed: it can leak too", lambda n: range(1, n - 1)),
            ("the second token is never changed: it can leak too", lambda n: range(2, n)),
        ),
        *deviations(
            "limit",
            ("the numbers are compared exactly: rounding of 1e-14 is no leak", 0),
            ("the tolerance is too wide: a small leak is missed", 1e-2),
        ),
    ),
)
# fmt: on


@check("sees_the_future", ("attention", "Q", "K", "V"))
def check_sees_the_future(learner, rng):
    """Check a learner's test for leaks, on attention that is honest and attention that leaks."""
    inputs = [rng.normal(0, 1, (5, width)) for width in (3, 3, 2)]
    cases = [Case("", (attention, *inputs)) for attention in (*HONEST, *LEAKING)]
    examine(learner, cases, FAMILY, ("verdict",), _about_verdict)


def _about_verdict(case, got, right):
    if got[0].dtype != bool:
        return f"returned {got[0]:.3g}: True or False is asked for."
    attention = case.inputs[0]
    if right[0]:
        return f"misses a leak: {LEAKING[attention]}."
    return f"calls honest attention leaking: {HONEST[attention]}."
