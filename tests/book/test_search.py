"""The search of the built book, without a network: words, symbols, Chinese."""

from urllib.parse import quote

import pytest

from tests.book.conftest import ROOT  # noqa: F401  (makes _ext importable)
from tests.book.visits import visit

from coursebook import search as search_index  # isort: skip

RESULTS = """() => [...document.querySelectorAll("#search-results li a")]
  .map((link) => link.textContent + " " + link.getAttribute("href"))"""
# What is typed, and what must be among the first results: a part of its name or address.
QUERIES = [
    ("softmax", "Glossary > softmax", 3),
    ("d_k", "chapters/03_saturation", 3),
    ("√d_k", "chapters/03_saturation", 3),
    ("W^O", "chapters/04_multi_head_attention", 3),
    ("W_O", "chapters/04_multi_head_attention", 6),
    ("QK^T", "notation", 3),
    ("QKᵀ", "notation", 3),
    ("d_model", "notation", 12),
    ("α", "notation", 3),
    ("注意力", "Glossary > 注意力", 3),
    ("位置編碼", "Glossary > 位置編碼", 3),
    ("位置編碼", "chapters/05_positional_clocks", 8),
    ("編碼", "chapters/05_positional_clocks", 8),
    ("注意力權重", "Glossary > 注意力權重", 3),
    ("愛", "chapters/02_attention_by_hand", 8),
    ("RoPE", "chapters/05_positional_clocks", 8),
]
SPLITS = {
    "W^O and QK^T": ["W^O", "and", "QK^T"],
    "√d_k": ["d_k"],
    "位置編碼": ["位置", "置編", "編碼"],
    "我 asks 愛": ["我", "asks", "愛"],
    "d_k查詢x": ["d_k", "查詢", "x"],
    "QKᵀ": ["QK^T"],
    " , ": [],
}


@pytest.fixture(scope="module")
def search(browser, book):
    """Return a function that types a query into the book, opened from its folder."""

    def results(query):
        address = f"{(book / 'search.html').as_uri()}?q={quote(query)}"
        with visit(browser, address) as opened:
            opened.page.wait_for_function(
                "document.querySelector('.search-summary')?.textContent", timeout=10_000
            )
            assert opened.errors == []
            assert opened.outside == []
            return opened.page.evaluate(RESULTS)

    return results


@pytest.mark.parametrize(("query", "wanted", "among"), QUERIES)
def test_search_finds(search, query, wanted, among):
    found = search(query)
    assert any(wanted in result for result in found[:among]), found


@pytest.mark.parametrize("query", ["qwertzuiop", "W^Q^O", "注編"])
def test_search_finds_nothing_where_nothing_is(search, query):
    assert search(query) == []


@pytest.mark.parametrize("text", SPLITS)
def test_reader_and_index_split_alike(browser, text):
    """The two splitters, in JavaScript and in Python; the index has the parts of W^O as well."""
    page = browser.new_page()
    typed = page.evaluate(
        f"(text) => {{ {search_index.SPLITTER}; return splitQuery(text); }}", text
    )
    page.close()
    assert typed == SPLITS[text]
    assert set(typed) <= set(search_index.SearchCourse({}).split(text))


@pytest.mark.parametrize(
    ("tex", "word"),
    [
        (r"W^{O}", "W^O"),
        (r"QK^\top", "QK^T"),
        (r"d_{\text{model}}", "d_model"),
        (r"d_{model}", "d_model"),
        (r"\alpha_{ij}", "α"),
        (r"\Delta", "Δ"),
    ],
)
def test_tex_is_indexed_as_it_is_typed(tex, word):
    assert word in search_index.SearchCourse({}).split(tex)


def test_terms_stand_among_the_headings():
    index = {"alltitles": {"Mask": [[1, None]]}, "indexentries": {"mask": [[2, "term-m", True]]}}
    named = search_index.with_named_terms(index)
    assert named["alltitles"] == {"Mask": [[1, None]], "mask": [[2, "term-m"]]}
    assert named["indexentries"] == {}
    assert index["indexentries"]  # what came in is left alone
