"""Places in the book's own pages that are filled from the chapters when a page is read.

A place is a comment, "<!-- the map of the chapters: filled when the book is built -->".
So nothing that the notebooks say is written down a second time.
"""

import re
from pathlib import Path

from coursebook import chapter_map, gallery, limits, outputs
from coursebook.chapters import paths, read_chapters

PLACE = re.compile(r"<!-- (?P<name>[^:>]+?)(?:, (?P<stem>\w+))?: filled when the book is built -->")


def setup(app):
    """Fill the places of a page when its source is read."""
    app.connect("source-read", fill_in)


def fill_in(app, docname, source):
    """Fill the places of a page that has any."""
    if not PLACE.search(source[0]):
        return
    root = Path(app.srcdir)
    for path in paths(root):
        app.env.note_dependency(path)
    source[0] = filled(source[0], read_chapters(root))


def filled(text, chapters):
    """Return a page's Markdown with all places filled.

    Raises: ValueError if there is nothing of that name.
    """

    def fill(place):
        if place["name"] not in FILLERS:
            names = ", ".join(FILLERS)
            raise ValueError(f"no place is called {place['name']!r}: expected one of {names}")
        chosen = [chapter for chapter in chapters if place["stem"] in (None, chapter.stem)]
        if not chosen:
            raise ValueError(f"{place['name']}: there is no chapter {place['stem']}")
        return FILLERS[place["name"]](chosen)

    return PLACE.sub(fill, text)


def slider(chapters):
    """Return the first slider of the chosen chapter, as it is stored there."""
    found = [slider.html for chapter in chapters for slider in outputs.sliders(chapter)]
    if not found:
        raise ValueError(f"{chapters[0].docname} has no slider to show")
    return found[0]


FILLERS = {
    "the map of the chapters": chapter_map.markup,
    "the gallery": gallery.markup,
    "what the chapters say": limits.markup,
    "the slider": slider,
}
