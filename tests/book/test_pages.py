"""Every page, over http and from its folder, in light and dark, wide and on a phone."""

from tests.book import page_checks
from tests.book.visits import visit

WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
MOVE_AND_OPEN = """() => {
  for (const fold of document.querySelectorAll("main details")) fold.open = true;
  for (const slider of document.querySelectorAll(".explore input")) {
    slider.value = slider.max;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
}"""


def test_page_shows_everything_and_asks_nobody(browser, address):
    with visit(browser, address) as opened:
        assert page_checks.problems(opened, page_checks.ALWAYS) == []
        opened.page.set_viewport_size(PHONE)
        assert page_checks.sideways_scroll(opened) == []


def test_page_is_accessible(browser, served_book, page_name):
    """As it opens; then with its sliders moved and its folds open, in the dark and on a phone."""
    with visit(browser, f"{served_book}/{page_name}") as opened:
        for size, scheme in ((WIDE, "light"), (WIDE, "dark"), (PHONE, "light")):
            opened.page.set_viewport_size(size)
            # Without motion: a colour must not be measured on its way to another.
            opened.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            opened.page.wait_for_selector(f"html[data-theme={scheme}]")
            # 0.3 s after a change of size the theme's script looks for what scrolls now.
            opened.page.wait_for_timeout(600)
            assert page_checks.accessibility(opened) == [], f"{scheme}, {size['width']} px"
            opened.page.evaluate(MOVE_AND_OPEN)


def test_page_is_light(browser, served_book, page_name, record_property):
    with visit(browser, f"{served_book}/{page_name}") as opened:
        kind = page_checks.kind_of_page(opened)
        record_property("weight", f"{opened.weight / 1000:8.1f} kB  {kind:8} {page_name}")
        assert page_checks.too_heavy(opened) == []


def test_page_reads_without_scripts(browser, served_book, page_name):
    with visit(browser, f"{served_book}/{page_name}", scripts=False) as opened:
        assert opened.page.locator("main h1").first.is_visible()


def test_front_page_leads_to_the_introduction(browser, book):
    with visit(browser, (book / "index.html").as_uri()) as opened:
        opened.page.wait_for_url("**/intro.html")


def test_search_finds_a_page(browser, book):
    with visit(browser, (book / "search.html").as_uri() + "?q=softmax") as opened:
        opened.page.wait_for_selector("#search-results li a")
        assert opened.errors == []
