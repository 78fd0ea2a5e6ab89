"""Limits, to the last one that is allowed and the first that is not; starts, by their spread."""

import numpy as np
import pytest

from casebook import layers, multihead, recurrent
from casebook.training import (
    Config,
    checkpoint,
    generate,
    load_checkpoint,
    random_parameters,
    save_checkpoint,
    word_probabilities,
)
from casebook.training.library import WORDS

SMALL = Config(len(WORDS), 8, 2, 1, 8, n_positions=12)
PARAMETERS = random_parameters(SMALL, np.random.default_rng(0))


def test_a_context_holds_as_many_tokens_as_it_says_and_no_more():
    full = np.zeros((1, SMALL.n_positions), dtype=np.int64)
    assert word_probabilities(full, PARAMETERS, SMALL).shape == (1, 12, len(WORDS))
    with pytest.raises(ValueError, match="there are 13 tokens: the model's context holds 12"):
        word_probabilities(np.zeros((1, 13), dtype=np.int64), PARAMETERS, SMALL)


@pytest.mark.parametrize("most_words", [4, 6])
def test_a_prompt_may_fill_the_context_with_its_answer(most_words):
    words = ["vera"] * (SMALL.n_positions - most_words)
    text, sure = generate(" ".join(words), PARAMETERS, SMALL, most_words)
    assert 1 <= len(sure) <= most_words and len(text.split()) == len(sure)
    with pytest.raises(ValueError, match="context of 12 is too short"):
        generate(" ".join([*words, "vera"]), PARAMETERS, SMALL, most_words)


@pytest.mark.parametrize("token", [0, len(WORDS) - 1])
def test_first_and_last_word_of_the_vocabulary_are_read(token):
    assert word_probabilities(np.array([[token]]), PARAMETERS, SMALL).shape == (1, 1, len(WORDS))


@pytest.mark.parametrize("token", [-1, len(WORDS)])
def test_words_beyond_the_vocabulary_are_refused(token):
    with pytest.raises(ValueError, match=f"tokens hold {token}"):
        word_probabilities(np.array([[token]]), PARAMETERS, SMALL)


@pytest.mark.parametrize("version", [checkpoint.VERSION - 1, checkpoint.VERSION + 1])
def test_older_and_newer_checkpoints_are_refused_and_this_one_is_not(tmp_path, version):
    path = tmp_path / "small.npz"
    save_checkpoint(path, PARAMETERS, SMALL)
    load_checkpoint(path)
    np.savez(path, **(dict(np.load(path)) | {"version": version}))
    with pytest.raises(ValueError, match=f"version {version}: expected {checkpoint.VERSION}"):
        load_checkpoint(path)


# Matrices that are not square tell rows from columns: 1 / rows is asked for.
WIDE, NARROW = 400, 50
STARTS = {
    "the first of feed-forward": (
        lambda rng: layers.random_block(NARROW, 2, rng, d_ff=WIDE)["feed_forward"]["W_1"],
        (NARROW, WIDE),
    ),
    "the second of feed-forward": (
        lambda rng: layers.random_block(NARROW, 2, rng, d_ff=WIDE)["feed_forward"]["W_2"],
        (WIDE, NARROW),
    ),
    "keys of grouped heads": (
        lambda rng: multihead.random_heads(WIDE, 8, rng, n_kv_heads=1)["W_K"],
        (WIDE, NARROW),
    ),
    "tokens into a cell": (
        lambda rng: recurrent.random_cell(WIDE, NARROW, rng, "rnn")["W_x"],
        (WIDE, NARROW),
    ),
    "a state into a cell": (
        lambda rng: recurrent.random_cell(NARROW, WIDE, rng, "lstm")["W_h"],
        (WIDE, 4 * WIDE),
    ),
    "the first of the reader": (
        lambda rng: random_parameters(Config(9, NARROW, 2, 1, WIDE), rng)["0.W_1"],
        (NARROW, WIDE),
    ),
    "the second of the reader": (
        lambda rng: random_parameters(Config(9, NARROW, 2, 1, WIDE), rng)["0.W_2"],
        (WIDE, NARROW),
    ),
    "the words of the reader": (
        lambda rng: random_parameters(Config(WIDE, NARROW, 2, 1, 8), rng)["W_words"],
        (NARROW, WIDE),
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_a_matrix_starts_with_variance_one_over_its_rows(name):
    make, shape = STARTS[name]
    matrix = make(np.random.default_rng(1))
    assert matrix.shape == shape
    assert matrix.var() == pytest.approx(1 / shape[0], rel=0.05)
    assert abs(matrix.mean()) < 0.01


def test_the_embedding_of_the_reader_starts_with_its_own_spread():
    parameters = random_parameters(Config(WIDE, NARROW, 2, 1, 8), np.random.default_rng(1))
    assert parameters["embedding"].std() == pytest.approx(0.2, rel=0.02)
    assert (parameters["0.norm_1"] == 1).all() and (parameters["norm"] == 1).all()
