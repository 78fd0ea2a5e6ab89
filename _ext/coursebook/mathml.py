"""TeX to MathML, strictly: what cannot be shown correctly is refused, not guessed.

latex2mathml does the reading. This module corrects what browsers do not know
(letter styles as attributes, alignment attributes, named spaces) and sets the thin
spaces that TeX sets around names such as "log".
"""

import html
import re
from xml.etree import ElementTree

from latex2mathml.converter import Converter

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
THIN_SPACE = "0.1667em"
NAMED_SPACES = {
    "negativethinmathspace": "-0.1667em",
    "negativemediummathspace": "-0.2222em",
    "negativethickmathspace": "-0.2778em",
}
KNOWN = {
    "annotation", "math", "mfrac", "mi", "mn", "mo", "mover", "mpadded", "mphantom", "mroot",
    "mrow", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext",
    "mtr", "munder", "munderover", "semantics",
}  # fmt: skip
UNKNOWN_COMMANDS = re.compile(r"\\(tag|label|href|class|style|newcommand|def)\b")
# First code points of A, a and 0 in each alphabet of letters with a meaning of their own.
ALPHABETS = {
    "bold": (0x1D400, 0x1D41A, 0x1D7CE),
    "bold-italic": (0x1D468, 0x1D482, None),
    "double-struck": (None, None, 0x1D7D8),
    "sans-serif": (0x1D5A0, 0x1D5BA, 0x1D7E2),
    "monospace": (0x1D670, 0x1D68A, 0x1D7F6),
}
SIMPLE = {"mi", "mn", "mtext", "msub", "msup", "msubsup", "mfrac", "msqrt", "mroot"}
SCRIPTS = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
ROWS = {"mrow", "mtd", "mstyle", "msqrt"}
SIGNS = {"−", "+", "±", "∓"}
CLOSING = {")", "]", "}", "|", "‖", "⟩", "!", "′", "″"}


class MathError(ValueError):
    """A piece of TeX that cannot be turned into MathML that browsers show."""


def to_mathml(tex, display=False):
    """Return TeX as a MathML element, as text; the TeX stays inside as an annotation.

    Raises: MathError, in one sentence, for TeX that is not well formed or not known.
    """
    tex = tex.strip()
    _check_source(tex)
    readable = tex.replace("{aligned}", "{split}")
    try:
        math = Converter(display="block" if display else "inline").convert_to_element(readable)
    except Exception as error:  # latex2mathml raises many kinds, also IndexError
        raise MathError(f"cannot read {tex!r} ({type(error).__name__})") from error
    for element in math.iter():
        element.text = html.unescape(element.text) if element.text else element.text
    for element in list(math.iter()):
        _correct(element)
    for element in list(math.iter()):
        _space_signs(element)
        _space_names(element)
    _check_result(math, tex)
    return _write(math, tex)


def _check_source(tex):
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            break
    if depth != 0:
        raise MathError(f"braces do not match in {tex!r}")
    if unknown := UNKNOWN_COMMANDS.search(tex):
        raise MathError(f"{unknown.group()} is not known here, in {tex!r}")


def _check_result(math, tex):
    for element in math.iter():
        if element.tag not in KNOWN:
            raise MathError(f"browsers do not show <{element.tag}>, made from {tex!r}")
        if element.tag == "mfrac" and len(element) != 2:
            raise MathError(f"a fraction needs two parts, in {tex!r}")
        if element.tag != "mtext" and re.search(r"\\[A-Za-z]|&", element.text or ""):
            raise MathError(f"{element.text} is not known, in {tex!r}")


def _correct(element):
    """Replace what browsers ignore by what they know."""
    if element.tag == "mspace":
        width = element.get("width")
        element.set("width", NAMED_SPACES.get(width, width))
    if element.tag == "mtd" and element.get("columnalign"):
        element.set("style", f"text-align: {element.attrib.pop('columnalign')}")
    if element.tag == "mrow" and len(element) > 1 and all(map(_is_upright_letter, element)):
        name = "".join(letter.text for letter in element)
        element[:] = []
        element.tag, element.text = "mi", name
    if element.tag == "mo" and re.fullmatch(r"[A-Za-z\u2006\u2009]{2,}", element.text or ""):
        element.tag = "mi"
        element.attrib.clear()
    if element.tag == "mo" and element.text in {"|", "‖"} and element.get("fence") != "true":
        element.attrib = {"stretchy": "false", "lspace": "0", "rspace": "0"}
    if element.tag == "mo" and element.text == "∞":
        element.tag = "mi"
    if element.tag == "msup" and element[1].text in {"′", "″"}:
        element.tag = "mrow"  # a prime is drawn high already
        element[1].tag = "mo"
        element[1].attrib = {"form": "postfix", "lspace": "0", "rspace": "0"}
    if element.get("mathvariant", "normal") != "normal":
        element.text = _restyle(element.text or "", element.attrib.pop("mathvariant"))


def _is_upright_letter(element):
    return element.tag == "mi" and element.get("mathvariant") == "normal"


def _restyle(text, variant):
    if variant not in ALPHABETS:
        raise MathError(f"the letter style {variant!r} is not known")
    alphabets = list(zip(ALPHABETS[variant], ("A", "a", "0"), (26, 26, 10), strict=True))

    def restyled(letter):
        for start, first, count in alphabets:
            place = ord(letter) - ord(first)
            if start is not None and 0 <= place < count:
                return chr(start + place)
        return letter

    return "".join(map(restyled, text))


def _space_signs(row):
    """Set a sign close to what it belongs to, where nothing stands before it to add it to."""
    before = None
    for child in row:
        begins = before is None or (before.tag == "mo" and before.text not in CLOSING)
        if child.tag == "mo" and child.text in SIGNS and begins and row.tag in ROWS:
            child.set("form", "prefix")
        if child.tag != "mspace":
            before = child


def _space_names(row):
    """Set a thin space between a name such as "log" and a plain neighbour."""
    if row.tag not in ROWS:
        return
    spaced = []
    for child in list(row):
        if spaced and _need_space(spaced[-1], child):
            spaced.append(ElementTree.Element("mspace", width=THIN_SPACE))
        spaced.append(child)
    row[:] = spaced


def _need_space(left, right):
    plain = left.tag in SIMPLE | {"munder"} and right.tag in SIMPLE
    return plain and (_is_name(left) or _is_name(right))


def _is_name(element):
    base = element[0] if element.tag in SCRIPTS and len(element) else element
    return base.tag == "mi" and len(base.text or "") > 1


def _write(math, tex):
    semantics = ElementTree.Element("semantics")
    semantics.extend(list(math))
    annotation = ElementTree.SubElement(semantics, "annotation", encoding="application/x-tex")
    annotation.text = tex
    math[:] = [semantics]
    math.attrib.pop("xmlns", None)
    if math.get("display") == "inline":
        del math.attrib["display"]
    return ElementTree.tostring(math, encoding="unicode", short_empty_elements=False)
