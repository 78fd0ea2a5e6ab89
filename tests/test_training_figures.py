"""casebook.drawing.figures.training: what is drawn and said is what was measured."""

import numpy as np

from casebook.drawing import figures
from casebook.drawing.figures.training import loss_near

LOSSES = np.repeat([5.0, 1.0, 0.5, 0.25], 10)
WEIGHTS = np.array([[0.1, 0.7, 0.004, 0.196], [0.25, 0.25, 0.25, 0.25], [0, 0, 0.05, 0.95]])


def test_the_loss_is_the_mean_of_the_ten_steps_around():
    assert [loss_near(LOSSES, step) for step in (1, 10, 11, 40)] == [5, 5, 1, 0.25]
    assert loss_near(LOSSES[:37], 37) == 0.5  # what is left over is not shown


def test_the_curves_say_when_nine_in_ten_are_right():
    shares = {1: [0.1, 0.95, 1], 2: [0, 0.6, 0.9], 4: [0, 0.5, 0.6]}
    figure = figures.loss_and_accuracy(LOSSES, [1, 20, 40], shares)
    loss, right = figure.axes
    np.testing.assert_allclose(loss.lines[0].get_xdata(), [5.5, 15.5, 25.5, 35.5])
    np.testing.assert_allclose(loss.lines[0].get_ydata(), [5, 1, 0.5, 0.25])
    np.testing.assert_allclose([line.get_ydata() for line in right.lines], [*shares.values()])
    assert "starts at 5.00" in figure.alt
    assert "1 document from step 20, with 2 documents from step 40" in figure.alt
    assert "4 documents never" in figure.alt


def test_a_frame_marks_the_step_and_writes_each_weight():
    figure = figures.reading_at_step(LOSSES, 15, WEIGHTS, ["vera", "drinks", "tea", "."], "writes")
    above, below = figure.axes
    assert [*above.lines[1].get_xydata()[0]] == [15, 1]
    written = [text.get_text() for text in below.texts]
    assert written == ["10", "70", "20", "25", "25", "25", "25", "5", "95"]
    assert 'head 0 most at word 2, "drinks" (0.70)' in figure.alt
    assert "head 2 most at word 4, full stop (0.95)" in figure.alt


def test_a_mark_above_the_frame_is_drawn_at_its_edge():
    figure = figures.reading_at_step(LOSSES, 1, WEIGHTS, list("abcd"), "writes")
    assert [*figure.axes[0].lines[1].get_xydata()[0]] == [1, 2]
    assert figure.alt.startswith("Step 1, loss 5.000.")


def test_bars_stand_over_their_document():
    tables = {"before": np.full((3, 2), 0.5), "after": np.array([[0, 1], [0.1, 0.9], [0.2, 0.8]])}
    figure = figures.weight_by_document(tables, ["a b", "c d"], right=1)
    heights = [bar.get_height() for bar in figure.axes[1].patches[:6]]
    np.testing.assert_allclose(heights, [0, 1, 0.1, 0.9, 0.2, 0.8])
    middles = [bar.get_x() + bar.get_width() / 2 for bar in figure.axes[1].patches[:6]]
    np.testing.assert_allclose(np.round(middles), [0, 1] * 3)
    assert figure.alt == (
        'Weight of each head on "c d". before: 0.50, 0.50, 0.50; after: 1.00, 0.90, 0.80.'
    )
