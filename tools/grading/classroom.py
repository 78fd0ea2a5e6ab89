"""The folder in which a class is graded, and nbgrader's view of it."""

import logging
import os
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from sqlalchemy.exc import SAWarning
from traitlets.config import PyFileConfigLoader

from tools.pipeline.execution import kernel_environment
from tools.pipeline.layout import HERE, CourseError, read_yaml

CONFIG = "nbgrader_config.py"
# nbgrader's own queries make SQLAlchemy warn; nothing that a teacher can act on.
logging.getLogger("traitlets").addHandler(logging.NullHandler())  # no exchange is wanted here
warnings.filterwarnings("ignore", "Object of type .* not in session", SAWarning)


@dataclass(frozen=True)
class Classroom:
    """A folder with solutions/; submitted/, autograded/, feedback/ and gradebook.db come to it."""

    folder: Path

    def manifest(self):
        """Return what the folder's manifest says of each assignment; else the course's own."""
        own = self.folder / "instructor" / "manifest.yml"
        return read_yaml(own) if own.exists() else HERE.manifest()

    def stem(self, wanted):
        """Return the full name of an assignment, from its number or its name."""
        there = sorted(path.parent.name for path in self.folder.glob("solutions/*/*.ipynb"))
        found = [stem for stem in there if wanted in (stem, stem.split("_")[0])]
        if len(found) != 1:
            raise CourseError(f"there is no assignment '{wanted}': choose from {', '.join(there)}")
        return found[0]

    def released(self):
        """Return the names of the assignments that are in the gradebook."""
        with self.gradebook() as gradebook:
            return sorted(assignment.name for assignment in gradebook.assignments)

    def submitted(self, student, stem):
        """Return the path of what a student handed in."""
        return self.folder / "submitted" / student / stem / f"{stem}.ipynb"

    def autograded(self, student, stem):
        """Return the path of the notebook that was run and marked."""
        return self.folder / "autograded" / student / stem / f"{stem}.ipynb"

    def students(self, stem):
        """Return the names of those who handed in the assignment."""
        found = self.folder.glob(f"submitted/*/{stem}/{stem}.ipynb")
        return sorted(path.parent.parent.name for path in found)

    def nbgrader(self, **settings):
        """Return nbgrader's own interface, working in this folder with the course's config.

        settings: more configuration, such as ``Proctor={"timeout": 20}``.
        """
        os.environ.update(kernel_environment())
        # nbgrader calls a program of its own that stands beside this Python.
        beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        os.environ["PATH"] = beside
        config = PyFileConfigLoader(CONFIG, path=str(HERE.root)).load_config()
        config.CourseDirectory.root = str(self.folder)
        for name, values in settings.items():
            config[name].update(values)
        return NbGraderAPI(config=config)

    def gradebook(self):
        """Return the gradebook, to be used in a ``with`` statement.

        Raises: CourseError if nothing was released here yet.
        """
        path = self.folder / "gradebook.db"
        if not path.exists():
            raise CourseError("there is no gradebook yet: release the assignment first")
        return Gradebook(f"sqlite:///{path}")
