"""What is stored of an executed notebook, so that the same run gives the same bytes."""

import nbformat

DROPPED_TYPES = ("application/vnd.jupyter.widget-view+json",)  # carries a random model id


def tidy(notebook):
    """Drop from an executed notebook, in place, what depends on the run or the machine."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = tidy_outputs(cell.outputs)
    return notebook


def tidy_outputs(outputs):
    """Return the outputs without random parts, neighbouring pieces of one stream joined."""
    kept = []
    for output in outputs:
        for mime in DROPPED_TYPES:
            output.get("data", {}).pop(mime, None)
        continues = output.output_type == "stream" and kept and kept[-1].get("name") == output.name
        if continues:  # how a stream is cut into pieces depends on the timing
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


def to_bytes(notebook):
    """Return the notebook as it is written to a file, alike on every system."""
    return nbformat.writes(notebook).encode("utf-8") + b"\n"
