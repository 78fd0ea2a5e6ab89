"""casebook.drawing.figures.heads: what is drawn, written and said is what the weights hold."""

import numpy as np

from casebook.drawing import figures

TOKENS = ["The", "dog", "ran", "<it>"]
WEIGHTS = np.array([[1, 0, 0, 0], [0.9, 0.1, 0, 0], [0.004, 0.896, 0.1, 0], [0, 0.2, 0.7, 0.1]])


def test_a_real_head_is_written_in_per_cent_without_what_rounds_to_zero():
    figure = figures.real_head(WEIGHTS, TOKENS, "layer 1 head 2", query=3)
    written = " ".join(text.get_text() for text in figure.axes[0].texts)
    assert written == "100 90 10 90 10 20 70 10"
    assert figure.alt == (
        'layer 1 head 2: mostly the previous token (0.80). "<it>" looks most at "ran" (0.70).'
    )


def test_a_head_shows_its_matrix_and_its_weights():
    matrix = 40 * np.eye(4)[[1, 2, 3, 0]]
    figure = figures.head_and_matrices(matrix, WEIGHTS, list("abcd"), TOKENS, "shift", 40)
    assert "Features ask: a for b, b for c, c for d and 1 more." in figure.alt
    assert [text.get_text() for text in figure.axes[1].texts][:3] == ["1.00", "0.90", "0.10"]


def test_the_preference_map_counts_the_heads_on_each_side():
    figure = figures.preference_by_head(np.array([[0.5, -0.1], [-0.2, 0.1]]), "dog", "ball", (0, 0))
    assert figure.alt.startswith("2 of 4 heads look more at dog than at ball.")
    assert figure.alt.endswith("layer 0 head 0, is at +0.50.")


def test_the_bars_of_a_layer_reach_one():
    share = {"first": np.array([0.5, 0.2]), "previous": np.array([0.1, 0.3])}
    share |= {"itself": np.array([0.1, 0.1]), "elsewhere": np.array([0.3, 0.4])}
    figure = figures.places_by_layer({"A": share, "B": share})
    tops = [bar.get_y() + bar.get_height() for bar in figure.axes[0].patches[-2:]]
    np.testing.assert_allclose(tops, 1)
    assert "A: first 0.35, previous 0.20" in figure.alt


def test_the_table_names_who_asks_and_who_is_asked_and_escapes_tokens():
    table = figures.weights_table(WEIGHTS, TOKENS, "In numbers")._repr_mimebundle_()
    assert '<th scope="row">&lt;it&gt;</th><td>0.00</td><td>0.20</td>' in table["text/html"]
    assert table["text/html"].count("<td>") == 17
    last = " ".join(table["text/plain"].splitlines()[-1].split())
    assert last == "<it> 0.00 0.20 0.70 0.10"
