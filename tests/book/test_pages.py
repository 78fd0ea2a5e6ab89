"""Every page, on every device: its weight, its words, by keyboard, in its colours, on paper.

A page is opened three times: served, from its folder, and with scripts off. The tests of a
served page share one visit; each begins by saying how the page is to be seen.
"""

import pytest

from tests.book import figure_checks, page_checks, print_checks, reach_checks, slider_checks
from tests.book.conftest import FULL, PAGES, look
from tests.book.visits import eventually, visit

MOBILE = {"width": 412, "height": 823}  # as Lighthouse measures
PHONE = {"width": 390, "height": 844}
WIDTHS = (320, 390, 768, 1440)
MOVE_AND_OPEN = """() => {
  for (const fold of document.querySelectorAll("main details")) fold.open = true;
  for (const slider of document.querySelectorAll(".explore input")) {
    slider.value = slider.max;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
}"""
LAY_OUT_ALL = "() => delete document.documentElement.dataset.waiting"


@pytest.fixture(scope="module", params=PAGES or ["no page"])
def page_name(request, book):
    return request.param


@pytest.fixture(scope="module")
def opened(browser, served_book, page_name):
    """Return the visit of a served page; what happened while it came is kept on it."""
    address = f"{served_book}/{page_name}"
    with visit(browser, address, **MOBILE) as opened:
        opened.at_first = page_checks.moves_at_each_opening(
            opened, lambda: visit(browser, address, **MOBILE)
        )
        opened.at_first += page_checks.problems(
            opened, (page_checks.heavy_files, page_checks.too_heavy)
        )
        opened.kind = page_checks.kind_of_page(opened)
        opened.page.evaluate(LAY_OUT_ALL)
        yield opened


def test_page_is_light_and_keeps_still(opened, page_name, record_property):
    record_property("weight", f"{opened.weight / 1000:8.1f} kB  {opened.kind:8} {page_name}")
    assert opened.at_first == []


def test_page_shows_everything_and_asks_nobody(opened):
    look(opened)
    assert page_checks.problems(opened, page_checks.ALWAYS) == []


def test_page_can_be_walked_by_keyboard(opened):
    look(opened)
    assert reach_checks.motion(opened) == []
    assert reach_checks.keyboard_walk(opened) == []


def test_page_fits_every_screen(opened):
    for width in WIDTHS:
        look(opened, width, 850)
        checks = (page_checks.sideways_scroll, reach_checks.small_targets)
        assert page_checks.problems(opened, checks) == [], f"{width} px"
        assert eventually(reach_checks.scrollers, opened) == [], f"{width} px"


def test_words_in_figures_are_readable(opened):
    for scheme in ("light", "dark"):
        look(opened, scheme=scheme)
        assert figure_checks.faint_words(opened) == [], scheme


def test_page_prints(opened):
    """From the dark, for that is where paper and screen differ most."""
    look(opened, scheme="dark", media="print")
    assert print_checks.on_paper(opened) == []


def test_page_is_accessible(opened):
    """With its sliders moved and its folds open; its colours in the dark; its layout on a phone.

    In full also as it opens, and on a phone by every rule.
    """
    look(opened)
    if FULL:
        assert page_checks.accessibility(opened) == []
    opened.page.evaluate(MOVE_AND_OPEN)
    for scheme in ("light", "dark"):
        look(opened, scheme=scheme)
        page_checks.mark_samples(opened)
    if not FULL:
        page_checks.thin_out(opened)
    assert page_checks.colours(opened) == []
    look(opened)
    assert page_checks.accessibility(opened) == []
    look(opened, **PHONE)
    assert eventually(reach_checks.scrollers, opened) == []
    assert page_checks.laid_out(opened) == []
    if FULL:
        assert page_checks.accessibility(opened) == []


def test_page_works_from_its_folder(browser, book, page_name):
    with visit(browser, (book / page_name).as_uri(), **PHONE) as opened:
        opened.page.evaluate(LAY_OUT_ALL)
        assert page_checks.problems(opened, page_checks.ALWAYS) == []
        assert page_checks.sideways_scroll(opened) == []
        for box in opened.page.locator(".explore").all():
            assert slider_checks.keyboard(box) == []
        assert opened.errors == []


def test_page_reads_without_scripts(browser, served_book, page_name):
    with visit(browser, f"{served_book}/{page_name}", scripts=False) as opened:
        assert opened.page.locator("main h1").first.is_visible()
        for box in opened.page.locator(".explore").all():
            assert slider_checks.without_scripts(box) == []


def test_front_page_leads_to_the_introduction(browser, book):
    page = browser.new_page()
    page.goto((book / "index.html").as_uri())
    page.wait_for_url("**/intro.html")
    page.close()


def test_search_finds_a_page(browser, book):
    with visit(browser, (book / "search.html").as_uri() + "?q=softmax") as opened:
        opened.page.wait_for_selector("#search-results li a")
        assert opened.errors == []
