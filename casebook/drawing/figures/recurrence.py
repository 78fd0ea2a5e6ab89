"""Figures of chapter 01: who waits for whom, what is left of token 1, and one vector a word."""

import numpy as np

from casebook.drawing.figures.style import BLUE, CYCLE, INK, MUTED, ORANGE, new_figure, set_margins

DASHES = ("-", "--", ":", "-.")
RIGHT_HALF = 0.5
FAINTEST = 1e-15  # what is smaller is drawn at this height


def layer_graphs(layers):
    """Return one panel for each kind of layer: inputs below, outputs above, a line where one waits.

    What token 1 can reach in this layer is drawn in colour.

    layers: name -> (links from inputs to outputs, links from outputs to outputs), each a list
        of pairs of token numbers from 0, in the order in which they are computed.
    """
    figure, axes = new_figure(height=2.5, n_columns=len(layers), sharey=True, squeeze=False)
    set_margins(figure, left=0.7, right=0.05, bottom=0.65, between=0.2)
    spoken = []
    for panel, (name, (above, beside)) in zip(axes[0], layers.items(), strict=True):
        n_tokens = 1 + max(output for _, output in above)
        reached = _reached(above, beside)
        for token, output in above:
            _link(panel, (token, 0), (output, 1), token == 0)
        for token, output in beside:
            _link(panel, (token, 1), (output, 1), token in reached)
        panel.plot(range(n_tokens), np.zeros(n_tokens), "o", color=MUTED)
        panel.plot(0, 0, "o", color=ORANGE)
        for output in range(n_tokens):
            panel.plot(output, 1, "o", color=ORANGE if output in reached else MUTED)
        panel.set(title=name, xlabel="token", ylim=(-0.15, 1.15))
        panel.set_xticks(range(n_tokens), [str(token + 1) for token in range(n_tokens)])
        panel.set_yticks([0, 1], ["inputs", "outputs"])
        panel.tick_params(length=0)
        panel.spines[:].set_visible(False)
        spoken.append(f"{name} {len(reached)}, over at most {_longest(beside)} links sideways")
    figure.alt = (
        f"How many of {n_tokens} outputs token 1 reaches in one layer: {'; '.join(spoken)}."
    )
    return figure


def what_is_left(curves, n=None):
    """Return how much of token 1 is left at every step, on a logarithmic axis.

    curves: name -> (n_steps,), positive; up to four.
    n: draw the curves up to this step with their values there, and the rest faintly.
    """
    curves = {name: np.maximum(curve, FAINTEST) for name, curve in curves.items()}
    n_steps = len(next(iter(curves.values())))
    n = n_steps if n is None else n
    figure, axes = new_figure(height=3.6)
    set_margins(figure, left=0.85, right=1.75)
    values = {name: curve[n - 1] for name, curve in curves.items()}
    heights = _apart(np.log10([curve[-1] for curve in curves.values()]), least=1.5)
    for i, (name, curve) in enumerate(curves.items()):
        steps = np.arange(1, n_steps + 1)
        axes.plot(steps, curve, color=MUTED, linewidth=0.8, linestyle=DASHES[i])
        axes.plot(steps[:n], curve[:n], color=CYCLE[i], linestyle=DASHES[i])
        axes.plot(n, curve[n - 1], "o", color=CYCLE[i])
        axes.annotate(
            f"{name}: {_power(values[name])}",
            (n_steps, 10 ** heights[i]),
            (10, 0),
            textcoords="offset points",
            va="center",
            color=INK,
            annotation_clip=False,
        )
    axes.set(
        yscale="log",
        ylim=(FAINTEST / 3, 30),
        xlim=(0, n_steps + 1),
        xlabel="step n",
        ylabel="left of token 1",
        title=f"at step {n}",
    )
    axes.set_yticks([1, 1e-5, 1e-10, 1e-15], ["1", "$10^{-5}$", "$10^{-10}$", "$10^{-15}$"])
    axes.minorticks_off()
    spoken = ", ".join(f"{name} {value:.0e}" for name, value in values.items())
    figure.alt = f"Left of token 1 at step {n}, as a share of step 1: {spoken}."
    return figure


def two_senses(words, first, second, names, marked):
    """Return a plane with every word placed by its cosines to two others.

    words: list of n words; first, second: (n,), cosines with the two words of ``names``.
    marked: the word in question, drawn apart.
    """
    figure, axes = new_figure(height=4.2)
    for word, x, y in zip(words, first, second, strict=True):
        here = word == marked
        axes.plot(x, y, "s" if here else "o", color=ORANGE if here else BLUE)
        right = x > RIGHT_HALF  # its name goes to the left, where there is room
        axes.annotate(
            word,
            (x, y),
            (-7 if right else 7, 0),
            textcoords="offset points",
            ha="right" if right else "left",
            va="center",
            color=INK,
            weight="bold" if here else "normal",
        )
    axes.set(xlabel=f"cosine with “{names[0]}”", ylabel=f"cosine with “{names[1]}”")
    x, y = (dict(zip(words, cosines, strict=True))[marked] for cosines in (first, second))
    figure.alt = (
        f"Words by their cosines with {names[0]} and {names[1]}. {marked} has {x:.2f} and {y:.2f}: "
        f"{int((np.asarray(first) > x).sum())} of {len(words)} words are nearer to {names[0]}, "
        f"and {int((np.asarray(second) > y).sum())} nearer to {names[1]}."
    )
    return figure


def _link(panel, start, end, coloured):
    panel.plot(
        *zip(start, end, strict=True),
        color=ORANGE if coloured else MUTED,
        linewidth=2 if coloured else 0.7,
        zorder=2 if coloured else 1,
    )


def _reached(above, beside):
    """Return the outputs that token 0 reaches, over links listed in the order of computing."""
    reached = {output for token, output in above if token == 0}
    for token, output in beside:
        if token in reached:
            reached.add(output)
    return reached


def _longest(beside):
    """Return how many links beside one another follow in the longest chain."""
    steps = {}
    for token, output in beside:
        steps[output] = max(steps.get(output, 0), steps.get(token, 0) + 1)
    return max(steps.values(), default=0)


def _apart(heights, least):
    """Return heights moved up where needed, so that no two labels are nearer than ``least``."""
    moved = np.array(heights, dtype=float)
    order = np.argsort(moved, kind="stable")
    for below, above in zip(order, order[1:], strict=False):
        moved[above] = max(moved[above], moved[below] + least)
    return moved


def _power(value):
    """Write a share as a number, or as a power of ten where it is below one thousandth."""
    return f"{value:.3f}" if value >= 1e-3 else f"$10^{{{np.log10(value):.0f}}}$"
