"""Every slider of the book: by keyboard, by mouse, by itself.

From the folder of the book and with scripts off they are looked at in test_pages.py, where
those visits are made; in full, everything is tried from the folder too.
"""

import pytest

from tests.book import slider_checks
from tests.book.conftest import BOOK, FULL, PAGES
from tests.book.visits import visit

WITH_SLIDERS = [
    page for page in PAGES if 'class="explore"' in (BOOK / page).read_text(encoding="utf-8")
]


@pytest.fixture(scope="module", params=WITH_SLIDERS or ["no page"])
def slider_page(request, book):
    if not WITH_SLIDERS:
        pytest.fail("no page of the book has a slider; chapters 02 and 03 should", pytrace=False)
    return request.param


@pytest.fixture(scope="module", params=["http", "file"] if FULL else ["http"])
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


def test_steps_are_quick(opened, slider_page, record_property):
    """The median of the work of a step must leave room in a frame of 1/30 s."""
    for number, box in enumerate(opened.page.locator(".explore").all(), start=1):
        times = slider_checks.frame_times(box)
        row = "  ".join(
            f"{name}: median {median:5.1f} ms, p95 {late:5.1f} ms"
            for name, (median, late) in times.items()
        )
        record_property("slider", f"{row}  slider {number} of {slider_page}")
        assert times["work"][0] < 33
