"""Answers that are dicts, lists of pairs or text: how they are read, and what is refused."""

import numpy as np
import pytest

from casebook.checks.engine import plain_answers as plain
from casebook.checks.engine.compare import difference
from casebook.checks.engine.plain_words import Wrong


def as_table(value, **options):
    return plain.table(value, "{a: {b: number}}", "{}/{}".format, **options)


def test_a_table_is_sorted_by_its_labels():
    labels, numbers = as_table({"y": {"b": 2, "a": np.float64(1.5)}, "x": {"c": 0}})
    assert labels.tolist() == ["x/c", "y/a", "y/b"]
    assert numbers.tolist() == [0, 1.5, 2]


def test_zeros_are_left_out_where_the_task_leaves_the_choice():
    labels, numbers = as_table({"x": {"a": 0.0, "b": 1e-15, "c": np.nan}}, without_zeros=True)
    assert labels.tolist() == ["x/c"]
    assert np.isnan(numbers).tolist() == [True]


def test_an_empty_table_has_words_and_numbers_all_the_same():
    labels, numbers = as_table({})
    assert labels.dtype.kind == "U"
    assert labels.shape == numbers.shape == (0,)


@pytest.mark.parametrize(
    ("value", "piece"),
    [
        ([("x", {})], "came as list, no dict"),
        ({"x": [1, 2]}, "what stands at 'x' came as list"),
        ({1: {"a": 2}}, "the key '1' (int) is no text"),
        ({"x": {2: 2}}, "the key '2' (int) is no text"),
        ({"x": {"a": "2"}}, "'2' (str) stands at 'x', 'a'"),
        ({"x": {"a": True}}, "'True' (bool) stands at"),
        (..., "the placeholder is still there"),
        (dict, "came as a function"),
    ],
)
def test_a_table_of_another_form_is_refused(value, piece):
    with pytest.raises(Wrong) as refused:
        as_table(value)
    assert piece in str(refused.value)


def test_a_ranking_keeps_its_order():
    names, scores = plain.ranking([("z", 0.5), ["a", np.array(0.25)]])
    assert names.tolist() == ["z", "a"]
    assert scores.tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    ("value", "piece"),
    [
        ({"z": 0.5}, "came as dict"),
        ([0.5], "place 0 holds '0.5' (float)"),
        ([("z", 0.5, 1)], "a pair (name, score) is asked for"),
        ([(0.5, "z")], "turned round"),
        ([("z", "0.5")], "'0.5' (str) stands at place 0"),
        ([(3, 0.5)], "place 0 calls a document '3' (int)"),
        ((pair for pair in ()), "generator"),
    ],
)
def test_a_ranking_of_another_form_is_refused(value, piece):
    with pytest.raises(Wrong) as refused:
        plain.ranking(value)
    assert piece in str(refused.value)


def test_a_prompt_is_its_words():
    assert plain.prompt("a b . a")[0].tolist() == ["a", "b", ".", "a"]


@pytest.mark.parametrize(
    ("value", "piece"),
    [
        (["a"], "came as list"),
        ("a\nb", "line break"),
        ("a\tb", "tab"),
        (" a", "begins with a space"),
        ("a ", "ends with a space"),
        ("a b  c", "two spaces in a row, after 'b'"),
    ],
)
def test_a_prompt_of_another_form_is_refused(value, piece):
    with pytest.raises(Wrong) as refused:
        plain.prompt(value)
    assert piece in str(refused.value)


@pytest.mark.parametrize(
    ("got", "sentence"),
    [
        (["a", "b"], "the words: 'c' is missing."),
        (["a", "b", "c", "d"], "the words: 'd' should not be there."),
        (["a", "b", "d"], "the words: 'c' is missing, and 'd' should not be there."),
        (["a", "c", "b"], "the words: 'c' stands at place 1, expected 'b'."),
        (["a", "b", "c", "a"], "the words: 4 came, expected 3."),
    ],
)
def test_words_that_differ_are_named(got, sentence):
    assert difference(["the words"], [np.array(got)], [np.array(["a", "b", "c"])]) == sentence


def test_numbers_are_called_by_the_words_before_them():
    words, right = np.array(["tea in a", "tea in b"]), np.array([1.0, 2.0])
    sentence = difference(["the index", "the count"], [words, right + [0, 1]], [words, right])
    assert sentence == "the count of tea in b is 3, expected 2 (1 of 2 entries differ)."
