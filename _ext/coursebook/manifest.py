"""What the pages say of assignments, as instructor/manifest.yml has it."""

from pathlib import Path

import yaml

FILE = "instructor/manifest.yml"


def read_manifest(app):
    """Return the entry of each assignment by its stem; the page is made anew when it changes."""
    path = Path(app.srcdir) / FILE
    app.env.note_dependency(str(path))
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def points_of(entry):
    """Return the points of a whole assignment."""
    return sum(task["points"] for task in entry["tasks"].values())


def escaped(text):
    """Return plain text as Markdown, also in a table: "n * n" and "d_k" are no mark-up."""
    return "".join(f"\\{letter}" if letter in "*_`$<[\\|" else letter for letter in text)
