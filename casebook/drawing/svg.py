"""Drawings as SVG text: small, and the same in every process.

``render`` turns a matplotlib figure into SVG that stands alone (white paper, black
ink). ``inline`` turns that into SVG for a page, where ink takes the colour of the
page's text.
"""

import hashlib
import io
import math
import re
from xml.etree import ElementTree

import matplotlib

from casebook.drawing.svg_text import GEOMETRY, NAMESPACE, NUMBER, OPACITIES, parse, write

__all__ = ["INK", "children_of", "inline", "parse", "render", "size", "write"]

INK = "#000000"
# Verdana has nearly the widths of DejaVu Sans, with which matplotlib measures.
FONTS = "DejaVu Sans,Verdana,sans-serif"
PIXELS_PER_POINT = 96 / 72

_RECTANGLE = re.compile(r"M([-\d.]+) ([-\d.]+)L([-\d.]+) \2L\3 ([-\d.]+)L\1 \4L\1 \2")
_SHARED = ("clip-path", "fill", "stroke", "stroke-width", "stroke-linejoin")
# What holds anyway when nothing is said.
_DEFAULTS = {"fill-opacity": "1", "font-style": "normal", "opacity": "1", "stroke": "none",
             "stroke-dashoffset": "0", "stroke-linecap": "butt", "stroke-linejoin": "round",
             "stroke-opacity": "1", "stroke-width": "1", "text-anchor": "start"}  # fmt: skip
_PAPER = {"width": "100%", "height": "100%", "fill": "#ffffff"}


def render(figure):
    """Return the figure as SVG text, the same in every process.

    figure: a matplotlib figure. Coordinates are in points, rounded to 2 decimals.
    """
    text = io.StringIO()
    fixed: dict = {"svg.hashsalt": "casebook", "svg.fonttype": "none", "svg.image_inline": True}
    no_metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with matplotlib.rc_context(fixed):
        figure.savefig(text, format="svg", metadata=no_metadata, facecolor="white")
    original = parse(text.getvalue())
    width, height = size(original)
    drawing = ElementTree.Element("svg", {
        "xmlns": NAMESPACE, "viewBox": f"0 0 {_short(width)} {_short(height)}",
        "width": f"{_short(width)}pt", "height": f"{_short(height)}pt",
        "font-family": FONTS, "stroke-linejoin": "round",
    })  # fmt: skip
    drawing.extend(part for child in original for part in _clean(child))
    drawing[0] = ElementTree.Element("rect", _PAPER)
    _rename(drawing, _ids_from_content(drawing))
    return write(drawing)


def inline(drawing, prefix, label=""):
    """Return the drawing as SVG for a page: no background, ink in the colour of the text.

    drawing: what ``render`` returned.
    prefix: put before every id; must differ for each drawing of a page.
    label: alternative text; what a screen reader says.
    Raises: ValueError if ``drawing`` is not SVG, or if ``prefix`` cannot begin an id.
    """
    if not re.fullmatch(r"[A-Za-z][\w-]*", prefix):
        raise ValueError(f"prefix is {prefix!r}: expected a letter, then letters, digits, - or _")
    root = parse(drawing)
    if root.tag != "svg":
        raise ValueError(f"the drawing is a <{root.tag}> element: expected <svg>")
    width = size(root)[0] * PIXELS_PER_POINT
    page = ElementTree.Element("svg", {
        "class": "drawing", "role": "img", "aria-label": label, "viewBox": root.get("viewBox"),
        "width": f"{width:.0f}", "style": "max-width:100%;height:auto", "fill": "currentColor",
        "font-family": FONTS, "stroke-linejoin": "round",
    })  # fmt: skip
    page.extend(child for child in root if child.attrib != _PAPER)
    for element in page.iter():
        for name in ("fill", "stroke"):
            if element.get(name) == INK:
                element.set(name, "currentColor")
    _rename(page, {name: f"{prefix}-{name}" for name in _ids(page)})
    return write(page)


def size(root):
    """Return the width and height of a drawing in points.

    root: its first element. Raises: ValueError if that has no viewBox of this form.
    """
    match = re.fullmatch(r"0 0 ([\d.]+) ([\d.]+)", root.get("viewBox", ""))
    if not match:
        said = root.get("viewBox")
        raise ValueError(f"the drawing's viewBox is {said!r}: expected 0 0 width height")
    return float(match[1]), float(match[2])


def children_of(drawing):
    """Return the texts of the outermost elements inside a drawing, in order."""
    return [write(child) for child in parse(drawing)]


def _clean(element, inherited=frozenset(), inside_defs=False):
    """Return the elements, 0 or more, that stand for this one in a small drawing."""
    tag = element.tag
    if tag in ("metadata", "style", "title"):
        return []
    attributes = _attributes(element, inherited)
    inside_defs = inside_defs or tag == "defs"
    if not inside_defs:
        attributes.pop("id", None)
    if tag == "text" and len(element):
        return [_mathtext(element, attributes)]
    if tag == "path" and not inside_defs and _is_invisible(attributes):
        return []
    passed_on = inherited | attributes.keys()
    parts = [part for child in element for part in _clean(child, passed_on, inside_defs)]
    if tag == "g" and element.get("id", "").startswith("QuadMesh") and parts:
        return [_mesh(parts)]
    if tag == "g" and not attributes:
        return parts
    if tag in ("g", "defs") and not parts:
        return []
    cleaned = ElementTree.Element(tag, attributes)
    cleaned.text = element.text if tag in ("text", "tspan") else None
    cleaned.extend(parts)
    return [cleaned]


def _attributes(element, inherited):
    """Return the attributes that matter, style among them, with short numbers."""
    attributes = {name: value for name, value in element.attrib.items() if name != "style"}
    for declaration in filter(None, element.get("style", "").split(";")):
        name, _, value = declaration.partition(":")
        attributes[name.strip()] = value.strip()
    if attributes.get("font-family", "").split(",")[0] == "'DejaVu Sans'":
        del attributes["font-family"]
    if attributes.get("font-style") == "oblique":
        attributes["font-style"] = "italic"
    for name, value in list(attributes.items()):
        if name in GEOMETRY:
            attributes[name] = _short_numbers(value.replace("px", ""), name)
        elif name in OPACITIES:
            attributes[name] = _short(value, decimals=3)
        may_go = name not in inherited and attributes[name] == _DEFAULTS.get(name)
        no_turn = name == "transform" and attributes[name].startswith("rotate(0 ")
        if may_go or no_turn or (name == "fill" and value == INK and "fill" not in inherited):
            del attributes[name]
    return attributes


def _mesh(cells):
    """Return the cells of a heat map as one group that says once what they have in common."""
    common = {
        name: value
        for name, value in cells[0].attrib.items()
        if name in _SHARED and all(cell.get(name) == value for cell in cells)
    }
    group = ElementTree.Element("g", common)
    if not any("stroke" in cell.attrib for cell in cells):
        group.set("shape-rendering", "crispEdges")  # else a seam shows between two cells
    for cell in cells:
        path = _RECTANGLE.sub(r"M\1 \2H\3V\4H\1z", cell.get("d"))
        rest = {name: value for name, value in cell.attrib.items() if name not in common}
        group.append(ElementTree.Element("path", rest | {"d": path}))
    return group


def _is_invisible(attributes):
    nothing_filled = attributes.get("fill") == "none" or attributes.get("fill-opacity") == "0"
    return (nothing_filled and "stroke" not in attributes) or attributes.get("opacity") == "0"


def _mathtext(element, attributes):
    """Return text with formulas, written in runs rather than letter by letter."""
    text = ElementTree.Element("text", attributes)
    letters = [(_attributes(letter, frozenset()), letter.text or "") for letter in element]
    letters.sort(key=lambda letter: float(letter[0]["x"]))
    run, end, last_style = None, 0.0, None
    for style, letter in letters:
        x = float(style.pop("x"))
        if run is not None and style == last_style and x < end:
            run.text = f"{run.text}{letter}"
        elif letter.strip():
            run = ElementTree.SubElement(text, "tspan", {"x": _short(x), **style})
            run.text, last_style = letter, style
        # No letter is wider than its size: a larger gap is meant.
        end = x + 1.3 * float(style["font-size"])
    for run in text:
        run.text = (run.text or "").rstrip()
    return text


def _short_numbers(text, name):
    """Return the text with every number rounded, and paths without needless blanks."""
    decimals = 6 if "matrix" in text or "scale" in text else 2
    text = NUMBER.sub(lambda number: _short(number.group(), decimals), text)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", text).strip() if name == "d" else text


def _short(number, decimals=2):
    """Return a rounded number as short text.

    matplotlib writes 6 decimals. Half of the last one is added, so that no number that
    it writes lies on the edge between two results.
    """
    steps = math.floor(float(number) * 10**decimals + 0.5 + 0.5 * 10 ** (decimals - 6))
    return f"{steps / 10**decimals:.{decimals}f}".rstrip("0").rstrip(".")


def _ids(drawing):
    return [element.get("id") for element in drawing.iter() if "id" in element.attrib]


def _ids_from_content(drawing):
    """Return new names for the ids, made from what they name, so that noise leaves them alone."""
    names = {}
    for element in drawing.iter():
        if name := element.get("id"):
            content = write(element).replace(name, "")
            names[name] = "d" + hashlib.sha256(content.encode()).hexdigest()[:6]
    return names


def _rename(drawing, names):
    """Give every id its new name, where it is set and where it is referred to."""
    for element in drawing.iter():
        for attribute, value in element.attrib.items():
            if attribute == "id":
                element.set(attribute, names[value])
            elif attribute == "href" and value[1:] in names:
                element.set(attribute, "#" + names[value[1:]])
            elif value.startswith("url(#") and value[5:-1] in names:
                element.set(attribute, f"url(#{names[value[5:-1]]})")
