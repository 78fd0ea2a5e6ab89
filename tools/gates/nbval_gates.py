"""Make ``pytest --nbval`` fail where plain nbval stays silent: ``-p tools.gates.nbval_gates``.

Plain nbval 0.11 skips pictures, passes a cell that was never run and compares
drawings letter by letter. With this plugin:

1. a figure is compared twice: by the digest of its data (text/plain, exactly) and by
   its drawing (image/svg+xml, with the tolerance of ``casebook.drawing.same_drawing``);
2. a notebook with a cell that was never run, without outputs or with an unlisted
   ignore or skip marker is refused before anything runs;
3. the frames behind a slider (the drawings inside text/html) are compared like figures;
   bitmaps are refused;
4. the outputs come in the same order, of the same kinds and with the same metadata: nbval
   compares what is alike in them, wherever it stands.

Two repairs: nbval runs cells without history, and then IPython forgets that a closing
semicolon keeps a cell silent (nbval issue 194); and it joins what is printed before and behind
a figure, and takes back what a carriage return would.
"""

import os
from pathlib import Path

import nbval.plugin
from nbval.kernel import RunningKernel
from nbval.plugin import IPyNbCell, IPyNbFile, find_comment_markers, find_metadata_tags

from casebook.drawing.explore_page import OPENING
from casebook.drawing.same_drawing import same_drawing
from tools.gates.rules import never_compared, refused_pictures
from tools.pipeline.execution import kernel_environment
from tools.pipeline.tidy import tidy_outputs

DRAWING_TYPES = ("image/svg+xml", "text/html")
# Cells that nbval may leave unchecked: {("chapters/NN_topic.ipynb", "cell id"): "the reason"}.
ALLOWED_UNCHECKED = {}

_collect_cells = IPyNbFile.collect
_compare_texts = IPyNbCell.compare_outputs


def pytest_configure(config):
    """Put the gates into nbval, and the notebooks' environment into this process."""
    environment = kernel_environment()
    for name in set(os.environ) - set(environment):
        del os.environ[name]
    os.environ.update(environment)
    IPyNbFile.collect = collect
    IPyNbCell.compare_outputs = compare_outputs
    RunningKernel.execute_cell_input = execute_cell_input
    nbval.plugin.coalesce_streams = tidy_outputs


def collect(notebook_file):
    """Return the notebook's cells for nbval to run, or refuse the notebook."""
    notebook_file.skip_compare = tuple(
        key for key in notebook_file.skip_compare if not key.startswith("image/")
    )
    cells = list(_collect_cells(notebook_file))
    name = Path(notebook_file.path).relative_to(notebook_file.config.rootpath).as_posix()
    notebook = notebook_file.nb
    problems = [*never_compared(notebook), *refused_pictures(notebook), *_unchecked(name, notebook)]
    if problems:
        raise notebook_file.CollectError("\n".join(f"{name}: {problem}" for problem in problems))
    return cells


def _unchecked(name, notebook):
    """Return a sentence for each cell that asks nbval not to look, and may not."""
    for cell in notebook.cells:
        if cell.cell_type != "code" or (name, cell.get("id")) in ALLOWED_UNCHECKED:
            continue
        markers = {*find_metadata_tags(cell.metadata), *find_comment_markers(cell.source)}
        if markers & {("skip", True), ("check", False)}:
            yield f"cell {cell.get('id')}: is marked not to be checked, and is not on the list"


def compare_outputs(cell, new, stored, skip_compare=None):
    """Return whether the outputs are alike, drawings with a tolerance; nbval prints the reasons."""
    differences = differences_of(new, stored)
    alike = _compare_texts(cell, new, stored, skip_compare)
    cell.comparison_traceback[:0] = [f"\n{difference}\n" for difference in differences]
    return alike and not differences


def differences_of(new, stored):
    """Return a sentence for each difference between outputs that nbval would not see.

    new: the outputs of the run; a drawing that is like the stored one is replaced by it.
    """
    came, expected = (list(map(_form, outputs)) for outputs in (new, stored))
    form = [f"the outputs have another form: {came} instead of {expected}"]
    return form * (came != expected) + _accept_same_drawings(new, stored)


def _form(output):
    """Return what kind of output this is, what it holds, and what is said of it."""
    holds = output.get("name") or sorted(output.get("data", {}))
    return output.output_type, holds, dict(output.get("metadata", {}))


def _accept_same_drawings(new, stored):
    """Return a sentence for each new drawing that is not like the stored one.

    The stored text then stands in for the new one, so that nbval does not compare
    the two again letter by letter. Only in memory: no notebook is written.
    """
    differences = []
    for mime in DRAWING_TYPES:
        pairs = zip(_holding(new, mime), _holding(stored, mime), strict=False)
        for number, (drawn, reference) in enumerate(pairs, 1):
            if mime == "text/html" and not reference[mime].startswith(OPENING):
                continue  # other HTML is compared letter by letter
            difference = same_drawing(reference[mime], drawn[mime])
            drawn[mime] = reference[mime]
            if difference:
                what = "figure" if mime == "image/svg+xml" else "slider"
                differences.append(
                    f"{what} {number} of the cell is drawn differently: {difference}"
                )
    return differences


def _holding(outputs, mime):
    return [output["data"] for output in outputs if mime in output.get("data", {})]


def execute_cell_input(kernel, cell_input, allow_stdin=None):
    """Run a cell as a person would: in the history, so that ``expression;`` shows nothing."""
    return kernel.kc.execute(
        cell_input, store_history=True, allow_stdin=allow_stdin, stop_on_error=False
    )
