"""Drawings: the same in every process, small, readable in the page, and comparable."""

import re
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.drawing import svg
from casebook.drawing.figures.style import BLUE, DIVERGING, INK, ORANGE, SEQUENTIAL, new_figure
from casebook.drawing.same_drawing import same_drawing

SCRIPT = """
import sys
sys.stdout.reconfigure(encoding="utf-8", newline="")
from tests.test_svg import drawn
print(drawn(), end="")
"""


def drawn(y=(0.0, 1.0, 0.5), colour=BLUE, word="the curve", shade=0.5, marker="o"):
    """Return a small figure with something of every kind, as SVG text."""
    figure, axes = new_figure()
    axes.pcolormesh([[shade, 0.0], [0.25, 1.0]], cmap=SEQUENTIAL, vmin=0, vmax=1)
    axes.plot([0, 1, 2], y, marker=marker, color=colour)
    axes.text(0.5, 0.5, word, color="white")
    axes.annotate("here", (1, 1), (1.5, 0.5), arrowprops={"arrowstyle": "->"})
    axes.set(
        title="title & <more>", xlabel="width $d_k$", ylabel="weight", xlim=(0, 2), ylim=(0, 2)
    )
    return figure.to_svg()


@cache
def usual():
    """Return the figure as it is, drawn once."""
    return drawn()


def test_two_processes_draw_the_same_bytes():
    command = [sys.executable, "-c", SCRIPT]
    other = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
    assert other.stdout == usual()


def test_noise_in_the_last_bits_leaves_the_bytes_alone():
    y = np.array([0.1, 1.03125, 0.7])
    assert drawn(y) == drawn(y * (1 + 3e-16)) == drawn(y * (1 - 3e-16))


def test_a_drawing_holds_no_clutter():
    text = usual()
    for word in ("<?xml", "DOCTYPE", "<!--", "metadata", " style=", "xlink", "matplotlib", "\n"):
        assert word not in text
    assert len(text) < 6000


def test_text_stays_text_also_in_formulas():
    text = usual()
    assert ">title &amp; &lt;more&gt;</text>" in text
    assert ">width</tspan>" in text
    assert 'font-style="italic"' in text


def test_coordinates_have_two_decimals():
    for element in svg.parse(usual()).iter():
        for name in ("d", "x", "y", "transform"):
            assert not re.search(r"\.\d{3}", element.get(name, ""))


def test_invisible_cells_are_left_out():
    mesh = svg.parse(usual()).find("g[@shape-rendering='crispEdges']")
    assert [cell.get("fill-opacity") for cell in mesh] == ["0.5", "0.25", None]  # not the 0
    assert mesh.get("fill") == BLUE and "clip-path" in mesh.attrib
    assert all(re.fullmatch(r"M[\d. ]+H[\d.]+V[\d.]+H[\d.]+z", cell.get("d")) for cell in mesh)


def test_inline_has_no_paper_and_takes_the_colour_of_the_page():
    page = svg.inline(usual(), "fig-1", 'Three "points" & a curve')
    assert page.startswith('<svg class="drawing" role="img" aria-label=')
    root = svg.parse(page)
    assert root.get("aria-label") == 'Three "points" & a curve'
    assert root.get("viewBox") == "0 0 374.4 230.4"
    assert root.get("width") == "499"
    assert root.get("fill") == "currentColor"
    assert INK not in page
    assert 'stroke="currentColor"' in page
    assert 'width="100%"' not in page
    assert 'fill="#ffffff"' in page  # white text on a dark cell stays white


def test_inline_ids_differ_between_drawings_and_all_references_hold():
    first, second = (svg.parse(svg.inline(usual(), prefix)) for prefix in ("a", "b"))
    ids = [{e.get("id") for e in root.iter()} - {None} for root in (first, second)]
    assert ids[0] and not ids[0] & ids[1]
    for root, known in zip((first, second), ids, strict=True):
        values = [v for e in root.iter() for v in e.attrib.values()]
        references = [v[1:] for v in values if v.startswith(("#a-", "#b-"))]
        references += [v[5:-1] for v in values if v.startswith("url(#")]
        assert references and set(references) <= known


@pytest.mark.parametrize("prefix", ["", "1a", "a b", 'a"'])
def test_inline_refuses_a_prefix_that_cannot_begin_an_id(prefix):
    with pytest.raises(ValueError, match="prefix is"):
        svg.inline(usual(), prefix)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not well-formed"),
        ("<svg><path></svg>", "not well-formed"),
        ("plain words", "not well-formed"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', "entities"),
        ("<p>words</p>", "<p> element"),
        ("<svg/>", "viewBox is None"),
        ('<svg viewBox="0 0 a b"/>', "viewBox is '0 0 a b'"),
    ],
)
def test_inline_says_what_is_wrong_with_a_text_that_is_no_drawing(text, reason):
    with pytest.raises(ValueError, match=reason):
        svg.inline(text, "a")


def test_a_drawing_is_the_same_as_itself_and_as_one_a_hair_away():
    assert same_drawing(usual(), drawn()) is None
    moved = drawn(y=(0.0, 1.0003, 0.5))
    assert moved != usual()
    assert same_drawing(usual(), moved) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"y": (0.0, 1.01, 0.5)}, "d differs: number 3 is"),
        ({"colour": ORANGE}, "stroke is '#d55e00' instead of '#0072b2'"),
        ({"word": "the other curve"}, "text 'the other curve' instead of 'the curve'"),
        ({"shade": 0.51}, "fill-opacity differs"),
        ({"y": (0.0, 1.0, 0.5, 0.5)[:2] + (float("nan"),)}, "d has another form"),
        ({"marker": "s"}, "stroke-linejoin"),
    ],
)
def test_a_change_is_seen_and_named(change, said):
    assert said in same_drawing(usual(), drawn(**change))


def test_a_changed_shape_behind_a_reference_is_seen_although_ids_are_not_compared():
    reference = '<svg><defs><path id="a" d="M0 0L1 1"/></defs><use href="#a"/></svg>'
    renamed = reference.replace('"a"', '"b"').replace("#a", "#b")
    assert same_drawing(reference, renamed) is None
    two = '<svg><path id="a" d="M0 0"/><path id="b" d="M5 5"/><use href="#a"/></svg>'
    assert "-> path" in same_drawing(two, two.replace("#a", "#b"))
    assert "refers to nothing" in same_drawing(reference, reference.replace("#a", "#c"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("<g/>", "", "1 elements inside instead of 2"),
        ("<g/>", "<path/>", "<path> instead of <g>"),
        ('x="1"', 'y="1"', "only one has x, y"),
        ('x="1"', 'x="nan"', "has another form"),
        (">0.69<", ">0.70<", "text '0.70' instead of '0.69'"),
    ],
)
def test_a_changed_structure_or_printed_number_is_seen(old, new, said):
    drawing = '<svg><text x="1">0.69</text><g/></svg>'
    assert said in same_drawing(drawing, drawing.replace(old, new))


@pytest.mark.parametrize("text", ["", "<svg", "\x00", "<svg>&unknown;</svg>", None])
def test_a_drawing_that_cannot_be_read_is_said_to_be_so(text):
    assert "the new drawing cannot be read" in same_drawing(usual(), text)
    assert "the expected drawing cannot be read" in same_drawing(text, usual())


@given(st.text(max_size=60))
def test_any_text_is_compared_without_an_error(text):
    assert same_drawing(text, text) is None or "cannot be read" in same_drawing(text, text)


def test_colour_maps_show_zero_as_the_page_itself():
    assert SEQUENTIAL(0.0)[3] == 0
    assert DIVERGING(0.5)[3] < 0.01
    assert SEQUENTIAL(1.0)[3] == DIVERGING(0.0)[3] == DIVERGING(1.0)[3] == 1
