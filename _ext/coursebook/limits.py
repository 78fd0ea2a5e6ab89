"""What the chapters say that they do not show, collected for one page."""

import html
import re

from docutils.nodes import make_id

from coursebook.chapters import LIMITS, section

NEIGHBOUR = re.compile(r"\]\((\w+\.ipynb)\)")


def markup(chapters):
    """Return the Markdown of all such sections, each below the title of its chapter.

    Raises: ValueError if no chapter has one.
    """
    parts = []
    for chapter in chapters:
        if text := section(chapter, LIMITS):
            # The page stands at the root of the book, the chapters in a folder.
            text = NEIGHBOUR.sub(r"](chapters/\1)", text).replace("](../", "](")
            anchor = make_id(LIMITS)
            title = html.escape(chapter.title)
            place = f'<a href="{chapter.docname}.html#{anchor}">{title}</a>'
            # A heading with the chapter's title would come before the chapter in the search.
            heading = f"### Chapter {chapter.number}"
            parts.append(f"{heading}\n\n{text}\n\nRead it in its place: {place}.")
    if not parts:
        raise ValueError(f"no chapter has a section {LIMITS!r}")
    return "\n\n".join(parts)
