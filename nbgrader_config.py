"""How nbgrader makes exercises/ from solutions/, and grades what learners hand in."""

import sys
from pathlib import Path

from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    Execute,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    LockCells,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)

sys.path.insert(0, str(Path(__file__).parent))  # the nbgrader command does not look here

from tools.grading.form import RestoreForm  # noqa: E402
from tools.grading.page import OnlyTheSentence  # noqa: E402
from tools.grading.proctor import Proctor  # noqa: E402
from tools.pipeline.layout import Course  # noqa: E402
from tools.pipeline.made_from import RECORD, made_from, stamp  # noqa: E402
from tools.pipeline.tidy import tidy  # noqa: E402


class Tidy(NbGraderPreprocessor):
    """Store of the executed exercise what the pipeline stores of every notebook."""

    def preprocess(self, nb, resources):
        """Return the notebook without what depends on the run, and with what it was made from.

        What the solution was made from would confirm a guess at it: that does not stay.
        """
        tidy(nb)
        if nb.metadata.pop(RECORD, None):  # a private variant of the course has none
            stamp(nb, made_from(Course(Path(__file__).parent), nb))
        return nb, resources


c = get_config()  # noqa: F821 (nbgrader puts it there)
c.CourseDirectory.course_id = "casebook"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"

# nbgrader's own list, but for headers and AUTOTEST, which are not used here. SaveCells
# stands before ClearHiddenTests: grading brings the hidden tests back from what it saved.
c.GenerateAssignment.preprocessors = [
    LockCells,
    ClearSolutions,
    ClearOutput,
    CheckCellMetadata,
    ComputeChecksums,
    SaveCells,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,
    CheckCellMetadata,
    Execute,  # ours: the exercise shows the outputs of the untouched exercise
    Tidy,
]
c.Execute.record_timing = False
c.Execute.timeout = 120
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("your code stands here")'}
c.ClearSolutions.text_stub = "*Write your answer here.*"

# Again nbgrader's own lists. Ours: RestoreForm in place of DeduplicateIds, which leaves a
# copied cell in a form that stops the batch, and Proctor in place of Execute.
c.Autograde.sanitize_preprocessors = [
    ClearOutput,
    RestoreForm,
    OverwriteKernelspec,
    OverwriteCells,
    CheckCellMetadata,
]
c.Autograde.autograde_preprocessors = [
    Proctor,
    IgnorePattern,
    ClearMetadataPreprocessor,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
c.GenerateFeedback.preprocessors = [
    GetGrades,
    ClearHiddenTests,  # ours, both: a student's page does not show them
    OnlyTheSentence,
    CSSHTMLHeaderPreprocessor,
]
