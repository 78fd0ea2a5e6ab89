"""The options of figures, sliders, drawings and their text."""

import numpy as np

from casebook.drawing import digest, same_drawing, svg
from casebook.drawing.explore import Explore, explore
from casebook.drawing.figures import attention, heads, recurrence, style
from tests.options import Case

WEIGHTS = np.array([[0.7, 0.2, 0.1], [0.1, 0.25, 0.65]])
SQUARE = np.array([[1, 0, 0], [0.9, 0.1, 0], [0.2, 0.5, 0.3]])
HEADS = np.stack([SQUARE, np.eye(3), SQUARE])
MASK = np.array([[True, True, False], [True, True, True]])
CORNERS = np.array([[0.0, 0], [2, 0], [1, 2]])
NAMES = ["I", "love", "AI"]
TRIANGLE = {"values": CORNERS, "weights": SQUARE, "outputs": SQUARE @ CORNERS}
DIAL = {"turn": 1, "queries": [[1.0, 0], [0, 1], [1, 1]], "keys": CORNERS, **TRIANGLE}
CURVES = {"half": 0.5 ** np.arange(10)}
LINE = '<svg viewBox="0 0 10 10"><path d="M0 0L{} 1"/></svg>'
MADE = []  # the figure that set_margins changes


def ticks(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def columns(figure):
    return ticks(figure.axes[0].xaxis)


def rows(figure):
    return ticks(figure.axes[0].yaxis)


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def titles(figure):
    return [axes.get_title("left") for axes in figure.axes]


def two_panels():
    """Return an empty figure of two panels in a row, and remember it."""
    figure = style.CourseFigure(figsize=(5, 4))
    figure.subplots(1, 2)
    MADE[:] = [figure]
    return {"figure": figure}


def margin(side, inches, of):
    """Return the case of one margin, which is stored as a share of the width or the height."""
    share = inches / of if side in ("left", "bottom") else 1 - inches / of
    see = lambda _: getattr(MADE[0].subplotpars, side)  # noqa: E731
    return Case(style.set_margins, side, inches, two_panels, share, see)


def draw(n):
    figure, axes = style.new_figure()
    axes.plot([0, n])
    figure.alt = f"A line up to {n}."
    return figure


def slider():
    return explore(draw, label="Height", n=[1, 2])


def buttons(made):
    return made.to_html().count(">Play</button>")


SLIDER = {"draw": draw, "label": "Height", "n": [1, 2]}
# With margins of 0.75 and 0.15 inches and 1.3 between, two panels share what is left of 5.
PANEL = (5 - 0.75 - 0.15 - 1.3) / 2

CASES = [
    Case(digest.numbers, "scale", 100, {"values": [0.123456]}, "0.12"),
    Case(digest.numbers, "logarithmic", True, {"values": [1.2345e-9, 1.0]}, "1.2345e-09 1"),
    Case(explore, "alt", lambda n: f"{n} high", SLIDER, ["1 high", "2 high"],
         see=lambda made: [frame.alt for frame in made.frames]),
    Case(explore, "start", 2, SLIDER, ({"n": 2}, 1), see=lambda made: (made.start,
         made.start_number)),
    Case(explore, "play", "n", SLIDER, 1, see=buttons),
    Case(Explore.to_html, "hint", "Move me.", lambda: {"self": slider()}, "Move me.",
         see=lambda html: svg.parse(html).find("p").text),

    Case(attention.weights_heatmap, "tokens", ["a", "b"], {"weights": WEIGHTS},
         (["1", "2", "3"], ["a", "b"], "Who attends to whom: a most to 1 (0.70), "
          "b most to 3 (0.65)."), see=lambda f: (columns(f), rows(f), f.alt)),
    Case(attention.weights_heatmap, "key_tokens", NAMES, {"weights": WEIGHTS},
         (NAMES, ["1", "2"], "Who attends to whom: 1 most to I (0.70), 2 most to AI (0.65)."),
         see=lambda f: (columns(f), rows(f), f.alt)),
    Case(attention.weights_heatmap, "mask", MASK, {"weights": WEIGHTS},
         (["0.70", "0.20", "0.10", "0.25", "0.65"], "1 of 6 cells are blocked."),
         see=lambda f: (texts(f), f.alt[-25:])),
    Case(attention.weights_heatmap, "decimals", 1, {"weights": WEIGHTS},
         ["0.7", "0.2", "0.1", "0.1", "0.2", "0.7"], see=texts),
    Case(attention.value_triangle, "tokens", NAMES, TRIANGLE,
         [*NAMES, *(f"output of {name}" for name in NAMES)], see=texts),
    Case(attention.query_dial, "tokens", NAMES, DIAL,
         "Weights: I 0.90, love 0.10, AI 0.00. The output leans towards I.",
         see=lambda f: f.alt.partition("degrees. ")[2]),
    Case(heads.real_head, "query", 2, {"weights": SQUARE, "tokens": NAMES, "title": "head"},
         ('"AI" looks most at "love" (0.50).', [(0, 2, 3, 1)]),
         see=lambda f: (f.alt.partition("). ")[2], [
             (*frame.get_xy(), frame.get_width(), frame.get_height())
             for frame in f.axes[0].patches])),
    Case(heads.heads_side_by_side, "tokens", NAMES, {"weights": HEADS}, (NAMES, NAMES),
         see=lambda f: (columns(f), rows(f))),
    Case(heads.heads_side_by_side, "titles", ["x", "y", "z"], {"weights": HEADS},
         (["x", "y", "z", ""], ["x", "y", "z"]), see=lambda f: (titles(f), [
             part.split()[0] for part in f.alt.removeprefix("3 heat maps: ").split("; ")])),
    Case(recurrence.what_is_left, "n", 3, {"curves": CURVES},
         ("at step 3", ["half: 0.250"]), see=lambda f: (titles(f)[0], texts(f))),

    Case(style.new_figure, "width", 4.0, {}, [4, 3.2], see=lambda made: made[0].get_size_inches()),
    Case(style.new_figure, "height", 4.0, {}, [5.2, 4], see=lambda made: made[0].get_size_inches()),
    Case(style.new_figure, "n_rows", 2, {}, (2,), see=lambda made: np.shape(made[1])),
    Case(style.new_figure, "n_columns", 3, {"n_rows": 2, "height": 9, "width": 9}, (2, 3),
         see=lambda made: np.shape(made[1])),
    margin("left", 1.0, 5), margin("right", 0.5, 5), margin("bottom", 1.0, 4),
    margin("top", 0.5, 4),
    Case(style.set_margins, "between", 1.3, two_panels, 1.3 / PANEL,
         see=lambda _: MADE[0].subplotpars.wspace),

    Case(same_drawing.same_drawing, "tolerance", 0.5, {"a": LINE.format(3), "b": LINE.format(3.2)},
         None),
    Case(svg.inline, "label", "a line", {"drawing": LINE.format(3), "prefix": "a"}, "a line",
         see=lambda drawing: svg.parse(drawing).get("aria-label")),
]  # fmt: skip
