"""Figures of chapter 02: weights, weighted means, and who can see whom."""

import numpy as np
from matplotlib.patches import Rectangle

from casebook.drawing.figures.style import (
    CYCLE,
    INK,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    ink_on,
    new_figure,
    set_margins,
)

MOST_NUMBERED_CELLS = 8  # in a row or a column; more than that cannot be read
ARROW = {"arrowstyle": "-|>", "color": INK, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}


def weights_heatmap(weights, tokens=None, key_tokens=None, mask=None, decimals=2):
    """Return a heat map of attention weights: one row for each query, one column for each key.

    weights: (n_q, n_k), rows that sum to 1.
    tokens: n_q names for the rows, 1 to n_q unless given.
    key_tokens: n_k names for the columns; unless given, ``tokens`` where n_k = n_q, else 1 to n_k.
    mask: boolean (n_q, n_k), True means may attend; cells that may not are left empty.
    decimals: digits written in each cell (up to 8 rows and columns).
    """
    weights = np.asarray(weights)
    n_q, n_k = weights.shape
    rows = _names(tokens, n_q)
    columns = _names(key_tokens if key_tokens is not None or n_q != n_k else rows, n_k)
    allowed = np.ones(weights.shape, dtype=bool) if mask is None else np.asarray(mask)
    figure, axes = new_figure(width=min(1.2 + 0.85 * n_k, 5.2), height=min(1.0 + 0.6 * n_q, 4.6))
    _heatmap(axes, np.where(allowed, weights, np.nan), 1.0, rows, columns, decimals)
    axes.set(xlabel="is asked (key)", ylabel="asks (query)")
    figure.alt = _weights_alt(weights, allowed, rows, columns)
    return figure


def value_triangle(values, weights, outputs, tokens=None):
    """Return a plane with the values as corners and each output where its weights put it.

    values: (n_k, 2); weights: (n_q, n_k); outputs: (n_q, 2); tokens: names of the keys, which
    are also the names of the queries when n_q = n_k.
    """
    values, weights, outputs = np.asarray(values), np.asarray(weights), np.asarray(outputs)
    names = _names(tokens, len(values))
    figure, axes = new_figure(width=4.6, height=4.4)
    _corners(axes, values, names)
    for i, output in enumerate(outputs):
        colour = CYCLE[i % len(CYCLE)]
        for value, weight in zip(values, weights[i], strict=True):
            axes.plot(*zip(output, value, strict=True), color=colour, linewidth=4 * weight)
        axes.plot(*output, "o", color=colour, markersize=9)
        name = names[i] if len(outputs) == len(names) else str(i + 1)
        high = output[1] > values[:, 1].mean()  # its lines run down: the name goes to the side
        axes.annotate(
            f"output of {name}",
            output,
            (10, -4) if high else (0, 10),
            textcoords="offset points",
            ha="left" if high else "center",
            color=INK,
        )
    _plane(axes, values, "value")
    nearest = [_heaviest(row, names) for row in weights]
    figure.alt = (
        f"The values are the corners of a triangle. All {len(outputs)} outputs lie inside it; "
        f"they lean towards the corners {', '.join(nearest)}."
    )
    return figure


def query_dial(turn, queries, keys, values, weights, outputs, tokens=None):
    """Return two planes: one query among the keys, and its output among the values.

    turn: which of the n_q queries is drawn; the path of all the outputs is drawn faintly.
    queries: (n_q, 2); keys and values: (n_k, 2); weights: (n_q, n_k); outputs: (n_q, 2).
    """
    queries, keys, values = np.asarray(queries), np.asarray(keys), np.asarray(values)
    names = _names(tokens, len(keys))
    figure, (left, right) = new_figure(width=5.2, height=3.3, n_columns=2)
    set_margins(figure, top=0.55)
    _corners(left, keys, names)
    left.annotate("", queries[turn], (0, 0), arrowprops=ARROW)
    _plane(left, np.concatenate([keys, queries]), "key")
    left.set_title("arrow: query\nsquares: keys")
    labels = [f"{name} {weight:.2f}" for name, weight in zip(names, weights[turn], strict=True)]
    _corners(right, values, labels)
    right.plot(*np.concatenate([outputs, outputs[:1]]).T, color=MUTED, linewidth=1)
    right.plot(*outputs[turn], "o", color=INK)
    _plane(right, values, "value")
    right.set_title("dot: output\nsquares: values")
    angle = np.degrees(np.arctan2(queries[turn][1], queries[turn][0])) % 360
    figure.alt = (
        f"The query points to {angle:.0f} degrees. Weights: {', '.join(labels)}. "
        f"The output leans towards {_heaviest(weights[turn], names)}."
    )
    return figure


def influence_heatmaps(influences):
    """Return one heat map for each named table of changes; a leak from the future is outlined.

    influences: name -> (n, n); entry [i, j] is how much output i moves when token j is changed.
    """
    tables = {name: np.asarray(table) for name, table in influences.items()}
    figure, axes = new_figure(
        width=5.2, height=2.6, n_columns=len(tables), sharey=True, squeeze=False
    )
    set_margins(figure, between=0.15)
    highest = max(table.max() for table in tables.values())
    leaks = []
    for panel, (name, table) in zip(axes[0], tables.items(), strict=True):
        names = _names(None, len(table))
        _heatmap(panel, np.where(table > 1e-12, table, np.nan), highest, names, names, 1)
        ahead = np.argwhere(np.triu(table > 1e-12, k=1))
        for i, j in ahead:
            panel.add_patch(_outline(i, j))
        panel.set(title=name, xlabel="token changed")
        leaks.append(f"{name}: {len(ahead)}")
    axes[0][0].set_ylabel("output that moves")
    figure.alt = (
        f"Outputs that move when a later token is changed, counted in cells. {'; '.join(leaks)}."
    )
    return figure


def _names(names, count):
    return [str(i + 1) for i in range(count)] if names is None else list(names)


def _heaviest(row, names):
    """Name the key with the largest weight, or all of them where several are equal."""
    equal = np.isclose(row, row.max(), rtol=0, atol=1e-6)
    return " and ".join(name for name, is_first in zip(names, equal, strict=True) if is_first)


def _heatmap(axes, table, highest, rows, columns, decimals):
    """Draw ``table`` as cells with their numbers; NaN leaves a cell empty."""
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(table),
        cmap=SEQUENTIAL,
        vmin=0,
        vmax=highest,
        edgecolors=MUTED,
        linewidth=0.5,
    )
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_ylim(len(rows), 0)  # the first row on top, as in the matrix
    if max(table.shape) > MOST_NUMBERED_CELLS:
        axes.figure.colorbar(mesh, ax=axes)
        return
    for (i, j), number in np.ndenumerate(table):
        if np.isfinite(number):
            axes.text(
                j + 0.5,
                i + 0.5,
                f"{number:.{decimals}f}",
                ha="center",
                va="center",
                color=ink_on(mesh.cmap(mesh.norm(number))),
            )


def _corners(axes, points, labels):
    """Draw points as labelled squares, the corners of one faint polygon."""
    axes.fill(*points.T, facecolor="none", edgecolor=MUTED, linewidth=1)
    middle = points[:, 1].mean()
    for j, (point, label) in enumerate(zip(points, labels, strict=True)):
        axes.plot(*point, "s", color=CYCLE[j % len(CYCLE)], markersize=9)
        side = -1 if point[1] < middle else 1
        axes.annotate(
            label,
            point,
            (0, 12 * side),
            textcoords="offset points",
            ha="center",
            va="center" if side > 0 else "top",
            color=INK,
        )


def _plane(axes, points, what):
    """Give a square plane equal units, room around ``points`` and its labels."""
    low, high = points.min(axis=0), points.max(axis=0)
    centre, half = (low + high) / 2, 0.72 * (high - low).max()
    axes.set(
        xlim=(centre[0] - half, centre[0] + half),
        ylim=(centre[1] - half, centre[1] + half),
        xlabel=f"{what}, first number",
        ylabel=f"{what}, second number",
    )
    axes.set_aspect("equal")


def _outline(i, j):
    return Rectangle((j + 0.06, i + 0.06), 0.88, 0.88, fill=False, edgecolor=ORANGE, linewidth=2.5)


def _weights_alt(weights, allowed, rows, columns):
    """Say for each query where most of its weight goes, and how much is blocked."""
    parts = [
        f"{name} most to {_heaviest(row, columns)} ({row.max():.2f})"
        for name, row in zip(rows, weights, strict=True)
    ]
    blocked = int((~allowed).sum())
    closing = f" {blocked} of {allowed.size} cells are blocked." if blocked else ""
    return f"Who attends to whom: {', '.join(parts)}.{closing}"
