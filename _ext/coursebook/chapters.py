"""What is known of each chapter: its question, what it builds on, what it holds.

All of it is read from _toc.yml and the stored notebooks, where it stands once.
"""

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

NEEDS = "**What you'll need.**"
LIMITS = "## What this does not show"
FIGURE = "image/svg+xml"
QUESTION = re.compile(r"[^.?!\s][^.?!]*\?")
LINK = re.compile(r"\]\((?:[\w./]*/)?(\w+)\.ipynb\)")


@dataclass(frozen=True)
class Chapter:
    """A chapter as the book lists it. Other chapters are named by their docnames."""

    docname: str
    title: str
    part: str
    question: str
    needs: tuple
    exercise: str | None
    cells: tuple

    @property
    def number(self):
        """Return the two digits with which the file begins."""
        return self.stem[:2]

    @property
    def stem(self):
        """The name of the chapter's file, as in 02_attention_by_hand."""
        return self.docname.split("/")[-1]

    @property
    def prose(self):
        """Return the texts of the Markdown cells."""
        return [text_of(cell) for cell in self.cells if cell["cell_type"] == "markdown"]

    @property
    def code(self):
        """Return the texts of the code cells."""
        return [text_of(cell) for cell in self.cells if cell["cell_type"] == "code"]


@functools.cache
def read_chapters(root):
    """Return the chapters of the course in the folder root, in the order of _toc.yml.

    Raises: ValueError, in one sentence, for a chapter that does not say its question or what
    it needs, or that needs what does not come before it.
    """
    listed = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    chapters = []
    for part in listed["parts"]:
        for entry in part["chapters"]:
            if entry["file"].startswith("chapters/"):
                cells = json.loads((root / f"{entry['file']}.ipynb").read_text("utf-8"))["cells"]
                known = {chapter.stem: chapter.docname for chapter in chapters}
                chapters.append(_chapter(entry, part["caption"], cells, known))
    return tuple(chapters)


def paths(root):
    """Return the files on which read_chapters depends."""
    stored = sorted((Path(root) / "chapters").glob("*.ipynb"))
    return [str(path) for path in (Path(root) / "_toc.yml", *stored)]


def question_in(text):
    """Return the last question of the first paragraph below the title, or an empty text."""
    paragraphs = [part for part in text.split("\n\n") if part and not part.startswith("#")]
    found = QUESTION.findall(paragraphs[0]) if paragraphs else []
    return " ".join(found[-1].split()) if found else ""


def text_of(cell):
    """Return the source of a notebook's cell, which may be stored in lines."""
    return "".join(cell["source"])


def section(chapter, heading):
    """Return the text below a heading, up to the next one of its kind, or an empty text."""
    level = heading.split()[0]
    pattern = rf"^{re.escape(heading)}\n(.*?)(?=^{level} |\Z)"
    found = re.search(pattern, "\n\n".join(chapter.prose), re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def _chapter(entry, part, cells, known):
    name, opening = entry["file"], text_of(cells[0])
    question = question_in(opening)
    if not question:
        raise ValueError(
            f"{name}: the first paragraph asks nothing; expected the chapter's question"
        )
    if NEEDS not in opening:
        raise ValueError(f"{name}: the first cell does not say {NEEDS}")
    linked = LINK.findall(opening.split(NEEDS)[1])
    for stem in linked:
        if stem not in known:
            raise ValueError(f"{name} needs {stem}, which is no chapter before it")
    sections = entry.get("sections", [])
    exercise = sections[0]["file"] if sections else None
    needs = tuple(known[stem] for stem in sorted(set(linked)))
    return Chapter(name, entry["title"], part, question, needs, exercise, tuple(cells))
