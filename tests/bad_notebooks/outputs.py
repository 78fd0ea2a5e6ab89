"""Ways to spoil the form of what is stored: order, kinds, numbers, metadata, further cells."""

import base64

from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.bad_notebooks.places import BOTH, FIGURE, FIRST, SILENT, SLIDER, code


def outputs_swapped(notebook):
    code(notebook, BOTH).outputs.reverse()


def half_of_a_stream_behind_the_value(notebook):
    outputs = code(notebook, BOTH).outputs
    whole = outputs[0].text
    outputs[0].text = whole[:10]
    outputs.append(new_output("stream", name="stdout", text=whole[10:]))


def stream_cut_in_two(notebook):
    outputs = code(notebook, FIRST).outputs
    whole = outputs[0].text
    outputs[0].text = whole[:10]
    outputs.append(new_output("stream", name="stdout", text=whole[10:]))


def empty_stream(notebook):
    code(notebook, FIGURE).outputs.append(new_output("stream", name="stdout", text=""))


def value_as_a_display(notebook):
    cell = code(notebook, FIGURE)
    cell.outputs = [new_output("display_data", dict(cell.outputs[0].data))]


def bundle_in_two(notebook):
    """Show the digest of a slider as an output of its own, which a reader would see."""
    cell = code(notebook, SLIDER)
    bundle = cell.outputs[0].data
    digest = {"text/plain": bundle.pop("text/plain")}
    cell.outputs.append(new_output("display_data", digest))


def metadata_of_an_output(notebook):
    code(notebook, FIGURE).outputs[0].metadata = {"image/svg+xml": {"width": 20}}


def second_form_of_a_value(notebook):
    code(notebook, BOTH).outputs[1].data["text/html"] = "<b>smuggled</b>"


def overwritten_text(notebook):
    """Begin a line with text that a carriage return takes back: not every page does so."""
    output = code(notebook, FIRST).outputs[0]
    output.text = "smuggled\r" + output.text


def text_taken_back(notebook):
    output = code(notebook, FIRST).outputs[0]
    output.text = "s\b" + output.text


def other_number_of_an_output(notebook):
    code(notebook, FIGURE).outputs[0].execution_count = 9


def tagged(tag, notebook):
    code(notebook, FIRST).metadata["tags"] = [tag]


def raises_exception_tag(notebook):
    tagged("raises-exception", notebook)


def remove_output_tag(notebook):
    tagged("remove-output", notebook)


def remove_cell_tag(notebook):
    tagged("remove-cell", notebook)


def hidden_source(notebook):
    code(notebook, FIRST).metadata["jupyter"] = {"source_hidden": True}


def slide(notebook):
    notebook.cells[0].metadata["slideshow"] = {"slide_type": "skip"}


def attachment(notebook):
    picture = base64.b64encode(b"any picture").decode()
    notebook.cells[0]["attachments"] = {"picture.png": {"image/png": picture}}


def further_cell(notebook):
    notebook.cells.append(new_markdown_cell("Smuggled."))


def further_empty_cell(notebook):
    notebook.cells.append(new_code_cell("", execution_count=6))


def other_id(notebook):
    notebook.cells[0].id = "smuggled"


def title_of_the_notebook(notebook):
    notebook.metadata["title"] = "smuggled"


def changed_prose(notebook):
    notebook.cells[0].source += " Smuggled."


def changed_source(notebook):
    code(notebook, SILENT).source += "  # smuggled"


ANOTHER_FORM = (
    outputs_swapped,
    half_of_a_stream_behind_the_value,
    empty_stream,
    value_as_a_display,
    bundle_in_two,
    metadata_of_an_output,
)

NOT_IN_THE_SOURCE = {
    raises_exception_tag: "its metadata is not as in the source",
    remove_output_tag: "its metadata is not as in the source",
    remove_cell_tag: "its metadata is not as in the source",
    hidden_source: "its metadata is not as in the source",
    slide: "its metadata is not as in the source",
    attachment: "its attachments is not as in the source",
    further_cell: "has 10 cells, its source 9",
    further_empty_cell: "has 10 cells, its source 9",
    other_id: "its id is not as in the source",
    changed_prose: "its source is not as in the source",
    changed_source: "its source is not as in the source",
    title_of_the_notebook: "its metadata is not as the pipeline's",
}
