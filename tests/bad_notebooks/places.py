"""Where things stand in the good notebook, good.md."""

FIRST, FIGURE, SILENT, SLIDER, BOTH = range(5)  # its code cells


def code(notebook, number):
    """Return the code cell with this number."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"][number]


def data(notebook, number):
    """Return the data of the first output of a code cell."""
    return code(notebook, number).outputs[0].data
