"""Figures of chapter 07: the loss while a model learns, and what its heads look at."""

import numpy as np
from matplotlib.patches import Rectangle

from casebook.drawing.figures.style import (
    BLUE,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    SEQUENTIAL,
    ink_on,
    new_figure,
    set_margins,
)

EVERY = 10  # a point of the loss curve is the mean of so many steps
HIGHEST = 2  # the first losses stand higher, and above the frame
LOOKS = (
    {"color": GREEN, "linestyle": ":", "marker": "^"},
    {"color": BLUE, "linestyle": "-", "marker": "o"},
    {"color": ORANGE, "linestyle": "--", "marker": "s"},
)
HEAD_COLOURS = (BLUE, ORANGE, GREEN)
LEAST = 0.005  # weights below it are left out: they would read 0


def loss_and_accuracy(losses, steps, accuracies):
    """Return two panels: the loss of each step, and how often the answer is right.

    losses: (n_steps,). steps: (n_checks,), counted from 1.
    accuracies: number of documents -> (n_checks,), for up to three numbers.
    """
    steps = np.asarray(steps)
    figure, (above, below) = new_figure(height=5.0, n_rows=2, sharex=True)
    set_margins(figure, left=0.8, between=0.35)
    _loss_curve(above, losses)
    said = []
    for (n_documents, shares), look in zip(accuracies.items(), LOOKS, strict=False):
        plural = "s" if n_documents > 1 else ""
        below.plot(steps, shares, label=f"{n_documents} document{plural}", **look)
        good = steps[np.asarray(shares) >= 0.9]
        when = f"from step {good[0]}" if len(good) else "never"
        said.append(f"with {n_documents} document{plural} {when}")
    below.set(xlabel="step", ylabel="right answers", ylim=(0, 1.04))
    below.legend(loc="lower right")
    points = [f"{loss_near(losses, step):.2f} at step {step}" for step in steps[2::3]]
    figure.alt = (
        f"The loss starts at {losses[0]:.2f} and is {', '.join(points)}. "
        f"Nine answers in ten are right {', '.join(said)}."
    )
    return figure


def reading_at_step(losses, step, weights, words, title):
    """Return the loss curve with a mark at one step, and where each head looks at that step.

    losses: (n_steps,). step: counted from 1. weights: (n_heads, n_words), of one row.
    words: what is looked at, n_words names. title: stands over the weights.
    """
    weights = np.asarray(weights)
    figure, (above, below) = new_figure(height=4.7, n_rows=2)
    set_margins(figure, left=0.8, bottom=0.9, between=0.95)
    _loss_curve(above, losses)
    here = loss_near(losses, step)
    above.plot([step], [min(here, HIGHEST)], "o", color=ORANGE, markersize=11, clip_on=False)
    above.set_xlabel("step")
    _cells(below, weights)
    names = ["full stop" if word == "." else word for word in words]
    below.set_xticks(np.arange(len(words)) + 0.5, names, rotation=90)
    below.set_yticks(np.arange(len(weights)) + 0.5, [f"head {h}" for h in range(len(weights))])
    below.tick_params(length=0)
    below.set_title(title)
    most = weights.argmax(axis=1)
    looks = [
        f"head {h} most at word {place + 1}, {_spoken(words[place])} ({weights[h, place]:.2f})"
        for h, place in enumerate(most)
    ]
    figure.alt = f"Step {step}, loss {here:.3f}. {title}: {'; '.join(looks)}."
    return figure


def weight_by_document(tables, documents, right):
    """Return bars, one panel for each table: how much weight each head gives to each document.

    tables: title -> (n_heads, n_documents), for up to three heads. documents: their texts.
    right: number of the document that holds the answer, framed.
    """
    figure, panels = new_figure(height=2.6 * len(tables), n_rows=len(tables), squeeze=False)
    set_margins(figure, left=0.7, between=1.0)
    said = []
    for panel, (title, table) in zip(panels[:, 0], tables.items(), strict=True):
        n_heads, n_documents = np.shape(table)
        width = 0.8 / n_heads
        for head, colour in zip(range(n_heads), HEAD_COLOURS, strict=False):
            places = np.arange(n_documents) + (head - (n_heads - 1) / 2) * width
            panel.bar(places, table[head], width * 0.9, color=colour, label=f"head {head}")
        panel.add_patch(Rectangle((right - 0.46, 0), 0.92, 1.02, fill=False, edgecolor=INK))
        panel.set_xticks(range(n_documents), [text.replace(" ", "\n", 1) for text in documents])
        panel.tick_params(axis="x", length=0)
        panel.set(title=title, ylim=(0, 1.05), ylabel="weight", xlim=(-0.6, n_documents - 0.4))
        shares = ", ".join(f"{share:.2f}" for share in np.asarray(table)[:, right])
        said.append(f"{title}: {shares}")
    panels[0, 0].legend(loc="upper right", handlelength=0.9)
    figure.alt = f'Weight of each head on "{documents[right]}". {"; ".join(said)}.'
    return figure


def loss_near(losses, step):
    """Return the mean loss of the ten steps around ``step``, as the curves show it."""
    number = min((step - 1) // EVERY, len(losses) // EVERY - 1)
    return float(np.mean(losses[number * EVERY : (number + 1) * EVERY]))


def _loss_curve(axes, losses):
    """Draw the mean loss of each ten steps at their middle."""
    middles = np.arange(len(losses) // EVERY) * EVERY + (EVERY + 1) / 2
    axes.plot(middles, [loss_near(losses, int(step)) for step in middles], color=BLUE)
    axes.set(ylabel="loss (nats)", ylim=(0, HIGHEST))


def _cells(axes, weights):
    """Draw weights as cells, in per cent, without those that round to 0."""
    shown = np.ma.masked_less(np.round(weights, 2), LEAST)
    axes.pcolormesh(shown, cmap=SEQUENTIAL, vmin=0, vmax=1, edgecolors=MUTED, linewidth=0.3)
    for i, j in np.argwhere(weights >= LEAST):
        weight = round(float(weights[i, j]), 2)
        colour = ink_on(SEQUENTIAL(weight))
        text = f"{100 * weight:.0f}"
        axes.text(j + 0.5, i + 0.5, text, ha="center", va="center", color=colour)
    axes.set(ylim=(len(weights), 0))


def _spoken(word):
    return "full stop" if word == "." else f'"{word}"'
