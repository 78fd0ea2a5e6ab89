"""The text of a figure: everything drawn is in it, and noise is not."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import patches

from casebook.drawing import digest
from casebook.drawing.figures.style import BLUE, GREEN, ORANGE, SEQUENTIAL, new_figure

X = np.linspace(0, 2, 40)


def scene(**change):
    """Return the text of a figure with something of every kind; ``change`` alters one thing."""
    the = {
        "y": np.sin(X), "colour": BLUE, "style": "-", "label": "sine", "cell": 0.3, "top": 1.0,
        "dots": [[0.1, 0.2], [0.3, 0.4]], "dot_colours": [BLUE, ORANGE], "fill": 0.5, "bar": 0.7,
        "angle": 60, "tip": (1.0, 1.0), "word": "word", "word_x": 0.5, "points_at": (1.0, 0.5),
        "title": "title", "x_label": "x", "x_end": 2.0, "ticks": ["a", "b"], "corner": 0.5,
        "scale": "linear", "alpha": None, "z": 2, "width": 1.8, "suptitle": "all", "segment": 0.5,
        "way": [(0.5, 0.5), (1.5, 0.5)], "head": "->",
    }  # fmt: skip
    assert change.keys() <= the.keys()
    the |= change
    figure, axes = new_figure()
    figure.suptitle(the["suptitle"])
    axes.plot(X, the["y"], the["style"], color=the["colour"], label=the["label"],
              alpha=the["alpha"], zorder=the["z"], linewidth=the["width"])  # fmt: skip
    axes.pcolormesh([0, the["corner"], 1], [0, 1], [[the["cell"], 0.9]], cmap=SEQUENTIAL,
                    vmin=0, vmax=the["top"])  # fmt: skip
    axes.scatter(*the["dots"], c=the["dot_colours"])
    axes.fill_between([0, 1], [0, the["fill"]])
    axes.vlines([0.5], 0, the["segment"])
    axes.bar([1.5], [the["bar"]])
    axes.add_patch(patches.Wedge((1, 1), 0.5, 0, the["angle"]))
    axes.add_patch(patches.FancyArrowPatch((0, 0), the["tip"]))
    axes.add_patch(patches.FancyArrowPatch(*the["way"], arrowstyle=the["head"]))
    axes.add_patch(patches.Polygon([(0, 0), (1, 0), the["tip"]]))
    axes.text(the["word_x"], 0.5, the["word"])
    axes.annotate("look", the["points_at"], (1.5, 1.5), arrowprops={"arrowstyle": "->"})
    axes.set(title=the["title"], xlabel=the["x_label"], ylim=(-1, 2), yscale=the["scale"])
    axes.set_xticks([0.5, 1.5], the["ticks"])
    axes.set_xlim(0, the["x_end"])
    axes.legend()
    return figure.describe()


@cache
def usual():
    """Return the text of the figure as it is, drawn once."""
    return scene()


def bumped(y):
    y = np.array(y)
    y[17] += 0.001
    return y


CHANGES = {
    "one point of 40": {"y": bumped(np.sin(X))},
    "order of points": {"y": np.sin(X)[::-1]},
    "colour of a line": {"colour": GREEN},
    "style of a line": {"style": "--"},
    "label": {"label": "cosine"},
    "value of a cell": {"cell": 0.3005},
    "edge of a cell": {"corner": 0.501},
    "limit of the colours": {"top": 0.9},
    "place of a dot": {"dots": [[0.1, 0.2], [0.3, 0.401]]},
    "order of dots": {"dots": [[0.2, 0.1], [0.4, 0.3]]},
    "order of colours": {"dot_colours": [ORANGE, BLUE]},
    "filled area": {"fill": 0.51},
    "end of a segment": {"segment": 0.51},
    "height of a bar": {"bar": 0.701},
    "angle of a wedge": {"angle": 61},
    "tip of an arrow": {"tip": (1.0, 1.01)},
    "an arrow turned round": {"way": [(1.5, 0.5), (0.5, 0.5)]},
    "the head of an arrow at its other end": {"head": "<-"},
    "an arrow with two heads": {"head": "<->"},
    "an arrow without a head": {"head": "-"},
    "text": {"word": "other"},
    "place of a text": {"word_x": 0.51},
    "what an annotation points at": {"points_at": (1.0, 0.51)},
    "title": {"title": "another"},
    "title of the figure": {"suptitle": "another"},
    "label of an axis": {"x_label": "time"},
    "limit of an axis": {"x_end": 2.1},
    "labels of ticks": {"ticks": ["a", "c"]},
    "scale of an axis": {"scale": "symlog"},
    "transparency": {"alpha": 0.5},
    "what lies in front": {"z": 5},
    "width of a line": {"width": 2.5},
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen(name):
    before, after = usual().splitlines(), scene(**CHANGES[name]).splitlines()
    changed = [line for line in after if line not in before]
    assert changed
    assert len(changed) <= 4, "a person must see which thing changed"


def test_the_text_names_the_curve_and_holds_no_address():
    text = usual()
    assert "line2d 'sine' #0072b2 - 1.8: x shape (40,)" in text
    assert "0x" not in text and " at 0" not in text.replace("at x 0", "")


def test_no_noise_in_the_last_bits_changes_the_text():
    y = np.sin(X)
    for factor in (1 + 2e-16, 1 - 2e-16, 1 + 1e-13, 1 - 1e-13):
        assert scene(y=y * factor, cell=0.3 * factor) == usual()


@pytest.mark.parametrize(
    "value", [0.03125, 0.5, 1.0, 10.0, 0.1, 1 / 3, 0.99995, 0.125, 2.5e-5, 1e-20]
)
def test_numbers_on_the_edge_between_two_roundings_are_safe(value):
    about = [value, value * (1 + 3e-16), value * (1 - 3e-16), np.nextafter(value, 0)]
    assert len({digest.numbers([v, 1 / 3]) for v in about}) == 1
    assert len({digest.numbers([v]) for v in about}) == 1


def test_what_is_nearly_zero_beside_the_rest_is_zero():
    assert digest.numbers([1e-17, -1e-17, 1.0]) == "0 0 1"
    assert digest.numbers([1e-17], scale=1.0) == "0"


def test_small_numbers_on_a_logarithmic_axis_keep_their_digits():
    assert digest.numbers([1e-9, 1.0], logarithmic=True) == "1e-09 1"
    figure, axes = new_figure()
    axes.semilogy([1, 2], [1e-9, 1.0])
    assert "y 1e-09 1" in figure.describe()


def test_few_numbers_are_written_out_and_many_sampled():
    assert digest.numbers([[0.15428, 0.6914], [0.1543, 1.0]]) == "0.1543 0.6914; 0.1543 1"
    assert digest.numbers(range(100)).startswith("shape (100,), min 0 max 99 mean 49.5")
    assert digest.numbers([np.nan, np.inf, 1]) == "nan inf 1"
    assert digest.numbers([]) == "none, shape (0,)"


@given(st.lists(st.floats(-1e6, 1e6), min_size=20, max_size=60), st.data())
def test_a_change_of_a_thousandth_anywhere_is_seen(values, data):
    values = np.array([*values, 1.0])
    changed = values.copy()
    changed[data.draw(st.integers(0, len(values) - 1))] += 1e-3 * np.abs(values).max()
    assert digest.numbers(values) != digest.numbers(changed)


def test_insets_and_several_panels_are_in_the_text():
    figure, panels = new_figure(n_columns=2, width=6.4)
    panels[1].inset_axes([0.5, 0.5, 0.4, 0.4]).plot([0, 1], [0, 0.25], label="inside")
    text = figure.describe()
    assert "axes 1:" in text and "inset 0:" in text and "'inside'" in text


def test_what_is_hidden_is_not_in_the_text():
    figure, axes = new_figure()
    axes.plot([0, 1], label="ghost")[0].set_visible(False)
    assert "ghost" not in figure.describe()
