"""Ways to spoil a good, executed notebook: each takes it and changes it in place.

``REFUSED`` says for each what the gates on the notebook run (tools/gates/nbval_gates.py) must
answer, and ``PASSED`` which changes they must let pass; ``BROKEN_RULES`` says what the rules
on stored notebooks (tools/gates/rules.py) must answer.
"""

import base64
import re

from nbformat.v4 import new_code_cell, new_output

FIRST, FIGURE, SILENT, SLIDER = range(4)  # the code cells of good.md


def code(notebook, number):
    """Return the code cell with this number."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"][number]


def data(notebook, number):
    """Return the data of the first output of a code cell."""
    return code(notebook, number).outputs[0].data


def never_run(notebook):
    cell = code(notebook, FIRST)
    cell.execution_count, cell.outputs = None, []


def no_outputs(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []


def no_code(notebook):
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "code"]


def skip_comment(notebook):
    code(notebook, FIRST).source += "\n# NBVAL_SKIP"


def ignore_tag(notebook):
    code(notebook, FIRST).metadata["tags"] = ["nbval-ignore-output"]


def lax_comment(notebook):
    code(notebook, FIRST).source += "\n# PYTEST_VALIDATE_IGNORE_OUTPUT"


def changed_number(notebook):
    output = code(notebook, FIRST).outputs[0]
    output.text = output.text.replace("0.3333", "0.3334")


def changed_digest(notebook):
    bundle = data(notebook, FIGURE)
    bundle["text/plain"] = bundle["text/plain"].replace("y 0 1 4 9", "y 0 1 4 9.01")


def changed_drawing(notebook):
    """Move one corner of the curve by two points; the digest stays right."""
    bundle = data(notebook, FIGURE)
    bundle["image/svg+xml"] = moved(bundle["image/svg+xml"])


def drawing_within_tolerance(notebook):
    """Move it by less than another processor's rounding may: this must pass."""
    bundle = data(notebook, FIGURE)
    bundle["image/svg+xml"] = moved(bundle["image/svg+xml"], by=0.02)


def missing_drawing(notebook):
    del data(notebook, FIGURE)["image/svg+xml"]


def changed_frame(notebook):
    """Move the curve of a frame that is not shown at first; its digest stays right."""
    bundle = data(notebook, SLIDER)
    bundle["text/html"] = moved(bundle["text/html"])


def frame_within_tolerance(notebook):
    """Move it by less than another processor's rounding may: this must pass."""
    bundle = data(notebook, SLIDER)
    bundle["text/html"] = moved(bundle["text/html"], by=0.02)


def changed_frame_text(notebook):
    bundle = data(notebook, SLIDER)
    head, mark, tail = bundle["text/html"].rpartition("rises to 27")
    bundle["text/html"] = head + mark.replace("27", "28") + tail


def bitmap(notebook):
    data(notebook, FIGURE)["image/png"] = base64.b64encode(b"any picture").decode()


def bitmap_made_by_the_run(notebook):
    """A cell that shows a bitmap, of which the stored notebook holds only the text."""
    source = (
        "class Picture:\n"
        "    def _repr_mimebundle_(self, include=None, exclude=None):\n"
        "        return {'image/png': 'aGVsbG8=', 'text/plain': 'a picture'}\n\n\n"
        "Picture()"
    )
    output = new_output("execute_result", {"text/plain": "a picture"}, execution_count=5)
    notebook.cells.append(new_code_cell(source, execution_count=5, outputs=[output]))


def stored_error(notebook):
    output = new_output("error", ename="ValueError", evalue="no", traceback=[])
    code(notebook, FIRST).outputs.append(output)


def stored_warning(notebook):
    output = new_output("stream", name="stderr", text="UserWarning: careful\n")
    code(notebook, FIRST).outputs.append(output)


def widget_view(notebook):
    view = {"model_id": "ab12", "version_major": 2, "version_minor": 0}
    data(notebook, SLIDER)["application/vnd.jupyter.widget-view+json"] = view


def widget_state(notebook):
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}


def memory_address(notebook):
    code(notebook, FIRST).outputs[0].text += "<object object at 0x7f12ab34cd56>\n"


def machine_path(notebook):
    code(notebook, FIRST).outputs[0].text += "/home/somebody/course/data.txt\n"


def windows_path(notebook):
    code(notebook, FIRST).outputs[0].text += "C:\\Users\\somebody\\data.txt\n"


def run_twice(notebook):
    code(notebook, SILENT).execution_count = 7


def long_cell(notebook):
    code(notebook, FIRST).source += "\n" * 20 + "pass"


def three_code_cells_in_a_row(notebook):
    index = notebook.cells.index(code(notebook, SILENT))
    notebook.cells.insert(index, new_code_cell("pass", execution_count=3))


def two_titles(notebook):
    notebook.cells[-2].source = "# And a slider"


def skipped_level(notebook):
    notebook.cells[-2].source = "#### And a slider"


def no_alt(notebook):
    del code(notebook, FIGURE).metadata["mystnb"]["image"]


def file_name_as_alt(notebook):
    code(notebook, FIGURE).metadata["mystnb"]["image"]["alt"] = "figure_1.svg"


def no_caption(notebook):
    code(notebook, FIGURE).metadata["mystnb"]["figure"].pop("caption")


def figure_without_digest(notebook):
    del data(notebook, FIGURE)["text/plain"]


def moved(text, by=2.0):
    """Return the SVG or HTML with the last corner of the last drawn curve moved up."""
    paths = list(re.finditer(r'd=(\\?["\'])(M[^"\'\\]*L[^"\'\\]*)\1', text))
    curve = max(paths, key=lambda match: (len(match.group(2).split("L")), match.start()))
    last = list(re.finditer(r"\d+(?:\.\d+)?", curve.group(2)))[-1]
    start = curve.start(2) + last.start()
    end = curve.start(2) + last.end()
    return f"{text[:start]}{float(last.group()) - by:.2f}{text[end:]}"


PASSED = (drawing_within_tolerance, frame_within_tolerance)

REFUSED = {
    never_run: "was never run",
    no_outputs: "no cell has a stored output",
    no_code: "has no code cell",
    skip_comment: "is marked not to be checked",
    ignore_tag: "is marked not to be checked",
    lax_comment: "is marked not to be checked",
    changed_number: "0.3334",
    changed_digest: "y 0 1 4 9.01",
    changed_drawing: "figure 1 of the cell is drawn differently",
    missing_drawing: "image/svg+xml",
    changed_frame: "slider 1 of the cell is drawn differently: power = 3",
    changed_frame_text: "slider 1 of the cell is drawn differently",
    bitmap: "holds image/png",
    bitmap_made_by_the_run: "Unexpected output fields from running code: {'image/png'}",
}

BROKEN_RULES = {
    never_run: "was never run",
    no_outputs: "no cell has a stored output",
    no_code: "has no code cell",
    run_twice: "was run as number 7, not 3",
    stored_error: "stores the error ValueError: no",
    stored_warning: "wrote to stderr: UserWarning: careful",
    bitmap: "holds image/png",
    widget_view: "holds application/vnd.jupyter.widget-view+json",
    widget_state: "holds the state of widgets",
    memory_address: "shows a memory address: 0x7f12ab34cd56",
    machine_path: "shows a path of this machine: /home/somebody/course/data.txt",
    windows_path: "shows a path of this machine: C:\\Users\\somebody\\data.txt",
    figure_without_digest: "is a figure without a digest in text/plain",
    long_cell: "lines; at most 20",
    three_code_cells_in_a_row: "is code cell 3 in a row",
    two_titles: "has 2 headings of level 1",
    skipped_level: "heading 'And a slider' has level 4 after level 2",
    no_alt: "its figure has no alt text",
    file_name_as_alt: "its figure has no alt text",
    no_caption: "its figure has no caption",
}
