"""What an earlier build left behind goes: a page that was renamed must not stay readable."""

from pathlib import Path

# Jupyter Book writes it once Sphinx is done: it leads to the first page.
MADE_LATER = {"index"}


def setup(app):
    """Watch which pages are written, and look for others at the end."""
    app.connect("html-page-context", note_page)
    app.connect("build-finished", remove)


def note_page(app, pagename, templatename, context, doctree):
    """Note a page that is written, also one without a source, such as the search."""
    app.builder.pages_written = getattr(app.builder, "pages_written", set()) | {pagename}


def remove(app, exception):
    """Delete the pages of the book's folder, and their sources, that the book does not have."""
    written = getattr(app.builder, "pages_written", None)
    if exception or not written:  # no page was written, so nothing is known
        return
    known = written | set(app.env.found_docs) | MADE_LATER
    out = Path(app.outdir)
    folders = (out, out / "_sources")
    for path in [path for folder in folders for path in folder.glob("**/*")]:
        is_source = folders[1] in path.parents
        if not path.is_file() or (not is_source and path.suffix != ".html"):
            continue
        name = path.relative_to(folders[is_source]).as_posix()
        if not any(name.startswith(f"{page}.") for page in known):
            path.unlink()
