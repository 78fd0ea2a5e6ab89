"""Cells that run without a kernel give the outputs that a kernel gives, in the same order."""

import copy

import nbformat
import pytest

from tools.gates import rerun
from tools.gates.shell import alike, start_shell
from tools.pipeline.layout import HERE

CELL = """\
import sys
from IPython.display import HTML
print("before")
display(HTML("<b>bold</b>"))
print("behind")
print("aside", file=sys.stderr)
6 * 7
"""


def outputs(course, *sources):
    """Return the outputs of cells, as plain dictionaries; in a process of its own."""
    shell = start_shell()
    return [[dict(output) for output in shell.outputs_of(source)] for source in sources]


def run(*sources):
    found = rerun.in_a_process(outputs, HERE, *sources)
    return [[nbformat.from_dict(output) for output in cell] for cell in found]


def test_outputs_come_in_the_order_of_the_cell():
    (shown,) = run(CELL)
    stream = [
        (o.output_type, o.get("name") or sorted(o.data)) for o in shown if o.get("text") != "\n"
    ]
    assert stream == [
        ("stream", "stdout"),
        ("display_data", ["text/html", "text/plain"]),
        ("stream", "stdout"),
        ("stream", "stderr"),
        ("execute_result", ["text/plain"]),
    ]
    assert "".join(o.text for o in shown if o.get("name") == "stdout") == "before\nbehind\n"
    assert shown[-1].data["text/plain"] == "42"


def test_cells_share_their_names_and_a_semicolon_keeps_silent():
    assert run("a = 1", "a + 1;", "a + 2")[:2] == [[], []]
    (last,) = run("a = 1", "a + 2")[1]
    assert last.data["text/plain"] == "3"


@pytest.mark.parametrize("source", ["1 / 0", "1 +", "raise KeyboardInterrupt"])
def test_an_error_is_an_output(source):
    (shown,) = run(source)
    assert shown[-1].output_type == "error"
    assert not alike(shown, [])


def test_alike_is_what_the_gate_for_notebooks_says():
    (stored,) = run(CELL)
    assert alike(copy.deepcopy(stored), copy.deepcopy(stored))
    ways = [
        CELL.replace("before", "Before"),
        CELL.replace("bold", "Bold"),
        CELL.replace("6 * 7", "6 * 8"),
        CELL.replace("6 * 7\n", ""),
        CELL.replace("aside", "beside"),
        CELL.replace('print("before")\n', "").replace("behind", "before\\nbehind"),  # another order
    ]
    for way in run(*ways):
        assert not alike(way, copy.deepcopy(stored))
