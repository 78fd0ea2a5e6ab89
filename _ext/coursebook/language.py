"""Chinese words are marked as Chinese, so that fonts and screen readers choose well."""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform

CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")
LEFT_ALONE = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw,
              nodes.comment)  # fmt: skip


def setup(app):
    """Register the transform that finds Chinese text."""
    app.add_transform(MarkChinese)


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
