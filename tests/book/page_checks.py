"""What a page of the book must be. Each check returns the problems it finds, as sentences."""

import re
from pathlib import Path

import axe_playwright_python

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
# One rule that axe keeps off by default: a label that says something else than the button shows.
AXE_OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {"label-content-name-mismatch": {"enabled": True}},
}
WEIGHT_LIMITS = {"plain": 150_000, "figures": 300_000, "sliders": 600_000}  # bytes

VISIBLE_TEX = r"""() => {
  const tex = /\$\$|\\\(|\\\[|\\[a-zA-Z]{2,}|\^\{|_\{/;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    const apart = holder.closest("pre, code, script, style, annotation, noscript");
    if (!apart && tex.test(walker.currentNode.data)) found.push(walker.currentNode.data.trim());
  }
  return found;
}"""
UNSEEN_MATHS = """() => [...document.querySelectorAll("math")]
  .filter((maths) => !maths.checkVisibility() || !maths.getBoundingClientRect().width)
  .filter((maths) => !maths.closest("details:not([open])"))
  .map((maths) => maths.textContent.trim())"""
FIGURES = """() => [...document.querySelectorAll("main img, main [role=img], main svg")]
  .filter((figure) => !figure.closest("[aria-hidden=true]"))
  .map((figure) => ({
    alt: figure.getAttribute("alt") ?? figure.getAttribute("aria-label") ?? "",
    html: figure.outerHTML.slice(0, 80),
  }))"""
FILE_NAME = r"^[\w./:-]*\.(svg|png|jpe?g|gif|webp)$|^[0-9a-f]{16,}$"


def requests_elsewhere(visit):
    return [f"asks another host: {url}" for url in visit.outside]


def failed_requests(visit):
    refused = set(visit.outside)
    return [f"a request fails: {url}" for url in visit.failed if url not in refused]


def console_errors(visit):
    return [f"error in the console: {error}" for error in visit.errors]


def raw_tex(visit):
    return [f"raw TeX is left: {text!r}" for text in visit.page.evaluate(VISIBLE_TEX)]


def unseen_maths(visit):
    return [f"maths is not visible: {text!r}" for text in visit.page.evaluate(UNSEEN_MATHS)]


def figures_without_words(visit):
    problems = []
    for figure in visit.page.evaluate(FIGURES):
        alt = figure["alt"].strip()
        if not alt:
            problems.append(f"a figure has no alternative text: {figure['html']}")
        elif re.search(FILE_NAME, alt, re.IGNORECASE):
            problems.append(f"the alternative text is a file name: {alt}")
    return problems


def sideways_scroll(visit):
    """Needs a page opened at the width of a phone."""
    needed = visit.page.evaluate("document.scrollingElement.scrollWidth")
    width = visit.page.viewport_size["width"]
    return [f"the page is {needed} px wide on a screen of {width} px"] if needed > width else []


def accessibility(visit):
    visit.page.evaluate(AXE.read_text(encoding="utf-8"))
    result = visit.page.evaluate("(options) => axe.run(options)", AXE_OPTIONS)
    return [
        f"axe: {violation['id']}: {node['html'][:120]}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


def kind_of_page(visit):
    """Return "sliders", "figures" or "plain"."""
    if visit.page.locator(".explore").count():
        return "sliders"
    return "figures" if visit.page.locator("main figure").count() else "plain"


def too_heavy(visit):
    kind = kind_of_page(visit)
    limit = WEIGHT_LIMITS[kind]
    if visit.weight <= limit:
        return []
    return [f"weighs {visit.weight / 1000:.0f} kB; a page of kind {kind} may {limit // 1000} kB"]


# What every page must pass however it is opened.
ALWAYS = (requests_elsewhere, failed_requests, console_errors, raw_tex, unseen_maths,
          figures_without_words)  # fmt: skip


def problems(visit, checks):
    return [problem for check in checks for problem in check(visit)]
