"""The built book, a server for it, a browser; and the tables printed at the end."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.book.visits import BROWSER_ARGUMENTS, serve
from tools.browser import find_or_install_browser

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "_build" / "html"
sys.path.insert(0, str(ROOT / "_ext"))
NOT_BUILT = "the book is not built: run 'python3 course.py book' first"
# index.html only leads to intro.html.
PAGES = sorted(path.relative_to(BOOK).as_posix() for path in BOOK.glob("**/*.html"))
PAGES = [page for page in PAGES if page != "index.html" and not page.startswith("_")]


def pytest_generate_tests(metafunc):
    if "page_name" in metafunc.fixturenames:
        metafunc.parametrize("page_name", PAGES or ["no page"])


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


@pytest.fixture(params=["http", "file"])
def address(request, book, served_book, page_name):
    """The address of a page, served and from the folder."""
    if request.param == "http":
        return f"{served_book}/{page_name}"
    return (book / page_name).as_uri()


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
