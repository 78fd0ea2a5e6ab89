"""Figures of chapter 05: clock hands, the table they spell out, and offsets."""

import numpy as np
from matplotlib.patches import Circle, PathPatch, Rectangle
from matplotlib.path import Path

from casebook.drawing.figures.style import (
    BLUE,
    DIVERGING,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PURPLE,
    ink_on,
    new_figure,
    set_margins,
)

# The drawing of the clocks is laid out in inches, from its lower left corner.
HEIGHT = 4.0
SIDE, PITCH = 0.66, 1.29  # from the edge to the first clock's centre, from clock to clock
FACE, RADIUS, SHADOW = 2.97, 0.46, 0.57  # centre, radius, how far from it the shadows fall
ROW, CELL_WIDTH, CELL_HEIGHT = 2.02, 0.6, 0.32
TABLE_TOP, TABLE_HEIGHT = 1.48, 1.42
BAR = {"linewidth": 4.5, "solid_capstyle": "butt"}
BREAK = np.nan  # lifts the pen inside a line

LEVELS = 12  # shades on each side of zero, in a table too large for numbers


def clock_hands(position, angles):
    """Return the clocks at one position: hands, trails, shadows, the row they spell, the table.

    A hand starts at 12 and turns clockwise. Its tip lies sin(angle) to the right of the
    centre and cos(angle) above it: these two numbers are the hand's columns in the row.

    position: the row of ``angles`` to draw. angles: (n_positions, n_hands), radians.
    """
    angles = np.asarray(angles)
    x = SIDE + PITCH * np.arange(angles.shape[1])
    figure, axes = new_figure(width=x[-1] + SIDE, height=HEIGHT)
    set_margins(figure, left=0, right=0, bottom=0, top=0)
    axes.set(xlim=(0, x[-1] + SIDE), ylim=(0, HEIGHT))
    axes.axis("off")
    _faces(axes, x, angles[1] - angles[0])
    _table(axes, x, position, angles)
    axes.plot(*_trails(x, angles[: position + 1], len(angles)), color=MUTED, linewidth=1.2)
    _hands(axes, x, *_tip(angles[position]))
    _row(axes, x, *_tip(angles[position]))
    axes.text(0.06, HEIGHT - 0.25, f"position {position}", fontweight="bold")
    axes.text(x[-1] + SIDE - 0.06, HEIGHT - 0.25, f"of 0 to {len(angles) - 1}", ha="right")
    figure.alt = _clock_alt(position, angles[position])
    return figure


def encoding_heatmap(encoding):
    """Return a heat map of a position table: a row for each position, a column for each number.

    encoding: (n_positions, d_model), from -1 to 1.
    """
    encoding = np.asarray(encoding)
    n_positions, d_model = encoding.shape
    figure, axes = new_figure(height=3.4)
    _cells(axes, np.arange(d_model), 1, np.arange(n_positions + 1), encoding)
    axes.set(xlim=(0, d_model), ylim=(n_positions, 0), xlabel="column", ylabel="position")
    figure.alt = (
        f"{n_positions} positions by {d_model} columns. The first columns change at every "
        "position; further right the stripes grow longer, and the last columns do not change."
    )
    return figure


def offset_profile(offsets, profiles):
    """Return curves of how alike two positions are, against how far apart they stand.

    offsets: (n,). profiles: name -> (n,), the dot product over its value at offset 0.
    """
    offsets = np.asarray(offsets)
    figure, axes = new_figure()
    styles = zip((BLUE, ORANGE, GREEN), ("-", "--", ":"), strict=True)
    ends = []
    for (name, profile), (colour, style) in zip(profiles.items(), styles, strict=False):
        axes.plot(offsets, profile, color=colour, linestyle=style, label=name)
        ends.append(f"{name} falls to {np.min(profile):.2f}")
    axes.set(xlabel="offset", ylabel="dot product, 1 at offset 0", ylim=(None, 1.45))
    axes.legend(ncols=2)
    figure.alt = (
        f"Both halves are mirror images. Every curve has its peak at offset 0; {', '.join(ends)}."
    )
    return figure


def rotary_pair(query, key, offset, offsets, scores):
    """Return a turned query and a turned key in the plane, and their score among all offsets.

    query, key: (2,), already turned by their positions. offset: of the key from the query.
    offsets, scores: (n,), the curve of scores.
    """
    figure, (plane, curve) = new_figure(height=2.7, n_columns=2)
    set_margins(figure, left=0.1, between=0.8)
    plane.plot(*_arc(query, key), color=INK, linewidth=1)
    for vector, name, colour, style in ((query, "q", BLUE, "-"), (key, "k", ORANGE, "--")):
        length = np.hypot(*vector)
        plane.add_artist(Circle((0, 0), length, fill=False, edgecolor=MUTED, linewidth=0.6))
        plane.plot([0, vector[0]], [0, vector[1]], color=colour, linestyle=style, linewidth=2.4)
        plane.plot(*vector, "o", color=colour)
        plane.text(*(1 + 0.25 / length) * vector, name, ha="center", va="center")
    reach = 0.4 + max(np.hypot(*query), np.hypot(*key))
    plane.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    plane.axis("off")
    score = float(query @ key)
    curve.plot(offsets, scores, color=MUTED)
    curve.plot(offset, score, "o", color=INK, markersize=8)
    curve.set(xlabel="offset, key - query", ylabel="score", title=f"score {score:.4f}")
    turned = ", ".join(f"{_degrees(vector):.0f}" for vector in (query, key))
    figure.alt = (
        f"Query and key point to {turned} degrees. The key stands {offset} after the query, "
        f"and their score is {score:.4f}."
    )
    return figure


def _degrees(vector):
    """Return where a vector points, in degrees from 0 to 360, counted as in mathematics."""
    return np.degrees(np.arctan2(vector[1], vector[0])) % 360


def _arc(query, key):
    """Return the line that marks the angle from the query to the key."""
    start = _degrees(query)
    between = (_degrees(key) - start + 180) % 360 - 180
    angles = np.radians(start + between * np.linspace(0, 1, 25))
    return 0.45 * np.cos(angles), 0.45 * np.sin(angles)


def _tip(angle):
    """Return where a hand of length 1 points: right and up of the centre."""
    return np.array([np.sin(angle), np.cos(angle)])


def _pairs(angles):
    """Return what the hands spell out: the sine and the cosine of each angle, side by side."""
    return np.stack(_tip(angles), axis=-1).reshape(*angles.shape[:-1], -1)


def _on_faces(x, right, up):
    """Return places on faces of radius 1 in inches on the drawing."""
    return x + RADIUS * right, FACE + RADIUS * up


def _segments(x, y, to_x, to_y):
    """Return many straight lines as one broken line."""
    pieces = np.broadcast_arrays(x, to_x, BREAK, y, to_y, BREAK)
    return np.stack(pieces[:3], axis=-1).ravel(), np.stack(pieces[3:], axis=-1).ravel()


def _faces(axes, x, per_position):
    """Draw what stands still: faces, ticks, the tracks of the shadows, the lengths of a turn."""
    for centre, turn in zip(x, 2 * np.pi / per_position, strict=True):
        axes.add_artist(Circle((centre, FACE), RADIUS, fill=False, edgecolor=MUTED))
        words = f"turn: {turn:,.0f}" if turn >= 100 else f"turn: {turn:.3g}"
        axes.text(centre, FACE + 0.62, words, ha="center", va="center")
    right, up = _tip(np.arange(12) * np.pi / 6)
    outer, inner = (_on_faces(x[:, None], share * right, share * up) for share in (1, 0.91))
    axes.plot(*_segments(*outer, *inner), color=MUTED, linewidth=1)
    below = _segments(x - RADIUS, FACE - SHADOW, x + RADIUS, FACE - SHADOW)
    beside = _segments(x + SHADOW, FACE - RADIUS, x + SHADOW, FACE + RADIUS)
    axes.plot(*np.hstack([below, beside]), color=MUTED, linewidth=0.8)
    low = ROW - 0.3
    axes.plot(*_segments(x - 0.53, low, x - 0.38, low), color=GREEN, **BAR)
    axes.plot(*_segments(x + 0.13, low - 0.07, x + 0.13, low + 0.07), color=PURPLE, **BAR)
    for centre in x:
        axes.text(centre - 0.32, low, "sin", va="center")
        axes.text(centre + 0.2, low, "cos", va="center")


def _hands(axes, x, sine, cosine):
    """Draw the hands with their shadows: the sine falls down, the cosine to the right."""
    tip_x, tip_y = _on_faces(x, sine, cosine)
    below, beside = FACE - SHADOW, x + SHADOW
    axes.plot(*_segments(tip_x, tip_y, tip_x, below), color=GREEN, linewidth=1, linestyle=":")
    axes.plot(*_segments(tip_x, tip_y, beside, tip_y), color=PURPLE, linewidth=1, linestyle=":")
    axes.plot(*_segments(x, below, tip_x, below), color=GREEN, **BAR)
    axes.plot(*_segments(beside, FACE, beside, tip_y), color=PURPLE, **BAR)
    axes.plot(*_segments(x, FACE, tip_x, tip_y), color=INK, linewidth=2.4)
    axes.plot(tip_x, tip_y, "o", color=INK)


def _trails(x, turned, n_positions):
    """Return the hands' paths as spirals that grow outwards by an equal step a position."""
    line = []
    for centre, angles in zip(x, turned.T, strict=True):
        n_points = 2 + int((angles[-1] - angles[0]) / 0.25)
        places = np.linspace(0, len(angles) - 1, n_points)
        path = _tip(np.interp(places, np.arange(len(angles)), angles))
        line += [*zip(*_on_faces(centre, *(places / (n_positions - 1) * path)), strict=True)]
        line.append((BREAK, BREAK))
    return np.transpose(line)


def _row(axes, x, sine, cosine):
    """Draw the row that the hands spell out: two cells a hand, the sine before the cosine."""
    for left, value in zip(_lefts(x), np.stack([sine, cosine], axis=-1).ravel(), strict=True):
        corner, colour = (left, ROW - CELL_HEIGHT / 2), DIVERGING((value + 1) / 2)
        axes.add_artist(
            Rectangle(corner, CELL_WIDTH, CELL_HEIGHT, facecolor=colour, edgecolor=MUTED)
        )
        axes.text(
            left + CELL_WIDTH / 2, ROW, f"{value:.2f}", ha="center", va="center",
            color=ink_on(colour),
        )  # fmt: skip


def _table(axes, x, position, angles):
    """Draw all the rows, each hand's two columns below its clock, and mark one of them."""
    edges = np.linspace(TABLE_TOP, TABLE_TOP - TABLE_HEIGHT, len(angles) + 1)
    _cells(axes, _lefts(x), CELL_WIDTH, edges, _pairs(angles))
    corner = (x[0] - CELL_WIDTH - 0.03, edges[position + 1] - 0.02)
    width = x[-1] - x[0] + 2 * CELL_WIDTH + 0.06
    height = edges[position] - edges[position + 1] + 0.04
    axes.add_artist(Rectangle(corner, width, height, fill=False, edgecolor=INK, linewidth=1.2))


def _lefts(x):
    """Return the left edges of the two columns below each clock."""
    return np.stack([x - CELL_WIDTH, x], axis=-1).ravel()


def _cells(axes, lefts, width, edges, table):
    """Draw a table of numbers from -1 to 1 in shades, as one shape for each shade.

    Equal neighbours in a column become one cell: a slow column costs next to nothing.
    """
    levels = np.round(np.asarray(table) * LEVELS).astype(np.int64)
    cells = {level: [] for level in np.unique(levels)}
    for left, column in zip(lefts, levels.T, strict=True):
        changes = np.flatnonzero(np.diff(column)) + 1
        for first, end in zip([0, *changes], [*changes, len(column)], strict=True):
            x, y = (left, left + width), (edges[first], edges[end])
            corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1]), (x[0], y[0])]
            cells[column[first]].append(Path(corners, closed=True))
    for level, paths in cells.items():
        colour = DIVERGING((level / LEVELS + 1) / 2)
        shape = Path.make_compound_path(*paths)
        axes.add_artist(PathPatch(shape, facecolor=colour, edgecolor="none"))


def _clock_alt(position, angles):
    """Say where each hand points, as on a clock."""
    hours = np.round(np.mod(angles, 2 * np.pi) * 6 / np.pi, 1) % 12
    places = ", ".join(f"{hour:.1f}" for hour in hours)
    values = ", ".join(f"{value:.2f}" for value in _pairs(angles))
    return f"Position {position}. The hands point to {places} o'clock. The row reads {values}."
