"""Task 5 of exercise 07: two lessons from one text."""

import numpy as np

from tests.answers import right, wrong


def _next_word(sequences):
    tokens, targets = sequences[:, :-1], sequences[:, 1:]
    return tokens, targets, np.ones(targets.shape)


def _fill_in(sequences, blank, mask_word):
    return np.where(blank, mask_word, sequences), sequences, blank.astype(float)


@right
def with_slices_and_where(sequences, blank, mask_word):
    return _next_word(sequences), _fill_in(sequences, blank, mask_word)


@right
def with_a_copy(sequences, blank, mask_word):
    hidden = sequences.copy()
    hidden[blank] = mask_word
    count = np.zeros(sequences.shape)
    count[blank] = 1
    return [list(_next_word(sequences)), [hidden, sequences.copy(), count]]


@right
def with_loops_and_lists(sequences, blank, mask_word):
    rows = sequences.tolist()
    tokens, targets = [row[:-1] for row in rows], [row[1:] for row in rows]
    hidden = [
        [mask_word if hide else word for word, hide in zip(row, hides, strict=True)]
        for row, hides in zip(rows, blank, strict=True)
    ]
    ones = [[1] * len(row) for row in tokens]
    return (tokens, targets, ones), (hidden, rows, [[int(hide) for hide in row] for row in blank])


@right
def with_booleans(sequences, blank, mask_word):
    tokens, targets = np.delete(sequences, -1, axis=1), np.delete(sequences, 0, axis=1)
    hidden = sequences * ~blank + mask_word * blank
    return (tokens, targets, targets == targets), (hidden, sequences, blank)


@right
def by_the_mask_word(sequences, blank, mask_word):
    hidden = np.choose(blank, [sequences, mask_word])
    return np.array(_next_word(sequences)), np.array([hidden, sequences, hidden == mask_word])


@right
def in_float32(sequences, blank, mask_word):
    next_word, fill_in = with_slices_and_where(sequences, blank, mask_word)
    return np.float32(next_word), np.float32(fill_in)


@wrong("next word", "targets are the tokens themselves")
def target_is_input(sequences, blank, mask_word):
    tokens = sequences[:, :-1]
    return (tokens, tokens, np.ones(tokens.shape)), _fill_in(sequences, blank, mask_word)


@wrong("must have one shape")
def tokens_not_cut(sequences, blank, mask_word):
    tokens, targets = sequences, sequences[:, 1:]
    return (tokens, targets, np.ones(targets.shape)), _fill_in(sequences, blank, mask_word)


@wrong("words are not hidden")
def the_word_leaks(sequences, blank, mask_word):
    return _next_word(sequences), (sequences, sequences, blank * 1.0)


@wrong("targets are hidden too")
def mask_as_target(sequences, blank, mask_word):
    hidden = np.where(blank, mask_word, sequences)
    return _next_word(sequences), (hidden, hidden, blank * 1.0)


@wrong("every word counts: only the blanks do")
def counts_what_is_in_sight(sequences, blank, mask_word):
    hidden = np.where(blank, mask_word, sequences)
    return _next_word(sequences), (hidden, sequences, np.ones(blank.shape))


@wrong("changes its input sequences in place")
def in_place(sequences, blank, mask_word):
    text = sequences
    sequences[blank] = mask_word
    return _next_word(text), (sequences, text, blank * 1.0)


@wrong("6 results, but the task asks for 2")
def six_in_a_row(sequences, blank, mask_word):
    return (*_next_word(sequences), *_fill_in(sequences, blank, mask_word))


@wrong("3 results, but the task asks for 2")
def one_lesson(sequences, blank, mask_word):
    return _next_word(sequences)


@wrong("fill in: tokens of sequence 0")
def random_words_at_the_blanks(sequences, blank, mask_word):
    others = sequences[:, ::-1]
    hidden = np.where(blank, others, sequences)
    return _next_word(sequences), (hidden, sequences, blank * 1.0)
