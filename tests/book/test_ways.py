"""Finding one's way: map, reading times, gallery, limits, neighbours."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
import yaml
from docutils import nodes

from tests.book.conftest import ROOT

from coursebook import (  # isort: skip
    chapter_map, chapters, gallery, limits, outputs, places, reading_times, story,
)  # fmt: skip

OPENING = "# Try\n\nDoes it work?\n\n**What you'll need.** {needs}"


def markdown(text):
    return {"cell_type": "markdown", "source": text, "metadata": {}}


def chapter(number, *needs):
    """Return a chapter that builds on those with the given numbers."""
    names = tuple(f"chapters/{need:02d}_x" for need in needs)
    name = f"chapters/{number:02d}_x"
    return chapters.Chapter(name, f"{number:02d} X", "Part", "Does it?", names, None, ())


@pytest.fixture(scope="module")
def course():
    return chapters.read_chapters(ROOT)


@pytest.fixture
def small_course(tmp_path):
    """Return a function that writes a course of two chapters, given how the second begins."""

    def write(opening):
        listed = {"file": "chapters/01_a", "title": "01 A"}, {"file": "chapters/02_b", "title": "B"}
        parts = [{"caption": "Part", "chapters": list(listed)}]
        (tmp_path / "_toc.yml").write_text(yaml.safe_dump({"parts": parts}), encoding="utf-8")
        (tmp_path / "chapters").mkdir()
        for name, text in (("01_a", OPENING.format(needs="Nothing.")), ("02_b", opening)):
            path = tmp_path / f"chapters/{name}.ipynb"
            path.write_text(json.dumps({"cells": [markdown(text)]}), encoding="utf-8")
        return tmp_path

    return write


# What the notebooks say of themselves -----------------------------------------


def test_chapters_are_those_of_the_folder(course):
    stored = sorted(path.stem for path in (ROOT / "chapters").glob("*.ipynb"))
    assert [one.stem for one in course] == stored
    assert all(one.question.endswith("?") for one in course)


def test_needs_come_from_the_links_of_a_chapter(small_course):
    root = small_course(OPENING.format(needs="[The first](01_a.ipynb), and a slope."))
    first, second = chapters.read_chapters(root)
    assert (first.needs, second.needs) == ((), ("chapters/01_a",))


@pytest.mark.parametrize(
    ("opening", "message"),
    [
        ("# Try\n\nIt works.\n\n**What you'll need.** Nothing.", "02_b: the first paragraph asks"),
        ("# Try\n\nDoes it?", "02_b: the first cell does not say"),
        (OPENING.format(needs="[Later](03_c.ipynb)."), "02_b needs 03_c, which is no chapter"),
    ],
)
def test_chapter_that_hides_what_the_map_needs_is_refused(small_course, opening, message):
    with pytest.raises(ValueError, match=message):
        chapters.read_chapters(small_course(opening))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("# T\n\nWhat breaks?\n\nMore? Yes.", "What breaks?"),
        ("# T\n\nIt is blind. How is\norder put back?", "How is order put back?"),
        ("# T\n\nNothing is asked.", ""),
        ("# T", ""),
    ],
)
def test_question_of_a_chapter(text, question):
    assert chapters.question_in(text) == question


# The map -----------------------------------------------------------------------


def test_map_leaves_out_lines_that_others_imply():
    needs = chapter_map.reduced([chapter(1), chapter(2, 1), chapter(3, 1, 2)])
    assert needs["chapters/03_x"] == ["chapters/02_x"]


def test_main_road_is_the_longest_and_others_do_not_cross():
    lanes = chapter_map.lanes_of(
        [chapter(1), chapter(2), chapter(3, 2), chapter(4, 2), chapter(5, 3), chapter(6, 1, 5)]
    )
    assert [lanes[f"chapters/{n:02d}_x"] for n in range(1, 7)] == [2, 0, 0, 1, 0, 0]


def test_lines_of_the_map_join_from_row_to_row():
    """A line that leaves a row at the bottom must come into the next one at the top."""
    course = [chapter(1), chapter(2), chapter(3, 2), chapter(4, 2), chapter(5, 1, 3)]
    page = ElementTree.fromstring(chapter_map.markup(course).replace("&nbsp;", " "))
    bottoms = set()
    for row in page:
        drawing = row.find("svg")
        lines = [line.attrib for line in drawing.iter("line")]
        tops = {line["x1"] for line in lines if line["y1"] == "0"}
        tops |= {path.get("d").split()[-2] for path in drawing.iter("path")
                 if path.get("d").endswith(" 0")}  # fmt: skip
        assert tops == bottoms
        bottoms = {line["x1"] for line in lines if line["y2"] == "100%"}
    assert not bottoms


def test_map_says_in_words_what_its_lines_show(course):
    page = ElementTree.fromstring(chapter_map.markup(course))
    for one, entry in zip(course, page, strict=True):
        linked = [link.get("href") for link in entry.iter("a")]
        wanted = [one.docname, *one.needs, *filter(None, [one.exercise])]
        assert linked == [f"{name}.html" for name in wanted]
        assert one.question in "".join(entry.itertext())


# Reading times -------------------------------------------------------------------


def test_reading_time_grows_with_each_part():
    base = reading_times.minutes(1500, 150, 4)
    assert base == 20
    assert reading_times.minutes(3000, 150, 4) == 30
    assert reading_times.minutes(1500, 300, 4) == 30
    assert reading_times.minutes(1500, 150, 14) == 25
    assert reading_times.minutes(3, 0, 0) == 5


def test_chinese_is_counted_by_characters():
    assert len(reading_times.WORD.findall("Take 注意力 as d_k")) == 6


def test_each_chapter_of_the_book_says_its_time(book, course):
    for one in course:
        page = (book / f"{one.docname}.html").read_text(encoding="utf-8")
        assert reading_times.sentence(one) in page.split("</h1>")[1][:400], one.stem


# Gallery, limits, the slider of the first page --------------------------------------


def test_gallery_shows_every_picture(book, course):
    page = (book / "gallery.html").read_text(encoding="utf-8")
    for one in course:
        found = outputs.pictures(one)
        assert found, one.stem
        for number, picture in enumerate(found, start=1):
            name = gallery.file_name(one, number)
            assert page.count(f'src="_images/gallery/{name}"') == 1
            drawing = (book / gallery.FOLDER / name).read_text(encoding="utf-8")
            assert drawing == picture.drawing
            assert picture.alt


def test_pictures_are_counted_as_stored(course):
    """As many as the notebooks hold, counted in another way."""
    for one in course:
        stored = (ROOT / f"{one.docname}.ipynb").read_text(encoding="utf-8")
        kinds = [picture.kind for picture in outputs.pictures(one)]
        assert kinds.count("figure") == stored.count('"image/svg+xml"'), one.stem
        assert kinds.count("slider") == stored.count('<div class=\\"explore\\"'), one.stem


def test_limits_of_the_chapters_are_shown_whole(book, course):
    page = (book / "limits.html").read_text(encoding="utf-8")
    tellers = [one for one in course if chapters.section(one, chapters.LIMITS)]
    assert len(tellers) >= 3
    for one in tellers:
        assert f'href="{one.docname}.html#what-this-does-not-show"' in page


def test_section_ends_at_the_next_heading():
    cells = (markdown("## What this does not show\n\nA [b](02_b.ipynb)."), markdown("## Next\n\nC"))
    one = replace(chapter(3), cells=cells)
    assert chapters.section(one, chapters.LIMITS) == "A [b](02_b.ipynb)."
    assert "A [b](chapters/02_b.ipynb)." in limits.markup([one])
    with pytest.raises(ValueError, match="no chapter has a section"):
        limits.markup([chapter(1)])


def test_first_page_shows_the_slider_of_chapter_02(book, course):
    stored = outputs.sliders(course[1])[0]
    page = (book / "intro.html").read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json">(.*?)</script>', stored.html)[1]
    assert data in page


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("the atlas", "no place is called 'the atlas': expected one of the map"),
        ("the slider, 09_none", "there is no chapter 09_none"),
        ("the slider, 01_x", "chapters/01_x has no slider"),
    ],
)
def test_place_that_cannot_be_filled_is_refused(name, message):
    with pytest.raises(ValueError, match=message):
        places.filled(f"<!-- {name}: filled when the book is built -->", [chapter(1)])


@pytest.mark.parametrize("page", ["intro", "gallery", "limits"])
def test_no_place_of_the_book_stays_empty(book, page):
    assert "filled when the book is built" in (ROOT / f"{page}.md").read_text(encoding="utf-8")
    assert "filled when the book is built" not in (book / f"{page}.html").read_text("utf-8")


# Previous and next -------------------------------------------------------------------


def test_neighbours_say_their_questions(book, course):
    for before, after in zip(course, course[1:], strict=False):
        name = before.exercise or before.docname
        page = (book / f"{name}.html").read_text(encoding="utf-8")
        foot = re.sub(r"\s+", " ", page[page.index("prev-next-area") :])
        assert f'<span class="prev-next-title">{after.question}</span>' in foot, name


def test_page_without_a_question_is_called_by_its_title():
    document = nodes.section("", nodes.paragraph("", "It is so."), nodes.paragraph("", "Why?"))
    assert story.first_question(document) == ""
    document = nodes.section("", nodes.paragraph("", "It is so. But why?"))
    assert story.first_question(document) == "But why?"
