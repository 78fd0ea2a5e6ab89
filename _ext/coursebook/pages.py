"""The frame of every page: which scripts and styles it loads, and its description."""

import html
from pathlib import Path

from docutils import nodes

TEMPLATES = Path(__file__).parent / "templates"
STYLESHEET = "_static/styles/book.css"
DESCRIPTION_LENGTH = 160
# Version switchers, banners, margin notes: what this book has instead stands in _static/frame.js.
THEME_SCRIPTS = "scripts/"


def setup(app):
    """Register the course's templates, and what a page is told when it is written."""
    app.connect("config-inited", add_templates)
    # After the theme has added its own.
    app.connect("html-page-context", choose_assets, priority=900)
    app.connect("html-page-context", describe_page, priority=900)


def add_templates(app, config):
    """Put the course's templates before those of the theme."""
    config.templates_path.insert(0, str(TEMPLATES))


def choose_assets(app, pagename, templatename, context, doctree):
    """Keep only script files, none of which holds up the page; and one style sheet."""
    named = [script for script in context["script_files"] if getattr(script, "filename", None)]
    scripts = [script for script in named if THEME_SCRIPTS not in script.filename]
    for script in scripts:
        script.attributes["defer"] = "defer"
    context["script_files"] = scripts
    app.builder.book_styles = [
        style.filename for style in context["css_files"] if style.attributes["rel"] == "stylesheet"
    ]
    context["book_stylesheet"] = STYLESHEET


def describe_page(app, pagename, templatename, context, doctree):
    """Add the first paragraph as the page's description, which search engines show."""
    paragraphs = doctree.findall(nodes.paragraph) if doctree else ()
    text = next((p.astext() for p in paragraphs if isinstance(p.parent, nodes.section)), "")
    text = " ".join(text.split()) or f"{app.config.html_title}: {pagename}"
    if len(text) > DESCRIPTION_LENGTH:
        text = text[:DESCRIPTION_LENGTH].rsplit(" ", 1)[0] + " …"
    quoted = html.escape(nodes.unescape(text))
    tag = f'\n<meta name="description" content="{quoted}" />'
    context["metatags"] = context.get("metatags", "") + tag
