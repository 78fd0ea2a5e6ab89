"""casebook.drawing.figures.positional: what is drawn is what the encoding says."""

import numpy as np
import pytest
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from casebook.drawing.figures import clock_hands, encoding_heatmap, rotary_pair
from casebook.drawing.figures.style import DIVERGING
from casebook.positional import clock_angles, rotate, sinusoidal_encoding


@pytest.mark.parametrize("position", [0, 3, 58])
def test_the_numbers_in_the_cells_are_the_row_of_the_encoding(position):
    figure = clock_hands(position, clock_angles(60, 8))
    texts = [text.get_text() for text in figure.axes[0].texts]
    row = [f"{value:.2f}" for value in sinusoidal_encoding(60, 8)[position]]
    assert [text for text in texts if text.lstrip("-").replace(".", "").isdigit()] == row
    assert figure.alt.endswith(f"The row reads {', '.join(row)}.")


def test_a_tip_stands_right_by_the_sine_and_up_by_the_cosine():
    angles = clock_angles(60, 8)
    still, moved = (_tips(clock_hands(position, angles)) for position in (0, 17))
    radius = 0.46  # at position 0 every hand points straight up
    shift = np.stack([np.sin(angles[17]), np.cos(angles[17]) - 1])
    np.testing.assert_allclose(moved - still, radius * shift, atol=1e-12)


def test_a_trail_grows_outwards_and_ends_below_its_hand():
    figure = clock_hands(30, clock_angles(60, 2))
    trail = next(line for line in figure.axes[0].lines if line.get_linewidth() == 1.2)
    path = np.transpose(trail.get_xydata()[:-1])  # without the break at its end
    centre, tip = path[:, 0], _tips(figure)[:, 0]
    distances = np.hypot(*(path - centre[:, None]))
    assert (np.diff(distances) > 0).all()
    np.testing.assert_allclose(path[:, -1] - centre, 30 / 59 * (tip - centre), atol=1e-12)


def test_every_number_of_a_heat_map_lies_in_a_cell_of_its_shade():
    encoding = sinusoidal_encoding(20, 8)
    shapes = [a for a in encoding_heatmap(encoding).axes[0].patches if isinstance(a, PathPatch)]
    for (row, column), value in np.ndenumerate(encoding):
        point = (column + 0.5, row + 0.5)
        found = [shape for shape in shapes if _covers(shape.get_path(), point)]
        assert len(found) == 1
        wanted = DIVERGING((np.round(value * 12) / 12 + 1) / 2)
        np.testing.assert_allclose(found[0].get_facecolor(), wanted, atol=1e-6)


def test_turning_both_arrows_leaves_the_score_and_the_angle_between_them():
    pair = np.array([[1.2, 0.5], [0.4, 1.1]])
    figures = [rotary_pair(*rotate(pair, [m, m + 2]), 2, [0, 4], [0, 0]) for m in (0, 7)]
    assert figures[0].axes[1].get_title("left") == figures[1].axes[1].get_title("left")
    assert figures[0].alt != figures[1].alt
    spans = [np.ptp(np.unwrap(np.arctan2(*_arc(figure)))) for figure in figures]
    assert spans[0] == pytest.approx(spans[1])


def _tips(figure):
    return np.array(
        next(line for line in figure.axes[0].lines if line.get_marker() == "o").get_data()
    )


def _arc(figure):
    return figure.axes[0].lines[0].get_ydata(), figure.axes[0].lines[0].get_xdata()


def _covers(path, point):
    corners = path.vertices.reshape(-1, 5, 2)
    return any(Path(corner).contains_point(point) for corner in corners)
