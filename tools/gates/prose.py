"""What the prose of a notebook may not hold, so that a page loads, runs and hides nothing.

Pictures come from cells, where they are compared. HTML is shown by the book and by Jupyter, and
the course needs none but the folds of its hints. Directives, and roles other than citations,
are shown by the book alone: in Jupyter they are letters. Prose is what stands in text cells, and
in captions.
"""

import re
from functools import cache

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

FOLDS = re.compile(r"</?(?:details|summary)>")
TAG = re.compile(r"<[a-zA-Z/!?][^>]*>?")
ELSEWHERE = re.compile(r"(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
LINKED = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
DIRECTIVE = re.compile(r"^\s*:::+\s*(\{[\w:-]+\})", re.MULTILINE)
ROLE = re.compile(r"(\{[\w:-]+\})`")
CITED = ("{cite:p}", "{cite:t}")  # the book turns them into references


def prose_problems(notebook):
    """Return a sentence for each thing in the prose that loads, runs or hides something."""
    found = []
    for index, cell in enumerate(notebook.cells):
        where = f"cell {index} ({cell.id})"
        if cell.cell_type == "raw":
            found.append(f"{where}: is a raw cell, which a page shows as code of its own")
        elif cell.cell_type == "markdown":
            found += [f"{where}: {problem}" for problem in problems_of(cell.source)]
        else:
            mystnb = cell.metadata.get("mystnb", {})
            words = str(mystnb.get("figure", {}).get("caption", ""))
            found += [f"{where}: its caption {problem}" for problem in problems_of(words)]
    return found


def problems_of(text):
    """Return what is wrong with a piece of Markdown, a few words each."""
    return [problem for token in _all(_parser().parse(text)) for problem in _problems(token)]


@cache
def _parser():
    parser = MarkdownIt("commonmark").use(dollarmath_plugin)
    parser.validateLink = lambda url: True  # else a link that runs something is taken for text
    return parser


def _all(tokens):
    for token in tokens:
        yield token
        yield from _all(token.children or [])


def _problems(token):
    """Yield what is wrong with one part of the text."""
    if token.type == "image" and ELSEWHERE.match(str(token.attrs["src"])):
        yield f"loads {token.attrs['src']}"
    if token.type == "link_open":
        address = str(token.attrs["href"])
        if ELSEWHERE.match(address) and not LINKED.match(address):
            yield f"links to {address}"
    if token.type in ("html_block", "html_inline"):
        tag = TAG.search(FOLDS.sub("", token.content))
        if tag:
            yield f"holds HTML: {tag.group()[:40]}"
    if token.type == "fence" and token.info.strip().startswith("{"):
        yield f"holds the directive {token.info.split()[0]}"
    if token.type == "inline":
        yield from (f"holds the directive {name}" for name in DIRECTIVE.findall(token.content))
        roles = (name for name in ROLE.findall(token.content) if name not in CITED)
        yield from (f"holds the role {name}" for name in roles)
