"""The figures and sliders that are stored in a notebook, each with its place."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from docutils.nodes import make_id

from casebook.drawing import explore_page, svg
from coursebook.chapters import FIGURE, text_of

HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Picture:
    """A figure or a slider. name: of a figure, by which it is referred to, or None.

    words: the caption of a figure, the label of a slider. section: the heading it stands
    under. html: of a slider, as stored.
    """

    kind: str
    name: str | None
    section: str
    words: str
    alt: str
    drawing: str
    html: str = ""

    @property
    def anchor(self):
        """The place in the chapter's page to link to: the figure, else its section."""
        return self.name or make_id(self.section)


def pictures(chapter):
    """Return the pictures of a chapter, in order."""
    found, heading = [], chapter.title
    for cell in chapter.cells:
        if cell["cell_type"] == "markdown":
            heading = next(reversed(HEADING.findall(text_of(cell))), heading)
        for output in cell.get("outputs", ()):
            found.extend(_pictures(cell, output.get("data", {}), heading))
    return found


def sliders(chapter):
    """Return the sliders of a chapter, in order."""
    return [picture for picture in pictures(chapter) if picture.kind == "slider"]


def _pictures(cell, data, heading):
    html = "".join(data.get("text/html", ""))
    if html.startswith(explore_page.OPENING):
        slider = svg.parse(html)
        start = slider.find("div/img")
        drawing = unquote(start.get("src").partition(",")[2])
        label = slider.get("aria-label")
        yield Picture("slider", None, heading, label, start.get("alt"), drawing, html)
    elif FIGURE in data:
        settings = cell["metadata"].get("mystnb", {})
        figure, image = settings.get("figure", {}), settings.get("image", {})
        drawing = "".join(data[FIGURE])
        alt = image.get("alt", "")
        yield Picture(
            "figure", figure.get("name"), heading, figure.get("caption", ""), alt, drawing
        )
