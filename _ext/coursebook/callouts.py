"""Block quotes that begin with a bold word such as **Predict.** become cards."""

from docutils import nodes
from sphinx.transforms import SphinxTransform

CALLOUTS = {"Predict.": "predict", "Careful.": "careful", "Note.": "note"}


def setup(app):
    """Register the transform that finds the cards."""
    app.add_transform(MarkCallouts)


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
