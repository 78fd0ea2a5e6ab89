"""Previous and next at the foot of a page: with the question that waits there."""

from docutils import nodes

from coursebook.chapters import QUESTION

EXERCISE = "Can you write it yourself?"


def setup(app):
    """Note each page's question when it is read, and ask it from the page before."""
    app.connect("doctree-read", note_question, priority=900)
    app.connect("html-page-context", ask, priority=900)


def note_question(app, doctree):
    """Remember the question with which a page begins."""
    docname = app.env.docname
    app.env.metadata[docname]["question"] = (
        EXERCISE if docname.startswith("exercises/") else first_question(doctree)
    )


def first_question(doctree):
    """Return the last question of the first paragraph below the title, or an empty text."""
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section):
            return " ".join(next(reversed(QUESTION.findall(paragraph.astext())), "").split())
    return ""


def ask(app, pagename, templatename, context, doctree):
    """Give the page's template the questions of its neighbours."""
    _, before, after = app.builder.relations.get(pagename, (None, None, None))
    context["questions"] = {
        side: app.env.metadata[name].get("question", "")
        for side, name in (("prev", before), ("next", after))
        if name
    }
