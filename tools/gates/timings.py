"""A plugin for pytest that notes how long each notebook, page or test took.

``-p tools.gates.timings``, with the file to write in COURSE_TIMINGS: its name is that of the step
(tools/gates/steps.py prints the slowest).
"""

import json
import os
import re
from collections import Counter
from pathlib import Path

KINDS = {"notebooks": "notebooks", "browser": "pages"}  # of all other steps: tests


def pytest_configure(config):
    """Look on, in the process that hears of all tests."""
    path = os.environ.pop("COURSE_TIMINGS", None)  # not for a pytest that a test starts
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Timings(Path(path)))


class Timings:
    """Add up the seconds of all that goes by one name, and write them at the end."""

    def __init__(self, path):
        self.path = path
        self.kind = KINDS.get(path.stem, "tests")
        self.seconds = Counter()

    def pytest_runtest_logreport(self, report):
        """Count the seconds of a test, of what prepares it and of what cleans up behind it."""
        self.seconds[named(report.nodeid, self.kind)] += report.duration

    def pytest_sessionfinish(self):
        """Write the file."""
        rounded = {name: round(seconds, 2) for name, seconds in self.seconds.items()}
        self.path.write_text(json.dumps({self.kind: rounded}, indent=1), "utf-8")


def named(nodeid, kind):
    """Return under which name the seconds of a test count: of a page's tests, the page."""
    if kind == "notebooks":
        return nodeid.partition("::")[0]
    page = re.search(r"\[(.+)\]$", nodeid)
    return page[1] if kind == "pages" and page else nodeid
