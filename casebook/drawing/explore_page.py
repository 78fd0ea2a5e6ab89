"""The HTML form of a slider: markup and data, no script.

The starting frame stands as an image, the one form of a drawing that Jupyter shows in
a notebook it does not trust; in the book it becomes part of the page. The data hold
every part of the drawings once, and for each frame the runs of parts that make it.
``_static/explore.js`` shows the controls and moves between the frames.
"""

import hashlib
import json
import textwrap
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement

from casebook.drawing import svg

# Seen only where explore.css is absent, that is in Jupyter and on a code host.
RUN_HINT = "Run this cell to move the slider."
INSTALL_HINT = "Install ipywidgets to move the slider here."

OPENING = '<div class="explore"'  # by which the HTML of a slider is told from any other

_EMPTY_BOX = (374.4, 120.0)  # points; for a slider none of whose frames could be drawn
_TEXT_SIZE = 11
_LETTERS_A_LINE = 52


def spoken(choice):
    """Return a choice in words: ``n = 3, scaling = none``."""
    return ", ".join(f"{name} = {value_text(value)}" for name, value in choice.items())


def value_text(value):
    """Return a value of a slider as text, without noise in its last digits."""
    return value if isinstance(value, str) else f"{value:.6g}"


def page(explore, hint):
    """Return the HTML of a slider; it is well-formed XML too.

    explore: a :class:`casebook.drawing.explore.Explore`. hint: what is said where no script runs.
    """
    box = _common_box(explore.frames)
    drawings = [_in_box(frame, box) for frame in explore.frames]
    start = explore.start_number
    root = Element("div", {"class": "explore", "role": "group"})
    root.set("aria-label", ", ".join(explore.labels.values()))
    stage = SubElement(root, "div", {"class": "explore-stage"})
    address = "data:image/svg+xml," + quote(drawings[start], safe=" =:/,;()'")
    SubElement(stage, "img", {"src": address, "alt": explore.frames[start].alt})
    root.append(_controls(explore))
    SubElement(root, "p", {"class": "explore-hint"}).text = hint
    script = SubElement(root, "script", {"type": "application/json"})
    script.text = as_json(_data(explore, drawings))
    return svg.write(root)


def id_prefix(explore):
    """Return the start of the ids, which differs between the sliders of a page."""
    said = json.dumps([explore.labels, explore.choices, explore.frames[0].alt])
    return "x" + hashlib.sha256(said.encode()).hexdigest()[:5]


def for_book(html):
    """Return the HTML of a slider as it stands in the book.

    The starting frame becomes part of the page, so that its ink follows light and
    dark; the hint, meant for Jupyter, goes.

    html: what :func:`page` returned; any other HTML is returned as it is.
    """
    if not html.startswith(OPENING):
        return html
    root = svg.parse(html)
    data = json.loads(root.find("script").text)
    number = data["start"]
    drawing = svg.parse(f"{data['open']}{frame_inside(data, number)}</svg>")
    drawing.set("aria-label", data["alts"][number])
    stage = root.find("div")
    stage.remove(stage.find("img"))
    stage.append(drawing)
    root.remove(root.find("p"))
    return svg.write(root)


def as_json(data):
    """Return what a slider holds as JSON that may stand in a page."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def frame_inside(data, number):
    """Return what a slider's frame holds, as SVG text without its root.

    data: what the slider's JSON holds. number: which frame, from 0; a frame is a list of
        runs: first part, how many, ...
    """
    runs = data["frames"][number]
    pairs = zip(runs[::2], runs[1::2], strict=True)
    return "".join(part for first, count in pairs for part in data["parts"][first : first + count])


def _in_box(frame, box):
    """Return a frame's drawing in a box that has one size for all frames of the slider."""
    root = svg.parse(_sentence(frame.alt) if frame.drawing is None else frame.drawing)
    width, height = (f"{length:g}" for length in box)
    root.set("viewBox", f"0 0 {width} {height}")
    root.set("width", f"{width}pt")
    root.set("height", f"{height}pt")
    return svg.write(root)


def _sentence(words):
    """Return a drawing that shows nothing but a sentence."""
    root = Element("svg")
    text = SubElement(root, "text", {"class": "explore-error", "font-size": f"{_TEXT_SIZE}"})
    for number, line in enumerate(textwrap.wrap(words, _LETTERS_A_LINE)):
        y = f"{(number + 2) * 1.5 * _TEXT_SIZE:g}"
        SubElement(text, "tspan", {"x": f"{_TEXT_SIZE}", "y": y}).text = line
    return svg.write(root)


def _controls(explore):
    """Return a range input for each slider, and the Play button; hidden until a script comes.

    JupyterLab takes the attribute "hidden" away where it does not trust, the style not.
    """
    controls = Element("div", {"class": "explore-controls", "style": "display:none"})
    for name, values in explore.choices.items():
        position = values.index(explore.start[name])
        shown = value_text(explore.start[name])
        row = SubElement(controls, "div", {"class": "explore-slider"})
        label = SubElement(row, "label")
        SubElement(label, "span").text = explore.labels[name]
        SubElement(label, "input", {
            "type": "range", "name": name, "min": "0", "max": f"{len(values) - 1}", "step": "1",
            "value": f"{position}", "autocomplete": "off", "aria-valuetext": shown,
        })  # fmt: skip
        SubElement(row, "span", {"class": "explore-value", "aria-hidden": "true"}).text = shown
        if name == explore.play:
            SubElement(row, "button", {"type": "button"}).text = "Play"
    return controls


def _data(explore, drawings):
    """Return every part of the drawings once, and each frame as runs of parts.

    A frame is written as: first part, how many, first part, how many, ...
    """
    prefix, numbers, frames = id_prefix(explore), {}, []
    for drawing in drawings:
        page_drawing = svg.inline(drawing, prefix)
        parts = svg.children_of(page_drawing)
        frames.append(runs_of([numbers.setdefault(part, len(numbers)) for part in parts]))
    return {
        "sliders": {n: [value_text(v) for v in values] for n, values in explore.choices.items()},
        "start": explore.start_number,
        "alts": [frame.alt for frame in explore.frames],
        "frames": frames,
        "open": page_drawing[: page_drawing.index(">") + 1],
        "parts": list(numbers),
    }


def runs_of(numbers):
    """Return numbers as runs: first, how many, first, how many, ..."""
    runs = []
    for number in numbers:
        if runs and number == runs[-2] + runs[-1]:
            runs[-1] += 1
        else:
            runs += [number, 1]
    return runs


def _common_box(frames):
    """Return the width and height, in points, that hold every frame."""
    drawn = [frame.drawing for frame in frames if frame.drawing is not None]
    sizes = [svg.size(svg.parse(drawing)) for drawing in drawn] or [_EMPTY_BOX]
    return tuple(map(max, zip(*sizes, strict=True)))
