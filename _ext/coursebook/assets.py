"""After the build: one small style sheet, only the icons that are used, nothing unused.

The theme comes with 1.5 MB of scripts and 400 kB of styles. A page needs a tenth.
"""

import logging
import posixpath
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from coursebook.pages import STYLESHEET
from coursebook.styles import (
    icons_drawn,
    move,
    names_used,
    purge,
    without_idle_variables,
)

# The theme names these two in its own templates, not among Sphinx's style files.
THEME_STYLES = ["_static/basic.css", "_static/styles/pydata-sphinx-theme.css"]
NEVER_LOADED = ["scripts/*", "**/*.map", "**/*.woff2",
                "sbt-webpack-macros.html", "webpack-macros.html"]  # fmt: skip


def setup(app):
    """Lighten the built pages once all of them are written."""
    # After the theme has written its colours for code.
    app.connect("build-finished", lighten, priority=900)


def lighten(app, exception):
    """Write the book's one style sheet and its icon fonts; delete what no page loads."""
    styles = getattr(app.builder, "book_styles", None)
    if exception or styles is None:  # no page was written
        return
    out = Path(app.outdir)
    for pattern in NEVER_LOADED:
        for path in (out / "_static").glob(pattern):
            path.unlink()
    names = names_used(_texts(out.glob("**/*.html")), _texts((out / "_static").glob("**/*.js")))
    sheet = without_idle_variables("".join(_styles(out, styles, names)))
    for font in (out / "_static").glob("vendor/**/*.ttf"):
        cut_font(font, font.with_suffix(".woff"), icons_drawn(sheet))
        font.unlink()
    sheet = sheet.replace("woff2", "woff")
    (out / STYLESHEET).write_text(sheet, encoding="utf-8", newline="\n")


def cut_font(path, target, characters):
    """Write a font with only some characters, as a .woff file."""
    logging.getLogger("fontTools.subset").setLevel(logging.WARNING)
    font = TTFont(path)
    cutter = subset.Subsetter(subset.Options(notdef_outline=True, layout_features=[]))
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    font.flavor = "woff"
    font.save(target)


def _texts(paths):
    return [path.read_text(encoding="utf-8") for path in sorted(paths)]


def _styles(out, book_styles, names):
    """Yield the theme's and the book's styles, cut down, in the order of loading."""
    folder = posixpath.dirname(STYLESHEET)
    for name in dict.fromkeys([*THEME_STYLES, *book_styles]):
        sheet = purge((out / name).read_text(encoding="utf-8"), names)
        yield move(sheet, posixpath.dirname(name), folder)
