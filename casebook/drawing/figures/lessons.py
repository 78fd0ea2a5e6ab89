"""The figure of exercise 07: two losses of one text."""

import numpy as np

from casebook.drawing.figures.style import BLUE, MUTED, ORANGE, new_figure, set_margins

EVERY = 10  # a point is the mean of so many steps
LOOKS = ({"color": BLUE, "marker": "o"}, {"color": ORANGE, "marker": "s", "linestyle": "--"})


def two_losses(losses, levels):
    """Return the course of two losses, each point the mean of ten steps.

    losses: name -> (n_steps,), for two names. levels: what is written at a line -> its height.
    Raises: ValueError for another number of curves.
    """
    if len(losses) != len(LOOKS):
        raise ValueError(f"losses holds {len(losses)} curves: expected {len(LOOKS)}")
    figure, axes = new_figure(height=3.4)
    set_margins(figure, left=0.8)
    said = []
    for (name, curve), look in zip(losses.items(), LOOKS, strict=True):
        means = np.reshape(curve[: len(curve) // EVERY * EVERY], (-1, EVERY)).mean(axis=1)
        steps = (np.arange(len(means)) + 0.5) * EVERY
        axes.plot(steps, means, label=name, markersize=4, **look)
        said.append(f"{name} from {means[0]:.2f} to {means[-1]:.2f}")
    for text, height in levels.items():
        axes.axhline(height, color=MUTED, linewidth=1, linestyle=":")
        place = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
        axes.annotate(text, (1, height), (-2, 7), ha="right", **place)
    axes.set(xlabel="step", ylabel="loss (nats)")
    axes.set_ylim(bottom=0)
    axes.legend(loc="center right")
    figure.alt = f"Mean loss of ten steps: {', '.join(said)}."
    return figure
