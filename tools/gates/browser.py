"""Find a Chromium-like browser for the tests of the book, or install one.

``python -m tools.gates.browser`` prints where it is.
"""

import os
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
         "microsoft-edge", "microsoft-edge-stable", "chrome", "msedge")  # fmt: skip
MAC_APPLICATIONS = ("Google Chrome", "Chromium", "Microsoft Edge")
WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
WINDOWS_PROGRAMS = (r"Google\Chrome\Application\chrome.exe",
                    r"Microsoft\Edge\Application\msedge.exe",
                    r"Chromium\Application\chrome.exe")  # fmt: skip
ADVICE = "install Chromium, Chrome or Edge and run this again"


class NoBrowserError(RuntimeError):
    """There is no browser, and none could be installed."""


def find_or_install_browser():
    """Return the path of a browser that Playwright can drive; install Chromium if need be.

    Raises: NoBrowserError, in one sentence, if neither works.
    """
    browser = find_browser()
    if browser is None:
        install_browser()
        browser = find_browser()
    if browser is None:
        raise NoBrowserError(f"no browser was found and none could be installed: {ADVICE}")
    return browser


def find_browser():
    """Return the path of a browser of this machine, or of Playwright's own, or None."""
    found = (path for path in map(shutil.which, NAMES) if path)
    # Playwright's own comes last: asking for it starts Playwright.
    return next((path for path in chain(found, _usual_places()) if Path(path).is_file()), None)


def install_browser():
    """Install Chromium: from Debian's or Ubuntu's packages as root, else by Playwright."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if as_root and shutil.which("apt-get"):
        _try("apt-get", "update", "-q")
        if _try("apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"):
            return
    _try(sys.executable, "-m", "playwright", "install", "chromium")


def _usual_places():
    for name in MAC_APPLICATIONS:
        yield f"/Applications/{name}.app/Contents/MacOS/{name}"
    for variable in WINDOWS_FOLDERS:
        for program in WINDOWS_PROGRAMS:
            if folder := os.environ.get(variable):
                yield str(Path(folder, program))
    yield _playwright_browser()


def _playwright_browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _try(*command):
    """Run a command and say whether it worked; its output is shown."""
    print("installing a browser:", *command, flush=True)
    try:
        return subprocess.run(command, check=False).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    try:
        print(find_or_install_browser())
    except NoBrowserError as error:
        sys.exit(f"tools.gates.browser: {error}")
