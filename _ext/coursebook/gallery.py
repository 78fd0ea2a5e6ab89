"""The gallery: every figure and the first frame of every slider, by chapter.

The drawings stand in files of their own, which a browser fetches when they come near.
"""

import html
from pathlib import Path

from casebook.drawing import svg
from coursebook.chapters import read_chapters
from coursebook.outputs import pictures

PAGE = "gallery"
FOLDER = "_images/gallery"


def setup(app):
    """Write the gallery's drawings once pages are built."""
    app.connect("build-finished", write_drawings)


def markup(chapters):
    """Return the Markdown of the gallery: a heading for each chapter, and its pictures."""
    parts = []
    for chapter in chapters:
        found = pictures(chapter)
        parts.append(f"## {chapter.title}")
        parts.append('<div class="gallery" role="list">')
        for number, picture in enumerate(found, start=1):
            parts += [_entry(chapter, number, picture)]
        parts.append("</div>")
    return "\n\n".join(parts)


def file_name(chapter, number):
    """Return the name of the file of a chapter's picture; the first has the number 1."""
    return f"{chapter.stem}-{number}.svg"


def write_drawings(app, exception):
    """Write the drawings of the gallery into the book, if it has a gallery."""
    if exception or PAGE not in app.env.found_docs:
        return
    folder = Path(app.outdir, FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    for chapter in read_chapters(Path(app.srcdir)):
        for number, picture in enumerate(pictures(chapter), start=1):
            path = folder / file_name(chapter, number)
            path.write_text(picture.drawing, encoding="utf-8", newline="\n")


def _entry(chapter, number, picture):
    """Return one picture: its drawing, where it stands, and what it says."""
    width, height = svg.size(svg.parse(picture.drawing))
    image = (
        f'<img src="{FOLDER}/{file_name(chapter, number)}" alt="{html.escape(picture.alt)}"'
        f' width="{width:.0f}" height="{height:.0f}" loading="lazy"/>'
    )
    place = f"{chapter.docname}.html#{picture.anchor}"
    link = f'<a href="{place}">{html.escape(picture.section)}</a>'
    words = f"Slider: {picture.words}." if picture.kind == "slider" else picture.words
    opening = f'<div class="gallery-item" role="listitem"><span>{image}</span>{link}'
    return f"{opening}\n\n{words}\n\n</div>"
