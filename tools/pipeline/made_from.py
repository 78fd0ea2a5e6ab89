"""What a notebook was made from, as it stands in the notebook's own metadata.

    "casebook": {
      "made_from": {"code": HASH, "files": {NAME: HASH, ...}, "pins": {PACKAGE: VERSION, ...}},
      "outputs": HASH
    }

``code`` is that of the code cells and of the tags that decide how they run; prose, captions,
alternative texts and other tags are not in it. ``files`` are those of casebook that the cells
reach (tools/pipeline/reach.py), and those of the pipeline that decide about outputs; comments
and docstrings do not count. ``outputs`` are those that were stored. While all this holds, running
the notebook would give the same again.

A solution also has ``exercise``, the hash of the exercise that was made of it. An exercise says
only what can be computed from itself: nothing in it confirms a guess at what was taken out.

Nothing here is a proof. Whoever edits an output can edit its hash; nbval runs every notebook.
"""

import functools
import hashlib
import io
import json
import re
import tokenize
from importlib.metadata import version

from tools.pipeline.layout import HERE, PINS
from tools.pipeline.reach import reached

RECORD = "casebook"  # in the notebook's metadata
# The tags after which nbclient runs a cell otherwise.
RUN_TAGS = ("raises-exception", "skip-execution")
# What draws, prints and runs. Other packages decide at most about the form, which is made anew.
PACKAGES = ("contourpy", "ipykernel", "ipython", "ipywidgets", "kiwisolver", "matplotlib",
            "nbclient", "numpy")  # fmt: skip
PIPELINE = ("tools/pipeline/execution.py", "tools/pipeline/tidy.py")
MOST_REASONS = 3


def made_from(course, notebook):
    """Return what the notebook's outputs follow from as the course is now, to be stored in it."""
    codes = [cell.source for cell in _code(notebook)]
    files = {course.relative(path): path for path in reached(course, codes)}
    files |= {name: HERE.root / name for name in PIPELINE}
    return {
        "code": _code_of(notebook),
        "files": {name: hash_of(_content(path)) for name, path in sorted(files.items())},
        "pins": {name: pin for name, pin in pins(course).items() if name in PACKAGES},
    }


def stamp(notebook, record, **more):
    """Write into the metadata of an executed notebook what it was made from, and its outputs."""
    notebook.metadata[RECORD] = {"made_from": record, "outputs": outputs_of(notebook), **more}


def outputs_of(notebook):
    """Return a hash of all that running the notebook has left in it."""
    left = [[cell.get("execution_count"), cell.get("outputs")] for cell in _code(notebook)]
    return hash_of(json.dumps(left, sort_keys=True))


def reasons(now, stored):
    """Return why a notebook must be run again; empty when its outputs can stay.

    now: what :func:`made_from` says. stored: the notebook as it is, None if there is none.
    """
    if stored is None:
        return ["new"]
    record = stored.metadata.get(RECORD, {})
    before = record.get("made_from")
    if not before:
        return ["does not say what it was made from"]
    found = ["code changed"] if before["code"] != now["code"] else []
    found += _cut(
        f"{name} {'changed' if name in before['files'] else 'is new to it'}"
        for name, content in now["files"].items()
        if before["files"].get(name) != content
    )
    found += [
        f"{name} is {pin}, was {before['pins'].get(name, 'not pinned')}"
        for name, pin in now["pins"].items()
        if before["pins"].get(name) != pin
    ]
    if before["code"] != _code_of(stored) or record.get("outputs") != outputs_of(stored):
        found.append("not as it was made")
    return found


def pins(course):
    """Return the version of each package that the files of pins name."""
    texts = [
        (course.root / name).read_text("utf-8") for name in PINS if (course.root / name).exists()
    ]
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", "\n".join(texts), re.MULTILINE))


def not_as_pinned(course):
    """Return a sentence for each package that is installed in another version than pinned."""
    for name, pin in pins(course).items():
        if name in PACKAGES and version(name) != pin:
            yield f"{name} is {version(name)} here and {pin} in the pins"


def _cut(found):
    """Return the first few, and how many more there are."""
    found = list(found)
    rest = len(found) - MOST_REASONS
    return [*found[:MOST_REASONS], f"and {rest} more"] if rest > 0 else found


def _code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _code_of(notebook):
    cells = [[cell.source, _run_tags(cell)] for cell in _code(notebook)]
    return hash_of(json.dumps(cells))


def _run_tags(cell):
    return sorted(set(cell.metadata.get("tags", [])) & set(RUN_TAGS))


def _content(path):
    content = path.read_bytes().replace(b"\r\n", b"\n")
    return without_words(content.decode("utf-8")) if path.suffix == ".py" else content


@functools.cache
def without_words(code):
    """Return Python code without its comments, docstrings and empty lines.

    They are cut out of the text itself, so that every version of Python leaves the same.
    """
    tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    may_go = {token.start[0] for token in tokens if token.type == tokenize.NL}
    lines = code.split("\n")
    cuts = [(token.start, token.end) for token in [*comments, *_texts_alone(tokens)]]
    for (first, start), (last, end) in sorted(cuts, reverse=True):
        lines[first - 1] = (lines[first - 1][:start] + lines[last - 1][end:]).rstrip()
        lines[first:last] = [""] * (last - first)
        may_go.update(range(first, last + 1))
    kept = [line for row, line in enumerate(lines, 1) if line.strip() or row not in may_go]
    return "\n".join(kept)


def _texts_alone(tokens):
    """Return the texts that are a statement by themselves, as a docstring is."""
    rest = [token for token in tokens if token.type not in (tokenize.COMMENT, tokenize.NL)]
    ends = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    before = [tokenize.NEWLINE, *(token.type for token in rest)]
    after = [*(token.type for token in rest[1:]), tokenize.ENDMARKER]
    return [
        token
        for token, left, right in zip(rest, before, after, strict=False)
        if token.type == tokenize.STRING and left in ends and right == tokenize.NEWLINE
    ]


def hash_of(content):
    """Return a short hash of text or bytes."""
    content = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(content).hexdigest()[:12]
