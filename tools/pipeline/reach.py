"""Which files of casebook some code reaches through its imports: what its outputs depend on.

A module counts with everything that it imports, wherever in it the import stands. Three rules
make that finer, so that a change concerns few notebooks:

1. A package whose ``__init__`` only gathers names is a table of contents. A name that is taken
   from it, as in ``figures.two_losses`` or ``from casebook.retrieval import best``, leads to the
   module where it is defined, and to no other. An ``__init__`` that does more counts itself too.
2. ``casebook.checks`` may find its checks by name: ``check_turn`` is ``checks/tasks/turn.py``.
3. A module that names a file of ``casebook/data`` in a string reads that file. What an f-string
   fills in stands for anything: ``f"corpus_{language}.json"`` reads every corpus.

Where these rules do not tell, more counts rather than less: a package that is used as a whole,
an import made while the program runs, a cell that is not plain Python.
"""

import ast
import functools
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

PACKAGE = "casebook"
CHECKS, CHECK = ("casebook.checks", "check_")
AT_RUN_TIME = ("import_module", "__import__")


def reached(course, codes):
    """Return the paths of all files of casebook that pieces of code reach, sorted.

    codes: the texts of a notebook's code cells. Data files count as well as modules.
    """
    reach, found = _Reach(course.root / PACKAGE), set()
    open_ends = reach.from_code("\n".join(codes))
    while open_ends:
        path = open_ends.pop()
        if path not in found:
            found.add(path)
            open_ends += reach.from_file(path)
    return sorted(found)


def imported(course, code):
    """Return the paths of the modules from which the code itself imports something, sorted."""
    reach = _Reach(course.root / PACKAGE)
    return sorted({path for wanted in facts_of(code).imports for path in reach.from_import(wanted)})


@dataclass(frozen=True)
class Import:
    """One import from casebook.

    name: what is taken from the module, None if it is the module itself.
    used: the attributes of it that the code uses, None if it is used in other ways too.
    """

    module: str
    name: str | None = None
    used: frozenset | None = None


@dataclass(frozen=True)
class Facts:
    """What counts of a piece of code.

    imports: all of them. table: the same by the names they give. files: texts in it that may
    name a file. only_gathers: whether it does nothing else. at_run_time: whether it imports
    what only a run can tell.
    """

    imports: tuple
    table: dict
    files: frozenset
    only_gathers: bool
    at_run_time: bool


class _Reach:
    """Where one step leads inside one copy of the package, in the folder ``root``."""

    def __init__(self, root):
        self.root = root
        inside = (root / "data").glob("*")
        self.data = [path for path in inside if path.is_file() and path.suffix != ".py"]
        self.suffixes = tuple({path.suffix for path in self.data})
        self.files = {path: path.read_text("utf-8") for path in _inside(root)}

    def from_code(self, code):
        """Return the files to which code leads directly: what it imports, the data it names."""
        facts = facts_of(code)
        found = [path for wanted in facts.imports for path in self.from_import(wanted)]
        names = [name for name in facts.files if name.endswith(self.suffixes)]
        return found + [p for p in self.data if any(fnmatchcase(p.name, name) for name in names)]

    def from_file(self, path):
        """Return the files to which a file of the package leads directly."""
        if path.suffix != ".py":
            return []
        code = self.files[path]
        found = self.from_code(code)
        finds_by_name = path == self.root / "checks" / "__init__.py"  # rule 2 knows what it finds
        if facts_of(code).at_run_time and not finds_by_name:
            found += _inside(path.parent)
        return found

    def from_import(self, wanted):
        """Return the files to which one import leads directly."""
        parts = wanted.module.split(".")
        above = [self._file(".".join(parts[:n])) for n in range(1, len(parts))]
        busy = [path for path in above if path and not self._only_gathers(path)]
        return busy + self._targets(wanted)

    def _targets(self, wanted):
        path = self._file(wanted.module)
        if path is None:
            return []
        if path.name != "__init__.py":
            return [path]
        if wanted.name is None and wanted.used is None or wanted.name == "*":
            return _inside(path.parent)
        itself = [] if self._only_gathers(path) else [path]
        if wanted.name is None:
            # What a package knows of itself, such as its __path__, leads nowhere.
            names = [name for name in wanted.used if not name.startswith("__")]
            each = [Import(wanted.module, name) for name in names]
            return itself + [file for one in each for file in self._targets(one)]
        inner = f"{wanted.module}.{wanted.name}"
        if self._file(inner):
            return itself + self._targets(Import(inner, used=wanted.used))
        if wanted.name.startswith(CHECK) and wanted.module == CHECKS:
            task = self._file(f"{CHECKS}.tasks.{wanted.name.removeprefix(CHECK)}")
            if task:
                return [*itself, task]
        table = facts_of(self.files[path]).table
        if wanted.name in table:
            return [*itself, *self.from_import(replace(table[wanted.name], used=wanted.used))]
        return _inside(path.parent)

    def _file(self, module):
        """Return the file of a module or package of casebook, None if there is none."""
        place = self.root.parent.joinpath(*module.split("."))
        found = (place.with_name(f"{place.name}.py"), place / "__init__.py")
        return next((path for path in found if path in self.files), None)

    def _only_gathers(self, path):
        return facts_of(self.files[path]).only_gathers


def _inside(folder):
    return sorted(folder.rglob("*.py"))


@functools.cache
def facts_of(code):
    """Return the facts of a piece of Python code; of any other code, that it imports everything."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return Facts((Import(PACKAGE),), {}, frozenset(), False, False)
    nodes = list(ast.walk(tree))
    bound = list(_imports(nodes))
    return Facts(
        imports=tuple(wanted for _, wanted in bound),
        table={name: wanted for name, wanted in bound if name},
        files=frozenset(_file_names(nodes)),
        only_gathers=all(_gathers(statement) for statement in tree.body),
        at_run_time=any(word in code for word in AT_RUN_TIME),
    )


def _imports(nodes):
    """Yield for each import from casebook the name that it gives, and what it imports."""
    used = _uses(nodes)
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.level:
            yield None, Import(PACKAGE)  # relative: nobody writes so here
        elif isinstance(node, ast.ImportFrom) and _is_ours(node.module):
            for alias in node.names:
                name = alias.asname or alias.name
                yield name, Import(node.module, alias.name, used(name))
        elif isinstance(node, ast.Import):
            for alias in filter(lambda alias: _is_ours(alias.name), node.names):
                attributes = used(alias.asname) if alias.asname else None
                yield alias.asname, Import(alias.name, used=attributes)


def _is_ours(module):
    return module.split(".")[0] == PACKAGE


def _uses(nodes):
    """Return a function: the attributes used of a name, None if it is used in other ways too."""
    n_uses, attributes = Counter(), defaultdict(list)
    for node in nodes:
        if isinstance(node, ast.Name):
            n_uses[node.id] += 1
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            attributes[node.value.id].append(node.attr)

    def used(name):
        found = attributes.get(name, [])
        return frozenset(found) if len(found) == n_uses[name] else None

    return used


def _gathers(statement):
    """Say whether a statement is a docstring, an import or the list ``__all__``."""
    if isinstance(statement, ast.Assign):
        return [getattr(target, "id", None) for target in statement.targets] == ["__all__"]
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Import | ast.ImportFrom)


def _file_names(nodes):
    """Yield the last part of each text that may name a file, ``*`` for what is filled in."""
    for node in nodes:
        text = ""
        if isinstance(node, ast.JoinedStr):
            parts = [getattr(part, "value", "*") for part in node.values]
            text = "".join(part if isinstance(part, str) else "*" for part in parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        name = text.rpartition("/")[2]
        if "." in name and not name.endswith("*") and "\n" not in name:
            yield name
