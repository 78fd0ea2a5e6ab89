"""Lighthouse on a page: four marks, by hand. ``python -m tests.book --lighthouse 5`` runs it.

It needs Node and the program "lighthouse" (npm install lighthouse, then put its folder
node_modules/.bin on PATH), so it is no part of the tests. Performance wobbles with the load of
the machine: measure when nothing else runs. Requests to other hosts find nothing.
"""

import json
import os
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from tools.gates.browser import find_or_install_browser

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
LEAST = {"performance": 90, "accessibility": 100, "best-practices": 100, "seo": 100}
CHROME = (
    "--headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync "
    "--host-resolver-rules='MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'"
)
SLOWEST_S = 180


def measure(address, runs=1):
    """Return the reports of Lighthouse on a page, one for each run, as it gives them.

    Raises: RuntimeError, in one sentence, if Lighthouse is not there or gives no report.
    """
    program = shutil.which("lighthouse")
    if program is None:
        raise RuntimeError("lighthouse is not found: see the head of tools/gates/lighthouse.py")
    return [_run(program, address) for _ in range(runs)]


def summary(reports):
    """Return the medians of several reports: marks from 0 to 100, CLS, LCP and TBT.

    Returns: a dict by category, and "cls", "lcp" (seconds) and "tbt" (seconds).
    """
    medians = {
        name: round(100 * statistics.median(_mark(report, name) for report in reports))
        for name in CATEGORIES
    }
    audits = {
        "cls": ("cumulative-layout-shift", 1),
        "lcp": ("largest-contentful-paint", 1000),
        "tbt": ("total-blocking-time", 1000),
    }
    for name, (audit, unit) in audits.items():
        values = [report["audits"][audit]["numericValue"] / unit for report in reports]
        medians[name] = statistics.median(values)
    return medians


def too_low(marks):
    """Return the categories in which a page has less than it must, with both numbers."""
    return [
        f"{name} {marks[name]}, expected at least {least}"
        for name, least in LEAST.items()
        if marks[name] < least
    ]


def failed_audits(report):
    """Return the names of the audits of a report that cost marks, performance apart."""
    names = [
        reference["id"]
        for category in CATEGORIES[1:]
        for reference in report["categories"][category]["auditRefs"]
        if reference["weight"]
    ]
    return [name for name in names if report["audits"][name]["score"] == 0]


def _mark(report, category):
    mark = report["categories"][category]["score"]
    if mark is None:
        raise RuntimeError(
            f"Lighthouse gives no mark for {category}: {report['finalDisplayedUrl']}"
        )
    return mark


def _run(program, address):
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "report.json")
        command = [program, address, "--quiet", "--output=json", f"--output-path={target}"]
        command += [f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={CHROME}"]
        environment = os.environ | {"CHROME_PATH": find_or_install_browser()}
        subprocess.run(
            command, env=environment, timeout=SLOWEST_S, check=False, stderr=subprocess.DEVNULL
        )
        if not target.exists():
            raise RuntimeError(f"Lighthouse gives no report on {address}")
        return json.loads(target.read_text(encoding="utf-8"))
