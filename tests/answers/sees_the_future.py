"""Task 5 of exercise 02: a test that finds leaks."""

import numpy as np

from tests.answers import right, wrong


def _changed(rows, j):
    rows = rows.copy()
    rows[j] += 2.0
    return rows


def _moves(attention, Q, K, V, j, rows, limit=1e-9):
    before = attention(Q, K, V)[0]
    after = attention(Q, _changed(K, j), _changed(V, j))[0]
    return np.abs(after - before)[rows].max(initial=0) > limit


@right
def one_token_at_a_time(attention, Q, K, V):
    return any(_moves(attention, Q, K, V, j, slice(0, j)) for j in range(1, len(Q)))


@right
def all_later_tokens_replaced(attention, Q, K, V):
    rng = np.random.default_rng(5)
    before, _ = attention(Q, K, V)
    for i in range(len(Q) - 1):
        K_other, V_other = K.copy(), V.copy()
        K_other[i + 1 :] = rng.normal(size=K[i + 1 :].shape)
        V_other[i + 1 :] = rng.normal(size=V[i + 1 :].shape)
        if not np.allclose(attention(Q, K_other, V_other)[0][: i + 1], before[: i + 1]):
            return True
    return False


@right
def cut_off_sequences(attention, Q, K, V):
    whole = attention(Q, K, V)[0]
    return not all(
        np.allclose(attention(Q[:i], K[:i], V[:i])[0], whole[:i]) for i in range(1, len(Q))
    )


@right
def with_noise_and_counting(attention, Q, K, V):
    noise, leaks = np.random.default_rng(0), 0
    before = attention(Q, K, V)[0]
    for j in range(len(Q)):
        keys, values = np.array(K), np.array(V)
        keys[j] = noise.normal(size=K.shape[1])
        values[j] = noise.normal(size=V.shape[1])
        after = attention(Q, keys, values)[0]
        for i in range(j):
            leaks += int(np.linalg.norm(after[i] - before[i]) > 1e-8)
    return leaks > 0


@right
def keys_and_values_one_after_the_other(attention, Q, K, V):
    before = attention(Q, K, V)[0]
    found = np.False_
    for j in range(1, len(Q)):
        by_key = attention(Q, _changed(K, j), V)[0][:j]
        by_value = attention(Q, K, _changed(V, j))[0][:j]
        found |= not (np.allclose(by_key, before[:j]) and np.allclose(by_value, before[:j]))
    return found


@wrong("always says True")
def suspects_everybody(attention, Q, K, V):
    return True


@wrong("only the value is changed")
def values_only(attention, Q, K, V):
    before = attention(Q, K, V)[0]
    return any(
        not np.allclose(attention(Q, K, _changed(V, j))[0][:j], before[:j])
        for j in range(1, len(Q))
    )


@wrong("only the last token is changed")
def last_token_only(attention, Q, K, V):
    return bool(_moves(attention, Q, K, V, len(Q) - 1, slice(0, len(Q) - 1)))


@wrong("own row is compared")
def own_row_too(attention, Q, K, V):
    return any(_moves(attention, Q, K, V, j, slice(0, j + 1)) for j in range(1, len(Q)))


@wrong("compared exactly")
def exact_comparison(attention, Q, K, V):
    return any(_moves(attention, Q, K, V, j, slice(0, j), limit=0) for j in range(1, len(Q)))


@wrong("weights above the diagonal")
def looks_at_the_triangle(attention, Q, K, V):
    weights = attention(Q, K, V)[1]
    return not np.allclose(np.triu(weights, k=1), 0)


@wrong("tolerance is too wide")
def coarse(attention, Q, K, V):
    return any(_moves(attention, Q, K, V, j, slice(0, j), limit=1e-2) for j in range(1, len(Q)))


@wrong("in place", "K")
def changes_the_sample(attention, Q, K, V):
    before = attention(Q, K, V)[0]
    K[-1] += 1
    V[-1] += 1
    return not np.allclose(attention(Q, K, V)[0][:-1], before[:-1])


@wrong("True or False")
def returns_the_change(attention, Q, K, V):
    before = attention(Q, K, V)[0]
    return np.abs(attention(Q, _changed(K, -1), _changed(V, -1))[0][:-1] - before[:-1]).max()


@wrong("None", "return")
def forgets_to_say_no(attention, Q, K, V):
    if one_token_at_a_time(attention, Q, K, V):
        return True
    return None


@wrong("ValueError", "line")
def tuple_not_unpacked(attention, Q, K, V):
    before = attention(Q, K, V)
    after = attention(Q, _changed(K, 2), _changed(V, 2))
    return not np.allclose(before, after)


@wrong("misses a leak")
def wrong_token(attention, Q, K, V):
    return bool(_moves(attention, Q, K, V, 3, slice(0, 2)))
