"""What only a solution may hold must not stand anywhere in its exercise."""

import re

import nbformat

SECRET = re.compile(r"### BEGIN (SOLUTION|HIDDEN TESTS)\n(.*?)### END \1", re.DOTALL)
SHORTEST_SECRET = 12  # characters; a shorter line, such as "return x", may stand anywhere


def leaks(course):
    """Return a sentence for each line of a solution or hidden test that an exercise shows."""
    found = []
    for name in course.names():
        stem = name.split("/")[1]
        if not name.startswith("exercises/") or not course.notebook(f"solutions/{stem}").exists():
            continue
        solution = nbformat.read(course.notebook(f"solutions/{stem}"), as_version=4)
        for path in sorted((course.root / "exercises" / stem).rglob("*")):
            if path.is_file() and path.suffix == ".ipynb":
                found += _leaks_into(course, path, _secrets(solution))
    return found


def _leaks_into(course, path, secrets):
    text = _flat(_everything(nbformat.read(path, as_version=4)))
    return [
        f"{course.relative(path)}: shows what only the solution may hold: {secret!r}"
        for secret in secrets
        if _flat(secret) in text
    ]


def _secrets(solution):
    """Return the lines that must not reach a learner: hidden ones that stand nowhere else."""
    hidden, shown = [], []
    for cell in solution.cells:
        grading = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "markdown" and grading.get("solution"):
            hidden += cell.source.splitlines()
        else:
            hidden += [
                line for block in SECRET.findall(cell.source) for line in block[1].splitlines()
            ]
            shown.append(SECRET.sub("", cell.source))
    visible = _flat("\n".join(shown))
    lines = dict.fromkeys(line.strip() for line in hidden if len(line.strip()) >= SHORTEST_SECRET)
    return [line for line in lines if _flat(line) not in visible]


def _everything(node):
    """Return all text in a notebook: sources, outputs, metadata, ids."""
    if isinstance(node, dict):
        return "\n".join(_everything(value) for value in node.values())
    if isinstance(node, list):
        return "\n".join(_everything(value) for value in node)
    return str(node)


def _flat(text):
    return " ".join(text.split())
