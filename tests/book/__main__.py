"""One table: what each page of the built book weighs, how it fares, how fast its sliders are.

    python -m tests.book                       every page
    python -m tests.book --lighthouse 5 intro  one page, with the median of five runs of Lighthouse

Times depend on the machine and on what else it does: measure when it is quiet.
"""

import argparse
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.book import page_checks, slider_checks
from tests.book.visits import BROWSER_ARGUMENTS, serve, visit
from tools.gates import lighthouse
from tools.gates.browser import find_or_install_browser

BOOK = Path(__file__).resolve().parents[2] / "_build" / "html"
MOBILE = {"width": 412, "height": 823}  # as Lighthouse measures
HEAD = "     kB  outside  axe    CLS  slider p95 ms"
LIGHTHOUSE_HEAD = "  perf acc  bp seo  LCP s  TBT s"


def pages_of(book, words):
    """Return the names of the pages that hold one of the words, or of all pages."""
    names = sorted(path.relative_to(book).as_posix() for path in book.rglob("*.html"))
    names = [name for name in names if name != "index.html" and not name.startswith("_")]
    return [name for name in names if not words or any(word in name for word in words)]


def row(browser, address):
    """Return what is measured of one page, as a line of the table."""
    with visit(browser, address, **MOBILE) as opened:
        shift = page_checks.layout_shift(opened)
        opened.page.emulate_media(reduced_motion="reduce")
        found = len(page_checks.accessibility(opened))
        opened.page.emulate_media(color_scheme="dark")
        opened.page.wait_for_selector("html[data-theme=dark]")
        found += len(page_checks.colours(opened))
        late = [
            slider_checks.frame_times(box)["work"][1]
            for box in opened.page.locator(".explore").all()
        ]
        slowest = f"{max(late):13.1f}" if late else f"{'–':>13}"
        weight = f"{opened.weight / 1000:7.1f}"
        return f"{weight}  {len(opened.outside):7}  {found:3}  {shift:.3f}  {slowest}"


def lighthouse_row(address, runs):
    """Return the marks of one page as a part of its line, and what is too low."""
    reports = lighthouse.measure(address, runs)
    marks = lighthouse.summary(reports)
    shown = " ".join(f"{marks[name]:3}" for name in lighthouse.CATEGORIES)
    problems = lighthouse.too_low(marks) + lighthouse.failed_audits(reports[0])
    return f"   {shown}  {marks['lcp']:5.2f}  {marks['tbt']:5.2f}", problems


def main():
    parser = argparse.ArgumentParser(prog="tests.book", description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="words in the names of the pages; else all")
    parser.add_argument("--lighthouse", type=int, default=0, metavar="RUNS")
    parser.add_argument("--book", type=Path, default=BOOK, help="the folder of the built book")
    options = parser.parse_args()
    names = pages_of(options.book, options.words)
    if not names:
        sys.exit("tests.book: there is no such page; is the book built?")
    print(HEAD + LIGHTHOUSE_HEAD * bool(options.lighthouse) + "  page")
    problems = []
    with serve(options.book) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_or_install_browser(), args=BROWSER_ARGUMENTS
        )
        for name in names:
            line = row(browser, f"{address}/{name}")
            if options.lighthouse:
                marks, low = lighthouse_row(f"{address}/{name}", options.lighthouse)
                line += marks
                problems += [f"{name}: {problem}" for problem in low]
            print(f"{line}  {name}", flush=True)
        browser.close()
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:
        sys.exit(f"tests.book: {error}")
