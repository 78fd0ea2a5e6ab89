"""The faults of tests/mutants.toml: where each stands, what it changes, the module that it makes.

A fault names a function and a change in it, both as a reader would say them:

    [[mutant]]
    name = "softmax-without-subtracting-the-largest"
    in = "attention.py: softmax"
    old = "scores - highest"
    new = "scores"

``in`` is a file of casebook and a function ("f", "Class.method", "f.inner"), or the file alone for
what stands outside of all functions. ``old`` is an expression, or whole statements, that occurs
once in there; if it occurs more often, ``nth = 2`` says which. ``new`` stands in its place;
statements without a ``new`` are left out.

Both are compared as syntax, not as text: line breaks, quotes, parentheses and comments do not
matter, nor does the order of the terms of a sum, of the factors of a product and of arguments
given by name. So a fault outlives a reformatted or reordered line. ``python -m tools.gates.faults``
names those that no longer apply to the code.
"""

import ast
import sys
import textwrap
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import partial

from tools.pipeline.layout import HERE, CourseError

DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
# The order of terms does not matter, and each brings its sign: a - b + c is c + a - b.
CHAINS = ((ast.Add, ast.Sub), (ast.Mult, ast.Div))
KEYS = {"name": str, "in": str, "old": str, "new": str, "nth": int}


@dataclass(frozen=True)
class Fault:
    """A named fault: in ``function`` of ``file``, the ``nth`` place of ``old`` becomes ``new``.

    file: in casebook, with slashes.
    function: "" for the module's own level.
    nth: counted from 1; 0 if there is only one.
    """

    name: str
    file: str
    function: str
    old: str
    new: str
    nth: int = 0

    @property
    def place(self):
        """Return file and function as they stand in tests/mutants.toml."""
        return f"{self.file}: {self.function}" if self.function else self.file


def read_faults(course):
    """Return the faults of tests/mutants.toml.

    Raises: CourseError that names each fault which does not apply to casebook as it is now.
    """
    text = (course.root / "tests" / "mutants.toml").read_text("utf-8")
    faults, problems = [], []
    for number, entry in enumerate(tomllib.loads(text).get("mutant", []), 1):
        name = entry.get("name", f"number {number}")
        try:
            faults.append(_fault(entry))
            _compile(course, faults[-1])
        except CourseError as problem:
            problems.append(f"{name}: {problem}")
    counts = Counter(fault.name for fault in faults)
    problems += [f"{name}: the name comes twice" for name in counts if counts[name] > 1]
    if problems:
        raise CourseError("tests/mutants.toml: " + "\ntests/mutants.toml: ".join(problems))
    return faults


def _compile(course, fault):
    tree = switched(course, fault.file, [fault])
    try:
        compile(tree, fault.file, "exec", dont_inherit=True)
    except (SyntaxError, TypeError, ValueError) as error:
        raise CourseError(f"with its new, {fault.file} is no Python: {error}") from None


def _fault(entry):
    for key, value in {"name": "", "in": "", "old": "", "new": "", **entry}.items():
        if not isinstance(value, KEYS.get(key, ())):
            raise CourseError(f"'{key}' is not a key of a fault, or not of its kind")
    missing = [key for key in ("name", "in", "old") if not entry.get(key)]
    if missing:
        raise CourseError(f"it has no {', '.join(missing)}")
    file, _, function = (part.strip() for part in entry["in"].partition(":"))
    return Fault(
        entry["name"], file, function, entry["old"], entry.get("new", ""), entry.get("nth", 0)
    )


def switched(course, file, faults):
    """Return the syntax tree of a module of casebook that holds ``faults`` and does without them.

    Each change stands beside what it changes, and the built-in function ``__fault__`` is asked
    which of the two is meant, whenever the program comes by: ``__fault__("name")``.
    Raises: CourseError if a fault does not apply.
    """
    path = course.root / "casebook" / file
    if not path.is_file():
        raise CourseError(f"there is no {file} in casebook")
    tree = ast.parse(path.read_text("utf-8"))
    # All places first: what is put in must not be taken for what is looked for.
    for change in [_located(course, tree, fault) for fault in faults]:
        change()
    return tree


def home(course, fault):
    """Return the key of the function that the fault stands in, or of the module's own level."""
    tree = ast.parse((course.root / "casebook" / fault.file).read_text("utf-8"))
    return key(_scope(tree, fault.function) if fault.function else _own_level(tree))


def homes(text):
    """Return the keys of all that a fault in a module with this ``text`` could stand in."""
    tree = ast.parse(text)
    nodes = [node for node in ast.walk(tree) if isinstance(node, DEFINITIONS)]
    return {key(node) for node in [*nodes, _own_level(tree)]}


def _own_level(tree):
    """Return what a module says outside of functions; what it imports may change by a move."""
    aside = (*DEFINITIONS, ast.Import, ast.ImportFrom)
    return [node for node in tree.body[bool(ast.get_docstring(tree)) :] if type(node) not in aside]


def _scope(tree, function):
    """Return the node of a function, by its dotted name; None if it is not there just once."""
    scope = tree
    for name in filter(None, function.split(".")):
        inside = ast.walk(scope)
        found = [n for n in inside if isinstance(n, DEFINITIONS) and n.name == name and n != scope]
        if len(found) != 1:
            return None
        scope = found[0]
    return scope


def _elsewhere(course, function):
    """Return the other files of casebook that have such a function: it may have moved."""
    for path in sorted((course.root / "casebook").rglob("*.py")):
        if _scope(ast.parse(path.read_text("utf-8")), function):
            yield path.relative_to(course.root / "casebook").as_posix()


def _located(course, tree, fault):
    """Return a function that puts the fault into ``tree``, at a place that is already found."""
    scope = _scope(tree, fault.function)
    if scope is None:
        found = ", ".join(_elsewhere(course, fault.function))
        hint = f"; there is one in {found}" if found else ""
        raise CourseError(f"{fault.file} has no function '{fault.function}'{hint}")
    old, new = _parsed(fault.old, "old"), _parsed(fault.new, "new")
    if key(old) == key(new):
        raise CourseError("its new says the same as its old")
    if _is_expression(old) and _is_expression(new):
        found = list(_expressions(scope, key(old[0].value)))
        return partial(_switch_expression, fault.name, *_the_one(found, fault), new[0].value)
    found = list(_statements(scope, old))
    return partial(_switch_statements, fault.name, *_the_one(found, fault), len(old), new)


def _the_one(found, fault):
    """Return the place that the fault means."""
    n = len(found)
    if n > 1 and not fault.nth:
        raise CourseError(f"its old occurs {n} times in {fault.place}; say by 'nth' which")
    if fault.nth > n or not n:
        asked = f", and nth is {fault.nth}" if n else ""
        raise CourseError(f"its old occurs {n} times in {fault.place}{asked}")
    return found[max(0, fault.nth - 1)]


def _switch_expression(name, holder, field, place, new):
    """Make ``old`` to ``(new if __fault__(name) else old)``."""
    value = getattr(holder, field)
    old = value if place is None else value[place]
    both = ast.copy_location(ast.IfExp(_asked(name, old), new, old), old)
    if place is None:
        setattr(holder, field, both)
    else:
        value[place] = both


def _switch_statements(name, body, place, n_old, new):
    """Put each old statement behind an ``else``, and the new ones before the first.

    The statements keep their places, so that another fault finds them.
    """
    for number in range(place, place + n_old):
        old = body[number]
        instead: list[ast.stmt] = new if number == place else []
        instead = instead or [ast.copy_location(ast.Pass(), old)]
        body[number] = ast.copy_location(ast.If(_asked(name, old), instead, [old]), old)


def _asked(name, where):
    """Return the call ``__fault__(name)``."""
    call = ast.parse(f"__fault__({name!r})", mode="eval").body
    for node in ast.walk(call):
        ast.copy_location(node, where)
    return call


def _parsed(text, which):
    try:
        return ast.parse(textwrap.dedent(text).strip()).body
    except SyntaxError:
        raise CourseError(f"its {which} is no expression and no whole statements") from None


def _is_expression(body):
    return len(body) == 1 and isinstance(body[0], ast.Expr)


def _expressions(scope, wanted):
    """Return the places of all expressions with a key, in the order of the text.

    Not of those that something is assigned to: there stands no other expression.
    """
    for holder in _in_order(scope):
        for field, value in ast.iter_fields(holder):
            for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                is_value = isinstance(getattr(child, "ctx", ast.Load()), ast.Load)
                if isinstance(child, ast.expr) and is_value and key(child) == wanted:
                    yield holder, field, place


def _statements(scope, old):
    """Return the places of all runs of statements like ``old``, in the order of the text."""
    wanted = [key(statement) for statement in old]
    for holder in _in_order(scope):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(holder, field, None)
            if isinstance(body, list):
                keys = [key(statement) for statement in body]
                for place in range(len(body) - len(old) + 1):
                    if keys[place : place + len(old)] == wanted:
                        yield body, place


def _in_order(node):
    """Return the nodes of a function; of a module, those outside of its functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.Module) and isinstance(child, DEFINITIONS)):
            yield from _in_order(child)


def key(node):
    """Return a text that is the same for two pieces of syntax that say the same."""
    if isinstance(node, list):
        return f"[{', '.join(map(key, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    for plus, minus in CHAINS:
        if isinstance(node, ast.BinOp) and isinstance(node.op, plus | minus):
            return f"{plus.__name__}{sorted(_terms(node, plus, minus, True))}"
    parts = []
    for name, value in ast.iter_fields(node):
        if name == "keywords":
            value = sorted(value, key=key)
        if name not in ("ctx", "kind", "type_comment"):
            parts.append(f"{name}={key(value)}")
    return f"{type(node).__name__}({', '.join(parts)})"


def _terms(node, plus, minus, positive):
    """Return the terms of a sum (or factors of a product), each with its sign."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, plus | minus):
        yield from _terms(node.left, plus, minus, positive)
        yield from _terms(node.right, plus, minus, positive == isinstance(node.op, plus))
    else:
        yield f"{'+' if positive else '-'}{key(node)}"


def main(course=HERE):
    """Return 0 if every fault applies to the code; else name those that do not."""
    try:
        print(f"{len(read_faults(course))} planted faults apply to the code.")
    except CourseError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
