"""casebook.drawing.figures.lessons: what is drawn and said is what the losses are."""

import numpy as np
import pytest

from casebook.drawing import figures


def test_two_losses_are_drawn_as_means_of_ten_steps():
    losses = {"next word": np.arange(25.0), "fill in": [2.0] * 20 + [0.5] * 10}
    figure = figures.two_losses(losses, {"a guess": 2.0})
    first, second, level = figure.axes[0].lines
    np.testing.assert_allclose(first.get_xydata(), [[5, 4.5], [15, 14.5]])
    np.testing.assert_allclose(second.get_ydata(), [2, 2, 0.5])
    np.testing.assert_allclose(level.get_ydata(), 2)
    assert [text.get_text() for text in figure.axes[0].texts] == ["a guess"]
    assert figure.alt == (
        "Mean loss of ten steps: next word from 4.50 to 14.50, fill in from 2.00 to 0.50."
    )


def test_two_losses_take_two_curves():
    with pytest.raises(ValueError, match="holds 1 curves: expected 2"):
        figures.two_losses({"one": np.zeros(10)}, {})
