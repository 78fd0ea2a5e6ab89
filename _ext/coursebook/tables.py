"""Empty headings of tables: Markdown demands a first row, also where there is nothing to say."""

from docutils import nodes
from sphinx.transforms import SphinxTransform


def setup(app):
    """Register the transform that drops empty heads, and how a cell is written."""
    app.add_transform(DropEmptyHeads)
    app.add_node(nodes.entry, override=True, html=(visit_entry, depart_entry))


class DropEmptyHeads(SphinxTransform):
    """Remove the head of a table if nothing stands in it."""

    default_priority = 870

    def apply(self, **kwargs):
        """Drop the empty heads of the tables of one page."""
        for head in list(self.document.findall(nodes.thead)):
            if not head.astext().strip():
                head.parent.remove(head)


def visit_entry(translator, node):
    """Write a cell as the theme does, but an empty one in the head is no heading."""
    type(translator).visit_entry(translator, node)
    if isinstance(node.parent.parent, nodes.thead) and not node.astext().strip():
        translator.body[-1] = translator.body[-1].replace("<th", "<td", 1)
        translator.context[-1] = translator.context[-1].replace("</th", "</td", 1)


def depart_entry(translator, node):
    """Close a cell as the theme does."""
    type(translator).depart_entry(translator, node)
