"""casebook.recurrent against PyTorch and finite differences."""

import numpy as np
import pytest

from casebook.recurrent import (
    influence_of_first_token,
    lstm_cell,
    lstm_jacobians,
    random_cell,
    rnn_cell,
    rnn_jacobians,
    run_lstm,
    run_rnn,
)
from tests import reference

RECURRENT = reference.load("recurrent")


@pytest.mark.parametrize("cell", ["rnn", "lstm"])
def test_states_and_the_gradient_of_the_last_equal_pytorch(cell):
    of = reference.under(cell, RECURRENT)
    states = run_rnn(of["X"], of) if cell == "rnn" else run_lstm(of["X"], of)[0]
    np.testing.assert_allclose(states, of["states"], atol=1e-14)
    norms = influence_of_first_token(of["X"], of, cell)
    assert norms[-1] == pytest.approx(np.linalg.norm(of["last_by_first"]), rel=1e-12)


def difference_quotient(function, x, step=1e-6):
    """How ``function`` moves with each entry of ``x``: (outputs, entries)."""
    shifts = step * np.eye(len(x))
    return np.transpose([(function(x + s) - function(x - s)) / (2 * step) for s in shifts])


def test_the_jacobians_equal_finite_differences():
    rng = np.random.default_rng(0)
    x, h, c = rng.normal(0, 1, 3), rng.normal(0, 0.5, 4), rng.normal(0, 1, 4)
    rnn, lstm = random_cell(3, 4, rng, "rnn"), random_cell(3, 4, rng, "lstm", forget_bias=1.0)
    by_state, by_token = rnn_jacobians(x, h, rnn)
    expected = difference_quotient(lambda h: rnn_cell(x, h, rnn), h)
    np.testing.assert_allclose(by_state, expected, atol=1e-9)
    np.testing.assert_allclose(
        by_token, difference_quotient(lambda x: rnn_cell(x, h, rnn), x), atol=1e-9
    )

    def step(x, state):
        return np.concatenate(lstm_cell(x, *np.split(state, 2), lstm))

    state = np.concatenate([h, c])
    by_state, by_token = lstm_jacobians(x, h, c, lstm)
    expected = difference_quotient(lambda s: step(x, s), state)
    np.testing.assert_allclose(by_state, expected, atol=1e-9)
    np.testing.assert_allclose(
        by_token, difference_quotient(lambda x: step(x, state), x), atol=1e-9
    )


def test_a_forget_gate_that_is_open_keeps_the_first_token_longer():
    X = np.random.default_rng(1).normal(0, 1, (40, 3))
    shut, opened = (
        influence_of_first_token(
            X, random_cell(3, 8, np.random.default_rng(2), "lstm", forget_bias=b), "lstm"
        )
        for b in (0.0, 3.0)
    )
    assert opened[-1] > 100 * shut[-1]


def test_bad_input_gets_a_sentence():
    parameters = random_cell(3, 4, np.random.default_rng(0), "rnn")
    with pytest.raises(ValueError, match="cell is 'gru'"):
        influence_of_first_token(np.ones((2, 3)), parameters, "gru")
    with pytest.raises(ValueError, match="cell is 'gru'"):
        random_cell(3, 4, np.random.default_rng(0), "gru")
    with pytest.raises(ValueError, match="X holds no tokens"):
        influence_of_first_token(np.ones((0, 3)), parameters, "rnn")
