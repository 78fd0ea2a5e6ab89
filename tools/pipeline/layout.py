"""Where everything stands in the repository, and what each notebook is made from."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import yaml

WRITTEN_KINDS = ("chapters", "solutions")  # made from source/<kind>/<stem>.md
KINDS = (*WRITTEN_KINDS, "exercises")  # exercises are made from solutions
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
        """Return the text from which the chapter or solution ``name`` is made."""
        kind, stem = name.split("/")
        return self.root / "source" / kind / f"{stem}.md"

    def notebook(self, name):
        """Return the path of the notebook ``name``; assignments have a folder each."""
        kind, stem = name.split("/")
        folder = self.root / kind
        return folder / f"{stem}.ipynb" if kind == "chapters" else folder / stem / f"{stem}.ipynb"

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
        found = [p for kind in KINDS for p in sorted((self.root / kind).rglob("*.ipynb"))]
        return [path for path in found if ".ipynb_checkpoints" not in path.parts]

    def relative(self, path):
        """Return ``path`` as it is written in messages: from the root, with slashes."""
        return Path(path).relative_to(self.root).as_posix()

    def manifest(self):
        """Return what instructor/manifest.yml says of each assignment, by stem."""
        path = self.root / "instructor" / "manifest.yml"
        return read_yaml(path) or {} if path.exists() else {}

    def package_files(self):
        """Return the files of casebook, the code that every notebook imports."""
        found = sorted((self.root / "casebook").rglob("*"))
        return [p for p in found if p.is_file() and "__pycache__" not in p.parts]

    def pin_files(self):
        """Return the files that pin what is installed."""
        return [self.root / name for name in PINS if (self.root / name).exists()]

    def pipeline_files(self):
        """Return the files that decide how a notebook is made and stored."""
        named = ("execution.py", "exercises.py", "layout.py", "notation.py", "tidy.py")
        tools = [Path(__file__).with_name(name) for name in named]
        return [*tools, *self.root.glob("nbgrader_config.py")]

    def fingerprint(self, paths):
        """Return one hash over the names and contents of ``paths`` (line ends do not count)."""
        digest = hashlib.sha256()
        for path in sorted(paths):
            content = path.read_bytes().replace(b"\r\n", b"\n")
            digest.update(f"{path.name} {len(content)}\n".encode() + content)
        return digest.hexdigest()[:16]


def read_yaml(path):
    """Return what the YAML file ``path`` says; raise yaml.YAMLError if it is none."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=YAML)


HERE = Course(Path(__file__).resolve().parents[2])
