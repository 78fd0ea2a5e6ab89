"""Inside casebook, imports point one way: mathematics, then what is composed of it, then checks.

Every module stands in one room, and a room says which others its modules may import. No
module may be reached from itself.
"""

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOMS = {
    "ground": ("types", "guards"),
    "mathematics": (
        "attention", "positional", "recurrent", "vectors", "retrieval", "cost", "patterns", "data",
    ),
    "composition": (
        "multihead", "saturation", "layers", "model", "passes", "gradients", "lookup", "size",
        "endpoint",
    ),
    "training": ("training", "rag"),
    "drawing": ("drawing",),
    "checks": ("checks",),
}  # fmt: skip
MAY_IMPORT = {
    "ground": ("ground",),
    "mathematics": ("ground",),  # and what stands in the same folder
    "composition": ("ground", "mathematics", "composition"),
    "training": ("ground", "mathematics", "composition", "training"),
    "drawing": ("ground", "mathematics", "drawing"),  # it knows arrays, not models
    "checks": ("ground", "mathematics", "composition", "training", "checks"),
}
PACKAGE = Path(__file__).parent.parent / "casebook"


def problems(package):
    """Return a sentence for each import that points the wrong way, and for a cycle."""
    reached = {module: imported_by(package, module) for module in modules(package)}
    found = []
    for module, imported in sorted(reached.items()):
        if room_of(module) is None:
            found.append(f"{module} stands in no room")
            continue
        for other in sorted(imported):
            allowed = room_of(other) in MAY_IMPORT[room_of(module)]
            if not allowed and part_of(module) != part_of(other):
                found.append(f"{module} imports {other}: {room_of(module)} may not")
    try:
        TopologicalSorter(reached).prepare()
    except CycleError as cycle:
        found.append(f"a cycle: {' < '.join(cycle.args[1])}")
    return found


def modules(package):
    """Return the modules of a package by their names inside it, but for itself."""
    paths = (path.relative_to(package) for path in package.rglob("*.py"))
    names = {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths}
    return names - {"__init__"}


def imported_by(package, module):
    """Return the modules of the package that a module imports, wherever in it that stands."""
    path = package.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    known, found = modules(package), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module} imports relatively: say casebook."
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            inside = name.removeprefix("casebook.") if name.startswith("casebook.") else ""
            parent = inside.rpartition(".")[0]  # a name from a module, not a module
            found |= {inside if inside in known else parent} & known
    return found


def unplaced(package, tour):
    """Return the modules that the tour of the code does not name (of checks, it names the room)."""
    own = {name for name in modules(package) if not name.startswith("checks.")}
    named = set(re.findall(r"`(?:[\w/]+/)?(\w+)(?:\.py|/)?`", tour))
    return sorted(name for name in own if name.rpartition(".")[2] not in named)


def part_of(module):
    """Return the first part of a module's name: the file or the folder that holds it."""
    return module.split(".")[0]


def room_of(module):
    """Return the room that a module stands in, or None."""
    return next((room for room, parts in ROOMS.items() if part_of(module) in parts), None)


def test_the_imports_of_casebook_point_one_way():
    assert problems(PACKAGE) == []
    assert len(modules(PACKAGE)) > 50


def test_the_tour_places_every_module():
    tour = (PACKAGE.parent / "docs" / "tour.md").read_text(encoding="utf-8")
    assert unplaced(PACKAGE, tour) == []
    assert unplaced(PACKAGE, tour.replace("`lookup`", "`look`")) == ["lookup"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"attention": "from casebook.layers import relu"}, "attention imports layers: math"),
        ({"attention": "from casebook import vectors"}, "attention imports vectors: mathematics"),
        ({"gradients": "import casebook.training.adamw"}, "gradients imports training.adamw"),
        ({"layers": "def f():\n    from casebook.rag import answer"}, "layers imports rag: comp"),
        ({"drawing.svg": "from casebook.model import decoder"}, "drawing.svg imports model"),
        ({"checks.compare": "from casebook.drawing import svg"}, "checks.compare imports drawing"),
        ({"training.train": "from casebook.checks import compare"}, "training.train imports che"),
        ({"novelty": "import math"}, "novelty stands in no room"),
        (
            {
                "layers": "from casebook import model",
                "model": "from casebook.multihead import linear",
                "multihead": "from casebook.layers import relu",
            },
            "a cycle: ",
        ),
        (
            {
                "training.train": "from casebook.training import adamw",
                "training.adamw": "from casebook.training.train import train",
            },
            "a cycle: ",
        ),
    ],
)  # fmt: skip
def test_an_import_that_points_the_wrong_way_is_named(tmp_path, files, said):
    usual = ("attention", "vectors", "layers", "model", "multihead", "rag", "checks.compare",
             "drawing.svg", "training.adamw", "training.train")  # fmt: skip
    for module in {*usual, *files}:
        path = tmp_path.joinpath(*module.split(".")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(files.get(module, ""), encoding="utf-8")
    [sentence] = problems(tmp_path)
    assert sentence.startswith(said)
