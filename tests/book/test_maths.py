"""Formulas: their font, and the spaces that the conversion from TeX leaves to us."""

import pytest
from fontTools.ttLib import TTFont

from tests.book.conftest import ROOT  # noqa: F401  (makes _ext importable)

from coursebook import mathml, maths_font  # isort: skip
from coursebook.assets import cut_font  # isort: skip

FONT_LIMIT = 60_000  # bytes


@pytest.mark.parametrize(
    ("letter", "code"),
    [("a", "𝑎"), ("h", "ℎ"), ("Z", "𝑍"), ("α", "𝛼"), ("ϵ", "𝜖"), ("Σ", "𝛴"), ("=", "=")],
)
def test_letters_are_slanted_as_browsers_do(letter, code):
    assert chr(maths_font.slanted(letter)) == code


def test_font_has_what_a_formula_needs():
    assert maths_font.missing(mathml.to_mathml(r"\frac{QK^\top}{\sqrt{d_k}} \ne \alpha")) == ""
    assert maths_font.missing("<math><mi>愛</mi></math>") == "愛"
    assert maths_font.missing("愛 <math><mi>n</mi></math>") == ""


def test_source_of_a_formula_is_not_drawn():
    text = "<math><mi>n</mi><annotation>愛</annotation></math>"
    assert maths_font.characters(text) == {ord("n"), 0x1D45B}


@pytest.mark.parametrize("tex", [r"\sqrt{x}", r"\sqrt[3]{x}"])
def test_sign_of_a_root_is_kept(tex):
    """It stands nowhere in the page: the browser draws it."""
    assert ord("√") in maths_font.characters(mathml.to_mathml(tex))


def test_font_of_the_book_draws_every_formula(book):
    with TTFont(book / maths_font.ON_THE_PAGE) as font:
        drawn = set(font.getBestCmap())
    for page in book.glob("**/*.html"):
        text = page.read_text(encoding="utf-8")
        assert maths_font.characters(text) <= drawn, page.name
        assert ord("√") in drawn or "<msqrt" not in text, page.name


def test_cut_font_still_sets_formulas(tmp_path):
    target = tmp_path / "cut.woff"
    wanted = {ord("("), ord("n"), 0x1D45B, 0x221A}
    cut_font(maths_font.FONT, target, wanted)
    with TTFont(target) as font:
        assert "MATH" in font
        assert set(font.getBestCmap()) == wanted | {ord(")")}  # its mirror image
        # A bracket brings the sizes along to which it grows.
        assert len(font.getGlyphOrder()) > 2 * len(wanted)
    assert target.stat().st_size < maths_font.FONT.stat().st_size < FONT_LIMIT


def test_only_pages_with_formulas_fetch_the_font(book):
    for page in book.glob("**/*.html"):
        text = page.read_text(encoding="utf-8")
        assert (maths_font.ON_THE_PAGE.split("/")[-1] in text) == ("<math" in text), page.name


@pytest.mark.parametrize(
    ("tex", "part"),
    [
        ("(-1)", '<mo form="prefix">−</mo><mn>1</mn>'),
        ("x = -y", '<mo form="prefix">−</mo><mi>y</mi>'),
        (r"a, \quad -b", '<mo form="prefix">−</mo><mi>b</mi>'),
        ("x - y", "<mi>x</mi><mo>−</mo><mi>y</mi>"),
        ("(x) - y", "<mo>−</mo><mi>y</mi>"),
        (r"|x|", '<mo stretchy="false" lspace="0" rspace="0">|</mo>'),
        (r"\|a\|", '<mo stretchy="false" lspace="0" rspace="0">‖</mo>'),
        ("b'", '<mrow><mi>b</mi><mo form="postfix" lspace="0" rspace="0">′</mo></mrow>'),
        (r"-\infty", "<mi>∞</mi>"),
    ],
)
def test_spaces_are_those_of_tex(tex, part):
    assert part in mathml.to_mathml(tex)
