"""casebook.training.mirror: two kinds of lesson from the same words."""

import numpy as np
import pytest

from casebook.training import mirror


def test_words_read_the_same_from_both_ends():
    words = mirror.mirrored_words(300, np.random.default_rng(0))
    assert words.shape == (300, 8)
    np.testing.assert_array_equal(words, words[:, ::-1])
    assert set(np.unique(words)) == set(range(26))


def test_reading_and_spelling_undo_each_other():
    assert mirror.spell(mirror.read(["starrats", "l_veevil"])) == ["starrats", "l_veevil"]


def test_a_lesson_of_next_letters_says_each_letter_but_the_first():
    tokens, targets, importance = mirror.next_letters(np.random.default_rng(1))
    np.testing.assert_array_equal(tokens[:, 1:], targets[:, :-1])
    assert tokens.shape == targets.shape == (64, 7)
    np.testing.assert_array_equal(importance, np.ones(7))


def test_a_lesson_of_hidden_letters_counts_the_blanks_only():
    rng = np.random.default_rng(2)
    lessons = [mirror.hidden_letters(rng) for _ in range(40)]
    tokens, targets, importance = (np.concatenate(parts) for parts in zip(*lessons, strict=True))
    blank = mirror.read("_")[0, 0]
    np.testing.assert_array_equal(importance == 1, tokens == blank)
    np.testing.assert_array_equal(tokens[importance == 0], targets[importance == 0])
    assert not (targets == blank).any()
    assert abs(importance.mean() - mirror.HIDDEN) < 0.01


def test_what_is_no_word_is_refused():
    with pytest.raises(ValueError, match=r"words have \[3, 4\] letters"):
        mirror.read(["star", "rat"])
    with pytest.raises(ValueError, match="words hold 'S': expected letters from a to z, or '_'"):
        mirror.read(["Star"])
