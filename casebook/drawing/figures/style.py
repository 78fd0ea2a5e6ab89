"""The look of every figure: one size, one set of colours, one way to make a figure.

Importing this module sets matplotlib's defaults to the course's style, whatever the
machine's own matplotlibrc says, so that a figure is the same everywhere.

Colours must work on white paper and on the book's dark page alike. INK is black
here and takes the colour of the page's text in the book; the others stay as they
are and have a contrast of at least 3:1 on both.
"""

import matplotlib
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler
from matplotlib.ticker import AutoLocator

from casebook.drawing import digest, svg

INK = svg.INK
MUTED = "#808080"
BLUE = "#0072b2"
ORANGE = "#d55e00"
GREEN = "#009e73"
PURPLE = "#bd75a4"
CYCLE = (BLUE, ORANGE, GREEN, PURPLE)

# 11 points in a figure 5.2 inches wide are still 10.5 pixels on a phone 390 pixels wide.
TEXT_SIZE = 11
WIDTH, HEIGHT = 5.2, 3.2
MARGINS = {"left": 0.75, "right": 0.15, "bottom": 0.6, "top": 0.35}
BETWEEN = 0.75
MOST_TICKS = 5

_DEEP_ORANGE = "#a84a00"
# A prime number of shades: no value that occurs by design lies on the edge of two.
_SHADES = 1009
# Zero is transparent: on white and on a dark page alike, more colour means more.
SEQUENTIAL = LinearSegmentedColormap.from_list(
    "course_sequential", [to_rgba(BLUE, 0), to_rgba(BLUE, 1)], N=_SHADES
)
# Two colours meet at zero. They are given for each channel, as (place, before, behind), since
# from_list refuses two colours at one place in matplotlib 3.11.0.
_CHANNELS: dict = {
    channel: [(0.0, least, least), (0.5, before, behind), (1.0, most, most)]
    for channel, least, before, behind, most in zip(
        ("red", "green", "blue", "alpha"),
        to_rgba(_DEEP_ORANGE, 1),
        to_rgba(_DEEP_ORANGE, 0),
        to_rgba(BLUE, 0),
        to_rgba(BLUE, 1),
        strict=True,
    )
}
DIVERGING = LinearSegmentedColormap("course_diverging", _CHANNELS, N=_SHADES)

RC: dict = {
    "font.size": TEXT_SIZE,
    "axes.titlesize": TEXT_SIZE,
    "axes.labelsize": TEXT_SIZE,
    "xtick.labelsize": TEXT_SIZE,
    "ytick.labelsize": TEXT_SIZE,
    "legend.fontsize": TEXT_SIZE,
    "legend.frameon": False,
    "legend.loc": "upper left",
    "axes.facecolor": "none",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # said, so that it need not be worked out for every drawing
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=CYCLE),
    "axes.unicode_minus": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": MUTED,
    "grid.alpha": 0.4,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "lines.markersize": 6,
    "mathtext.fontset": "dejavusans",
    # A point left out or kept must never hang on the last bit of a number.
    "path.simplify": False,
}
matplotlib.rcdefaults()
matplotlib.rcParams.update(RC)


class CourseFigure(Figure):
    """A figure that shows as SVG, says in text what it plots, and carries its alt text.

    alt: one or two sentences that state the pattern, made from the data.
    """

    alt = ""

    def to_svg(self):
        """Return the drawing as SVG text, the same in every process."""
        return svg.render(self)

    def describe(self):
        """Return what is drawn as text, in rounded numbers."""
        return digest.describe(self)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"image/svg+xml": self.to_svg(), "text/plain": self.describe()}


def new_figure(width=WIDTH, height=HEIGHT, n_rows=1, n_columns=1, **subplots_kw):
    """Return a new figure in the course's style, and its axes.

    width, height: inches. Text stays readable on a phone up to the default width.
    n_rows, n_columns: panels; further arguments go to ``Figure.subplots``.
    Returns: the CourseFigure; and one Axes, or an array of them for several panels.
    """
    figure = CourseFigure(figsize=(width, height))
    axes = figure.subplots(n_rows, n_columns, **subplots_kw)
    for panel in figure.axes:
        for axis in (panel.xaxis, panel.yaxis):
            locator = axis.get_major_locator()
            if isinstance(locator, AutoLocator):
                locator.set_params(nbins=MOST_TICKS)
    set_margins(figure)
    return figure, axes


def set_margins(figure, *, left=None, right=None, bottom=None, top=None, between=BETWEEN):
    """Set the margins around the panels, and the gap between them, in inches.

    The course uses no automatic layout: it costs twice the time and lets frames jump.
    """
    given = {"left": left, "right": right, "bottom": bottom, "top": top}
    margin = {side: MARGINS[side] if inches is None else inches for side, inches in given.items()}
    width, height = figure.get_size_inches()
    n_rows, n_columns = _grid_shape(figure)
    panel_width = (width - margin["left"] - margin["right"] - between * (n_columns - 1)) / n_columns
    panel_height = (height - margin["bottom"] - margin["top"] - between * (n_rows - 1)) / n_rows
    if panel_width <= 0 or panel_height <= 0:
        raise ValueError(
            f"the figure is {width:g} x {height:g} inches: expected more than its margins need"
        )
    figure.subplots_adjust(
        left=margin["left"] / width,
        right=1 - margin["right"] / width,
        bottom=margin["bottom"] / height,
        top=1 - margin["top"] / height,
        wspace=between / panel_width,
        hspace=between / panel_height,
    )


def ink_on(colour):
    """Return the colour, INK or white, in which text reads best on ``colour``.

    colour: anything matplotlib knows; a transparent one counts as lying on white.
    """
    red, green, blue, alpha = to_rgba(colour)
    shown = np.array([red, green, blue]) * alpha + (1 - alpha)
    luminance = relative_luminance(shown)
    return INK if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) else "#ffffff"


def relative_luminance(colour):
    """Return how bright a colour looks, from 0 (black) to 1 (white).

    colour: anything matplotlib knows, without transparency.
    Source: Web Content Accessibility Guidelines 2.2, "relative luminance".
    """
    channels = np.array(to_rgba(colour)[:3])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def _grid_shape(figure):
    """Return the numbers of rows and columns of the figure's panels."""
    specs = [axes.get_subplotspec() for axes in figure.axes]
    specs = [spec for spec in specs if spec is not None]
    return specs[0].get_gridspec().get_geometry() if specs else (1, 1)
