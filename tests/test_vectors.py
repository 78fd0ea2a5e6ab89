"""casebook.vectors on small tables whose answers are known."""

import numpy as np
import pytest

from casebook.vectors import analogy, cosine_similarity, neighbours, vector_of

WORDS = ["king", "queen", "man", "woman", "apple"]
VECTORS = np.array([[5.0, 1, 1], [5.0, -1, 1], [1.0, 1, 0], [1.0, -1, 0], [0.0, 0, 3]])


def test_cosines_are_those_of_the_angles():
    cosines = cosine_similarity(
        np.array([1.0, 0, 0]), np.array([[2.0, 0, 0], [1, 1, 0], [0, 0, 0]])
    )
    np.testing.assert_allclose(cosines, [1, np.sqrt(0.5), 0])


def test_neighbours_come_nearest_first_and_ties_in_order():
    names = [word for word, _ in neighbours(VECTORS[0], WORDS, VECTORS, k=3)]
    assert names[:2] == ["king", "queen"]
    tied = neighbours(np.array([1.0, 0, 0]), ["b", "a"], np.array([[1.0, 0, 0], [2, 0, 0]]), k=2)
    assert [word for word, _ in tied] == ["b", "a"]


def test_the_analogy_needs_its_inputs_left_out():
    assert analogy("king", "man", "woman", WORDS, VECTORS)[0][0] == "queen"
    shy = VECTORS * [1, 0.1, 1]  # man and woman hardly differ: king itself is nearest
    with_inputs = analogy("king", "man", "woman", WORDS, shy, leave_inputs_out=False)
    assert {word for word, _ in with_inputs[:2]} == {"king", "queen"}
    without = analogy("king", "man", "woman", WORDS, shy, k=5)
    assert {word for word, _ in without} == {"queen", "apple"}


def test_bad_input_gets_a_sentence():
    with pytest.raises(KeyError, match="'quen' is not among the 5 words; did you mean queen"):
        vector_of("quen", WORDS, VECTORS)
    with pytest.raises(ValueError, match="widths differ"):
        cosine_similarity(np.ones(2), VECTORS)
    with pytest.raises(ValueError, match="k is 0"):
        neighbours(VECTORS[0], WORDS, VECTORS, k=0)
