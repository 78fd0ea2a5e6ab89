"""The glossary page, made from glossary.yml as Sphinx's own glossary, so that {term} works."""

from pathlib import Path

import yaml
from docutils.statemachine import StringList
from sphinx.domains.std import Glossary
from sphinx.util import logging

logger = logging.getLogger(__name__)
FIELDS = {"term", "zh", "definition", "chapter"}


def setup(app):
    """Register the directive that makes a glossary of a data file."""
    app.add_directive("course-glossary", CourseGlossary)


class CourseGlossary(Glossary):
    """A glossary whose entries stand in a YAML file, named relative to the book's root."""

    has_content = False
    required_arguments = 1

    def run(self):
        """Return the nodes of the glossary, made from the entries in the file."""
        path = Path(self.env.srcdir, self.arguments[0])
        self.env.note_dependency(str(path))
        lines = []
        for entry in read_entries(path):
            names = [entry["term"], entry["zh"]]
            definition = f"{entry['definition']} {self._first_met(entry['chapter'])}"
            lines += [*names, f"    {definition}", ""]
        self.content = StringList(lines, source=str(path))
        return super().run()

    def _first_met(self, stem):
        """Return a link to the chapter that meets the term first."""
        if f"chapters/{stem}" not in self.env.found_docs:
            raise self.error(f"glossary: there is no chapter {stem!r}")
        return f"[Chapter {stem[:2]}](/chapters/{stem}.ipynb)"


def read_entries(path):
    """Return the entries of a glossary file, in the order of their terms.

    Raises: ValueError naming the entry that lacks a field or has one too many.
    """
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    for number, entry in enumerate(entries, start=1):
        if set(entry) != FIELDS or not all(isinstance(value, str) for value in entry.values()):
            name = entry.get("term", f"number {number}")
            raise ValueError(
                f"{path.name}: the entry {name!r} has {sorted(entry)}: "
                f"expected texts for {sorted(FIELDS)}"
            )
    return sorted(entries, key=lambda entry: entry["term"].lower())
