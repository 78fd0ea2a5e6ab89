"""The words of a published file, whatever it is, without what typesetting does to them."""

import html
import json
import re
import zlib

DASHES = re.compile(r"[-–—]+")
QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "…": "..."})
TAG = re.compile(r"<[^<>]*>")
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
INVENTORY_HEAD = 4  # lines of text before the packed part


def flat(text):
    """Return ``text`` without white space, with plain quotes and dashes."""
    return DASHES.sub("-", "".join(text.translate(QUOTES).split()))


def flat_text(path):
    """Return all text of a file in each way a reader or a program can read it, flat.

    A notebook or another JSON file gives all its strings, names and values. Anything else
    gives its text without entities: as it stands, without tags, and without escapes.
    """
    content = path.read_bytes()
    if path.suffix == ".inv":
        packed = content.split(b"\n", INVENTORY_HEAD)[-1]
        content = zlib.decompress(packed)
    text = content.decode("utf-8", errors="replace")
    if path.suffix in (".ipynb", ".json"):
        return flat(everything(json.loads(text)))
    text = html.unescape(text)
    views = dict.fromkeys((text, without_tags(text), _unescaped(text)))
    return "\n".join(map(flat, views))


def without_tags(text):
    """Return what a page shows of its HTML."""
    return TAG.sub("", text)


def everything(node):
    """Return all text in a part of a notebook: sources, outputs, metadata, ids."""
    if isinstance(node, dict):
        return "\n".join([*map(str, node), *map(everything, node.values())])
    if isinstance(node, list):
        # A text may be stored as a list of its lines; a list of other things is no text.
        joint = "" if all(isinstance(part, str) for part in node) else "\n"
        return joint.join(map(everything, node))
    return str(node)


def _unescaped(text):
    """Return the text with the escapes of JSON and JavaScript taken back."""

    def character(match):
        code = match.group(1)
        return chr(int(code[1:], 16)) if len(code) == 5 else {"n": "\n", "t": "\t"}.get(code, code)

    return ESCAPE.sub(character, text) if "\\" in text else text
