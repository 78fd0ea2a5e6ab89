"""The form of what was handed in: each cell as it was released, once, and none missing.

nbgrader gives up on a notebook that holds a copied cell, and with it on all that come after
(jupyter/nbgrader#1083). Here only the notebook in memory is mended; the file stays as it is.
"""

from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import NbGraderPreprocessor


class RestoreForm(NbGraderPreprocessor):
    """Give a notebook back what the gradebook knows of its cells, before it is graded."""

    def preprocess(self, nb, resources):
        """Return ``nb`` with each released cell once, in its place, under its own name."""
        place = resources["nbgrader"]
        with Gradebook(place["db_url"]) as gradebook:
            released = released_cells(
                gradebook.find_notebook(place["notebook"], place["assignment"])
            )
        nb.cells = restored(nb.cells, released)
        return nb, resources


def released_cells(notebook):
    """Return metadata and source of each nbgrader cell, by name, in the order of the notebook."""
    graded = {cell.name: cell.max_score for cell in notebook.grade_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    cells = {}
    for cell in notebook.source_cells:
        grading = {
            "schema_version": MetadataValidator.schema_version,
            "grade_id": cell.name,
            "grade": cell.name in graded,
            "solution": cell.name in solutions,
            "task": False,
            "locked": bool(cell.locked),
            "cell_type": cell.cell_type,
            "checksum": cell.checksum,
        }
        if cell.name in graded:
            grading["points"] = graded[cell.name]
        cells[cell.name] = (grading, cell.source)
    return cells


def restored(cells, released):
    """Return the cells, each released one once: copies are plain cells, missing tests are back."""
    groups = {name: [] for name in released}
    for cell in cells:
        name = cell.metadata.pop("nbgrader", {}).get("grade_id")
        name = name if name in released else cell.get("id")  # some editors drop the metadata
        if name in released:
            groups[name].append(cell)
    for name, copies in groups.items():
        if copies:
            _chosen(copies, released[name]).metadata["nbgrader"] = dict(released[name][0])
    return _with_missing(list(cells), released)


def _chosen(copies, released):
    """Return the last copy that the learner worked on, else the last."""
    grading, _ = released
    worked_on = []
    for cell in copies:
        cell.metadata["nbgrader"] = dict(grading)
        if utils.compute_checksum(cell) != grading["checksum"]:
            worked_on.append(cell)
        del cell.metadata["nbgrader"]
    return (worked_on or copies)[-1]


def _with_missing(cells, released):
    """Put graded cells that are missing back, as late as their neighbours allow.

    As late, since the answer may stand in a new cell of the learner's own. A missing cell
    for an answer is not put back: its stub would hide such an answer.
    """
    at = len(cells)
    for name in reversed(released):
        grading, source = released[name]
        place = next((i for i, cell in enumerate(cells) if _name(cell) == name), None)
        if place is not None:
            at = place
        elif grading["grade"]:
            make = new_code_cell if grading["cell_type"] == "code" else new_markdown_cell
            cells.insert(at, make(source, metadata={"nbgrader": dict(grading)}, id=name))
    return cells


def _name(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id")
