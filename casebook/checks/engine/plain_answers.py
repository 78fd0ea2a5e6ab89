"""Answers that are dicts, lists of pairs or text, as arrays that can be compared.

Each reader returns an array of words first, which are compared as they stand, and then
one of numbers. What has another form than the task asks for raises :class:`Wrong`.
"""

from collections.abc import Mapping
from numbers import Real

import numpy as np

from casebook.checks.engine.compare import refuse_unfinished
from casebook.checks.engine.plain_words import Wrong

SMALLEST = 1e-12


def table(value, form, label, without_zeros=False):
    """Return labels and numbers of {outer: {inner: number}}, sorted by the labels.

    form: how the task writes what it asks for, such as "{term: {name: count}}".
    label: ``label(outer, inner)`` says what a number belongs to.
    without_zeros: leaves out what is 0, for tasks that leave the choice to the learner.
    """
    refuse_unfinished("the result", value)
    entries = {}
    outside = f"the result came as {type(value).__name__}, no dict: {form} is asked for"
    for outer, row in _rows(value, outside, form):
        inside = f"what stands at {outer!r} came as {type(row).__name__}, no dict: {form}"
        for inner, number in _rows(row, inside, form):
            entries[label(outer, inner)] = _number(number, f"at {outer!r}, {inner!r}")
    if without_zeros:
        entries = {key: number for key, number in entries.items() if not abs(number) < SMALLEST}
    labels = sorted(entries)
    return [_words(labels), np.array([entries[key] for key in labels], dtype=float)]


def ranking(value):
    """Return the names and the scores of a list of (name, score), in their order."""
    refuse_unfinished("the result", value)
    if isinstance(value, np.ndarray) or not isinstance(value, (list, tuple)):
        raise Wrong(f"came as {type(value).__name__}: a list of (name, score) is asked for.")
    names, scores = [], []
    for place, pair in enumerate(value):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise Wrong(f"place {place} holds {_short(pair)}: a pair (name, score) is asked for.")
        name, score = pair
        if isinstance(score, str) and not isinstance(name, str):
            raise Wrong("the pairs are turned round: (name, score) is asked for.")
        if not isinstance(name, str):
            raise Wrong(f"place {place} calls a document {_short(name)}: use its name.")
        names.append(name)
        scores.append(_number(score, f"at place {place}"))
    return [_words(names), np.array(scores, dtype=float)]


def prompt(value):
    """Return the words of a text, which are parted by single spaces."""
    refuse_unfinished("the prompt", value)
    if not isinstance(value, str):
        raise Wrong(f"the prompt came as {type(value).__name__}: one text is asked for.")
    if "\n" in value or "\t" in value:
        raise Wrong("the prompt has a line break or tab: part the words by single spaces.")
    if value != value.strip():
        raise Wrong(f"the prompt {'ends' if value[:1].strip() else 'begins'} with a space.")
    if "  " in value:
        before = value[: value.index("  ")].split(" ")[-1]
        raise Wrong(f"the prompt has two spaces in a row, after {before!r}.")
    return [_words(value.split(" "))]


def _rows(value, sentence, form):
    """Return the items of a dict whose keys are text."""
    if not isinstance(value, Mapping):
        raise Wrong(f"{sentence}.")
    for key in value:
        if not isinstance(key, str):
            raise Wrong(f"the key {_short(key)} is no text: {form} is asked for.")
    return value.items()


def _number(value, where):
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, np.number)):
        raise Wrong(f"{_short(value)} stands {where}: a number is asked for.")
    return float(value)


def _words(words):
    return np.array(words, dtype=str) if words else np.array([], dtype=str)


def _short(value):
    return f"{str(value)[:30]!r} ({type(value).__name__})"
