"""How words are written on a page: cards, the list of papers, Chinese, the heads of tables."""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform

CALLOUTS = {"Predict.": "predict", "Careful.": "careful", "Note.": "note"}
CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")
LEFT_ALONE = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw,
              nodes.comment)  # fmt: skip


def setup(app):
    """Register what changes a page's text, and how entries and cells are written."""
    for transform in (DropEmptyHeads, MarkCallouts, MarkChinese):
        app.add_transform(transform)
    app.add_node(nodes.citation, override=True, html=(visit_citation, depart_citation))
    app.add_node(nodes.entry, override=True, html=(visit_entry, depart_entry))


# A block quote that begins with a bold word such as **Predict.** becomes a card.


class MarkCallouts(SphinxTransform):
    """Give such a block quote the classes "callout" and "callout-predict" (or another)."""

    default_priority = 880

    def apply(self, **kwargs):
        """Mark every block quote whose first bold words name a card."""
        for quote in self.document.findall(nodes.block_quote):
            kind = CALLOUTS.get(lead_word(quote))
            if kind:
                quote["classes"] += ["callout", f"callout-{kind}"]


def lead_word(quote):
    """Return the bold text with which a block quote begins, else an empty text."""
    paragraph = quote.next_node(nodes.paragraph)
    children = paragraph.children if paragraph is not None else []
    # The parser may put an empty text before the first mark-up.
    first = next((child for child in children if child.astext()), None)
    return first.astext() if isinstance(first, nodes.strong) else ""


# Chinese is marked as Chinese, so that fonts and screen readers choose well.


class MarkChinese(SphinxTransform):
    """Wrap each run of Chinese characters in an element with lang="zh-Hant"."""

    default_priority = 890

    def apply(self, **kwargs):
        """Mark the Chinese text of one page, except in code and formulas."""
        for text in list(self.document.findall(nodes.Text)):
            if CHINESE.search(text) and not _inside(text, LEFT_ALONE):
                text.parent.replace(text, list(_marked(str(text))))


def _inside(node, kinds):
    while node is not None:
        if isinstance(node, kinds):
            return True
        node = node.parent
    return False


def _marked(text):
    position = 0
    for run in CHINESE.finditer(text):
        if run.start() > position:
            yield nodes.Text(text[position : run.start()])
        # docutils writes a class "language-…" as the attribute lang.
        yield nodes.inline("", run.group(), classes=["language-zh-Hant"])
        position = run.end()
    if position < len(text):
        yield nodes.Text(text[position:])


# Markdown demands a first row of a table, also where there is nothing to say.


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


# An entry of the list of papers has a role that is allowed inside a list.


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
