"""SVG as text and as a tree: read, written, and which of its attributes hold numbers."""

import re
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

NAMESPACE = "http://www.w3.org/2000/svg"
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# The attributes whose numbers say where something stands and how large it is.
GEOMETRY = {"d", "x", "y", "width", "height", "points", "viewBox", "transform", "font-size", "cx",
            "cy", "r", "x1", "x2", "y1", "y2", "stroke-width", "stroke-dasharray",
            "stroke-dashoffset"}  # fmt: skip
OPACITIES = {"opacity", "fill-opacity", "stroke-opacity"}


def parse(text):
    """Return the root element of SVG text, with names free of prefixes.

    Raises: ValueError if the text is not well-formed.
    """
    if "<!ENTITY" in text:
        raise ValueError("the drawing declares entities: expected plain SVG")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f"the drawing is not well-formed SVG: {error}") from None
    namespace = {"xmlns": NAMESPACE} if root.tag.startswith(f"{{{NAMESPACE}}}") else {}
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.attrib = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
    root.attrib = namespace | root.attrib
    return root


def write(element):
    """Return an element as text, without any white space of its own."""
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in element.attrib.items())
    inside = escape(element.text or "")
    inside += "".join(write(child) + escape(child.tail or "") for child in element)
    if inside:
        return f"<{element.tag}{attributes}>{inside}</{element.tag}>"
    return f"<{element.tag}{attributes}/>"
