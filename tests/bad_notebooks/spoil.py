"""Ways to spoil a good, executed notebook: each takes it and changes it in place.

``REFUSED`` says for each what the gates on the notebook run (tools/gates/nbval_gates.py) must
answer, and ``PASSED`` which changes they must let pass; ``COMPARED`` says it of the comparison
alone, which no run is needed for; ``BROKEN_RULES`` says what the rules on stored notebooks
(tools/gates/rules.py) must answer, and ``NOT_IN_THE_SOURCE`` what the comparison with the source
(tools/gates/drift.py) must.
"""

import base64

from nbformat.v4 import new_code_cell, new_output

from tests.bad_notebooks import drawings, outputs
from tests.bad_notebooks.outputs import NOT_IN_THE_SOURCE as NOT_IN_THE_SOURCE
from tests.bad_notebooks.places import FIGURE, FIRST, SILENT, SLIDER, code, data
from tests.bad_notebooks.prose import PROSE_WAYS


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


def missing_drawing(notebook):
    del data(notebook, FIGURE)["image/svg+xml"]


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


PASSED = (drawings.drawing_within_tolerance, drawings.frame_within_tolerance)

FIGURE_DIFFERS = "figure 1 of the cell is drawn differently"
SLIDER_DIFFERS = "slider 1 of the cell is drawn differently"
OTHER_FORM = "the outputs have another form"

COMPARED = {
    drawings.changed_frame: f"{SLIDER_DIFFERS}: power = 3",
    **dict.fromkeys(drawings.DRAWN_OTHERWISE, FIGURE_DIFFERS),
    **dict.fromkeys(drawings.MOVED_OTHERWISE, SLIDER_DIFFERS),
    **dict.fromkeys(outputs.ANOTHER_FORM, OTHER_FORM),
}

REFUSED = {
    never_run: "was never run",
    no_outputs: "no cell has a stored output",
    no_code: "has no code cell",
    skip_comment: "is marked not to be checked",
    ignore_tag: "is marked not to be checked",
    lax_comment: "is marked not to be checked",
    changed_number: "0.3334",
    changed_digest: "y 0 1 4 9.01",
    drawings.changed_drawing: FIGURE_DIFFERS,
    drawings.text_behind_an_element: FIGURE_DIFFERS,
    missing_drawing: "image/svg+xml",
    drawings.changed_frame: f"{SLIDER_DIFFERS}: power = 3",
    drawings.changed_frame_text: SLIDER_DIFFERS,
    drawings.unused_part: SLIDER_DIFFERS,
    outputs.outputs_swapped: OTHER_FORM,
    outputs.half_of_a_stream_behind_the_value: OTHER_FORM,
    outputs.overwritten_text: "smuggled",
    bitmap: "holds image/png",
    bitmap_made_by_the_run: "Unexpected output fields from running code: {'image/png'}",
}

BROKEN_RULES = {
    never_run: "was never run",
    no_outputs: "no cell has a stored output",
    no_code: "has no code cell",
    run_twice: "was run as number 7, not 3",
    outputs.other_number_of_an_output: "its output is numbered 9, the cell 2",
    stored_error: "stores the error ValueError: no",
    stored_warning: "wrote to stderr: UserWarning: careful",
    bitmap: "holds image/png",
    widget_view: "holds application/vnd.jupyter.widget-view+json",
    widget_state: "holds the state of widgets",
    memory_address: "shows a memory address: 0x7f12ab34cd56",
    machine_path: "shows a path of this machine: /home/somebody/course/data.txt",
    windows_path: "shows a path of this machine: C:\\Users\\somebody\\data.txt",
    outputs.overwritten_text: "holds the control character '\\r'",
    outputs.text_taken_back: "holds the control character '\\x08'",
    outputs.stream_cut_in_two: "is not stored as the pipeline stores it",
    figure_without_digest: "is a figure without a digest in text/plain",
    long_cell: "lines; at most 20",
    three_code_cells_in_a_row: "is code cell 3 in a row",
    two_titles: "has 2 headings of level 1",
    skipped_level: "heading 'And a slider' has level 4 after level 2",
    no_alt: "its figure has no alt text",
    file_name_as_alt: "its figure has no alt text",
    no_caption: "its figure has no caption",
    **PROSE_WAYS,
}
