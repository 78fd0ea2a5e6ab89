"""Sphinx's maths as MathML, made when the book is built: no script runs on the page."""

import html

from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from coursebook.mathml import MathError, to_mathml
from coursebook.maths_font import missing

logger = logging.getLogger(__name__)


def setup(app):
    """Register MathML as a way to write formulas."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))


def visit_inline(translator, node):
    """Write a formula that stands in a line."""
    translator.body.append(_convert(node, display=False))
    raise nodes.SkipNode


def visit_display(translator, node):
    """Write a formula that stands by itself, with its number if it has one."""
    translator.body.append(translator.starttag(node, "div", CLASS="equation"))
    # The second class: the theme's script makes it reachable by keyboard when it scrolls.
    body = '<div class="equation-body pst-scrollable-table-container">'
    translator.body.append(f"{body}{_convert(node, display=True)}</div>")
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def _convert(node, display):
    try:
        maths = to_mathml(node.astext(), display)
        if absent := missing(maths):
            raise MathError(f"the font of the formulas lacks {absent!r}, in {node.astext()!r}")
        return maths
    except MathError as error:
        logger.warning("maths: %s", error, location=node, type="coursebook", subtype="maths")
        return f"<code>{html.escape(node.astext())}</code>"
