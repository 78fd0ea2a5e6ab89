"""Words of the glossary lead to it: the first use in a chapter, in plain text, in its sense."""

import re
from types import SimpleNamespace

import pytest
from docutils import nodes

from tests.book.conftest import ROOT

from coursebook import chapters, glossary, terms  # isort: skip


def linked(text, *names, docname="chapters/02_b", stem="02_b"):
    """Return the words of a text that become links, each with the term it leads to."""
    entries = [{"term": name, "chapter": stem} for name in names]
    pattern, known = terms.finder(terms.entries_for(docname, entries))
    transform = terms.LinkTerms.__new__(terms.LinkTerms)
    transform.document = SimpleNamespace(
        settings=SimpleNamespace(env=SimpleNamespace(docname=docname))
    )
    parts = transform.parts(text, pattern, known, set())
    return [
        (part.astext(), part["reftarget"]) for part in parts if not isinstance(part, nodes.Text)
    ]


def test_first_use_is_linked_and_only_that():
    assert linked("A query asks. Queries ask.", "query") == [("query", "query")]
    assert linked("Queries ask. A query asks.", "query") == [("Queries", "query")]


def test_longer_term_wins():
    text = "The attention weight, and attention."
    found = linked(text, "attention", "attention weight")
    assert found == [("attention weight", "attention weight"), ("attention", "attention")]


def test_name_in_brackets_counts_too():
    term = "long short-term memory (LSTM)"
    assert linked("An LSTM keeps.", term) == [("LSTM", term)]


@pytest.mark.parametrize("text", ["A keyboard.", "low-key", "monkey", "a turnkey-ready thing"])
def test_part_of_a_word_is_no_term(text):
    assert linked(text, "key") == []


def test_everyday_word_is_linked_only_where_it_is_met_first():
    assert linked("Its memory.", "memory", stem="02_b") == [("memory", "memory")]
    assert linked("Its memory.", "memory", stem="06_c") == []
    assert {one["term"] for one in glossary.read_entries(ROOT / "glossary.yml")} >= terms.EVERYDAY


@pytest.mark.parametrize(
    ("kinds", "plain"),
    [
        ((nodes.paragraph,), True),
        ((nodes.paragraph, nodes.strong), True),
        ((nodes.paragraph, nodes.literal), False),
        ((nodes.paragraph, nodes.reference), False),
        ((nodes.paragraph, nodes.math), False),
        ((nodes.title,), False),
        ((nodes.literal_block,), False),
        ((nodes.caption,), False),
    ],
)
def test_only_plain_text_is_linked(kinds, plain):
    text = nodes.Text("query")
    inner = text
    for kind in reversed(kinds):
        outer = kind()
        outer += inner
        inner = outer
    assert terms.is_plain(text) is plain


def test_no_page_links_a_term_twice(book):
    link = re.compile(r'href="[./]*glossary\.html#([^"]+)"><span class="[^"]*\bglossary-term\b')
    for one in chapters.read_chapters(ROOT):
        found = link.findall((book / f"{one.docname}.html").read_text(encoding="utf-8"))
        assert len(found) >= 5, one.stem
        assert len(found) == len(set(found)), one.stem
