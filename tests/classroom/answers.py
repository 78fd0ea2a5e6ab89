"""The bank of answers as text: what a student types into a cell."""

import ast
import inspect
import re
import sys
from functools import cache

import nbformat

from tests.answers import all_answers
from tools.pipeline.layout import HERE

MARKS = ("right", "wrong")
OWN_MARKS = "def right(answer):\n    return answer\n\n\ndef wrong(*pieces):\n    return right"


@cache
def bank():
    """Return the bank's answers by task: ``{task: (right ones, wrong ones)}``, as source text."""
    texts = {}
    for entry in all_answers():
        module = sys.modules[f"tests.answers.{entry.task}"]
        name = next(name for name, value in vars(module).items() if value is entry.answer)
        rights, wrongs = texts.setdefault(entry.task, ([], []))
        (wrongs if entry.pieces else rights).append(typed(module, name, entry.task))
    return texts


def in_place(task):
    """Return an answer to the task that changes its inputs, as text; None if the bank has none."""
    for entry in all_answers():
        if entry.task == task and entry.pieces and "in place" in " ".join(entry.pieces):
            module = sys.modules[f"tests.answers.{task}"]
            return typed(module, entry.answer.__name__, task)
    return None


@cache
def asked_names():
    """Return by task the name of the function or class that its check asks for."""
    names = {}
    for path in sorted((HERE.root / "exercises").glob("*/*.ipynb")):
        names |= dict(re.findall(r"^check_(\w+)\((\w+)", _code(path), re.MULTILINE))
    return names


def _code(path):
    return "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)


def typed(module, name, task):
    """Return the source of the answer ``name``, and all it needs, as the answer to ``task``."""
    imports, statements = _statements(module)
    needed = _needed(name, statements)
    body = [statement for statement in dict.fromkeys(statements.values()) if statement in needed]
    used = {node.id for part in body for node in ast.walk(part) if isinstance(node, ast.Name)}
    lines = [ast.unparse(statement) for statement in imports]
    lines += [OWN_MARKS] if used & set(MARKS) else []
    lines += [ast.unparse(statement) for statement in body]
    return "\n".join([*lines, f"{asked_names()[task]} = {name}"])


@cache
def _statements(module):
    """Return the imports of a module of the bank, and by name what it defines."""
    imports, statements = [], {}
    for statement in ast.parse(inspect.getsource(module)).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            if getattr(statement, "module", None) != "tests.answers":
                imports.append(statement)
        else:
            statements |= dict.fromkeys(_defined(statement), _bare(statement))
    return imports, statements


def _defined(statement):
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    targets = getattr(statement, "targets", [])
    return [
        node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
    ]


def _needed(name, statements):
    found, open_names = set(), [name]
    while open_names:
        statement = statements.get(open_names.pop())
        if statement is not None and statement not in found:
            found.add(statement)
            open_names += [n.id for n in ast.walk(statement) if isinstance(n, ast.Name)]
    return found


def _bare(statement):
    """Return a definition without the bank's own marks."""
    if hasattr(statement, "decorator_list"):
        statement.decorator_list = [
            mark
            for mark in statement.decorator_list
            if getattr(getattr(mark, "func", mark), "id", None) not in MARKS
        ]
    return statement
