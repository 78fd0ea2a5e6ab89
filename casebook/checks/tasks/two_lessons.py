"""The check of the two lessons that one text gives."""

import numpy as np

from casebook.checks.engine.compare import as_array, refuse_unfinished
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations
from casebook.checks.engine.plain_words import Wrong
from casebook.checks.engine.verdict import check


def two_lessons(
    sequences,
    blank,
    mask_word,
    text=lambda s, blank, word: s,
    shift=lambda s: (s[:, :-1], s[:, 1:]),
    veil_tokens=lambda tokens, blank, word: tokens,
    veil_targets=lambda targets, blank, word: targets,
    count_all=lambda targets, blank: np.ones(targets.shape),
    hide=lambda s, blank, word: np.where(blank, word, s),
    answers=lambda s, blank, word: s,
    count_blanks=lambda blank: blank * 1.0,
    give=lambda next_word, fill_in: (next_word, fill_in),
):
    """Return the results of task ``two_lessons``: each lesson in one array, (3, ...).

    text: what the first lesson is made of. veil_tokens and veil_targets: hide in one half of it.
    """
    tokens, targets = shift(text(sequences, blank, mask_word))
    tokens = veil_tokens(tokens, blank, mask_word)
    targets = veil_targets(targets, blank, mask_word)
    next_word = np.array([tokens, targets, count_all(targets, blank)])
    hidden = hide(sequences, blank, mask_word), answers(sequences, blank, mask_word)
    return give(next_word, np.array([*hidden, count_blanks(blank)]))


def _padded(sequences, start, end):
    """Return some columns, filled up with zeros to the shape of all."""
    kept = sequences[:, start:end]
    before = 0 if start is not None else sequences.shape[1] - kept.shape[1]
    return np.pad(kept, ((0, 0), (before, sequences.shape[1] - kept.shape[1] - before)))


def _shifted_flat(sequences):
    flat = sequences.ravel()
    kept = len(flat) - len(flat) % sequences.shape[1]
    return sequences, np.append(flat[1:], flat[0])[:kept].reshape(sequences.shape)


# fmt: off
MISTAKES = (
    *deviations(
        "text",
        ("next word: the blanks are hidden here too: this lesson shows the text",
         lambda s, blank, word: np.where(blank, word, s)),
    ),
    *deviations(
        "veil_tokens",
        ("next word: blanks are hidden in the tokens: this lesson shows the text",
         lambda tokens, blank, word: np.where(blank[:, :-1], word, tokens)),
    ),
    *deviations(
        "veil_targets",
        ("next word: blanks are hidden in the targets: this lesson shows the text",
         lambda targets, blank, word: np.where(blank[:, 1:], word, targets)),
    ),
    *deviations(
        "shift",
        ("next word: the targets are the tokens themselves: shift them by one",
         lambda s: (s[:, :-1], s[:, :-1])),
        ("next word: the targets are the tokens themselves, without a shift", lambda s: (s, s)),
        ("next word: both lack the first word: tokens lack the last one",
         lambda s: (s[:, 1:], s[:, 1:])),
        ("next word: shifted the wrong way, each token says the previous word",
         lambda s: (s[:, 1:], s[:, :-1])),
        ("next word: the last token is to say the first word: leave it out",
         lambda s: (s, np.roll(s, -1, axis=1))),
        ("next word: np.roll the wrong way: each token says the previous word",
         lambda s: (s, np.roll(s, 1, axis=1))),
        ("next word: the last token is to say the next sequence's first word",
         _shifted_flat),
        ("next word: the last token is to say word 0: leave it out",
         lambda s: (s, _padded(s, 1, None))),
        ("next word: tokens begin with word 0 and targets are not shifted",
         lambda s: (_padded(s, None, -1), s)),
        ("next word: shifted by two, each token says the word after next",
         lambda s: (s[:, :-2], s[:, 2:])),
        ("next word: shifted along the sequences: shift within each, along axis 1",
         lambda s: (s[:-1], s[1:])),
        ("next word: the last token is to say itself: leave it out",
         lambda s: (s, np.concatenate([s[:, 1:], s[:, -1:]], axis=1))),
        ("next word: every token is to say the last word: it says the next",
         lambda s: (s[:, :-1], np.broadcast_to(s[:, -1:], s[:, 1:].shape))),
        ("next word: both ends are cut off: each loses one",
         lambda s: (s[:, 1:-1], s[:, 2:])),
    ),
    *deviations(
        "count_all",
        ("next word: only the blanks count: here every word counts",
         lambda t, blank: blank[:, 1:] * 1.0),
        ("next word: only the blanks count, and not shifted: every word counts",
         lambda t, blank: blank[:, :-1] * 1.0),
        ("next word: blanks do not count: here every word counts",
         lambda t, blank: ~blank[:, 1:] * 1.0),
        ("next word: only the last word counts: every word counts",
         lambda t, blank: np.eye(t.shape[1])[-1] * np.ones(t.shape)),
        ("next word: only the first word counts: every word counts",
         lambda t, blank: np.eye(t.shape[1])[0] * np.ones(t.shape)),
        ("next word: importance is 0 everywhere: nothing would be learnt",
         lambda t, blank: np.zeros(t.shape)),
        ("next word: importance is the mean's share already: give 1 for each word",
         lambda t, blank: np.full(t.shape, 1 / t.size)),
        ("next word: importance is a share of each sequence: give 1 for each word",
         lambda t, blank: np.full(t.shape, 1 / t.shape[1])),
    ),
    *deviations(
        "hide",
        ("fill in: the words are not hidden: put mask_word at the blanks",
         lambda s, blank, word: s),
        ("fill in: hidden where no blank is: put mask_word at the blanks",
         lambda s, blank, word: np.where(blank, s, word)),
        ("fill in: 0 stands at the blanks: put mask_word there",
         lambda s, blank, word: np.where(blank, 0, s)),
        ("fill in: every word is hidden: only the blanks are",
         lambda s, blank, word: np.full(s.shape, word)),
        ("fill in: mask_word is added to the words: put it in their place",
         lambda s, blank, word: s + word * blank),
        ("fill in: True stands at the blanks: put mask_word there",
         lambda s, blank, word: np.where(blank, 1, s)),
        ("fill in: blanks are at the next place: hide where blank is True",
         lambda s, blank, word: np.where(np.roll(blank, 1, axis=1), word, s)),
        ("fill in: one sequence's blanks are used for all",
         lambda s, blank, word: np.where(blank[0], word, s)),
    ),
    *deviations(
        "answers",
        ("fill in: the targets are hidden too: they are the text as it was",
         lambda s, blank, word: np.where(blank, word, s)),
        ("fill in: targets shifted by one: a blank is to say its own word",
         lambda s, blank, word: np.roll(s, -1, axis=1)),
        ("fill in: -100 stands where nothing is asked: give the text as it was",
         lambda s, blank, word: np.where(blank, s, -100)),
        ("fill in: -1 stands where nothing is asked: give the text as it was",
         lambda s, blank, word: np.where(blank, s, -1)),
        ("fill in: 0 stands where nothing is asked: give the text as it was",
         lambda s, blank, word: np.where(blank, s, 0)),
        ("fill in: mask_word stands where nothing is asked: give the text itself",
         lambda s, blank, word: np.where(blank, s, word)),
        ("fill in: the targets are the blanks: give the words",
         lambda s, blank, word: blank * 1.0),
    ),
    *deviations(
        "count_blanks",
        ("fill in: every word counts: only the blanks do, the others are in sight",
         lambda blank: np.ones(blank.shape)),
        ("fill in: importance is turned round: the blanks count",
         lambda blank: ~blank * 1.0),
        ("fill in: importance is a share already: give 1 at the blanks",
         lambda blank: blank / max(blank.sum(), 1)),
        ("fill in: importance is a share of each sequence: give 1 at the blanks",
         lambda blank: blank / np.maximum(blank.sum(1, keepdims=True), 1)),
        ("fill in: importance is a share of all words: give 1 at the blanks",
         lambda blank: blank / blank.size),
        ("fill in: importance is 0 everywhere: the blanks count",
         lambda blank: np.zeros(blank.shape)),
        ("fill in: importance is shifted: it belongs to the blank itself",
         lambda blank: np.roll(blank, -1, axis=1) * 1.0),
    ),
    *deviations(
        "give",
        ("the lessons are swapped: next word first, then fill in", lambda a, b: (b, a)),
        ("both lessons have (targets, tokens): tokens come first",
         lambda a, b: (a[[1, 0, 2]], b[[1, 0, 2]])),
        ("fill in: in the order (targets, tokens): tokens come first",
         lambda a, b: (a, b[[1, 0, 2]])),
        ("next word: importance comes first: the order is tokens, targets, importance",
         lambda a, b: (a[[2, 0, 1]], b)),
        ("both lessons are the next-word lesson", lambda a, b: (a, a)),
        ("both lessons are the fill-in lesson", lambda a, b: (b, b)),
    ),
)
# fmt: on

LESSONS = ("next word", "fill in")
PARTS = ("tokens", "targets", "importance")


def _two_lessons(value):
    """Return each lesson as one array, (3, n_sequences, n_tokens)."""
    refuse_unfinished("the result", value)
    if isinstance(value, dict):
        raise Wrong("came as dict: two lessons are asked for, next word and fill in.")
    if not hasattr(value, "__len__") or len(value) != len(LESSONS):
        count = f"{len(value)} results" if hasattr(value, "__len__") else "1 result"
        raise Wrong(f"returns {count}, but the task asks for 2 lessons: next word, fill in.")
    return [_one_lesson(name, lesson) for name, lesson in zip(LESSONS, value, strict=True)]


def _one_lesson(name, lesson):
    refuse_unfinished(name, lesson)
    if isinstance(lesson, dict) or not hasattr(lesson, "__len__") or len(lesson) != len(PARTS):
        raise Wrong(f"{name}: three arrays are asked for: tokens, targets, importance.")
    arrays = [as_array(f"{name}: {part}", array) for part, array in zip(PARTS, lesson, strict=True)]
    if len({array.shape for array in arrays}) > 1:
        shapes = ", ".join(
            f"{part} {array.shape}" for part, array in zip(PARTS, arrays, strict=True)
        )
        raise Wrong(f"{name}: {shapes}: the three must have one shape.")
    return np.array(arrays)


FAMILY = Family(two_lessons, MISTAKES, read=_two_lessons)


@check("two_lessons", ("sequences", "blank", "mask_word"))
def check_two_lessons(learner, rng):
    """Check the two lessons that one text gives: say the next word, fill in the blanks."""

    def case(label, n_sequences, n_words, share=0.4):
        words = rng.permutation(np.arange(3, 3 + n_sequences * n_words))
        blank = rng.random((n_sequences, n_words)) < share
        blank[:, :2] = [True, False] if 0 < share < 1 else share
        return Case(label, (words.reshape(n_sequences, n_words), blank, 2 + words.size + 1))

    cases = [
        case("", 3, 5),
        case("", 2, 7),
        case("", 4, 4),
        case("for a single sequence", 1, 6),
        case("for sequences of two words", 3, 2),
        case("where nothing is blank", 2, 4, share=0),
        case("where everything is blank", 2, 3, share=1),
    ]
    examine(learner, cases, FAMILY, LESSONS, _about_lessons)


def _about_lessons(case, got, right):
    """Say which array of which lesson is wrong, for a mistake that nobody foresaw."""
    for name, lesson, wanted in zip(LESSONS, got, right, strict=True):
        off = [not np.allclose(*pair) for pair in zip(lesson, wanted, strict=True)]
        if any(off):
            index = off.index(True)
            row = int(np.flatnonzero((lesson[index] != wanted[index]).any(axis=-1))[0])
            came, expected = _in_short(lesson[index][row]), _in_short(wanted[index][row])
            return f"{name}: {PARTS[index]} of sequence {row}: {came}, expected {expected}."
    return None


def _in_short(row):
    return "[" + " ".join(f"{number:g}" for number in row[:6]) + (" …]" if len(row) > 6 else "]")
