"""Every slider of the book: by keyboard, by mouse, by itself, and with scripts off."""

import pytest

from tests.book import slider_checks
from tests.book.conftest import BOOK, PAGES
from tests.book.visits import visit

WITH_SLIDERS = [
    page for page in PAGES if 'class="explore"' in (BOOK / page).read_text(encoding="utf-8")
]


@pytest.fixture(scope="module", params=WITH_SLIDERS or ["no page"])
def slider_page(request, book):
    if not WITH_SLIDERS:
        pytest.fail("no page of the book has a slider; chapters 02 and 03 should", pytrace=False)
    return request.param


@pytest.fixture(scope="module", params=["http", "file"])
def opened(request, browser, book, served_book, slider_page):
    """Return the visit of a page with sliders, served or from its folder."""
    served = request.param == "http"
    address = f"{served_book}/{slider_page}" if served else (book / slider_page).as_uri()
    with visit(browser, address) as opened:
        yield opened


CHECKS = ("keyboard", "announcement", "mouse", "play", "faithful")


@pytest.mark.parametrize("check", CHECKS)
def test_sliders_move(opened, check):
    for box in opened.page.locator(".explore").all():
        assert getattr(slider_checks, check)(box) == []
    assert opened.errors == []


def test_starting_frame_shows_without_scripts(browser, served_book, slider_page):
    with visit(browser, f"{served_book}/{slider_page}", scripts=False) as opened:
        for box in opened.page.locator(".explore").all():
            assert slider_checks.without_scripts(box) == []


def test_steps_are_quick(browser, served_book, slider_page, record_property):
    """The median of the work of a step must leave room in a frame of 1/30 s."""
    with visit(browser, f"{served_book}/{slider_page}") as opened:
        for number, box in enumerate(opened.page.locator(".explore").all(), start=1):
            times = slider_checks.frame_times(box)
            row = "  ".join(
                f"{name}: median {median:5.1f} ms, p95 {late:5.1f} ms"
                for name, (median, late) in times.items()
            )
            record_property("slider", f"{row}  slider {number} of {slider_page}")
            assert times["work"][0] < 33
