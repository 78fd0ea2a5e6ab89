"""Entries of the list of references with a role that is allowed inside a list."""

from docutils import nodes


def setup(app):
    """Register how an entry of the list of papers is written."""
    app.add_node(nodes.citation, override=True, html=(visit_citation, depart_citation))


def visit_citation(translator, node):
    """Open an entry, and before the first one the list."""
    if not isinstance(node.previous_sibling(), nodes.citation):
        translator.body.append('<div role="list" class="citation-list">\n')
    translator.body.append(translator.starttag(node, "div", CLASS="citation", role="listitem"))


def depart_citation(translator, node):
    """Close an entry, and after the last one the list."""
    translator.body.append("</div>\n")
    if not isinstance(node.next_node(descend=False, siblings=True), nodes.citation):
        translator.body.append("</div>\n")
