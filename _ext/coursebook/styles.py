"""Style sheets cut down to the rules that the pages can use."""

import posixpath
import re

import tinycss2

GROUPS = {"media", "supports", "layer", "container"}
NAME = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
FUNCTION = re.compile(r":[\w-]+\([^()]*\)")
USE = re.compile(r"var\(\s*(--[\w-]+)")
# Up to the next semicolon or the end of the block, past those in brackets or quotation marks.
VARIABLE = re.compile(
    r"""(?<=[{;\s])(?P<name>--[\w-]+)\s*:(?:"[^"]*"|'[^']*'|\([^()]*(?:\([^()]*\)[^()]*)*\)|[^;{}"'()])*;?"""
)
RELATIVE_URL = re.compile(r"""url\((["']?)(?!data:|#|/|https?:)([^"')]+)\1\)""")


def purge(sheet, names):
    """Return a style sheet without the rules for classes and ids that nothing has.

    Comments go too, except those that begin with "!" and hold a licence.

    sheet: CSS text. names: the classes and ids that occur in the book.
    """
    rules = tinycss2.parse_stylesheet(sheet, skip_whitespace=True)
    return "".join(_kept(rules, names))


def without_idle_variables(sheet):
    """Return a style sheet without the variables that no rule of it uses, in the end."""
    before = None
    while sheet != before:  # a variable may have served one that has gone
        before, sheet = sheet, _used_variables(sheet)
    return sheet


def _used_variables(sheet):
    used = set(USE.findall(sheet))
    return VARIABLE.sub(lambda found: found[0] if found["name"] in used else "", sheet)


def names_used(html_texts, script_texts):
    """Return the classes and ids in the pages, and every word of the scripts.

    A script may put any of its words on an element, so all of them count.
    """
    names = set()
    for text in html_texts:
        for value in re.findall(r'\b(?:class|id)="([^"]*)"', text):
            names.update(value.split())
    for text in script_texts:
        names.update(re.findall(r"[A-Za-z_][\w-]*", text))
    return names


def move(sheet, folder, new_folder):
    """Return a style sheet whose relative addresses still hold in another folder."""

    def moved(match):
        target = posixpath.normpath(posixpath.join(folder, match.group(2)))
        return f'url("{posixpath.relpath(target, new_folder)}")'

    return RELATIVE_URL.sub(moved, sheet)


def icons_drawn(sheet):
    """Return the code points of the private-use characters that a style sheet shows."""
    escaped = {int(code, 16) for code in re.findall(r"\\([ef][0-9a-fA-F]{3})\b", sheet)}
    plain = {ord(character) for character in sheet if 0xE000 <= ord(character) <= 0xF8FF}
    return escaped | plain


def _kept(rules, names):
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = _split(tinycss2.serialize(rule.prelude))
            used = [selector for selector in selectors if _can_match(selector, names)]
            if used:
                yield f"{','.join(used)}{{{tinycss2.serialize(rule.content).strip()}}}"
        elif rule.type == "at-rule" and rule.content and rule.lower_at_keyword in GROUPS:
            inner = tinycss2.parse_rule_list(rule.content, skip_whitespace=True)
            if kept := "".join(_kept(inner, names)):
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{kept}}}"
        elif rule.type == "at-rule" or (rule.type == "comment" and rule.value.startswith("!")):
            yield rule.serialize()


def _split(selectors):
    """Split a selector list at its outer commas."""
    parts, depth = [""], 0
    for character in selectors:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _can_match(selector, names):
    """Say whether every class and id that the selector asks for occurs.

    What stands inside :not(), :is() and the like is not looked at.
    """
    while FUNCTION.search(selector):
        selector = FUNCTION.sub("", selector)
    selector = re.sub(r"\[[^\]]*\]", "", selector)
    return all(name in names for name in NAME.findall(selector))
