"""How long a chapter takes, said below its title.

An estimate for a first reading in which each prediction is made and each figure looked at.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

from coursebook.chapters import read_chapters
from coursebook.outputs import pictures

WORDS_A_MINUTE = 150
CODE_LINES_A_MINUTE = 15
MINUTES_A_PICTURE = 0.5
STEP = 5  # minutes; nobody reads more exactly than that
# A Chinese character counts as a word.
WORD = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+")


def setup(app):
    """Register the transform that says how long a chapter takes."""
    app.add_transform(SayReadingTime)


def minutes(n_words, n_lines, n_pictures):
    """Return the minutes that so many words, lines of code and pictures take, in fives."""
    exact = n_words / WORDS_A_MINUTE + n_lines / CODE_LINES_A_MINUTE
    exact += n_pictures * MINUTES_A_PICTURE
    return max(STEP, STEP * round(exact / STEP))


def minutes_of(chapter):
    """Return the minutes that a chapter takes."""
    n_words = sum(len(WORD.findall(text)) for text in chapter.prose)
    n_lines = sum(bool(line.strip()) for text in chapter.code for line in text.splitlines())
    return minutes(n_words, n_lines, len(pictures(chapter)))


def sentence(chapter):
    """Return what is said below the title of a chapter."""
    kinds = [picture.kind for picture in pictures(chapter)]
    counted = [f"about {minutes_of(chapter)} minutes"]
    for kind in ("figure", "slider"):
        if number := kinds.count(kind):
            counted.append(f"{number} {kind}{'s' * (number > 1)}")
    return ", ".join(counted).capitalize()


class SayReadingTime(SphinxTransform):
    """Put a line below the title of each chapter."""

    default_priority = 860

    def apply(self, **kwargs):
        """Put the reading time below the title, if the page is a chapter."""
        title = self.document.next_node(nodes.title)
        for chapter in read_chapters(Path(self.app.srcdir)):
            if chapter.docname == self.env.docname and title is not None:
                # In a box of its own, so that the page still begins with its question.
                line = nodes.paragraph("", sentence(chapter))
                box = nodes.container("", line, classes=["reading-time"])
                title.parent.insert(title.parent.index(title) + 1, box)
