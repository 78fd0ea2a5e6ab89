"""The figures of chapter 01 draw, and say, what they are given."""

import numpy as np
from matplotlib.colors import to_hex

from casebook.drawing.figures.recurrence import layer_graphs, two_senses, what_is_left
from casebook.drawing.figures.style import ORANGE

CHAIN = [(0, 0), (1, 1), (2, 2)], [(0, 1), (1, 2)]
CROSSED = [(token, output) for token in range(3) for output in range(3)], []
ALONE = [(0, 0), (1, 1), (2, 2)], []


def coloured_links(panel):
    links = [line for line in panel.get_lines() if len(line.get_xdata()) == 2]
    return sum(to_hex(line.get_color()) == ORANGE for line in links)


def test_links_that_token_1_reaches_are_coloured():
    figure = layer_graphs({"chain": CHAIN, "crossed": CROSSED, "alone": ALONE})
    assert [coloured_links(panel) for panel in figure.axes] == [3, 3, 1]
    assert "chain 3, over at most 2 links sideways" in figure.alt
    assert "crossed 3, over at most 0" in figure.alt
    assert "alone 1, over" in figure.alt


def test_what_is_left_stops_at_the_step_and_says_the_value_there():
    curves = {"half": 0.5 ** np.arange(10), "all": np.ones(10)}
    figure = what_is_left(curves, n=3)
    drawn = [line.get_xdata()[-1] for line in figure.axes[0].get_lines()]
    assert drawn == [10, 3, 3, 10, 3, 3]
    assert "step 3, as a share of step 1: half 2e-01, all 1e+00" in figure.alt
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["half: 0.250", "all: 1.000"]
    nothing = what_is_left({"gone": np.array([1.0, 1e-30])})
    assert nothing.axes[0].texts[0].get_text() == "gone: $10^{-15}$"


def test_labels_of_equal_curves_do_not_lie_on_one_another():
    figure = what_is_left({"a": np.ones(4), "b": np.ones(4)})
    heights = [text.xy[1] for text in figure.axes[0].texts]
    assert heights[1] / heights[0] > 10


def test_two_senses_counts_the_words_that_are_nearer():
    figure = two_senses(["a", "b", "c"], [0.1, 0.6, 0.9], [0.8, 0.5, 0.2], ("x", "y"), "b")
    assert "b has 0.60 and 0.50: 1 of 3 words are nearer to x, and 1 nearer to y" in figure.alt
