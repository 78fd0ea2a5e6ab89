r"""Search that finds symbols such as W^O and words in Chinese, which has no spaces.

A run of Chinese characters is indexed, and looked for, as its pairs of neighbours. What
stands around ^ is indexed as one word too.
"""

import json
import re
import unicodedata
from pathlib import Path

from sphinx.search.en import SearchEnglish

CHINESE = r"\u3400-\u4dbf\u4e00-\u9fff"
TOKEN = re.compile(rf"[{CHINESE}]+|[^\W{CHINESE}]+(?:\^[^\W{CHINESE}]+)*")
# TeX, to be found as one would type it: W^{O}, d_{\text{model}}, QK^\top.
BRACED = re.compile(r"([_^])\{(?:\\(?:text|mathrm)\{)?(\w+)\}?\}")
TRANSPOSED = re.compile(r"\^\\top\b|ᵀ")
COMMAND = re.compile(r"\\([A-Za-z]+)")
INDEX = re.compile(r"Search\.setIndex\((.*)\)", re.DOTALL)

# The same for what a reader types. Sphinx takes a function of this name.
SPLITTER = rf"""
function splitQuery(query) {{
  const letter = "(?![{CHINESE}])[\\p{{L}}\\p{{N}}_]";
  const token = new RegExp(`[{CHINESE}]+|(?:${{letter}})+(?:\\^(?:${{letter}})+)*`, "gu");
  const pairs = (run) =>
    run.length > 1 ? [...run].slice(1).map((_, i) => run.slice(i, i + 2)) : [run];
  return (query.replaceAll("ᵀ", "^T").match(token) ?? [])
    .flatMap((found) => (/^[{CHINESE}]/.test(found) ? pairs(found) : [found]));
}}
"""


def setup(app):
    """Register the language of the search, and name its results once pages are built."""
    app.add_search_language(SearchCourse)
    app.connect("build-finished", name_results)


class SearchCourse(SearchEnglish):
    """English as Sphinx knows it, with another way to split."""

    js_splitter_code = SPLITTER

    def split(self, input):  # as Sphinx calls it
        """Return the words under which a text is indexed."""
        text = TRANSPOSED.sub("^T", BRACED.sub(r"\1\2", input))
        found = [word for token in TOKEN.findall(text) for word in _words(token)]
        return found + [letter for name in COMMAND.findall(text) for letter in _greek(name)]


def name_results(app, exception):
    """Let the search call a term of the glossary by its name, and not "Glossary" again."""
    path = Path(app.outdir, "searchindex.js")
    if exception or not path.exists():
        return
    written = INDEX.fullmatch(path.read_text(encoding="utf-8"))
    if not written:
        raise ValueError(f"{path} is no longer of the form Search.setIndex(...): see search.py")
    index = json.dumps(with_named_terms(json.loads(written[1])), sort_keys=True)
    path.write_text(f"Search.setIndex({index})", encoding="utf-8")


def with_named_terms(index):
    """Return a search index in which entries, such as terms, stand among the headings."""
    headings = {name: list(places) for name, places in index["alltitles"].items()}
    for name, places in index["indexentries"].items():
        headings.setdefault(name, []).extend([document, anchor] for document, anchor, _ in places)
    return index | {"alltitles": headings, "indexentries": {}}


def _words(token):
    if re.match(f"[{CHINESE}]", token):
        return [token[i : i + 2] for i in range(len(token) - 1)] or [token]
    return [token, *token.split("^")] if "^" in token else [token]


def _greek(name):
    r"""Return the letter that a TeX command such as \alpha stands for, in a list, or none."""
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return [unicodedata.lookup(f"GREEK {size} LETTER {name.upper()}")]
    except KeyError:
        return []
