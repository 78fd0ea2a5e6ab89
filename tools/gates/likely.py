"""In which notebook a fault of casebook is likely to be noticed first.

A guess from names alone: nothing runs. A wrong guess costs time, and no verdict.
"""

import ast
import json
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

STEPS = 4  # from a helper to a function that a notebook names


def in_likely_order(course, fault):
    """Return the stored notebooks, those first that are likely to notice soon.

    The chapter that names the faulty function most often is the one about it, if it imports its
    module; else a chapter that imports the module, or names the function. If no notebook names
    the function, what counts are the functions that call it, and so on.
    """
    codes = {path: _code(path, path.stat().st_mtime_ns) for path in course.stored()}
    named = _named_by_notebooks(course, fault, set().union(*(words for _, words in codes.values())))
    package = ".".join(["casebook", *Path(fault.file).parent.parts])

    def likelihood(path):
        (code, words), is_chapter = codes[path], course.relative(path).startswith("chapters/")
        mentions = Counter()
        for file, function in named:
            mentions[file] += words[function]
        about = sum(n for file, n in mentions.items() if _imports(code, file))
        imports = any(_imports(code, file) for file in mentions)
        is_about = is_chapter and any(mentions.values())
        return (
            is_chapter and about > 0,
            is_chapter and imports,
            is_about,
            package in code,
            about or sum(mentions.values()),
        )

    return sorted(codes, key=likelihood, reverse=True)


def _named_by_notebooks(course, fault, words):
    """Return (file, name) of the faulty function; of those that lead to it, if they are named."""
    function = fault.function.partition(".")[0]
    first = {(fault.file, function or Path(fault.file).stem)}
    around = first
    for _ in range(STEPS if function else 0):
        if any(name in words for _, name in around):
            return around
        around = set().union(*(_users(course.root)[name] for _, name in around)) - first
    return first


def _imports(code, file):
    path = Path(file)
    package = ".".join(["casebook", *path.parent.parts])
    return re.search(rf"from {package}(\.{path.stem}\b| import .*\b{path.stem}\b)", code)


@cache
def _code(path, changed):
    """Return the code of a notebook as it was when last changed, and how often it holds a word."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    code = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    return code, Counter(re.findall(r"\w+", code))


@cache
def _users(root):
    """Return where each name is used in casebook: by the name, (file, function or class)."""
    users = defaultdict(set)
    for path in sorted((root / "casebook").rglob("*.py")):
        file = path.relative_to(root / "casebook").as_posix()
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                for part in ast.walk(node):
                    name = getattr(part, "id", None) or getattr(part, "attr", None)
                    if isinstance(name, str):
                        users[name].add((file, node.name))
    return users
