"""Figures of chapter 03: the growth of scores, what it does to softmax, and to learning."""

import numpy as np

from casebook.drawing.figures.style import BLUE, GREEN, INK, MUTED, ORANGE, new_figure, set_margins

# A scaling keeps its colour, its dashes and its marker in every figure.
LOOKS = {
    "none": {"color": ORANGE, "linestyle": "--", "marker": "s", "label": "none"},
    "sqrt_d_k": {"color": BLUE, "linestyle": "-", "marker": "o", "label": "/ √$d_k$"},
    "d_k": {"color": GREEN, "linestyle": ":", "marker": "^", "label": "/ $d_k$"},
}
SPOKEN = {"none": "no scaling", "sqrt_d_k": "division by root d_k", "d_k": "division by d_k"}
LOST = 6  # a loss above guessing means nothing more: such runs are drawn at this height
WIDEST_SCORE = 24  # the histogram's outermost bars hold everything beyond


def variance_growth(widths, variances, errors):
    """Return two panels: the variance of q . k against d_k, and their ratio with error bars.

    widths, variances, errors: (n_widths,); bars show two standard errors to each side.
    """
    widths, variances, errors = np.asarray(widths), np.asarray(variances), np.asarray(errors)
    ratios = variances / widths
    figure, (growth, ratio) = new_figure(height=4.6, n_rows=2, sharex=True)
    set_margins(figure, between=0.4)
    growth.plot(widths, widths, color=INK, linewidth=1.2, label="theory: variance = $d_k$")
    growth.plot(widths, variances, "o", color=BLUE, label="measured")
    growth.set(yscale="log", ylabel="variance of $q · k$")
    growth.set_yticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
    growth.minorticks_off()
    growth.legend()
    ratio.axhline(1, color=INK, linewidth=1.2)
    ratio.errorbar(widths, ratios, 2 * errors / widths, fmt="o", color=BLUE, capsize=4)
    ratio.set(xscale="log", ylabel="variance / $d_k$", ylim=(0.75, 1.25))
    _width_axis(ratio, widths)
    outside = int((np.abs(variances - widths) > 2 * errors).sum())
    figure.alt = (
        f"The measured variance grows from {variances[0]:.1f} to {variances[-1]:.0f} along the "
        f"line variance = d_k. Divided by d_k it stays between {ratios.min():.2f} and "
        f"{ratios.max():.2f}; {len(widths) - outside} of {len(widths)} error bars reach 1."
    )
    return figure


def sample_size_band(sizes, low, middle, high, truth):
    """Return the range that estimates of the variance fall in, for each size of sample.

    sizes: (n,); low, middle, high: (n,), the 5th, 50th and 95th percentile; truth: a number.
    """
    figure, axes = new_figure(height=3.0)
    axes.axhline(truth, color=INK, linewidth=1.2)
    axes.annotate(
        "true variance", (sizes[-1], truth), (0, 22), textcoords="offset points", ha="right"
    )
    axes.fill_between(sizes, low, high, color=BLUE, alpha=0.25, linewidth=0)
    axes.plot(sizes, high, "--v", color=BLUE, label="95th percentile")
    axes.plot(sizes, middle, "-o", color=ORANGE, label="median")
    axes.plot(sizes, low, ":^", color=BLUE, label="5th percentile")
    axes.set(xscale="log", xlabel="scores in the sample", ylabel="estimated variance", ylim=(0, 7))
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.legend(loc="upper right")
    figure.alt = (
        f"Nine in ten estimates lie between {low[0]:.2f} and {high[0]:.2f} for {sizes[0]} scores, "
        f"and between {low[-1]:.2f} and {high[-1]:.2f} for {sizes[-1]:,}. "
        f"The band closes around {truth:g}."
    )
    return figure


def saturation_curves(widths, medians):
    """Return four panels against d_k, one line for each scaling.

    medians: scaling -> (n_widths, 4), columns as in ``saturation.MEASURES``.
    """
    figure, panels = new_figure(height=5.2, n_rows=2, n_columns=2, sharex=True)
    set_margins(figure, left=0.62, top=0.7, between=0.62)
    titles = ("largest weight", "entropy (nats)", "Jacobian (norm)", "weights by query (norm)")
    for panel, title, column in zip(panels.flat, titles, range(4), strict=True):
        for scaling, table in medians.items():
            panel.plot(widths, table[:, column], **LOOKS[scaling])
        panel.set(xscale="log", ylim=(0, None))
        panel.set_title(title)
    for panel in panels[1]:
        _width_axis(panel, widths, every=2)
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="upper center", ncols=3)
    parts = [
        f"{SPOKEN[scaling]}: largest weight {row[0]:.2f}, entropy {row[1]:.2f}, "
        f"Jacobian {row[2]:.2f}, weights by query {row[3]:.2f}"
        for scaling, row in ((scaling, table[-1]) for scaling, table in medians.items())
    ]
    figure.alt = f"At d_k = {widths[-1]}, {'; '.join(parts)}."
    return figure


def learning_curves(losses, rates, ends, guessing):
    """Return two panels: the loss at each step, and the last loss against the learning rate.

    losses: scaling -> (n_steps,), all at one rate. rates: (n_rates,).
    ends: scaling -> (n_rates,). guessing: the loss of a model that knows nothing.
    """
    figure, (course, tuned) = new_figure(height=5.4, n_rows=2)
    set_margins(figure, left=0.85, top=0.45, between=0.75)
    for scaling, curve in losses.items():
        course.plot(_smooth(curve), **{**LOOKS[scaling], "markevery": 40})
        shown = np.where(np.asarray(ends[scaling]) < guessing, ends[scaling], LOST)
        tuned.plot(rates, shown, **LOOKS[scaling])
    for panel in (course, tuned):
        panel.axhline(guessing, color=MUTED, linewidth=1)
        panel.set_ylabel("loss (nats)")
    _note(course, "guessing", (1, guessing), "right")
    _note(tuned, "guessing", (0, guessing), "left")
    _note(tuned, "lost", (0.85, LOST), "center")
    course.set(xlabel="step", ylim=(0, 1.3 * guessing))
    course.legend(loc="lower center", bbox_to_anchor=(0.5, 0.98), ncols=3)
    tuned.set(xscale="log", yscale="log", xlabel="learning rate", ylim=(0.001, 3 * LOST))
    tuned.set_xticks(rates, [f"{rate:g}" for rate in rates])
    tuned.set_yticks([0.001, 0.01, 0.1, 1], ["0.001", "0.01", "0.1", "1"])
    tuned.minorticks_off()
    best = {scaling: int(np.argmin(row)) for scaling, row in ends.items()}
    parts = [
        f"{SPOKEN[scaling]} {ends[scaling][i]:.4f} at learning rate {rates[i]:g}"
        for scaling, i in best.items()
    ]
    figure.alt = f"The lowest last loss of each scaling: {'; '.join(parts)}."
    return figure


def scores_and_row(scores, weights, title):
    """Return two panels: a histogram of scores, and one row of attention weights as bars.

    scores: (n,), after scaling. weights: (n_keys,). title: what was chosen.
    """
    scores, weights = np.asarray(scores), np.asarray(weights)
    figure, (histogram, row) = new_figure(height=4.6, n_rows=2)
    set_margins(figure, between=0.95)
    edges = np.arange(-WIDEST_SCORE, WIDEST_SCORE + 1)
    counts, _ = np.histogram(np.clip(scores, edges[0], edges[-1] - 1e-9), edges)
    histogram.stairs(100 * counts / len(scores), edges, fill=True, color=BLUE)
    histogram.set(title=title, xlabel="score", ylabel="% of scores", ylim=(0, 60))
    last = WIDEST_SCORE - 1
    labels = [f"≤ −{last}", "−12", "0", "12", f"≥ {last}"]
    histogram.set_xticks([-last - 0.5, -12, 0, 12, last + 0.5], labels)
    keys = np.arange(1, len(weights) + 1)
    row.bar(keys, weights, color=ORANGE)
    row.set(xlabel="key", ylabel="weight", ylim=(0, 1.05), xticks=keys)
    figure.alt = (
        f"The scores have a standard deviation of {scores.std():.2f}. The largest of "
        f"{len(weights)} weights is {weights.max():.2f}, on key {keys[weights.argmax()]}."
    )
    return figure


def _width_axis(axes, widths, every=1):
    """Label the logarithmic axis with the widths themselves."""
    shown = np.asarray(widths)[::every]
    axes.set_xticks(shown, [str(width) for width in shown])
    axes.minorticks_off()
    axes.set_xlabel("$d_k$")


def _note(axes, text, place, side):
    """Write ``text`` just above a height, at a place from left (0) to right (1) of the panel."""
    axes.annotate(
        text, place, (0, 4), xycoords=("axes fraction", "data"), textcoords="offset points", ha=side
    )


def _smooth(curve, steps=10):
    """Return the mean of each ``steps`` values in a row."""
    return np.convolve(curve, np.full(steps, 1 / steps), mode="valid")
