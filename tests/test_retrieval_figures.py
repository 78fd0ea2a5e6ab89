"""casebook.drawing.figures.retrieval: what is drawn, written and said is what was measured."""

import numpy as np
from matplotlib.colors import to_hex

from casebook.drawing import figures
from casebook.drawing.figures.style import GREEN, MUTED, ORANGE

PARTS = np.array([[0.3, 0.1, 0.0], [0.0, 0.004, 0.2]])
WEIGHTS = np.array([[0.1, 0, 0, 0.6, 0, 0, 0, 0.2, 0.1], [0, 0, 0, 0.2, 0, 0, 0.3, 0.5, 0]])
WORDS = ["vera", "drinks", "cocoa", ".", "vera", "sells", "boats", ".", "drinks"]


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_the_parts_of_a_score_stand_beside_their_sum():
    figure = figures.score_parts(["ferry", "child", "a"], ["fares", "history"], PARTS)
    assert texts(figure.axes[0]) == ["0.30", "0.10", "0.40", "0.20", "0.20"]
    assert figure.alt.endswith("fares 0.40, ferry; history 0.20, a.")


def test_scores_of_zero_draw_an_empty_table():
    figure = figures.score_parts(["ferry"], ["history"], np.zeros((1, 1)))
    assert texts(figure.axes[0]) == []
    assert "history 0.00" in figure.alt


def test_recall_and_accuracy_are_drawn_whole_and_enlarged():
    figure = figures.recall_and_accuracy([1, 2], [0.9, 1.0], [0.9, 0.8], 0.1)
    for panel in figure.axes:
        drawn = [line.get_ydata().tolist() for line in panel.lines[:2]]
        assert drawn == [[0.9, 1.0], [0.9, 0.8]]
    assert figure.axes[0].lines[-1].get_xydata().tolist() == [[0, 0.1]]
    assert figure.axes[1].get_ylim()[0] < 0.8
    assert figure.alt == (
        "Without documents 0.10 are right. "
        "k = 1: 0.90 found, 0.90 right, k = 2: 1.00 found, 0.80 right."
    )


def test_a_reading_map_sums_up_the_documents_and_names_the_place():
    figure = figures.reading_map(WORDS, WEIGHTS, 2)
    top, bottom = figure.axes
    assert texts(top) == ["10", "60", "20", "10", "20", "30", "50"]
    widths = [[bar.get_width() for bar in part] for part in bottom.containers]
    np.testing.assert_allclose(widths, [[0.7, 0.2], [0.2, 0.8], [0.1, 0.0]], atol=1e-12)
    assert "'vera drinks cocoa .', lies 0.70, 0.20." in figure.alt
    assert [label.get_text() for label in top.get_xticklabels()].count("full stop") == 2


def test_answer_bars_show_the_truth_and_what_is_said_instead():
    figure = figures.answer_bars("what?", [("a b c .", 0.5)], ["tea", "milk"], [0.7, 0.3], 1)
    colours = [to_hex(bar.get_facecolor()) for bar in figure.axes[0].patches]
    assert colours == [ORANGE, GREEN]
    assert texts(figure.axes[0]) == ["0.70", "0.30"]
    assert figure.texts[0].get_text() == "what?\n0.5000  a b c ."
    assert figure.alt == "what? With a b c .: tea with probability 0.70, wrong, it is milk."
    figure = figures.answer_bars("what?", [], ["tea", "milk"], [0.999, 0.001], 0)
    assert [to_hex(bar.get_facecolor()) for bar in figure.axes[0].patches] == [GREEN, MUTED]
    assert texts(figure.axes[0]) == ["1.00"]
    assert figure.alt.endswith("With no document: tea with probability 1.00, right.")


def test_pieces_have_a_line_for_each_overlap_in_both_panels():
    answered = {"half": [0.4, 0.9], "none": [0.3, 0.8]}
    n_words = {"half": [15, 60], "none": [14, 58]}
    figure = figures.piece_sizes([8, 48], answered, [0.9, 0.95], n_words)
    top, bottom = ([line.get_ydata().tolist() for line in panel.lines] for panel in figure.axes)
    assert top == [[0.9, 0.95], [0.4, 0.9], [0.3, 0.8]]
    assert bottom == [[15, 60], [14, 58]]
    assert "0.90 to 0.95" in figure.alt
    assert "overlap none: 0.30 at 8 words, 0.80 at best" in figure.alt
