"""Whether two drawings show the same, and if not, where they differ.

Numbers that place things may differ a little, since another processor adds in
another order. Everything else (words, structure, colours) must agree. A text that is not
written as the course writes drawings and sliders is refused: what a browser would show of it,
or a later reader find in it, might be something else than what is compared here.
"""

import itertools
import json
import math
import re
from urllib.parse import unquote

from casebook.drawing.explore_page import as_json, frame_inside, runs_of
from casebook.drawing.svg_text import GEOMETRY, NUMBER, OPACITIES, parse, write

_REFERENCE = re.compile(r"#([\w-]+)|url\(#([\w-]+)\)")
_HEX_COLOUR = re.compile(r"#[0-9a-f]{6}")
_IMAGE = "data:image/svg+xml,"
_FACTOR = 1e-4  # what enlarges a shape moves its points by much more than itself
_SLIDER = {"sliders", "start", "alts", "frames", "open", "parts"}
_ONE_SHADE = 1 / 255 + 1e-6


def same_drawing(a, b, tolerance=0.05):
    """Return None if two drawings show the same, else a sentence that says what differs.

    a, b: SVG texts, or the HTML of two sliders (all their frames are compared); ``a`` is
        what was expected, ``b`` what came.
    tolerance: how far a coordinate may be off, in points. Colours may be off by one
        of 255 shades. Words, alternative texts and structure must be equal.
    """
    trees = []
    for name, text in (("expected", a), ("new", b)):
        try:
            trees.append(_documents(text))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            return f"the {name} drawing cannot be read: {error}"
    expected, new = trees
    if [where for where, _ in expected] != [where for where, _ in new]:
        return f"{len(new)} frames instead of {len(expected)}, or frames of other choices"
    for (where, one), (_, other) in zip(expected, new, strict=True):
        difference = _Comparison(one, other, tolerance).difference()
        if difference:
            return f"{where}{difference}"
    return None


def _documents(text):
    """Return (where, root element) of the drawing; of a slider, also of every frame."""
    root = _root(text)
    documents = [("", root)]
    for image in root.iter("img"):
        if image.get("src", "").startswith(_IMAGE):
            documents.append(("starting frame: ", _root(unquote(image.get("src")[len(_IMAGE) :]))))
            image.set("src", _IMAGE)
    for script in root.iter("script"):
        data = json.loads(script.text)
        _require_nothing_unseen(data, script.text)
        for number, choice in enumerate(_choices(data["sliders"])):
            frame = _root(f"<svg>{frame_inside(data, number)}</svg>")
            frame.set("aria-label", data["alts"][number])
            documents.append((f"{choice}: ", frame))
        script.text = json.dumps([data["sliders"], data["start"]])
        script.append(_root(data["open"].removesuffix(">") + "/>"))
    return documents


def _require_nothing_unseen(data, text):
    """Raise ValueError if a slider's data hold something that no frame shows."""
    n_frames = math.prod(map(len, data["sliders"].values()))
    if as_json(data) != text or data.keys() != _SLIDER:
        raise ValueError("its data are not written as the course writes them")
    if not len(data["frames"]) == len(data["alts"]) == n_frames:
        raise ValueError(f"it has {len(data['frames'])} frames and {len(data['alts'])} texts")
    used = set()
    for frame in data["frames"]:
        pairs = zip(frame[::2], frame[1::2], strict=True)
        parts = [number for first, count in pairs for number in range(first, first + count)]
        if runs_of(parts) != frame:
            raise ValueError("a frame is not written as the course writes it")
        used.update(parts)
    if used != set(range(len(data["parts"]))):
        raise ValueError("its parts are not those of its frames")


def _choices(sliders):
    """Return each combination of the sliders' values in words, in the order of the frames."""
    combinations = itertools.product(*sliders.values())
    return [", ".join(map(" = ".join, zip(sliders, c, strict=True))) for c in combinations]


def _root(text):
    """Return the root of a drawing; whether it names its namespace makes no difference."""
    root = parse(text)
    if write(root) != text:  # a comment, another language, an entity: none of them is in the tree
        raise ValueError("it is not written as the course writes drawings")
    named = {}
    for element in root.iter():
        name = element.get("id")
        if name is not None and named.setdefault(name, write(element)) != write(element):
            raise ValueError(f"two unlike elements are called {name!r}")
    root.attrib.pop("xmlns", None)
    return root


class _Comparison:
    """One comparison of two trees."""

    def __init__(self, expected, new, tolerance):
        self.expected, self.new, self.tolerance = expected, new, tolerance
        self.named = [
            {element.get("id"): element for element in tree.iter() if "id" in element.attrib}
            for tree in (expected, new)
        ]

    def difference(self):
        return self._elements(self.expected, self.new, self.expected.tag)

    def _elements(self, one, other, where):
        if one.tag != other.tag:
            return f"at {where}: <{other.tag}> instead of <{one.tag}>"
        for place, left, right in (
            ("", one.text, other.text),
            (" behind it", one.tail, other.tail),
        ):
            if (left or "") != (right or ""):
                return f"at {where}: text{place} {right!r} instead of {left!r}"
        if one.attrib.keys() != other.attrib.keys():
            names = sorted(one.attrib.keys() ^ other.attrib.keys())
            return f"at {where}: only one has {', '.join(names)}"
        for name, value in one.attrib.items():
            problem = self._values(name, value, other.get(name), where)
            if problem:
                return f"at {where}: {name} {problem}"
        if len(one) != len(other):
            return f"at {where}: {len(other)} elements inside instead of {len(one)}"
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            problem = self._elements(left, right, f"{where}/{left.tag}[{number}]")
            if problem:
                return problem
        return None

    def _values(self, name, one, other, where):
        """Return None if two values of an attribute agree, else how they differ."""
        if name == "id":
            return None
        if name == "clip-path" or (name == "href" and one.startswith("#")):
            return self._references(one, other, where)
        if name in GEOMETRY:
            enlarges = "scale(" in one or "matrix(" in one
            return _numbers(one, other, _FACTOR if enlarges else self.tolerance)
        if name in OPACITIES:
            return _numbers(one, other, _ONE_SHADE)
        if one == other or _same_colour(one, other):
            return None
        return f"is {other!r} instead of {one!r}"

    def _references(self, one, other, where):
        """Names may differ; what they name may not."""
        targets = []
        for value, named in zip((one, other), self.named, strict=True):
            match = _REFERENCE.fullmatch(value)
            name = (match[1] or match[2]) if match else None
            if name not in named:
                return f"refers to nothing: {value!r}"
            targets.append(named[name])
        return self._elements(*targets, f"{where} -> {targets[0].tag}")


def _numbers(one, other, tolerance):
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return f"has another form: {_cut(other)} instead of {_cut(one)}"
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    for number, (left, right) in enumerate(pairs):
        if not abs(float(left) - float(right)) <= tolerance:
            return f"differs: number {number} is {right} instead of {left}"
    return None


def _same_colour(one, other):
    if not (_HEX_COLOUR.fullmatch(one) and _HEX_COLOUR.fullmatch(other)):
        return False
    channels = [bytes.fromhex(colour[1:]) for colour in (one, other)]
    return all(abs(left - right) <= 1 for left, right in zip(*channels, strict=True))


def _cut(text):
    return repr(text if len(text) <= 40 else text[:37] + "...")
