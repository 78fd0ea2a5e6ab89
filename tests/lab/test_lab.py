"""An evening with an exercise in JupyterLab: wrong, right, drawn anew, put back.

Each test leaves the notebook open for the next one, and needs nothing of the one before.
"""

import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.lab.conftest import EXERCISE

ANSWER, CHECK = "def stable_softmax", "check_stable_softmax(stable_softmax)"
WRONG_AXIS = """\
def stable_softmax(scores):
    scores = np.asarray(scores, dtype=float)
    e = np.exp(scores - scores.max())
    return e / e.sum(axis=0)"""
RIGHT = """\
def stable_softmax(scores):
    scores = np.asarray(scores, dtype=float)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)"""
ALL_EQUAL = """\
def stable_softmax(scores):
    return np.full(scores.shape, 1 / scores.shape[-1])"""


@pytest.fixture(autouse=True)
def nothing_leaves_the_machine(page, lab):
    yield
    assert page.outside == [], "the page asked another host"
    assert lab.asked_outside() == [], "the server or a kernel turned to another host"


def answer(notebook, code):
    """Write and run an answer and its check; return the line of the check."""
    notebook.write(ANSWER, code)
    notebook.run(ANSWER)
    return notebook.run(CHECK)


def test_it_opens_at_the_list_of_exercises(page):
    expect(page.locator(".jp-DirListing-item")).to_have_count(1)
    expect(page.locator(".jp-DirListing-item")).to_contain_text(EXERCISE)


def test_it_asks_for_no_news(page, notebook):
    """The exercise is open and has run a cell: the question would have come by now."""
    expect(page.locator(".Toastify__toast")).to_have_count(0)


def test_a_wrong_answer_is_named_and_a_right_one_accepted(notebook):
    line = answer(notebook, WRONG_AXIS)
    expect(line).to_contain_text("[x] stable_softmax: ")
    expect(line).to_contain_text("axis")
    line = answer(notebook, RIGHT)
    expect(line).to_have_text("[ok] stable_softmax: right on every input tried.")


def test_the_table_at_the_end_follows(notebook):
    answer(notebook, WRONG_AXIS)
    table = notebook.run("show_progress(")
    expect(table).to_contain_text("3 points, wrong: its check names the mistake")
    expect(table).to_contain_text("0 of 15 points done.")
    answer(notebook, RIGHT)
    table = notebook.run("show_progress(")
    expect(table).to_contain_text("[ok] 2 stable_softmax     3 points, done")
    expect(table).to_contain_text("3 of 15 points done.")


def test_a_live_slider_draws_the_function_as_it_is_now(notebook):
    answer(notebook, RIGHT)
    shown = notebook.run("explore(draw")
    picture, handle = shown.locator("svg.drawing"), shown.get_by_role("slider")
    label = "Who attends to whom: I most to I ({0}), AI most to AI ({0})."
    expect(picture).to_have_attribute("aria-label", label.format("0.73"))
    handle.press("ArrowRight")
    expect(picture).to_have_attribute("aria-label", label.format("0.88"))
    notebook.write(ANSWER, ALL_EQUAL)
    notebook.run(ANSWER)
    handle.press("ArrowLeft")
    expect(picture).not_to_have_attribute("aria-label", label.format("0.88"))
    expect(picture.get_by_text("0.50")).to_have_count(4)


def test_a_cell_is_put_back_while_the_notebook_is_open(page, notebook, lab):
    answer(notebook, RIGHT)
    notebook.save()
    command = [sys.executable, "-m", "tools.learner.reset", "02", "stable_softmax"]
    run = subprocess.run(command, cwd=lab.root, env=lab.environment, capture_output=True, text=True)
    kept = lab.root / "work" / "kept" / EXERCISE / "stable_softmax.py"
    assert kept.read_text("utf-8") == RIGHT + "\n"
    *_, advice = run.stdout.splitlines()
    assert advice.endswith("choose File > Reload Notebook from Disk.")
    notebook.choose("File", "Reload Notebook from Disk")
    expect(notebook.cell(ANSWER)).to_contain_text("raise NotImplementedError")
    notebook.run(ANSWER)
    line = notebook.run(CHECK)
    expect(line).to_have_text("[ ] stable_softmax: not attempted yet: fill in the cell above.")


def test_a_request_to_another_host_is_noticed(page, notebook, lab):
    page.evaluate("fetch('http://nobody.invalid/').catch(() => null)")
    assert page.outside == ["http://nobody.invalid/"]
    page.outside.clear()
    notebook.write("# spare", "# spare\nimport socket\nsocket.getaddrinfo('nobody.invalid', 80)")
    notebook.run("# spare")
    assert lab.asked_outside() == ["nobody.invalid"]
    lab.addresses.unlink()
