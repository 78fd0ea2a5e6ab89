"""Every page in Firefox, served and from its folder: by hand, as a second browser.

    python -m tests.book.firefox [words in the names of the pages]

Each page must open without an error, fit a phone, show its formulas, get its fonts and move
its sliders.
Firefox is driven by WebDriver BiDi, which it speaks by itself: no other program is needed.
"""

import argparse
import base64
import contextlib
import itertools
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import websocket

from tests.book.__main__ import BOOK, pages_of
from tests.book.visits import serve

PHONE = {"width": 390, "height": 844}
PATIENCE_S = 60
ADDRESS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
ARROW_RIGHT, HOME = "\ue014", "\ue011"  # as WebDriver calls these keys
SIZES = """() => document.fonts.ready.then(() => JSON.stringify({
  fonts: [...document.fonts].filter((font) => font.status === "error").map((font) => font.family),
  needed: document.scrollingElement.scrollWidth,
  sliders: document.querySelectorAll(".explore input").length,
  flat: [...document.querySelectorAll("math")].filter((maths) => maths.checkVisibility()
    && !maths.getBoundingClientRect().height).length,
}))"""
FOCUS = '(number) => document.querySelectorAll(".explore input")[number].focus()'
WORDS = """(number) => document.querySelectorAll(".explore input")[number]
  .closest(".explore").querySelector("svg").getAttribute("aria-label")"""


class Firefox:
    """A running Firefox with one page. errors: what the console said since it was emptied."""

    def __init__(self, connection):
        self.connection, self.numbers, self.errors = connection, itertools.count(1), []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.page = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method, **parameters):
        """Send a command; return its result. Raises: RuntimeError with Firefox's own words."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        self.connection.send(json.dumps(message))
        while True:
            said = json.loads(self.connection.recv())
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.errors.append(said["params"]["text"])
            elif said.get("id") == number:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['message']}")
                return said["result"]

    def open(self, address):
        """Open an address and wait until it is loaded."""
        self.errors.clear()
        self.ask("browsingContext.setViewport", context=self.page, viewport=PHONE)
        self.ask("browsingContext.navigate", context=self.page, url=address, wait="complete")

    def call(self, function, *numbers):
        """Call a function of JavaScript with numbers; return what it returns."""
        arguments = [{"type": "number", "value": number} for number in numbers]
        result = self.ask(
            "script.callFunction",
            functionDeclaration=function,
            arguments=arguments,
            target={"context": self.page},
            awaitPromise=True,
        )
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return result["result"].get("value")

    def press(self, key):
        """Press a key where the focus is."""
        strokes = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        source = {"type": "key", "id": "keyboard", "actions": strokes}
        self.ask("input.performActions", context=self.page, actions=[source])

    def save_picture(self, path):
        """Write what is seen of the page to a PNG file."""
        picture = self.ask("browsingContext.captureScreenshot", context=self.page)["data"]
        Path(path).write_bytes(base64.b64decode(picture))


@contextlib.contextmanager
def firefox():
    """Start Firefox with a profile of its own, and end it."""
    program = shutil.which("firefox")
    if program is None:
        raise RuntimeError("there is no Firefox on this machine: install it and run this again")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"]
        process = subprocess.Popen(
            [program, *options], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        try:
            found = next(filter(None, map(ADDRESS.search, process.stderr)), None)
            if found is None:
                raise RuntimeError("Firefox ended before it could be driven")
            connection = websocket.create_connection(
                f"{found[1]}/session", timeout=PATIENCE_S, suppress_origin=True
            )
            yield Firefox(connection)
            connection.close()
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def problems(browser, address):
    """Return what is wrong with a page, as sentences."""
    browser.open(address)
    sizes = json.loads(browser.call(SIZES))
    found = []
    if sizes["needed"] > PHONE["width"]:
        found.append(f"the page is {sizes['needed']} px wide on a screen of {PHONE['width']} px")
    found += [f"the font {family} is refused" for family in sizes["fonts"]]
    if sizes["flat"]:
        found.append(f"{sizes['flat']} formulas have no height")
    for number in range(sizes["sliders"]):
        browser.call(FOCUS, number)
        browser.press(HOME)
        first = browser.call(WORDS, number)
        browser.press(ARROW_RIGHT)
        if browser.call(WORDS, number) == first:
            found.append(f"slider {number + 1} does not move")
    return found + [f"error in the console: {words}" for words in browser.errors]


def main():
    """Look at the pages asked for, and end with the number of problems."""
    parser = argparse.ArgumentParser(prog="tests.book.firefox", description=__doc__.split("\n")[0])
    parser.add_argument("words", nargs="*", help="words in the names of the pages; else all")
    names = pages_of(BOOK, parser.parse_args().words)
    n_problems = 0
    with serve(BOOK) as served, firefox() as browser:
        for name, place in itertools.product(names, (served, BOOK.as_uri())):
            found = problems(browser, f"{place}/{name}")
            n_problems += len(found)
            print("\n  ".join([f"{'served' if place == served else 'folder'}  {name}", *found]))
    sys.exit(f"{n_problems} problems" if n_problems else 0)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, websocket.WebSocketException) as error:
        sys.exit(f"tests.book.firefox: {error}")
