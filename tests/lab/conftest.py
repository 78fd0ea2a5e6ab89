"""JupyterLab as ``course.py lab`` starts it, on a copy of an exercise, and a browser in it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from playwright.sync_api import expect, sync_playwright

from tests.book.visits import BROWSER_ARGUMENTS
from tests.lab.notebook_page import NotebookPage
from tools.gates.browser import find_or_install_browser
from tools.pipeline.layout import HERE

EXERCISE = "02_attention_by_hand"
TOKEN = "for-the-test"
PATIENCE = 30_000  # milliseconds; a kernel takes its time to start
WATCHED = Path(__file__).with_name("watched")

# course.py in the folder of a course that needs no set-up: this Python has everything.
LAUNCH = """
import importlib.util, pathlib, sys
spec = importlib.util.spec_from_file_location("course", "course.py")
course = importlib.util.module_from_spec(spec)
spec.loader.exec_module(course)
course.PYTHON = pathlib.Path(sys.executable)
course.set_up = lambda requirements: None
sys.exit(course.main(["lab"] + sys.argv[1:]))
"""

# A slider that draws the learner's own function, as the chapters' sliders draw theirs.
SLIDER = """\
from casebook.drawing.explore import explore

def draw(factor):
    scores = factor * np.array([[1.0, 0.0], [0.0, 1.0]])
    return figures.weights_heatmap(stable_softmax(scores), ["I", "AI"])

explore(draw, label="factor", factor=range(1, 5))"""


@dataclass
class Lab:
    """A running JupyterLab.

    root: folder of its course.
    address: where its pages are.
    environment: the variables with which it was started.
    addresses: file with the hosts that it and its kernels turned to.
    """

    root: Path
    address: str
    environment: dict
    addresses: Path

    def asked_outside(self):
        """Return the hosts outside this machine that the server or a kernel turned to."""
        return self.addresses.read_text("utf-8").split() if self.addresses.exists() else []


@pytest.fixture(scope="session")
def lab_course(tmp_path_factory):
    """Return the folder of a course with one exercise, to which a slider was added."""
    root = tmp_path_factory.mktemp("course")
    shutil.copy(HERE.root / "course.py", root)
    shutil.copytree(HERE.root / "tools", root / "tools")
    folder = root / "exercises" / EXERCISE
    shutil.copytree(HERE.root / "exercises" / EXERCISE, folder)
    notebook = nbformat.read(folder / f"{EXERCISE}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None  # so that a number says: run here
    notebook.cells += [new_code_cell(SLIDER), new_code_cell("# spare")]
    nbformat.write(notebook, folder / f"{EXERCISE}.ipynb")
    return root


@pytest.fixture(scope="session")
def lab(lab_course, tmp_path_factory):
    own = tmp_path_factory.mktemp("jupyter")  # no personal settings, and none are changed
    environment = os.environ | {
        "ADDRESSES": str(own / "addresses.txt"),
        "IPYTHONDIR": str(own / "ipython"),
        "JUPYTER_CONFIG_DIR": str(own / "config"),
        "JUPYTER_DATA_DIR": str(own / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(own / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(own / "workspaces"),
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join([str(WATCHED), str(HERE.root)]),
    }
    port = free_port()
    options = ["--no-browser", f"--port={port}", "--ServerApp.port_retries=0"]
    options += [f"--IdentityProvider.token={TOKEN}"]
    options += ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    with (own / "said.txt").open("wb") as said:
        server = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *options],
            cwd=lab_course,
            env=environment,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    lab = Lab(lab_course, f"http://127.0.0.1:{port}", environment, own / "addresses.txt")
    try:
        wait_for(lab, server, own / "said.txt")
        yield lab
    finally:
        stop(lab, server)


@pytest.fixture(scope="session")
def page(lab):
    """Return JupyterLab's page; requests to another host are refused and noted on it."""
    program = find_or_install_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=BROWSER_ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        page.outside = []
        page.route(lambda url: not is_own(url, lab.address), lambda route: refuse(page, route))
        page.goto(f"{lab.address}/?token={TOKEN}")
        yield page
        browser.close()


@pytest.fixture(scope="session")
def notebook(page):
    """Return the exercise, opened from the list, its imports run."""
    notebook = NotebookPage(page)
    notebook.open(EXERCISE, f"{EXERCISE}.ipynb")
    notebook.run("import numpy as np")
    return notebook


def is_own(url, address):
    """Return whether a request stays within the server, or within the browser."""
    return url.startswith((f"{address}/", "data:", "blob:", address.replace("http", "ws") + "/"))


def refuse(page, route):
    page.outside.append(route.request.url)
    route.abort()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(lab, server, said):
    """Wait until the server answers; fail with its own words if it ends before."""
    until = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"{lab.address}/api", timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    server.kill()
    pytest.fail(f"JupyterLab did not start:\n{said.read_text('utf-8', 'replace')}", pytrace=False)


def stop(lab, server):
    """Ask the server to end, its kernels with it; course.py ends when it has."""
    request = urllib.request.Request(
        f"{lab.address}/api/shutdown",
        data=b"{}",
        headers={"Authorization": f"token {TOKEN}"},
    )
    try:
        urllib.request.urlopen(request, timeout=10).close()
        server.wait(15)
    except (OSError, subprocess.TimeoutExpired):
        for file in lab.addresses.parent.glob("data/runtime/jpserver-*.json"):
            os.kill(json.loads(file.read_text("utf-8"))["pid"], signal.SIGTERM)
        server.kill()
