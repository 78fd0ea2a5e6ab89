"""The colours of the figures, calculated: readable and told apart, by every eye, light and dark."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from casebook.drawing.figures import style
from tests.colours import DEFICIENCIES, LEAST_CONTRAST, contrast, distance, lab, over, seen_with

SHEET = Path(__file__).parents[1] / "_static" / "course.css"
LEAST_GRAPHIC_CONTRAST = 3  # Web Content Accessibility Guidelines 2.2, criterion 1.4.11
LEAST_DISTANCE = 15  # six times what is just noticed
LEVELS = np.linspace(0, 1, 201)
# The page, and the colour that INK takes there.
PAGES = {
    "light": (re.findall("--pst-color-background: (#.{6});", SHEET.read_text("utf-8"))[0], "black"),
    "dark": (re.findall("--pst-color-background: (#.{6});", SHEET.read_text("utf-8"))[1], "white"),
    "notebook": ("white", "black"),
}
MAPS = {"sequential": style.SEQUENTIAL, "diverging": style.DIVERGING}


@pytest.fixture(params=PAGES)
def page_and_ink(request):
    return PAGES[request.param]


def too_close(colours, deficiency, page):
    """Return the pairs of colours that such an eye tells apart with difficulty or not at all."""
    seen = {colour: seen_with(deficiency, over(colour, page)) for colour in colours}
    pairs = itertools.combinations(colours, 2)
    return [pair for pair in pairs if distance(*(seen[one] for one in pair)) < LEAST_DISTANCE]


def is_monotone(colours, deficiency, page):
    lightness = [lab(seen_with(deficiency, over(colour, page)))[0] for colour in colours]
    steps = np.diff(lightness)
    return bool((steps < 0).all() or (steps > 0).all())


def test_the_measures_agree_with_known_values():
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21)
    assert contrast(over("#777777", "white"), (1, 1, 1)) == pytest.approx(4.478, abs=0.001)
    assert lab((1, 1, 1)) == pytest.approx([100, 0, 0], abs=0.01)
    assert lab((1, 0, 0)) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    assert over((0, 0, 0, 0.25), "white") == pytest.approx([0.75, 0.75, 0.75])


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_grey_looks_the_same_to_everyone(deficiency):
    assert seen_with(deficiency, (0.5, 0.5, 0.5)) == pytest.approx([0.5] * 3, abs=1e-3)


def test_red_and_green_of_one_lightness_are_rejected():
    red, green = "#b0504a", "#6f7a2a"
    assert not too_close([red, green], "none", "white")
    assert too_close([red, green], "deuteranopia", "white")


def test_rainbow_is_rejected():
    rainbow = [style.matplotlib.colormaps["jet"](level) for level in LEVELS]
    assert not is_monotone(rainbow, "none", "white")


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_lines_are_told_apart(page_and_ink, deficiency):
    assert too_close(style.CYCLE, deficiency, page_and_ink[0]) == []


def test_lines_stand_out(page_and_ink):
    page, _ = page_and_ink
    for colour in (*style.CYCLE, style.MUTED):
        assert contrast(over(colour, page), over(page, page)) >= LEAST_GRAPHIC_CONTRAST, colour


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_more_colour_means_more(page_and_ink, name, deficiency):
    colours = [MAPS[name](level) for level in LEVELS]
    if name == "diverging":
        assert is_monotone(colours[:100], deficiency, page_and_ink[0])
        assert not too_close([colours[0], colours[-1]], deficiency, page_and_ink[0])
        colours = colours[101:]
    assert is_monotone(colours, deficiency, page_and_ink[0])


@pytest.mark.parametrize("name", MAPS)
def test_numbers_in_cells_are_readable(page_and_ink, name):
    page, ink = page_and_ink
    for level in LEVELS:
        cell = MAPS[name](level)
        text = style.ink_on(cell)
        shown = over(ink if text == style.INK else text, page)
        assert contrast(shown, over(cell, page)) >= LEAST_CONTRAST, f"{name} at {level:.3f}"
