"""Each check is seen to reject a page that is bad in one way, and to accept a good one."""

from pathlib import Path

import pytest

from tests.book import page_checks, slider_checks
from tests.book.visits import serve, visit

BAD_PAGES = Path(__file__).with_name("bad_pages")
PHONE = {"width": 390, "height": 844}
NO_SCRIPTS = {"scripts": False}

PAGE_CASES = [
    ("asks_another_host", page_checks.requests_elsewhere, {}, "asks another host: https://exam"),
    ("misses_a_file", page_checks.failed_requests, {}, "a request fails"),
    ("misses_a_file", page_checks.console_errors, {}, "error in the console"),
    ("console_error", page_checks.console_errors, {}, "broken"),
    ("script_fails", page_checks.console_errors, {}, "noSuchName is not defined"),
    ("raw_tex", page_checks.raw_tex, {}, "raw TeX is left"),
    ("unseen_maths", page_checks.unseen_maths, {}, "maths is not visible"),
    ("missing_alt", page_checks.figures_without_words, {}, "has no alternative text"),
    ("file_name_as_alt", page_checks.figures_without_words, {}, "is a file name"),
    ("too_wide", page_checks.sideways_scroll, PHONE, "px wide on a screen of 390 px"),
    ("low_contrast", page_checks.accessibility, {}, "axe: color-contrast"),
    ("label_says_something_else", page_checks.accessibility, {}, "axe: label-content-name"),
]
SLIDER_CASES = [
    ("dead_slider", slider_checks.keyboard, {}, "ArrowRight does not change the frame"),
    ("dead_slider", slider_checks.mouse, {}, "a click does not change the frame"),
    ("silent_slider", slider_checks.keyboard, {}, "does not change aria-valuetext"),
    ("dead_play", slider_checks.play, {}, "Play does not move the slider"),
    ("endless_play", slider_checks.play, {}, "Pause does not stop the slider"),
    ("frame_needs_scripts", slider_checks.without_scripts, NO_SCRIPTS, "frame is not there"),
    ("controls_without_scripts", slider_checks.without_scripts, NO_SCRIPTS, "controls show"),
]


def case_name(value):
    return getattr(value, "__name__", None) or (value if isinstance(value, str) else "")


@pytest.fixture(scope="module")
def bad_pages():
    with serve(BAD_PAGES) as address:
        yield address


@pytest.mark.parametrize(("name", "check", "how", "message"), PAGE_CASES, ids=case_name)
def test_bad_page_is_rejected(browser, bad_pages, name, check, how, message):
    with visit(browser, f"{bad_pages}/{name}.html", **how) as opened:
        assert message in "\n".join(check(opened))


@pytest.mark.parametrize(("name", "check", "how", "message"), SLIDER_CASES, ids=case_name)
def test_bad_slider_is_rejected(browser, bad_pages, name, check, how, message):
    with visit(browser, f"{bad_pages}/{name}.html", **how) as opened:
        assert message in "\n".join(check(opened.page.locator(".explore")))


def test_heavy_page_is_rejected(browser, tmp_path):
    noise = "".join(f"{number * 2654435761 % 2**32:08x}" for number in range(60_000))
    (tmp_path / "heavy.html").write_text(f"<title>Heavy</title><p hidden>{noise}</p>")
    with serve(tmp_path) as address, visit(browser, f"{address}/heavy.html") as opened:
        assert "a page of kind plain may 150 kB" in "\n".join(page_checks.too_heavy(opened))


def test_good_page_is_accepted(browser, bad_pages):
    address = f"{bad_pages}/good.html"
    checks = (*page_checks.ALWAYS, page_checks.accessibility, page_checks.too_heavy)
    with visit(browser, address) as opened:
        assert page_checks.problems(opened, checks) == []
        box = opened.page.locator(".explore")
        for check in (slider_checks.keyboard, slider_checks.mouse, slider_checks.play):
            assert check(box) == []
    with visit(browser, address, **PHONE) as opened:
        assert page_checks.sideways_scroll(opened) == []
    with visit(browser, address, scripts=False) as opened:
        assert slider_checks.without_scripts(opened.page.locator(".explore")) == []
