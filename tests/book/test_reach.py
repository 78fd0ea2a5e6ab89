"""Every page on every device: by keyboard, by thumb, narrow and wide, on paper, in its colours."""

import pytest

from tests.book import figure_checks, page_checks, print_checks, reach_checks
from tests.book.conftest import PAGES
from tests.book.visits import visit

MOBILE = {"width": 412, "height": 823}  # as Lighthouse measures
WIDTHS = (320, 390, 768, 1440)
RESIZED_MS = 450  # the theme's script looks 0.3 s after a change of size for what scrolls now
CHAPTER = next((page for page in PAGES if page.startswith("chapters/")), "no page")


def test_page_fits_every_screen(browser, served_book, page_name):
    with visit(browser, f"{served_book}/{page_name}", **MOBILE) as opened:
        at_first = (page_checks.moving_layout, page_checks.heavy_files)
        assert page_checks.problems(opened, at_first) == []
        checks = (page_checks.sideways_scroll, reach_checks.scrollers, reach_checks.small_targets)
        for width in WIDTHS:
            opened.page.set_viewport_size({"width": width, "height": 850})
            opened.page.wait_for_timeout(RESIZED_MS)
            assert page_checks.problems(opened, checks) == [], f"{width} px"


def test_page_can_be_walked_by_keyboard(browser, served_book, page_name):
    with visit(browser, f"{served_book}/{page_name}") as opened:
        opened.page.emulate_media(reduced_motion="reduce")
        assert reach_checks.motion(opened) == []
        assert reach_checks.keyboard_walk(opened) == []


def test_words_in_figures_are_readable(browser, served_book, page_name):
    with visit(browser, f"{served_book}/{page_name}") as opened:
        for scheme in ("light", "dark"):
            opened.page.emulate_media(color_scheme=scheme)
            opened.page.wait_for_selector(f"html[data-theme={scheme}]")
            assert figure_checks.faint_words(opened) == [], scheme


def test_page_prints(browser, served_book, page_name):
    """From the dark, for that is where paper and screen differ most."""
    with visit(browser, f"{served_book}/{page_name}", dark=True) as opened:
        opened.page.emulate_media(media="print", color_scheme="dark")
        assert print_checks.on_paper(opened) == []


# Menus: the same on every page, so one page is looked at --------------------------------


@pytest.fixture
def chapter(browser, served_book, request):
    with visit(browser, f"{served_book}/{CHAPTER}", **getattr(request, "param", {})) as opened:
        opened.page.emulate_media(reduced_motion="reduce")
        yield opened


def focused(opened, selector):
    return opened.page.evaluate("(at) => !!document.activeElement.closest(at)", selector)


def test_search_opens_and_closes_by_keyboard(chapter):
    page = chapter.page
    page.keyboard.press("Control+k")
    assert page.locator("dialog input[type=search]").is_visible()
    assert focused(chapter, "dialog")
    assert page_checks.accessibility(chapter) == []
    page.keyboard.press("Escape")
    assert not page.locator("dialog input[type=search]").is_visible()


@pytest.mark.parametrize("chapter", [MOBILE], indirect=True)
@pytest.mark.parametrize("side", ["primary", "secondary"])
def test_sidebar_on_a_phone_opens_and_closes_by_keyboard(chapter, side):
    page = chapter.page
    button = page.locator(f".bd-header-article .{side}-toggle")
    button.press("Enter")
    sidebar = page.locator(f"dialog .bd-sidebar-{side}, dialog#pst-{side}-sidebar-modal").first
    sidebar.wait_for(state="visible")
    assert focused(chapter, "dialog")
    assert page_checks.accessibility(chapter) == []
    page.keyboard.press("Escape")
    sidebar.wait_for(state="hidden")
    assert button.evaluate("(button) => button === document.activeElement")


def test_button_for_colours_says_which_are_on(chapter):
    button = chapter.page.locator(".theme-switch-button")
    names = set()
    for _ in range(3):
        names.add(" ".join(button.inner_text().split()))
        button.press("Enter")
        assert focused(chapter, ".theme-switch-button")
    assert names == {"Colours: light", "Colours: dark", "Colours: as the system"}
