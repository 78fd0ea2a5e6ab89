"""What the menus and buttons around a page must do. Each check returns the problems it finds."""

from tests.book import page_checks
from tests.book.visits import eventually

COLOURS = {"Colours: light", "Colours: dark", "Colours: as the system"}
OPEN = """() => {
  const dialog = document.querySelector("dialog[open]");
  return { open: !!dialog, focused: !!dialog && dialog.contains(document.activeElement) };
}"""


def search(visit):
    """Control and K must open a field to type in, and Escape must close it."""
    visit.page.keyboard.press("Control+k")
    problems = _opened(visit, "Control and K")
    if not visit.page.locator("dialog input[type=search]:focus").count():
        problems.append("Control and K lead to no field to type in")
    return problems + _closed(visit, "the search")


def menus(visit):
    """Needs a phone: each menu must open as a dialog, and Escape must lead back to its button."""
    problems = []
    for side in ("primary", "secondary"):
        button = visit.page.locator(f".{side}-toggle").first
        button.press("Enter")
        problems += _opened(visit, f"the {side} button")
        problems += _closed(visit, f"the {side} menu")
        if not button.evaluate("(button) => button === document.activeElement"):
            problems.append(f"after the {side} menu the focus is not on its button")
    return problems


def folding(visit):
    """Needs a wide screen: the button of the contents must say whether they are shown."""
    button = visit.page.locator(".primary-toggle").first
    contents = visit.page.locator("#pst-primary-sidebar")
    problems = []
    for shown in (True, False, True):
        said = button.get_attribute("aria-expanded")
        if said != str(shown).lower():
            problems.append(f"aria-expanded is {said}, but the contents are shown: {shown}")
        if eventually(lambda _, shown=shown: contents.is_visible() != shown, visit):
            problems.append(f"the contents should be shown: {shown}")
        button.press("Enter")
    return problems


def colours(visit):
    """The button must keep the focus and say in turn which colours are on."""
    button = visit.page.locator(".theme-switch-button")
    problems, names = [], set()
    for _ in COLOURS:
        names.add(" ".join(button.inner_text().split()))
        button.press("Enter")
        if not button.evaluate("(button) => button === document.activeElement"):
            problems.append("the button for colours loses the focus")
    if names != COLOURS:
        problems.append(f"the button for colours says {sorted(names)}, not {sorted(COLOURS)}")
    return problems


def _opened(visit, action):
    state = visit.page.evaluate(OPEN)
    if not state["open"]:
        return [f"{action} does not open a dialog"]
    problems = [] if state["focused"] else [f"{action} leaves the focus behind the dialog"]
    return problems + page_checks.accessibility(visit)


def _closed(visit, what):
    visit.page.keyboard.press("Escape")
    still_open = eventually(lambda visit: visit.page.evaluate(OPEN)["open"], visit)
    return [f"Escape does not close {what}"] if still_open else []
