"""Figures of chapter 04: several heads, the matrices that make them, and what real ones look at."""

from html import escape

import numpy as np
from matplotlib.patches import Rectangle

from casebook.drawing.figures.style import (
    BLUE,
    DIVERGING,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    ink_on,
    new_figure,
    set_margins,
)
from casebook.patterns import PLACES, pattern

LEAST = 0.005  # weights below it are left out: they would read 0
GRID = {"edgecolors": MUTED, "linewidth": 0.3}
PLACE_COLOURS = dict(zip(PLACES, (ORANGE, BLUE, GREEN, "#80808060"), strict=True))


def real_head(weights, tokens, title, query=None):
    """Return a heat map of one head of a real model, with the weights in per cent.

    weights: (n, n), rows that sum to 1; tokens: n names. title: which head this is.
    query: number of a row to frame, with the word it looks at most in the alt text.
    """
    weights = np.asarray(weights)
    n = len(tokens)
    figure, axes = new_figure(height=1.4 + 0.27 * n)
    set_margins(figure, left=1.05, bottom=1.05, right=0.05)
    _cells(axes, weights)
    _write(axes, weights, lambda weight: f"{100 * weight:.0f}")
    _name_axes(axes, tokens, tokens)
    axes.set(title=f"{title}, per cent", xlabel="is asked (key)", ylabel="asks (query)")
    figure.alt = f"{title}: {pattern(weights)}."
    if query is not None:
        axes.add_patch(Rectangle((0, query), n, 1, fill=False, edgecolor=ORANGE, linewidth=2.5))
        most = int(weights[query].argmax())
        share = f"{weights[query, most]:.2f}"
        figure.alt += f' "{tokens[query]}" looks most at "{tokens[most]}" ({share}).'
    return figure


def head_and_matrices(matrix, weights, features, tokens, title, largest):
    """Return two tables: which feature asks for which, and the weights that come of it.

    matrix: W_Q W_K^T of one head, (d_model, d_model), not negative. features: its d_model names.
    weights: (n, n), of that head; tokens: n names. largest: entry that gets the full colour.
    """
    matrix, weights = np.asarray(matrix), np.asarray(weights)
    figure, (top, bottom) = new_figure(height=7.9, n_rows=2)
    set_margins(figure, left=1.2, bottom=0.95, right=0.05, between=1.5)
    _cells(top, matrix / largest)
    _name_axes(top, features, features)
    top.set(title=f"{title}: which feature asks for which", xlabel="feature of the key")
    top.set_ylabel("feature of the query")
    _cells(bottom, weights)
    _write(bottom, weights, "{:.2f}".format)
    _name_axes(bottom, tokens, tokens)
    bottom.set(title="the weights that come of it")
    bottom.set(xlabel="is asked (key)", ylabel="asks (query)")
    asked = [f"{features[i]} for {features[j]}" for i, j in np.argwhere(matrix > 0)]
    shown = ", ".join(asked[:3]) + (f" and {len(asked) - 3} more" if len(asked) > 3 else "")
    figure.alt = f"{title}. Features ask: {shown or 'nothing'}. The weights: {pattern(weights)}."
    return figure


def heads_side_by_side(weights, tokens=None, titles=None):
    """Return one small heat map for each head, two in a row.

    weights: (n_heads, n, n), rows that sum to 1; tokens: n names, 1 to n unless given.
    """
    weights = np.asarray(weights)
    n_heads, n, _ = weights.shape
    names = [str(i + 1) for i in range(n)] if tokens is None else list(tokens)
    titles = [f"head {h}" for h in range(n_heads)] if titles is None else titles
    n_rows = -(-n_heads // 2)
    figure, axes = new_figure(height=0.9 + 2.1 * n_rows, n_rows=n_rows, n_columns=2, squeeze=False)
    set_margins(figure, left=0.7, bottom=0.5, between=0.6)
    for panel in axes.flat[n_heads:]:
        panel.axis("off")
    for panel, table, title in zip(axes.flat, weights, titles, strict=False):
        _cells(panel, table)
        _write(panel, table, "{:.2f}".format)
        _name_axes(panel, names, names, rotation=0)
        panel.set_title(title)
    said = [f"{title} {pattern(table)}" for title, table in zip(titles, weights, strict=True)]
    figure.alt = f"{n_heads} heat maps: {'; '.join(said)}."
    return figure


def places_by_layer(shares):
    """Return stacked bars for each model: in each layer, where the weight of its heads goes.

    shares: model -> dict of place -> (n_layers,), as :func:`casebook.patterns.attention_shares`
    gives them, averaged over the heads.
    """
    figure, axes = new_figure(height=5.2, n_rows=len(shares), squeeze=False)
    set_margins(figure, top=0.75, between=0.95)
    said = []
    for panel, (model, of_model) in zip(axes[:, 0], shares.items(), strict=True):
        bottom = np.zeros(len(of_model["first"]))
        for place in PLACES:
            panel.bar(
                np.arange(len(bottom)),
                of_model[place],
                bottom=bottom,
                width=1,
                color=PLACE_COLOURS[place],
                edgecolor="#ffffff",
                linewidth=0.5,
                label=place,
            )
            bottom = bottom + of_model[place]
        panel.set(title=model, xlim=(-0.5, len(bottom) - 0.5), ylim=(0, 1), ylabel="share")
        panel.xaxis.get_major_locator().set_params(integer=True)
        mean = {place: float(np.mean(of_model[place])) for place in PLACES}
        said.append(f"{model}: {', '.join(f'{place} {mean[place]:.2f}' for place in PLACES)}")
    axes[-1, 0].set_xlabel("layer")
    axes[0, 0].legend(
        ncols=4, loc="lower left", bbox_to_anchor=(-0.12, 1.13), handlelength=0.9, columnspacing=1
    )
    figure.alt = f"Bars by layer. Mean share of the weight on each place. {'; '.join(said)}."
    return figure


def preference_by_head(differences, one, other, marked):
    """Return a map with a cell for each head: which of two tokens it looks at more.

    differences: (n_layers, n_heads), weight on ``one`` less weight on ``other``.
    marked: (layer, head), framed.
    """
    differences = np.asarray(differences)
    n_layers, n_heads = differences.shape
    figure, axes = new_figure(height=2.9)
    largest = np.abs(differences).max()
    mesh = axes.pcolormesh(differences.T, cmap=DIVERGING, vmin=-largest, vmax=largest, **GRID)
    layer, head = marked
    axes.add_patch(Rectangle((layer, head), 1, 1, fill=False, edgecolor=INK, linewidth=2))
    axes.set(xlabel="layer", ylabel="head", ylim=(n_heads, 0), title="one cell, one head")
    axes.set_xticks(np.arange(0, n_layers, 5) + 0.5, range(0, n_layers, 5))
    axes.set_yticks(np.arange(0, n_heads, 2) + 0.5, range(0, n_heads, 2))
    bar = figure.colorbar(mesh, ax=axes)
    bar.set_ticks([-largest, 0, largest], labels=[other, "equal", one])
    count = int((differences > 0).sum())
    figure.alt = (
        f"{count} of {differences.size} heads look more at {one} than at {other}. Most cells are "
        f"pale. The framed head, layer {layer} head {head}, is at {differences[layer, head]:+.2f}."
    )
    return figure


class WeightsTable:
    """A table of weights in numbers, folded, for those who cannot see a heat map or want more.

    weights: (n, n); tokens: n names. label: the words that open it.
    """

    def __init__(self, weights, tokens, label):
        self.weights, self.tokens, self.label = np.asarray(weights), list(tokens), label

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.to_html(), "text/plain": self.to_text()}

    def to_html(self):
        """Return the table as HTML; the first row and column name who is asked and who asks."""
        head = "".join(f'<th scope="col">{escape(token)}</th>' for token in self.tokens)
        rows = "".join(
            f'<tr><th scope="row">{escape(token)}</th>'
            + "".join(f"<td>{weight:.2f}</td>" for weight in row)
            + "</tr>"
            for token, row in zip(self.tokens, self.weights, strict=True)
        )
        return (
            f"<details><summary>{escape(self.label)}</summary>"
            f'<div style="overflow-x: auto"><table><thead><tr><td></td>{head}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div></details>"
        )

    def to_text(self):
        """Return the table as text in columns."""
        width = max(5, *(len(token) + 1 for token in self.tokens))
        lines = [self.label, " " * width + "".join(f"{token:>{width}}" for token in self.tokens)]
        for token, row in zip(self.tokens, self.weights, strict=True):
            lines.append(f"{token:>{width}}" + "".join(f"{weight:{width}.2f}" for weight in row))
        return "\n".join(lines)


def weights_table(weights, tokens, label):
    """Return the weights as a folded table of numbers that stands beside a heat map."""
    return WeightsTable(weights, tokens, label)


def _cells(axes, table):
    """Draw a table of numbers from 0 to 1 as cells; what would not show is left out."""
    shown = np.ma.masked_less(np.round(table, 2), LEAST)
    axes.pcolormesh(shown, cmap=SEQUENTIAL, vmin=0, vmax=1, **GRID)


def _write(axes, weights, form):
    """Write each weight into its cell, but for those that round to 0."""
    for i, j in np.argwhere(weights >= LEAST):
        weight = round(float(weights[i, j]), 2)
        colour = ink_on(SEQUENTIAL(weight))
        axes.text(j + 0.5, i + 0.5, form(weight), ha="center", va="center", color=colour)


def _name_axes(axes, rows, columns, rotation=90):
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns, rotation=rotation)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axes.tick_params(length=0)
    axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))  # the first row on top, as in the matrix
