"""Words of the glossary lead to it where a chapter uses them first."""

import re
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms import SphinxTransform

from coursebook.glossary import read_entries

GLOSSARY = "glossary.yml"
# Words that mean something else as well. Only the chapter that meets the term first, as the
# glossary says, links them.
EVERYDAY = {"axis", "block", "column", "memory", "normalisation", "row", "score", "state", "value"}


def setup(app):
    """Register the transform that links terms."""
    app.add_transform(LinkTerms)


class LinkTerms(SphinxTransform):
    """Link the first use of each term in the text of a chapter, not in code or headings."""

    # Before Chinese words are marked, which splits texts; after citations are made.
    default_priority = 850

    def apply(self, **kwargs):
        """Link the terms of one page, if it is a chapter."""
        if not self.env.docname.startswith("chapters/"):
            return
        path = Path(self.app.srcdir, GLOSSARY)
        self.env.note_dependency(str(path))
        pattern, terms = finder(entries_for(self.env.docname, read_entries(path)))
        linked = set()
        for text in list(self.document.findall(nodes.Text)):
            if is_plain(text):
                parts = list(self.parts(str(text), pattern, terms, linked))
                if any(isinstance(part, pending_xref) for part in parts):
                    text.parent.replace(text, parts)

    def parts(self, text, pattern, terms, linked):
        """Yield a text in parts, of which each term not linked so far becomes a link."""
        end = 0
        for found in pattern.finditer(text):
            term = terms[found.group().lower()]
            if term not in linked:
                linked.add(term)
                if found.start() > end:
                    yield nodes.Text(text[end : found.start()])
                yield self.link(term, found.group())
                end = found.end()
        if end < len(text):
            yield nodes.Text(text[end:])

    def link(self, term, shown):
        """Return the node that shows a term's words and leads to its entry."""
        words = nodes.inline("", shown, classes=["glossary-term"])
        address = {"refdomain": "std", "reftype": "term", "reftarget": term}
        return pending_xref("", words, refdoc=self.env.docname, refexplicit=True, **address)


def entries_for(docname, entries):
    """Return the entries whose terms a chapter may link."""
    stem = docname.split("/")[-1]
    return [entry for entry in entries if entry["term"] not in EVERYDAY or entry["chapter"] == stem]


def finder(entries):
    """Return a pattern that finds every form of every term, and the term of each form."""
    terms = {form: entry["term"] for entry in entries for form in forms(entry["term"])}
    longest_first = sorted(terms, key=len, reverse=True)
    alternatives = "|".join(map(re.escape, longest_first)) or "(?!)"  # no term: nothing fits
    return re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w-])", re.IGNORECASE), terms


def forms(term):
    """Return a term in lower case, singular and plural; a name in brackets is one more."""
    names = re.split(r" \((.+)\)$", term)
    found = []
    for name in filter(None, names):
        plural = f"{name[:-1]}ies" if re.search("[^aeiou]y$", name) else f"{name}s"
        found += [name.lower(), plural.lower()]
    return found


def is_plain(text):
    """Tell whether a text stands in a paragraph, with nothing but stress around it."""
    node = text.parent
    while isinstance(node, (nodes.strong, nodes.emphasis)):
        node = node.parent
    return isinstance(node, nodes.paragraph)
