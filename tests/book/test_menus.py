"""The menus and buttons around a page: they are the same everywhere, so one page is looked at."""

import pytest

from tests.book import menu_checks
from tests.book.conftest import PAGES
from tests.book.visits import visit

MOBILE = {"width": 412, "height": 823}
CHAPTER = next((page for page in PAGES if page.startswith("chapters/")), "no page")


@pytest.mark.parametrize(
    ("check", "size"),
    [
        (menu_checks.search, {}),
        (menu_checks.search, MOBILE),
        (menu_checks.menus, MOBILE),
        (menu_checks.folding, {}),
        (menu_checks.colours, {}),
    ],
)
def test_menus_work_by_keyboard(browser, served_book, check, size):
    with visit(browser, f"{served_book}/{CHAPTER}", **size) as opened:
        opened.page.emulate_media(reduced_motion="reduce")
        assert check(opened) == []


def test_a_link_of_a_menu_leads_to_its_place(browser, served_book):
    """On a phone the menu is a dialog: it must not stay before the place."""
    with visit(browser, f"{served_book}/{CHAPTER}#summary", **MOBILE) as opened:
        page = opened.page
        page.locator(".secondary-toggle").press("Enter")
        page.locator("dialog[open] a[href='#summary']").press("Enter")
        page.wait_for_selector("dialog[open]", state="hidden")
        assert page.locator("#summary h2").is_visible()


def test_a_link_leads_to_its_place_though_the_page_is_not_laid_out(browser, served_book):
    with visit(browser, f"{served_book}/{CHAPTER}") as opened:
        page = opened.page
        assert page.locator("html[data-waiting]").count() == 1
        page.locator("#pst-page-toc-nav a[href='#summary']").click()
        page.wait_for_url("**#summary")
        top = page.locator("#summary").evaluate("(part) => part.getBoundingClientRect().top")
        assert 0 <= top < 200
        assert page.locator("html[data-waiting]").count() == 0
