"""Figures of chapter 06: what is in a block, gradients by depth, what a model is made of."""

import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from casebook.drawing.figures.style import (
    BLUE,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PURPLE,
    new_figure,
    set_margins,
)

# A part keeps its colour in every figure.
PARTS = {
    "embedding": ("embedding", PURPLE),
    "positions": ("positions", MUTED),
    "attention": ("attention", BLUE),
    "feed_forward": ("feed-forward", ORANGE),
    "norms": ("norms", GREEN),
}
LOOKS = {"post": {"color": ORANGE, "marker": "s"}, "pre": {"color": BLUE, "marker": "o"}}
STACKS = {
    "post": ("attention", "add", "norms", "feed_forward", "add", "norms"),
    "pre": ("norms", "attention", "add", "norms", "feed_forward", "add"),
}
MIDDLE, SIDE, STEP = 0.56, 0.1, 1.0  # of the drawn blocks: centre, way past, height of a step


def two_blocks():
    """Return the two forms of a block, drawn from the input below to the output above."""
    figure, panels = new_figure(height=5.0, n_columns=2)
    set_margins(figure, left=0.05, right=0.05, bottom=0.1, top=0.4, between=0.2)
    titles = {"post": "post-norm (2017)", "pre": "pre-norm"}
    for axes, (place, parts) in zip(panels, STACKS.items(), strict=True):
        axes.set(xlim=(0, 1), ylim=(-0.55, 7.45), title=titles[place])
        axes.axis("off")
        _draw_stack(axes, parts)
    figure.alt = (
        "Two blocks side by side, read from below. In post-norm the way past attention and "
        "past the feed-forward layer ends in a sum, and a norm stands on the main way after it. "
        "In pre-norm each norm stands inside the branch, and the way past meets sums only."
    )
    return figure


def gradients_by_depth(depths, gradients):
    """Return two panels: gradients of the last and of the first block, by the depth of the stack.

    depths: (n_depths,). gradients: "post" and "pre" -> (n_depths, n_models, 2), the norm in
        the first and in the last block. Bands hold eight models in ten.
    """
    figure, (last, first) = new_figure(height=6.0, n_rows=2, sharex=True)
    set_margins(figure, top=0.55, between=0.5)
    spread = {}
    for place, norms in gradients.items():
        for panel, column in ((first, 0), (last, 1)):
            low, middle, high = np.quantile(np.asarray(norms)[:, :, column], [0.1, 0.5, 0.9], 1)
            panel.fill_between(depths, low, high, color=LOOKS[place]["color"], alpha=0.2, lw=0)
            panel.plot(depths, middle, label=f"{place}-norm", **LOOKS[place])
            spread[place, column] = low[-1], middle[-1], high[-1]
    for panel, name in ((last, "last"), (first, "first")):
        panel.set(
            xscale="log", yscale="log", ylim=(0.03, 5), ylabel=f"gradient in the {name} block"
        )
        panel.set_xticks(depths, [str(depth) for depth in depths])
        panel.set_yticks([0.1, 1], ["0.1", "1"])
        panel.minorticks_off()
    first.set_xlabel("blocks in the stack")
    last.legend(loc="lower center", bbox_to_anchor=(0.5, 0.98), ncols=2)
    figure.alt = f"With {depths[-1]} blocks: " + "; ".join(
        f"{place}-norm, {name} block, median {middle:.2f}, eight in ten models from {low:.2f} to "
        f"{high:.2f}"
        for name, column in (("last", 1), ("first", 0))
        for place in gradients
        for low, middle, high in [spread[place, column]]
    )
    figure.alt += "."
    return figure


def parameter_bars(count, title):
    """Return the share of the parameters that each part of a model has, as bars.

    count: as :func:`casebook.size.parameter_count` gives it. title: which model this is.
    """
    names = [name for name in PARTS if count[name]]
    shares = np.array([100 * count[name] / count["total"] for name in names])
    figure, axes = new_figure(height=2.9)
    set_margins(figure, left=1.25, right=0.1)
    rows = np.arange(len(names))[::-1]
    axes.barh(rows, shares, color=[PARTS[name][1] for name in names])
    for row, name, share in zip(rows, names, shares, strict=True):
        axes.annotate(
            f"{short(count[name])}, {share:.1f} %",
            (share, row),
            (4, 0),
            textcoords="offset points",
            va="center",
        )
    axes.set(xlim=(0, 140), xlabel="% of the parameters", xticks=range(0, 101, 25))
    axes.set_title(f"{title}: {short(count['total'])}")
    axes.spines["bottom"].set_bounds(0, 100)
    axes.set_yticks(rows, [PARTS[name][0] for name in names])
    figure.alt = f"{title}: {short(count['total'])} parameters. " + ", ".join(
        f"{PARTS[name][0]} {share:.0f} %" for name, share in zip(names, shares, strict=True)
    )
    figure.alt += "."
    return figure


def cost_by_length(lengths, costs, d_model):
    """Return what one token costs in a block, by part, against the length of the text.

    lengths: (n_lengths,). costs: part -> (n_lengths,) multiply-adds of the whole text, as
        :func:`casebook.size.block_operations` gives them. d_model: width, for the crossings.
    """
    lengths = np.asarray(lengths)
    each = {part: np.asarray(cost) / lengths / 1e6 for part, cost in costs.items()}
    whole = each["projections"] + each["attention"]
    figure, axes = new_figure(height=3.9)
    set_margins(figure, top=0.75)
    axes.plot(lengths, each["feed_forward"], color=ORANGE, label="feed-forward")
    axes.plot(lengths, whole, color=BLUE, linestyle="--", label="all of attention")
    axes.plot(lengths, each["attention"], color=BLUE, label="scores and mixing")
    for factor, low in ((2, whole), (4, each["attention"])):
        crossing = factor * d_model
        height = np.interp(crossing, lengths, low)
        axes.plot([crossing], [height], "o", color=INK)
        axes.plot([crossing, crossing], [0.02, height], color=MUTED, linewidth=1)
        axes.annotate(
            f"{factor}d", (crossing, 0.02), (3, 4), textcoords="offset points", va="bottom"
        )
    axes.set(xscale="log", yscale="log", xlabel="tokens in the text", ylim=(0.02, 100))
    axes.set_ylabel("million multiply-adds a token")
    ticks = [100, 1000, 10_000]
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.set_yticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    axes.minorticks_off()
    axes.legend(loc="lower center", bbox_to_anchor=(0.42, 0.98), ncols=2)
    figure.alt = (
        f"For width {d_model} the feed-forward layer costs {each['feed_forward'][0]:.1f} million "
        f"multiply-adds a token, whatever the length. Scores and mixing grow with the length and "
        f"cross it at {4 * d_model:,} tokens; attention with its matrices does so at "
        f"{2 * d_model:,}."
    )
    return figure


def short(number):
    """Return a count with three figures and K, M or B."""
    for limit, letter in ((1e9, "B"), (1e6, "M"), (1e3, "K")):
        if number >= limit:
            value = number / limit
            return f"{value:.{max(0, 2 - len(str(int(value))) + 1)}f}{letter}"
    return str(number)


def _draw_stack(axes, parts):
    """Draw boxes and sums from below, with the ways past, and the arrows between."""
    axes.text(MIDDLE, -0.4, "tokens", ha="center", va="center")
    axes.text(MIDDLE, 7.3, "tokens", ha="center", va="center")
    forks = _forks(parts)
    for step, part in enumerate(parts, 1):
        y = STEP * step
        _arrow(axes, (MIDDLE, y - 0.72 if step > 1 else -0.15), (MIDDLE, y - 0.28))
        if part == "add":
            axes.plot([MIDDLE], [y], "o", color=INK, fillstyle="none", markersize=17, linewidth=1)
            axes.text(MIDDLE, y, "+", ha="center", va="center")
            _way_past(axes, STEP * forks.pop(0) + 0.43, y)
        else:
            _box(axes, y, *PARTS[part])
    _arrow(axes, (MIDDLE, 6.28), (MIDDLE, 7.05))


def _forks(parts):
    """Return, for each sum, the step after which its way past leaves the main way."""
    sums = [step for step, part in enumerate(parts, 1) if part == "add"]
    before = 3 if parts[0] != "norms" else sums[0]  # post: after its norm; pre: after the sum
    return [0, before]


def _box(axes, y, text, colour):
    box = FancyBboxPatch(
        (MIDDLE - 0.29, y - 0.24),
        0.58,
        0.48,
        boxstyle="round,pad=0,rounding_size=0.04",
        mutation_aspect=6,
        facecolor=f"{colour}30",
        edgecolor=colour,
        linewidth=1.8,
    )
    axes.add_patch(box)
    axes.text(MIDDLE, y, text.removesuffix("s"), ha="center", va="center")


def _arrow(axes, start, end):
    arrow = FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=11, shrinkA=0, shrinkB=0)
    arrow.set(color=INK, linewidth=1.3)
    axes.add_patch(arrow)


def _way_past(axes, start, end):
    axes.plot([MIDDLE, SIDE, SIDE], [start, start, end], color=INK, linewidth=1.3)
    _arrow(axes, (SIDE, end), (MIDDLE - 0.09, end))
