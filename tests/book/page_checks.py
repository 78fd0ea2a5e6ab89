"""What a page of the book must be. Each check returns the problems it finds, as sentences."""

import re
from pathlib import Path

import axe_playwright_python

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
# Two rules that axe keeps off by default: a label that says something else than the button
# shows, and what is too small to be hit. Contrast is looked for apart, because it is slow.
ALL_BUT_CONTRAST = {
    "rules": {
        "label-content-name-mismatch": {"enabled": True},
        "target-size": {"enabled": True},
        "color-contrast": {"enabled": False},
    },
}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
# What another width of the screen can break.
LAYOUT = {
    "runOnly": ["target-size", "scrollable-region-focusable"],
    "rules": {"target-size": {"enabled": True}},
}
# Marks one element for each way that words are set: colour, size and weight, on these layers,
# among words of that colour. Contrast depends on nothing else.
SAMPLE = """(keep) => {
  const layers = new Map([[null, ""]]);
  const samples = new Map();
  for (const part of document.querySelectorAll("html, html *")) {
    if (!keep) part.removeAttribute("data-sample");
    const style = getComputedStyle(part);
    const own = style.backgroundColor + style.backgroundImage + style.opacity + style.filter;
    layers.set(part, `${layers.get(part.parentElement)} ${own}`);
    const words = [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!words || !part.checkVisibility({ visibilityProperty: true })) continue;
    const around = part.parentElement && getComputedStyle(part.parentElement).color;
    const { color, fill, fontSize, fontWeight, textDecorationLine } = style;
    const key = [color, fill, fontSize, fontWeight, textDecorationLine, around, layers.get(part)];
    if (!samples.has(key.join())) samples.set(key.join(), part);
  }
  for (const part of samples.values()) part.setAttribute("data-sample", "");
  return samples.size;
}"""
# Two thirds of a page's elements are the coloured words of its code: axe walks through all of
# them, but only those of the sample can differ.
THIN_OUT = """() => {
  for (const word of document.querySelectorAll("pre span:not([data-sample])")) {
    if (!word.querySelector("[data-sample]")) word.replaceWith(word.textContent);
  }
  for (const code of document.querySelectorAll("pre")) code.normalize();
}"""
RUN_AXE = "([what, how]) => axe.run(what ?? document, { resultTypes: ['violations'], ...how })"
WEIGHT_LIMITS = {"plain": 150_000, "figures": 300_000, "sliders": 600_000}  # bytes
STYLE_LIMIT, SCRIPT_LIMIT = 25_000, 60_000  # bytes, as a server would send them
MOST_SHIFT = 0.02
MORE_OPENINGS = 3  # of a page that moved

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
HEADINGS = """() => [...document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")]
  .filter((heading) => heading.checkVisibility())
  .map((heading) => ({ level: +heading.tagName[1], words: heading.textContent.trim() }))"""
UNMARKED_CHINESE = r"""() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    const apart = holder.closest("pre, code, script, style, [lang=zh-Hant]");
    if (!apart && /\p{Script=Han}/u.test(walker.currentNode.data)) {
      found.push(walker.currentNode.data.trim());
    }
  }
  return found;
}"""
# What a screen reader is told of each formula: nothing if it is hidden or replaced by a picture.
SILENT_MATHS = """() => [...document.querySelectorAll("math")]
  .filter((maths) => maths.closest("[aria-hidden=true]") || maths.getAttribute("role")
    || !maths.querySelector("mi, mn, mtext") || maths.querySelector("merror"))
  .map((maths) => maths.textContent.trim())"""
FILES = """() => ({
  styles: [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => link.href),
  scripts: [...document.scripts].map((script) => script.src).filter(Boolean),
})"""
# The whole page passes by, so that what comes late comes while it is watched.
SHIFT = """async () => {
  for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
    scrollTo(0, y);
    await new Promise((done) => setTimeout(done, 30));
  }
  const shifts = await new Promise((done) => {
    const observer = new PerformanceObserver((list) => done(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done([]), 300);
  });
  return shifts.filter((shift) => !shift.hadRecentInput)
    .reduce((sum, shift) => sum + shift.value, 0);
}"""
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
    return colours(visit) + _axe(visit, None, ALL_BUT_CONTRAST)


def colours(visit):
    """The part of accessibility that is another in the dark."""
    n_samples = visit.page.evaluate(SAMPLE, False)
    return _axe(visit, {"include": [["[data-sample]"]]}, COLOURS) if n_samples else []


def mark_samples(visit):
    """Mark what stands for all that is set like it, as the page is seen now."""
    visit.page.evaluate(SAMPLE, True)


def thin_out(visit):
    """Take out the coloured words of code for which another stands, so that axe is quick."""
    visit.page.evaluate(THIN_OUT)


def laid_out(visit):
    """The part of accessibility that is another on a screen of another width."""
    return _axe(visit, None, LAYOUT)


def _axe(visit, what, how):
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(AXE.read_text(encoding="utf-8"))
    result = visit.page.evaluate(RUN_AXE, [what, how])
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


def heading_order(visit):
    """One title; below it each heading at most one step deeper than the one before."""
    headings = visit.page.evaluate(HEADINGS)
    levels = [heading["level"] for heading in headings]
    problems = [] if levels.count(1) == 1 else [f"the page has {levels.count(1)} titles"]
    return problems + [
        f"a heading of level {after['level']} follows one of {before['level']}: {after['words']}"
        for before, after in zip(headings, headings[1:], strict=False)
        if after["level"] > before["level"] + 1
    ]


def unmarked_chinese(visit):
    return [
        f"Chinese is not marked as Chinese: {text!r}"
        for text in visit.page.evaluate(UNMARKED_CHINESE)
    ]


def silent_maths(visit):
    return [f"maths is not read aloud: {text!r}" for text in visit.page.evaluate(SILENT_MATHS)]


def heavy_files(visit):
    """Styles hold up the first look at a page, scripts the first move on it."""
    files = visit.page.evaluate(FILES)
    styles = sum(visit.weights.get(url, 0) for url in files["styles"])
    problems = []
    if styles > STYLE_LIMIT:
        problems.append(f"{styles / 1000:.0f} kB of styles; a page may {STYLE_LIMIT // 1000} kB")
    return problems + [
        f"a script of {visit.weights[url] / 1000:.0f} kB: {url}"
        for url in files["scripts"]
        if visit.weights.get(url, 0) > SCRIPT_LIMIT
    ]


def layout_shift(visit):
    """Return how much the page moves by itself from its opening on (CLS)."""
    return visit.page.evaluate(SHIFT)


def moving_layout(visit):
    shift = layout_shift(visit)
    return [f"the page moves under the reader: {shift:.3f}"] if shift > MOST_SHIFT else []


def moves_at_each_opening(visit, open_again):
    """Return what ``moving_layout`` says of a visit, if it says it of further openings too.

    A machine that stalls for a moment brings the font of the formulas late, and the page moves
    once; a page that is made so moves at each opening. open_again: gives a new visit each time.
    """
    problems = moving_layout(visit)
    for _ in range(MORE_OPENINGS):
        if problems:
            with open_again() as again:
                problems = moving_layout(again)
    return problems


# What every page must pass however it is opened.
ALWAYS = (requests_elsewhere, failed_requests, console_errors, raw_tex, unseen_maths,
          silent_maths, figures_without_words, heading_order, unmarked_chinese)  # fmt: skip


def problems(visit, checks):
    return [problem for check in checks for problem in check(visit)]
