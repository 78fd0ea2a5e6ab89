"""Each check is seen to reject a page that is bad in one way, and to accept a good one."""

from pathlib import Path

import pytest

from tests.book import (
    figure_checks,
    menu_checks,
    page_checks,
    print_checks,
    reach_checks,
    slider_checks,
)
from tests.book.visits import serve, visit

BAD_PAGES = Path(__file__).with_name("bad_pages")
PHONE = {"width": 390, "height": 844}
NO_SCRIPTS = {"scripts": False}
PAPER = {"media": "print"}
STILL = {"reduced_motion": "reduce"}

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
    ("jumping_heading", page_checks.heading_order, {}, "level 3 follows one of 1"),
    ("unmarked_chinese", page_checks.unmarked_chinese, {}, "not marked as Chinese"),
    ("silent_maths", page_checks.silent_maths, {}, "maths is not read aloud"),
    ("moving_layout", page_checks.moving_layout, {}, "the page moves under the reader"),
    ("no_skip_link", reach_checks.keyboard_walk, {}, "no link that skips to the text"),
    ("unseen_focus", reach_checks.keyboard_walk, {}, "the focus does not show"),
    ("faint_focus", reach_checks.keyboard_walk, {}, "the mark of the focus is too faint"),
    ("out_of_sight", reach_checks.keyboard_walk, {}, "goes to what is not in sight"),
    ("never_reached", reach_checks.keyboard_walk, {}, "never reached by Tab"),
    ("inner_scroll", reach_checks.scrollers, PHONE, "scrolls sideways: <section"),
    ("unreachable_scroller", reach_checks.scrollers, PHONE, "cannot be reached by keyboard"),
    ("small_target", reach_checks.small_targets, PHONE, "is 20 px large, less than 44"),
    ("faint_words", figure_checks.faint_words, {}, "the words 'pale' in a figure"),
    ("word_on_dark_cell", figure_checks.faint_words, {}, "the words 'on blue' in a figure"),
    ("low_contrast", page_checks.accessibility, {}, "axe: color-contrast"),
    ("label_says_something_else", page_checks.accessibility, {}, "axe: label-content-name"),
    ("dead_menus", menu_checks.search, {}, "Control and K does not open a dialog"),
    ("dead_menus", menu_checks.search, {}, "Control and K lead to no field"),
    ("dead_menus", menu_checks.menus, PHONE, "the secondary button does not open a dialog"),
    ("dead_menus", menu_checks.folding, {}, "the contents should be shown: False"),
    ("dead_menus", menu_checks.folding, {}, "aria-expanded is true, but the contents"),
    ("dead_menus", menu_checks.colours, {}, "the button for colours loses the focus"),
    ("dead_menus", menu_checks.colours, {}, "the button for colours says ['Colours: light']"),
    ("menu_that_traps", menu_checks.menus, PHONE, "leaves the focus behind the dialog"),
    ("menu_that_traps", menu_checks.menus, PHONE, "Escape does not close the primary menu"),
    ("menu_that_traps", menu_checks.menus, PHONE, "the focus is not on its button"),
    ("menu_that_traps", menu_checks.search, {}, "Escape does not close the search"),
]
MEDIA_CASES = [
    ("restless", reach_checks.motion, STILL, "moves all the same"),
    ("not_for_paper", print_checks.on_paper, PAPER, "is for the screen"),
    ("not_for_paper", print_checks.on_paper, PAPER, "a drawing is missing"),
    ("not_for_paper", print_checks.on_paper, PAPER, "does not show its address"),
    ("not_for_paper", print_checks.on_paper, PAPER, "stays folded"),
    ("not_for_paper", print_checks.on_paper, PAPER, "is not black"),
]
SLIDER_CASES = [
    ("dead_slider", slider_checks.keyboard, {}, "ArrowRight does not change the frame"),
    ("dead_slider", slider_checks.mouse, {}, "a click does not change the frame"),
    ("silent_slider", slider_checks.announcement, {}, "is not announced"),
    ("silent_slider", slider_checks.keyboard, {}, "does not change aria-valuetext"),
    ("dead_play", slider_checks.play, {}, "Play does not move the slider"),
    ("unfaithful_slider", slider_checks.faithful, {}, "frame 1 is not as it is stored"),
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


@pytest.mark.parametrize(("name", "check", "media", "message"), MEDIA_CASES)
def test_page_that_is_bad_elsewhere_is_rejected(browser, bad_pages, name, check, media, message):
    with visit(browser, f"{bad_pages}/{name}.html") as opened:
        opened.page.emulate_media(**media)
        assert message in "\n".join(check(opened))


@pytest.mark.parametrize(("name", "check", "how", "message"), SLIDER_CASES, ids=case_name)
def test_bad_slider_is_rejected(browser, bad_pages, monkeypatch, name, check, how, message):
    monkeypatch.setattr(slider_checks, "LOOKS", 12)  # these pages will not change their minds
    with visit(browser, f"{bad_pages}/{name}.html", **how) as opened:
        assert message in "\n".join(check(opened.page.locator(".explore")))


def test_heavy_page_is_rejected(browser, tmp_path):
    noise = "".join(f"{number * 2654435761 % 2**32:08x}" for number in range(60_000))
    (tmp_path / "heavy.html").write_text(f"<title>Heavy</title><p hidden>{noise}</p>")
    with serve(tmp_path) as address, visit(browser, f"{address}/heavy.html") as opened:
        assert "a page of kind plain may 150 kB" in "\n".join(page_checks.too_heavy(opened))


def test_heavy_files_are_rejected(browser, tmp_path):
    noise = "".join(f"{number * 2654435761 % 2**32:08x}" for number in range(20_000))
    (tmp_path / "heavy.css").write_text(f"/* {noise} */")
    (tmp_path / "heavy.js").write_text(f"// {noise}")
    (tmp_path / "heavy.html").write_text(
        '<link rel="stylesheet" href="heavy.css"><script src="heavy.js"></script>'
    )
    with serve(tmp_path) as address, visit(browser, f"{address}/heavy.html") as opened:
        found = "\n".join(page_checks.heavy_files(opened))
        assert "kB of styles; a page may 25 kB" in found
        assert "a script of" in found


TINY_BUTTON = '<button style="padding:0;border:0;width:9px;height:9px">a</button>'
CODE = """<!doctype html><html lang="en"><title>Code</title><style>
pre {{ background: #fff; color: #000; white-space: pre-wrap }} .pale {{ color: #ccc }}
@media (prefers-color-scheme: dark) {{ pre {{ background: #000; color: #fff }}
  .pale {{ color: #fff }} .dim {{ color: #333 }} }}
</style><main><h1>Code</h1><pre>{words}</pre></main></html>"""


@pytest.mark.parametrize(("scheme", "bad"), [("light", "pale"), ("dark", "dim")])
def test_a_faint_word_of_code_is_found_though_the_code_is_thinned_out(
    browser, tmp_path, scheme, bad
):
    words = " ".join(
        f'<span class="{name}">word</span>' for name in ["plain"] * 60 + ["pale", "dim"]
    )
    (tmp_path / "code.html").write_text(CODE.format(words=words))
    with serve(tmp_path) as address, visit(browser, f"{address}/code.html") as opened:
        for seen in ("light", "dark"):
            opened.page.emulate_media(color_scheme=seen)
            page_checks.mark_samples(opened)
        page_checks.thin_out(opened)
        assert opened.page.locator("pre span").count() < 5
        opened.page.emulate_media(color_scheme=scheme)
        found = "\n".join(page_checks.colours(opened))
        assert f'axe: color-contrast: <span class="{bad}"' in found
        assert found.count("color-contrast") == 1


def test_a_small_target_is_found_by_the_layout_rules(browser, bad_pages):
    with visit(browser, f"{bad_pages}/good.html") as opened:
        assert page_checks.laid_out(opened) == []
        opened.page.evaluate(
            "(html) => document.querySelector('main').insertAdjacentHTML('beforeend', html)",
            f"<p>{3 * TINY_BUTTON}</p>",
        )
        assert "axe: target-size" in "\n".join(page_checks.laid_out(opened))


def test_a_page_that_moves_at_each_opening_is_rejected(browser, bad_pages):
    """But not one that moved a single time, as on a machine that stalls."""

    def opening(name):
        return visit(browser, f"{bad_pages}/{name}.html")

    with opening("moving_layout") as opened:
        moves = page_checks.moves_at_each_opening(opened, lambda: opening("moving_layout"))
        assert "the page moves under the reader" in "\n".join(moves)
        assert page_checks.moves_at_each_opening(opened, lambda: opening("good")) == []


def test_good_page_is_accepted(browser, bad_pages):
    address = f"{bad_pages}/good.html"
    checks = (
        *page_checks.ALWAYS,
        page_checks.moving_layout,
        page_checks.heavy_files,
        page_checks.too_heavy,
        page_checks.accessibility,
        figure_checks.faint_words,
        reach_checks.motion,
        reach_checks.keyboard_walk,
    )
    with visit(browser, address) as opened:
        assert page_checks.problems(opened, checks) == []
        box = opened.page.locator(".explore")
        for name in ("keyboard", "announcement", "mouse", "play"):
            assert getattr(slider_checks, name)(box) == []
        opened.page.emulate_media(**PAPER)
        assert print_checks.on_paper(opened) == []
    with visit(browser, address, **PHONE) as opened:
        checks = (page_checks.sideways_scroll, reach_checks.scrollers, reach_checks.small_targets)
        assert page_checks.problems(opened, checks) == []
    with visit(browser, address, scripts=False) as opened:
        assert slider_checks.without_scripts(opened.page.locator(".explore")) == []
