"""Can every part of a page be reached: by keyboard, by thumb, on a narrow screen, without motion?

Each check returns the problems it finds, as sentences.
"""

import re

from tests.colours import contrast

MOST_STOPS = 600
LEAST_OUTLINE = 2  # pixels
LEAST_OUTLINE_CONTRAST = 3  # Web Content Accessibility Guidelines 2.2, criterion 1.4.11
THUMB = 44  # pixels; the same, criterion 2.5.5

# Where the focus is: null when it has left the page or come round to where it was before.
NEXT_STOP = """() => {
  const stop = document.activeElement;
  window.stops ??= new Set();
  if (!stop || stop === document.body || window.stops.has(stop)) return null;
  window.stops.add(stop);
  const box = stop.getBoundingClientRect();
  let holder = stop.parentElement;
  const colourOf = (part) => getComputedStyle(part).backgroundColor;
  while (holder && colourOf(holder) === "rgba(0, 0, 0, 0)") holder = holder.parentElement;
  const style = getComputedStyle(stop);
  return {
    html: stop.outerHTML.slice(0, 100),
    outline: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
    colour: style.outlineColor,
    page: holder ? colourOf(holder) : "rgb(255, 255, 255)",
    onScreen: box.width > 0 && box.bottom > 0 && box.top < innerHeight
      && box.right > 0 && box.left < innerWidth,
  };
}"""
NEVER_REACHED = """() => [...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((part) => part.checkVisibility({ visibilityProperty: true }) && !part.disabled)
  .filter((part) => !window.stops.has(part))
  .map((part) => part.outerHTML.slice(0, 100))"""
FIRST_STOP = """() => ({
  words: document.activeElement.textContent.trim(),
  target: document.activeElement.getAttribute("href") ?? "",
  holdsMain: !!document.querySelector(
    document.activeElement.getAttribute("href") ?? "#none")?.closest("main"),
})"""
SCROLLERS = """() => [...document.querySelectorAll("body *")]
  .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth)
  .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowX))
  .filter((part) => part.checkVisibility({ visibilityProperty: true }))
  .map((part) => ({
    html: part.outerHTML.slice(0, 100),
    meant: part.matches("pre, .equation-body, .pst-scrollable-table-container, .cell_output, "
      + ".cell_output div:has(> table)"),
    reachable: part.tabIndex >= 0 || !!part.querySelector("a[href], button, input, [tabindex]"),
  }))"""
TARGETS = """() => [...document.querySelectorAll(".explore input, .explore button")]
  .map((part) => {
    const { width, height } = part.getBoundingClientRect();
    return { html: part.outerHTML.slice(0, 60), size: Math.min(width, height) };
  })"""
MOVING = """() => [...document.querySelectorAll("*")].filter((part) => {
    const style = getComputedStyle(part);
    const times = `${style.transitionDuration},${style.animationDuration}`.split(",");
    return times.some((time) => parseFloat(time) > 0) || style.scrollBehavior === "smooth";
  }).map((part) => part.outerHTML.slice(0, 80))"""


def keyboard_walk(visit):
    """Tab must come to everything, in sight, with a mark that is seen; first to the skip link."""
    page = visit.page
    page.keyboard.press("Tab")
    first = page.evaluate(FIRST_STOP)
    problems = []
    if not (first["words"].startswith("Skip") and first["holdsMain"]):
        problems.append(f"the first stop is no link that skips to the text: {first['words']!r}")
    for _ in range(MOST_STOPS):
        stop = page.evaluate(NEXT_STOP)
        if stop is None:
            break
        problems += _unseen(stop)
        page.keyboard.press("Tab")
    else:
        problems.append(f"more than {MOST_STOPS} stops")
    return problems + [f"never reached by Tab: {html}" for html in page.evaluate(NEVER_REACHED)]


def _unseen(stop):
    if not stop["onScreen"]:
        return [f"the focus goes to what is not in sight: {stop['html']}"]
    if stop["outline"] < LEAST_OUTLINE:
        return [f"the focus does not show: {stop['html']}"]
    if contrast(_rgb(stop["colour"]), _rgb(stop["page"])) < LEAST_OUTLINE_CONTRAST:
        return [f"the mark of the focus is too faint: {stop['html']}"]
    return []


def _rgb(colour):
    """Return the channels of what a browser calls "rgb(…)" or, if it mixed, "color(srgb …)"."""
    channels = re.findall(r"[\d.]+", colour)[:3]
    most = 1 if colour.startswith("color(") else 255
    return [float(channel) / most for channel in channels]


def scrollers(visit):
    """Only code, tables, equations and outputs may scroll sideways, and by keyboard too."""
    found = visit.page.evaluate(SCROLLERS)
    problems = [f"scrolls sideways: {part['html']}" for part in found if not part["meant"]]
    return problems + [
        f"scrolls, but cannot be reached by keyboard: {part['html']}"
        for part in found
        if part["meant"] and not part["reachable"]
    ]


def small_targets(visit):
    """The parts of a slider must be large enough for a thumb."""
    return [
        f"is {target['size']:.0f} px large, less than {THUMB}: {target['html']}"
        for target in visit.page.evaluate(TARGETS)
        if target["size"] < THUMB
    ]


def motion(visit):
    """Needs a page that was told to reduce motion."""
    return [f"moves all the same: {html}" for html in visit.page.evaluate(MOVING)]
