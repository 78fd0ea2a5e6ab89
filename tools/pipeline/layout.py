"""Where everything stands in the repository, and what each notebook is made from."""

from dataclasses import dataclass
from pathlib import Path

import yaml

# By kind, where a notebook stands. Exercises are made from solutions, and all others from
# source/<kind>/<stem>.md.
PLACES = {
    "chapters": "chapters/{stem}.ipynb",
    "evidence": "chapters/evidence/{stem}.ipynb",
    "solutions": "solutions/{stem}/{stem}.ipynb",
    "exercises": "exercises/{stem}/{stem}.ipynb",
}
WRITTEN_KINDS = ("chapters", "evidence", "solutions")
ASSIGNMENTS = ("solutions", "exercises")  # these have a folder each
FOLDERS = ("chapters", *ASSIGNMENTS)  # that hold all of the notebooks
PINS = ("requirements.txt", "requirements-dev.txt")
# The fast reader, where PyYAML has it: the manifest is read for each submission of a class.
YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class CourseError(Exception):
    """Something in the course's files is not as it should be; the message says what and where."""


@dataclass(frozen=True)
class Course:
    """The course in one folder. Notebooks are named ``kind/stem``, as in ``chapters/02_topic``."""

    root: Path

    def source(self, name):
        """Return the text from which the notebook ``name`` is made."""
        kind, stem = name.split("/")
        return self.root / "source" / kind / f"{stem}.md"

    def notebook(self, name):
        """Return the path of the notebook ``name``."""
        kind, stem = name.split("/")
        return self.root / PLACES[kind].format(stem=stem)

    def written(self):
        """Return the names of the notebooks that have a source, in reading order."""
        return [
            f"{kind}/{path.stem}"
            for kind in WRITTEN_KINDS
            for path in sorted((self.root / "source" / kind).glob("*.md"))
        ]

    def names(self):
        """Return the names of all notebooks there should be, in the order they are made."""
        written = self.written()
        return written + [
            name.replace("solutions/", "exercises/")
            for name in written
            if name.startswith("solutions/")
        ]

    def stored(self):
        """Return the paths of all notebooks there are, in reading order."""
        found = [p for folder in FOLDERS for p in sorted((self.root / folder).rglob("*.ipynb"))]
        return [path for path in found if ".ipynb_checkpoints" not in path.parts]

    def relative(self, path):
        """Return ``path`` as it is written in messages: from the root, with slashes."""
        return Path(path).relative_to(self.root).as_posix()

    def manifest(self):
        """Return what instructor/manifest.yml says of each assignment, by stem."""
        path = self.root / "instructor" / "manifest.yml"
        return read_yaml(path) or {} if path.exists() else {}


def read_yaml(path):
    """Return what the YAML file ``path`` says; raise yaml.YAMLError if it is none."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=YAML)


HERE = Course(Path(__file__).resolve().parents[2])
