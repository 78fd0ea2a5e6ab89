"""Entries of the list of references with a role that is allowed inside a list."""

from docutils import nodes


def setup(app):
    app.add_node(nodes.citation, override=True, html=(visit_citation, depart_citation))


def visit_citation(translator, node):
    if not isinstance(node.previous_sibling(), nodes.citation):
        translator.body.append('<div role="list" class="citation-list">\n')
    translator.body.append(translator.starttag(node, "div", CLASS="citation", role="listitem"))


def depart_citation(translator, node):
    translator.body.append("</div>\n")
    if not isinstance(node.next_node(descend=False, siblings=True), nodes.citation):
        translator.body.append("</div>\n")
