"""The book's own Sphinx extension: what it makes, and what it refuses."""

from types import SimpleNamespace

import pytest

from tests.book.conftest import ROOT  # noqa: F401  (makes _ext importable)

from coursebook import (  # isort: skip
    drawings, glossary, leftovers, markup, mathml, styles,
)  # fmt: skip
from docutils import nodes

GOOD_TEX = {
    r"\frac{QK^\top}{\sqrt{d_k}}": "<msqrt>",
    r"x \in \mathbb{R}^{n \times d}": "ℝ",
    r"\mathbf{1}": "\U0001d7cf",
    r"\operatorname{Var}(q \cdot k)": "<mi>Var</mi>",
    r"\mathrm{softmax}(x)": "<mi>softmax</mi>",
    r"\log n": '<mspace width="0.1667em">',
    r"\begin{aligned} a &= b \\ c &= d \end{aligned}": "text-align: right",
    r"\text{softmax}\!(x)": 'width="-0.1667em"',
    r"a < b": "&lt;",
}


@pytest.mark.parametrize("tex", GOOD_TEX)
def test_tex_becomes_mathml(tex):
    made = mathml.to_mathml(tex, display=True)
    assert GOOD_TEX[tex] in made
    assert '<annotation encoding="application/x-tex">' in made


@pytest.mark.parametrize(
    ("tex", "message"),
    [
        (r"\notacommand x", "not known"),
        (r"\frac{a", "braces do not match"),
        (r"\frac{a}", "needs two parts|cannot read"),
        (r"\boxed{x}", "do not show <menclose>"),
        (r"a & b", "not known"),
        (r"x_", "cannot read"),
        (r"\tag{1} x", "not known here"),
        (r"\mathfrak{ab}", "letter style"),
    ],
)
def test_tex_that_cannot_be_shown_is_refused(tex, message):
    with pytest.raises(mathml.MathError, match=message):
        mathml.to_mathml(tex)


@pytest.mark.parametrize(
    ("alt", "problem"),
    [
        ("", "no alternative text"),
        ("_images/weights.svg", "file name"),
        ("3f2a9c0b1d4e5f607182.svg", "file name"),
        ("The weights fall with distance.", None),
    ],
)
def test_alternative_text(alt, problem):
    found = drawings.problem_with_alt(alt)
    assert found is None if problem is None else problem in found


def test_styles_lose_what_no_page_has():
    sheet = "/*! licence */ .a, .b:not(.c) > p {x: 1} .d {x: 2} @media print {.d {x: 3} .a {x: 4}}"
    kept = styles.purge(sheet, {"a", "b"})
    assert kept == "/*! licence */.a,.b:not(.c) > p{x: 1}@media print {.a{x: 4}}"


def test_styles_lose_variables_that_nothing_uses():
    sheet = 'a{--x:1;--y:var(--x);--z:url("a;b");color:red}b{top:var(--w);--w:rgb(1,(2))}'
    kept = styles.without_idle_variables(sheet)
    assert kept == "a{color:red}b{top:var(--w);--w:rgb(1,(2))}"


def test_pages_of_an_earlier_build_go(tmp_path):
    names = ("intro.html", "index.html", "search.html", "old/page.html", "_static/a.css",
             "_sources/intro.md", "_sources/old/page.ipynb")  # fmt: skip
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    builder, env = SimpleNamespace(), SimpleNamespace(found_docs={"intro"})
    app = SimpleNamespace(outdir=tmp_path, builder=builder, env=env)
    leftovers.remove(app, None)
    assert all((tmp_path / name).exists() for name in names)  # nothing was written
    leftovers.note_page(app, "search", "", {}, None)
    leftovers.remove(app, None)
    assert [name for name in names if not (tmp_path / name).exists()] == [names[3], names[6]]


def test_names_come_from_pages_and_scripts():
    assert styles.names_used(['<p class="a b" id="c">'], ["x.classList.add('d-e')"]) >= {
        "a", "b", "c", "d-e"
    }  # fmt: skip


def test_addresses_in_styles_move_along():
    sheet = 'a{b:url("x.png")}c{d:url(data:image/png,1)}'
    moved = styles.move(sheet, "_static", "_static/styles")
    assert moved == 'a{b:url("../x.png")}c{d:url(data:image/png,1)}'


def test_icons_are_found_escaped_and_plain():
    assert styles.icons_drawn('a{content:"\\f0c9"}b{content:"\uf00d"}') == {0xF0C9, 0xF00D}


def test_glossary_is_complete():
    entries = glossary.read_entries(ROOT / "glossary.yml")
    assert len(entries) >= 35
    assert len({entry["term"] for entry in entries}) == len(entries)
    assert len({entry["zh"] for entry in entries}) == len(entries)
    assert all(markup.CHINESE.search(entry["zh"]) for entry in entries)


def test_glossary_names_the_entry_that_lacks_something(tmp_path):
    path = tmp_path / "glossary.yml"
    path.write_text("- term: query\n  definition: Asks.\n", encoding="utf-8")
    with pytest.raises(ValueError, match="the entry 'query' has"):
        glossary.read_entries(path)


def test_chinese_is_found_among_other_text():
    parts = list(markup._marked("Take 我 / 愛 / AI."))
    assert [part.astext() for part in parts] == ["Take ", "我", " / ", "愛", " / AI."]
    assert parts[1]["classes"] == ["language-zh-Hant"]


@pytest.mark.parametrize(("lead", "found"), [("Predict.", "Predict."), (None, "")])
def test_lead_word_of_a_card(lead, found):
    strong = [nodes.strong("", lead)] if lead else []
    quote = nodes.block_quote("", nodes.paragraph("", "", nodes.Text(""), *strong, nodes.Text("?")))
    assert markup.lead_word(quote) == found
