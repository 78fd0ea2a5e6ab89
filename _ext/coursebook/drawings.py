"""Figures and sliders stand in the page as drawings: text stays text, ink follows the theme.

A figure that says nothing to someone who cannot see it is a build warning.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from casebook.drawing import explore_page, svg

logger = logging.getLogger(__name__)
# A table that an output holds: what scrolls must be reached by keyboard.
SCROLLS = '<div style="overflow-x: auto"'
FILE_NAME = re.compile(r"[\w./-]+\.(svg|png|jpe?g|webp|gif)|[\da-f]{16,}", re.IGNORECASE)


def setup(app):
    """Register the transform that puts drawings into the page."""
    app.add_post_transform(InlineDrawings)


class InlineDrawings(SphinxPostTransform):
    """Replace each SVG file made by a notebook cell, and each slider, by its form for the book."""

    # After myst-nb has chosen which output to show, before Sphinx copies images.
    default_priority = 8
    formats = ("html",)

    def run(self, **kwargs):
        """Replace the drawings of one page; warn of a figure without a useful text."""
        for number, image in enumerate(list(self.document.findall(nodes.image)), start=1):
            alt = " ".join(image.get("alt", "").split())
            if problem := problem_with_alt(alt):
                logger.warning(
                    "figure: %s", problem, location=image, type="coursebook", subtype="figures"
                )
            path = self.output_path(image)
            if path:
                drawing = svg.inline(path.read_text(encoding="utf-8"), f"figure-{number}", alt)
                image.replace_self(nodes.raw("", drawing, format="html"))

        for output in self.document.findall(nodes.raw):
            if output["format"] == "html":
                page = explore_page.for_book(output.astext())
                output.children = [nodes.Text(page.replace(SCROLLS, f'{SCROLLS} tabindex="0"'))]

    def output_path(self, image):
        """Return the path of an SVG that stands among the notebooks' outputs, else None."""
        path = Path(self.env.srcdir, image["uri"]).resolve()
        outputs = Path(self.app.outdir).parent / "jupyter_execute"
        return path if path.suffix == ".svg" and outputs.resolve() in path.parents else None


def problem_with_alt(alt):
    """Return in one sentence what is wrong with an alternative text, or None."""
    if not alt:
        return "no alternative text; say in mystnb.image.alt which pattern it shows"
    if FILE_NAME.fullmatch(alt):
        return f"the alternative text {alt!r} is a file name; say which pattern it shows"
    return None
