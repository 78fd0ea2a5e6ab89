"""The built book, a server for it, a browser; and the tables printed at the end."""

import os
import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.book.visits import BROWSER_ARGUMENTS, serve
from tools.gates.browser import find_or_install_browser

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "_build" / "html"
sys.path.insert(0, str(ROOT / "_ext"))
# Set by "course.py test --full": what a page is asked twice, in ways that seldom differ, too.
FULL = bool(os.environ.get("COURSE_FULL"))
NAME_OF_PAGE = re.compile(r"[\[-]([\w/]+\.html)\b")
NOT_BUILT = "the book is not built: run 'python3 course.py book' first"
# index.html only leads to intro.html.
PAGES = sorted(path.relative_to(BOOK).as_posix() for path in BOOK.glob("**/*.html"))
PAGES = [page for page in PAGES if page != "index.html" and not page.startswith("_")]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """What is tested of one page runs on one worker, and so does any other file of tests."""
    from xdist.scheduler import LoadScopeScheduling

    class ByPage(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            page = NAME_OF_PAGE.search(nodeid)
            return page[1] if page else nodeid.split("::")[0]

    return ByPage(config, log)


def look(visit, width=1280, height=900, *, scheme="light", media="screen"):
    """Set how a page is seen. Without motion: no colour is met on its way to another."""
    visit.page.set_viewport_size({"width": width, "height": height})
    visit.page.emulate_media(media=media, color_scheme=scheme, reduced_motion="reduce")
    visit.page.wait_for_selector(f"html[data-theme={scheme}]")


@pytest.fixture(scope="session")
def book():
    if not PAGES:
        pytest.fail(NOT_BUILT, pytrace=False)
    return BOOK


@pytest.fixture(scope="session")
def browser():
    program = find_or_install_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=BROWSER_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def served_book(book):
    with serve(book) as address:
        yield address


def pytest_terminal_summary(terminalreporter):
    """Print what the tests measured: a table of weights and one of frame times."""
    for title in ("weight", "slider"):
        rows = [
            row
            for report in terminalreporter.getreports("passed")
            for name, row in getattr(report, "user_properties", [])
            if name == title
        ]
        if rows:
            terminalreporter.section(f"{title}s")
            for row in rows:
                terminalreporter.write_line(row)
