"""Sliders: what they hold, what they refuse, and that a change in any frame is seen."""

import builtins
import gzip
import importlib
import json
import re
from functools import cache
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.text import Text

from casebook.drawing import explore_live, explore_page, svg
from casebook.drawing.explore import MOST_FRAMES, explore
from casebook.drawing.explore_page import frame_inside
from casebook.drawing.figures import style
from casebook.drawing.same_drawing import same_drawing

STATIC = Path(__file__).parents[1] / "_static"
WHITE, DARK = "#ffffff", "#14181e"  # the theme's two pages


def draw(n=1, scaling="none", nudge=0.0):
    """Return a curve that turns n times."""
    figure, axes = style.new_figure()
    x = np.linspace(0, 1, 20)
    axes.plot(x, np.sin(n * x) + nudge, color=style.BLUE if scaling == "none" else style.ORANGE)
    axes.set(xlabel="position", ylim=(-1, 1))
    figure.alt = f"A curve that turns {n} times, scaling {scaling}."
    return figure


def fail_at_3(n):
    if n == 3:
        raise ValueError("no \x1b[31mroom\x1b[0m for <3> & more")
    return draw(n)


def slider(function=draw, **arguments):
    return explore(function, **({"label": "Turns", "n": range(1, 6), "start": 2} | arguments))


@cache
def usual():
    """Return the slider as it is, drawn once."""
    return slider()


def data_of(html):
    return json.loads(svg.parse(html).find("script").text)


# What a slider holds


def test_the_html_is_markup_and_data_and_no_script_that_runs():
    html = slider(play="n").to_html()
    assert re.findall(r"<script[^>]*>", html) == ['<script type="application/json">']
    assert not re.search(r"\son\w+=|javascript:|https?://(?!www\.w3\.org)", html)
    root = svg.parse(html)
    assert root.find("div/img").get("alt") == "A curve that turns 2 times, scaling none."
    picture = unquote(root.find("div/img").get("src").removeprefix("data:image/svg+xml,"))
    assert picture == usual().frames[1].drawing  # stands alone: has its namespace and paper
    controls = root.findall("div")[1]
    assert (controls.get("class"), controls.get("style")) == ("explore-controls", "display:none")
    field = controls.find(".//label/input")
    assert (field.get("type"), field.get("value"), field.get("max")) == ("range", "1", "4")
    assert field.get("aria-valuetext") == "2"
    assert controls.find(".//label/span").text == "Turns"
    assert controls.find(".//button").text == "Play"
    assert root.find("p").text == "Run this cell to move the slider."


def test_only_play_brings_a_button():
    assert "<button" not in usual().to_html()


def test_elements_that_html_cannot_close_alone_are_not_empty():
    html = slider(play="n").to_html()
    void = {"img", "input"}
    assert set(re.findall(r"<(\w+)[^>]*/>", html)) <= void


def test_every_frame_can_be_put_together_from_the_shared_parts():
    made = usual()
    data = data_of(made.to_html())
    assert data["sliders"] == {"n": ["1", "2", "3", "4", "5"]}
    assert data["start"] == 1
    assert data["alts"] == [frame.alt for frame in made.frames]
    for number, frame in enumerate(made.frames):
        put_together = f"{data['open']}{frame_inside(data, number)}</svg>"
        prefix = re.search(r'id="(x\w+)-', put_together)[1]
        assert put_together == svg.inline(frame.drawing, prefix)
    shared = sum(sum(runs[1::2]) for runs in data["frames"])
    assert len(data["parts"]) < shared / 3


def test_several_sliders_make_all_combinations_the_last_fastest():
    made = explore(
        draw, label={"n": "Turns", "scaling": "Scaling"}, n=[1, 2], scaling=["none", "sqrt"]
    )
    choices = [tuple(frame.choice.values()) for frame in made.frames]
    assert choices == [(1, "none"), (1, "sqrt"), (2, "none"), (2, "sqrt")]
    assert made.start_number == 0
    started = explore(
        draw, label=made.labels, start={"scaling": "sqrt"}, n=[1, 2], scaling=["none", "sqrt"]
    )
    assert started.start_number == 1


def test_frames_of_several_sizes_share_one_box():
    def grow(n):
        figure, _ = style.new_figure(width=3 + n, height=3)
        figure.alt = "An empty frame."
        return figure

    data = data_of(slider(grow, n=[1, 2], start=1).to_html())
    assert 'viewBox="0 0 360 216"' in data["open"]


def test_in_the_book_the_starting_frame_is_part_of_the_page_and_the_hint_is_gone():
    html = usual().to_html()
    page = explore_page.for_book(html)
    root = svg.parse(page)
    drawing = root.find("div/svg")
    assert drawing.get("aria-label") == "A curve that turns 2 times, scaling none."
    assert drawing.get("fill") == "currentColor" and len(drawing) > 5
    assert root.find("p") is None and root.find("div/img") is None
    assert data_of(page) == data_of(html)
    assert explore_page.for_book("<table>1 < 2</table>") == "<table>1 < 2</table>"


def test_alt_may_be_a_function_of_the_choice():
    made = slider(alt=lambda n: f"Frame {n}.")
    assert [frame.alt for frame in made.frames][:2] == ["Frame 1.", "Frame 2."]


def test_two_sliders_of_a_page_do_not_share_ids():
    ids = [set(re.findall(r'id=\\"([\w-]+)\\"', slider(label=word).to_html())) for word in "ab"]
    assert ids[0] and not ids[0] & ids[1]


def test_sixty_frames_stay_small():
    html = slider(n=range(1, 61)).to_html()
    assert len(gzip.compress(html.encode())) < 25_000


# What it refuses


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"n": range(0)}, ValueError, "n is range(0, 0), which is empty"),
        ({"n": []}, ValueError, "n is [], which is empty"),
        ({"n": "abc"}, TypeError, "n is 'abc': expected a range or a list"),
        ({"n": 3}, TypeError, "n is 3: expected a range or a list"),
        ({"n": [1, 1]}, ValueError, "expected values that differ"),
        ({"n": [1, None]}, TypeError, "n holds None: expected numbers or texts"),
        ({"n": [True, False]}, TypeError, "n holds True"),
        ({"n": ["", "a"]}, TypeError, "n holds ''"),
        ({"n": range(65)}, ValueError, "n make 65 frames: expected at most 64"),
        ({"start": 9}, ValueError, "start is 9 for n: expected one of 1, 2, 3, 4, 5"),
        ({"start": {"m": 1}}, ValueError, "start names 'm'"),
        ({"play": "m"}, ValueError, "play is 'm': expected the name of a slider, n"),
        ({"function": 3}, TypeError, "draw is 3: expected a function"),
        ({"function": lambda m: None}, TypeError, "draw does not take the sliders n by name"),
        ({"function": lambda n: None}, TypeError, "draw returned NoneType for n = 1"),
        ({"alt": "words"}, TypeError, "alt is 'words': expected a function"),
        ({"alt": lambda: ""}, TypeError, "alt does not take the sliders n"),
        ({"alt": lambda n: " "}, ValueError, "n = 1 has no alternative text"),
        ({"label": ""}, ValueError, "label is '': expected what is chosen in words, a text"),
        ({"label": {"n": " "}}, ValueError, "label is {'n': ' '}"),
        ({"n": iter([1, 2])}, TypeError, "expected a range or a list"),
        ({"label": {"m": "x"}}, ValueError, "label is {'m': 'x'}"),
    ],
)
def test_what_cannot_make_a_slider_is_refused_in_one_sentence(arguments, error, said):
    with pytest.raises(error) as caught:
        slider(**arguments)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_choices_several_labels_and_too_many_frames_in_all_are_refused():
    with pytest.raises(ValueError, match="nothing to choose"):
        explore(draw, label="Turns")
    with pytest.raises(ValueError, match="for several sliders a dict"):
        explore(draw, label="Turns", n=[1], scaling=["a"])
    with pytest.raises(TypeError, match="expected a dict from slider to value"):
        explore(draw, label={"n": "a", "scaling": "b"}, start=1, n=[1], scaling=["a"])
    many = {"n": range(13), "scaling": list("abcde")}
    with pytest.raises(ValueError, match=f"make 65 frames: expected at most {MOST_FRAMES}"):
        explore(draw, label={"n": "a", "scaling": "b"}, **many)


def test_a_frame_that_cannot_be_drawn_says_so_and_the_others_work():
    made = slider(fail_at_3)
    words = "n = 3 cannot be drawn. ValueError: no [31mroom[0m for <3> & more"
    assert made.frames[2].alt == words
    html = made.to_html()
    data = data_of(html)
    inside = frame_inside(data, 2)
    assert 'class="explore-error"' in inside
    assert "".join(svg.parse(f"<svg>{inside}</svg>").itertext()).replace(" ", "") == words.replace(
        " ", ""
    )
    assert "explore-error" not in "".join(frame_inside(data, i) for i in (0, 1, 3, 4))
    assert f"{words}\n  not drawn" in made.describe()
    assert svg.parse(slider(fail_at_3, start=3).to_html()).find("div/img").get("alt") == words


def test_a_slider_all_of_whose_frames_fail_still_says_so():
    def fail(n):
        raise KeyError("nothing")

    assert slider(fail).to_html().count("explore-error") == 5 + 1  # the starting frame stands apart


# A change in any frame is seen, noise is not


def test_noise_is_accepted_by_both_gates():
    noisy = slider(lambda n: draw(n, nudge=2e-16))
    assert noisy.describe() == usual().describe()
    assert same_drawing(usual().to_html(), noisy.to_html()) is None


@pytest.mark.parametrize("changed", range(1, 6))
def test_a_change_in_one_frame_is_seen_and_that_frame_named(changed):
    other = slider(lambda n: draw(n, nudge=0.01 if n == changed else 0))
    where = "starting frame" if changed == 2 else f"n = {changed}"
    assert same_drawing(usual().to_html(), other.to_html()).startswith(f"{where}: at svg/")
    before, after = usual().describe().splitlines(), other.describe().splitlines()
    heads = [line for line in before if line.startswith("n = ")]
    assert heads == [line for line in after if line.startswith("n = ")]
    assert before != after


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"label": "Rounds"}, "aria-label is 'Rounds'"),
        ({"start": 3}, "alt is"),
        ({"alt": lambda n: "Another text."}, "alt is"),
        ({"n": range(1, 7)}, "frames"),
        ({"n": [1, 2, 3, 4, 6]}, "frames of other choices"),
    ],
)
def test_a_change_around_the_frames_is_seen(arguments, said):
    assert said in same_drawing(usual().to_html(), slider(**arguments).to_html())


def test_a_slider_with_broken_data_is_said_to_be_unreadable():
    html = usual().to_html()
    for broken in (html[:-50], html.replace('"frames"', '"other"'), html.replace("[0,", "[9999,")):
        assert same_drawing(html, broken) is not None


def test_the_text_gives_the_first_frame_in_full_and_of_the_others_what_differs():
    lines = usual().describe().splitlines()
    assert lines[0] == "explore Turns; starts at n = 2"
    assert lines[1] == "n = 1: A curve that turns 1 times, scaling none."
    assert lines[2] == "  figure 5.2 x 3.2 in"
    assert lines[-2] == "n = 5: A curve that turns 5 times, scaling none."
    assert lines[-1].startswith("    line2d #0072b2")


# Live in Jupyter


def test_in_a_kernel_the_widgets_stand_beside_the_html(monkeypatch):
    pytest.importorskip("ipywidgets")
    made = usual()
    assert set(made._repr_mimebundle_()) == {"text/html", "text/plain"}
    monkeypatch.setattr(explore_live, "_kernel_runs", lambda: True)
    assert set(made._repr_mimebundle_()) == {
        "text/html", "text/plain", "application/vnd.jupyter.widget-view+json",
    }  # fmt: skip
    assert explore_page.RUN_HINT in made._repr_mimebundle_()["text/html"]


def test_the_live_slider_draws_anew_and_says_what_fails():
    pytest.importorskip("ipywidgets")
    drawn = []

    def draw_and_note(n):
        drawn.append(n)
        return fail_at_3(n)

    box = explore_live.widgets(slider(draw_and_note, play="n"))
    (play, control), stage = box.children[0].children, box.children[1]
    assert control.value == 2 and "turns 2 times" in stage.value
    drawn.clear()
    control.value = 5
    assert drawn == [5] and "turns 5 times" in stage.value
    control.value = 3
    assert 'class="explore-error"' in stage.value and "&lt;3&gt; &amp; more" in stage.value
    assert "\n" not in stage.value and play.max == 4


def test_a_live_draw_that_returns_no_figure_says_so():
    pytest.importorskip("ipywidgets")
    answers = iter([draw(1), draw(2), draw(1), "a text"])
    made = explore(lambda n: next(answers), label="Turns", n=[1, 2])
    box = explore_live.widgets(made)
    box.children[0].value = 2
    assert "draw returned str for n = 2" in box.children[1].value


def test_without_ipywidgets_the_html_serves(monkeypatch):
    real_import = builtins.__import__

    def no_widgets(name, *rest):
        if name.startswith("ipywidgets"):
            raise ImportError(name)
        return real_import(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_widgets)
    importlib.reload(explore_live)
    try:
        monkeypatch.setattr(explore_live, "_kernel_runs", lambda: True)
        bundle = usual()._repr_mimebundle_()
        assert set(bundle) == {"text/html", "text/plain"}
        assert explore_page.INSTALL_HINT in bundle["text/html"]
    finally:
        monkeypatch.undo()
        importlib.reload(explore_live)


# The script and the colours


def test_the_script_is_tiny_and_asks_nobody():
    script = (STATIC / "explore.js").read_text(encoding="utf-8")
    assert len(script) < 5500
    assert not re.search(r"https?:|fetch|import|eval|localStorage", script)


def contrast(one, other):
    lighter, darker = sorted(map(style.relative_luminance, (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


COLOURS = {name: getattr(style, name) for name in ("MUTED", "BLUE", "ORANGE", "GREEN", "PURPLE")}


@pytest.mark.parametrize("name", COLOURS)
def test_colours_stand_out_on_both_pages(name):
    assert contrast(COLOURS[name], WHITE) >= 3
    assert contrast(COLOURS[name], DARK) >= 3


@pytest.mark.parametrize("colour_map", [style.SEQUENTIAL, style.DIVERGING])
def test_numbers_in_cells_can_be_read_on_both_pages(colour_map):
    for value in np.linspace(0, 1, 101):
        cell = np.array(colour_map(value))
        for paper, ink in ((WHITE, "#000000"), (DARK, "#ffffff")):
            shown = to_hex(cell[:3] * cell[3] + np.array(to_rgb(paper)) * (1 - cell[3]))
            text = style.ink_on(cell)
            assert contrast(ink if text == style.INK else text, shown) >= 4.5


# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB.
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
}  # fmt: skip
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def seen_as(colour, blindness):
    """Return the CIE L*a*b* of a colour as someone with a colour blindness sees it."""
    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(BLINDNESS[blindness]) @ linear, 0, 1)
    x, y, z = np.cbrt(TO_XYZ @ seen / (TO_XYZ @ np.ones(3)))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize("pair", [*combinations(("BLUE", "ORANGE", "GREEN", "PURPLE"), 2)])
def test_colours_differ_also_for_the_colour_blind(pair, blindness):
    one, other = (seen_as(COLOURS[name], blindness) for name in pair)
    assert np.linalg.norm(one - other) >= 18


def test_text_is_at_least_ten_pixels_high_on_a_phone():
    figure, axes = style.new_figure()
    axes.set(title="title", xlabel="x")
    axes.text(0, 0, "words")
    sizes = {text.get_fontsize() for text in figure.findobj(Text)}
    points = figure.get_size_inches()[0] * 72
    assert min(sizes) * 358 / points >= 10  # 390 pixels less the page's margins


def test_margins_that_leave_no_room_are_refused():
    with pytest.raises(ValueError, match="expected more than its margins need"):
        style.new_figure(width=0.5)
