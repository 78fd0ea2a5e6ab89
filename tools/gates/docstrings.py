"""Say what the docstrings of casebook leave out: ``python -m tools.gates.docstrings [file ...]``.

Asked of the public functions and methods of casebook/, but for its figures and checks:

- every argument is named, or explained at the head of the module if several functions share
  it; the class names those of ``__init__``;
- the first line begins with "Return" if something is returned, and only then;
- "Raises:" names each exception that the function raises, or a private helper in the same
  module, or a guard of casebook/guards.py. "Raises: as :func:`other`" serves as well.
"""

import ast
import builtins
import re
import sys
from pathlib import Path

from tools.pipeline.layout import HERE

LEFT_OUT = ("figures", "checks")
GUARDS = "casebook.guards"
RAISES = re.compile(r"raises: (.*?)(?:Source:|\Z)", re.IGNORECASE | re.DOTALL)
ELSEWHERE = re.compile(r"\bas (?::\w+:)?`|\bas there\b")  # as :func:`other`, as ``other``
INIT = ("__init__", "__post_init__")
GIVES = (ast.Return, ast.Yield, ast.YieldFrom)


def problems_in(source):
    """Return what the docstrings of a module leave out: (line, sentence) of each."""
    tree = ast.parse(source)
    head = ast.get_docstring(tree) or ""
    found, helpers = [], _followed(tree)
    for function, text in _public(tree):
        problems = [*_unnamed(function, head + text), *_unsaid_errors(function, text, helpers)]
        if function.name not in INIT:
            problems += _unsaid_return(function, text)
        found += [(function.lineno, f"{function.name}: {problem}") for problem in problems]
    return sorted(found)


def _followed(tree):
    """Return the functions whose exceptions are a caller's too, by the name they have there.

    They are the private ones of a module and the guards that it imports.
    """
    own = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    found = {name: node for name, node in own.items() if name.startswith("_")}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == GUARDS:
            guards = ast.parse((HERE.root / "casebook" / "guards.py").read_text(encoding="utf-8"))
            guard_of = {g.name: g for g in guards.body if isinstance(g, ast.FunctionDef)}
            called = {alias.asname or alias.name: guard_of[alias.name] for alias in node.names}
            found |= guard_of | called  # a guard may call another
    return found


def _public(part, about=""):
    """Yield the public functions of a module, or methods of a class, with what is said of them."""
    for node in part.body:
        text = (ast.get_docstring(node) or "") if hasattr(node, "name") else ""
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _public(node, text)
        elif isinstance(node, ast.FunctionDef) and not node.decorator_list:
            if node.name in INIT:
                yield node, about
            elif not node.name.startswith("_"):
                yield node, text


def _unnamed(function, text):
    """Yield a sentence for each argument that the text does not name."""
    given = function.args
    every = (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg)
    for name in (argument.arg for argument in every if argument):
        if name != "self" and not re.search(rf"\b{name}\b", text):
            yield f"the docstring does not name the argument {name}"


def _unsaid_return(function, text):
    """Yield a sentence if first line and body do not agree on whether something is returned."""
    gives = any(isinstance(node, GIVES) and node.value for node in _own(function))
    says = bool(re.match(r"(Return|Yield)\b", text))
    if gives and not says:
        yield 'something is returned: begin the docstring with "Return"'
    if says and not gives:
        yield 'nothing is returned: do not begin the docstring with "Return"'


def _own(node):
    """Yield what stands in a function, but not in a function inside it."""
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, (ast.FunctionDef, ast.Lambda)):
            yield part
            yield from _own(part)


def _unsaid_errors(function, text, helpers):
    """Yield a sentence for each exception that may come out and that "Raises:" does not name."""
    said = " ".join(RAISES.findall(text))
    for error in sorted(_errors(function, helpers, {function.name})):
        if not (ELSEWHERE.search(said) or re.search(rf"\b{error}\b", said)):
            yield f'{error} is raised: name it behind "Raises:"'


def _errors(node, helpers, seen):
    """Return the names of the exceptions that leave a node; ``helpers`` are followed."""
    parts, found = list(ast.iter_child_nodes(node)), set()
    if isinstance(node, ast.Try):
        parts = [part for part in parts if part not in node.body]
        inside = set().union(*(_errors(part, helpers, seen) for part in node.body))
        kinds = [h.type for h in node.handlers if h.type]
        caught = re.findall(r"\w+", " ".join(map(ast.unparse, kinds)))
        found = {error for error in inside if not any(_is_a(error, kind) for kind in caught)}
    elif isinstance(node, ast.Raise):
        raised = getattr(getattr(node.exc, "func", node.exc), "id", "")
        found = {raised} if raised[:1].isupper() else set()
    elif isinstance(node, ast.Call):
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
        if name in helpers and name not in seen:
            found = _errors(helpers[name], helpers, seen | {name})
    return found.union(*(_errors(part, helpers, seen) for part in parts))


def _is_a(error, kind):
    """Return whether an exception is caught as another, as far as their names tell."""
    one, other = (getattr(builtins, name, None) for name in (error, kind))
    known = isinstance(one, type) and isinstance(other, type)
    return error == kind or (known and issubclass(one, other))


def main(arguments):
    """Return 1 if anything is left out, after printing it as file:line: sentence."""
    package, n_problems = HERE.root / "casebook", 0
    every = [
        p for p in package.rglob("*.py") if not set(LEFT_OUT) & set(p.relative_to(package).parts)
    ]
    for path in [Path(name) for name in arguments] or sorted(every):
        name = path.relative_to(HERE.root) if path.is_relative_to(HERE.root) else path
        for line, sentence in problems_in(path.read_text(encoding="utf-8")):
            n_problems += 1
            print(f"{name}:{line}: {sentence}")
    return 1 if n_problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
