"""The page that a student gets back."""

from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor


class OnlyTheSentence(NbGraderPreprocessor):
    """Show of an error in a test cell its sentence: the stack would show the hidden tests."""

    def preprocess_cell(self, cell, resources, index):
        """Return the cell, and in a test cell no stack."""
        if cell.cell_type == "code" and utils.is_grade(cell):
            for output in cell.outputs:
                if output.output_type == "error":
                    output.traceback = [f"{output.ename}: {output.evalue}"]
        return cell, resources
