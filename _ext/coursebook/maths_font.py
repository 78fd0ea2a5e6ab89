"""The font of the formulas, cut down to the characters that the book's formulas use.

Without a font for maths a browser sets formulas from letters of the text: signs stand
apart, roots and brackets do not grow. Many phones and most Linux systems have none. The
whole font is fonts/maths.woff, which fonts/README.md describes.
"""

import functools
import html
import re
from pathlib import Path

from docutils import nodes
from fontTools.ttLib import TTFont

from coursebook.assets import cut_font

FONT = Path(__file__).parent / "fonts" / "maths.woff"
ON_THE_PAGE = "_static/styles/maths.woff"
MATHS = re.compile(r"<math\b.*?</math>", re.DOTALL)
NOT_SHOWN = re.compile(r"<annotation\b.*?</annotation>|<[^>]*>", re.DOTALL)
# First letters of the plain alphabets, their lengths, and the first of the slanted ones.
SLANTED = (("A", 26, 0x1D434), ("a", 26, 0x1D44E), ("Α", 25, 0x1D6E2), ("α", 25, 0x1D6FC))
# Elements for which a browser draws a character that does not stand in the page.
ROOTS, ROOT = re.compile(r"<m(?:sqrt|root)\b"), "√"
SLANTED_APART = {"h": 0x210E, "ϵ": 0x1D716, "ϕ": 0x1D719}


def setup(app):
    """Say of each page whether it needs the font; write the font once pages are built."""
    app.connect("html-page-context", say_whether_needed, priority=900)
    app.connect("build-finished", write_font, priority=950)


def say_whether_needed(app, pagename, templatename, context, doctree):
    """Give the page's template the address of the font, if the page has formulas."""
    has_maths = doctree and any(map(doctree.next_node, (nodes.math, nodes.math_block)))
    context["maths_font"] = ON_THE_PAGE if has_maths else None


def write_font(app, exception):
    """Write the font with what all pages of the book need of it."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    texts = [path.read_text(encoding="utf-8") for path in out.glob("**/*.html")]
    target = out / ON_THE_PAGE
    target.parent.mkdir(parents=True, exist_ok=True)
    cut_font(FONT, target, set().union(*map(characters, texts)))


def characters(text):
    """Return the code points with which the formulas of a page are drawn.

    A browser slants a letter that stands alone by taking another character.
    """
    plain = {
        letter
        for maths in MATHS.findall(text)
        for letter in html.unescape(NOT_SHOWN.sub("", maths))
    }
    if ROOTS.search(text):
        plain.add(ROOT)
    return {ord(letter) for letter in plain} | {slanted(letter) for letter in plain}


def missing(text):
    """Return the characters of the formulas in a text that the font does not have."""
    return "".join(map(chr, sorted(characters(text) - _font_characters())))


def slanted(letter):
    """Return the code point of a letter as a variable is set; of anything else its own."""
    for first, count, start in SLANTED:
        place = ord(letter) - ord(first)
        if 0 <= place < count and letter not in SLANTED_APART:
            return start + place
    return SLANTED_APART.get(letter, ord(letter))


@functools.cache
def _font_characters():
    with TTFont(FONT) as font:
        return frozenset(font.getBestCmap() or ())
