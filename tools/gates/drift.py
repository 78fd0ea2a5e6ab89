"""Check that everything derived still agrees with its source: ``python -m tools.gates.drift``.

Nothing of a chapter or a solution is run here (nbval does that); the exercises are made
anew in a temporary folder and compared byte for byte.
"""

import ast
import re
import sys
from pathlib import Path

import nbformat
import yaml

from tools.gates.rules import form_problems, never_compared, order_problems, output_problems
from tools.pipeline import exercises
from tools.pipeline.layout import ASSIGNMENTS, FOLDERS, HERE, CourseError
from tools.pipeline.made_from import RECORD, made_from, reasons
from tools.pipeline.notation import read_source
from tools.pipeline.reach import imported
from tools.pipeline.tidy import tidy, to_bytes
from tools.secrecy.leaks import leaks

PARTS = ("cell_type", "source", "metadata", "id")  # of a cell, in the order they are looked at


def problems(course):
    """Return a sentence for each thing that does not agree, in reading order."""
    found = [*missing_or_orphaned(course), *not_listed(course)]
    for name in course.written():
        if course.notebook(name).exists():
            found += [f"{name}: {problem}" for problem in stale(course, name)]
            found += [f"{name}: {problem}" for problem in changed_definitions(course, name)]
    for name in course.names():
        if course.notebook(name).exists():
            found += [f"{name}: {problem}" for problem in other_origin(course, name)]
    for path in course.stored():
        name = course.relative(path)
        found += [f"{name}: {problem}" for problem in stored_problems(path)]
    return found + edited_exercises(course) + leaks(course)


def missing_or_orphaned(course):
    """Return a sentence for each notebook that is missing, and each that has no source."""
    wanted = {course.relative(course.notebook(name)) for name in course.names()}
    present = {course.relative(path) for path in course.stored()}
    for name in sorted(wanted - present):
        yield f"{name}: is missing; make it with 'course.py notebooks'"
    for name in sorted(present - wanted):
        yield f"{name}: is an orphan; nothing in source/ makes it"
    for kind in ASSIGNMENTS:  # an assignment's folder holds its notebook and what goes with it
        for folder in sorted((course.root / kind).glob("*/")):
            if not (folder / f"{folder.name}.ipynb").exists():
                yield f"{kind}/{folder.name}: is a folder without its notebook"


def not_listed(course):
    """Return a sentence for each notebook that the table of contents or the manifest lacks."""
    listed = re.findall(r"file: *(\S+)", _text(course.root / "_toc.yml"))
    listed = {name.removesuffix(".ipynb") for name in listed if name.split("/")[0] in FOLDERS}
    in_book = [name for name in course.names() if not name.startswith("solutions/")]
    wanted = {course.relative(course.notebook(name).with_suffix("")) for name in in_book}
    for name in sorted(wanted - listed):
        yield f"_toc.yml: does not list {name}"
    for name in sorted(listed - wanted):
        yield f"_toc.yml: lists {name}, which is not for readers or is not there"
    solved = {name.split("/")[1] for name in course.written() if name.startswith("solutions/")}
    graded = set(course.manifest())
    for stem in sorted(solved - graded):
        yield f"instructor/manifest.yml: has no entry {stem}"
    for stem in sorted(graded - solved):
        yield f"instructor/manifest.yml: {stem} has no solution in source/"


def stale(course, name):
    """Return a sentence if the stored notebook's cells are not those of its source."""
    try:
        wanted = read_source(course, name)
    except CourseError as problem:
        return [str(problem)]
    stored = nbformat.read(course.notebook(name), as_version=4)
    for index, (new, old) in enumerate(zip(wanted.cells, stored.cells, strict=False)):
        others = (new.keys() | old.keys()) - {*PARTS, "outputs", "execution_count"}
        for part in [*PARTS, *sorted(others)]:
            if new.get(part) != old.get(part):
                return [f"cell {index} ({old.get('id')}): its {part} is not as in the source"]
    if len(wanted.cells) != len(stored.cells):
        return [f"has {len(stored.cells)} cells, its source {len(wanted.cells)}"]
    stored.metadata.pop(RECORD, None)  # other_origin looks at that
    for part in sorted((wanted.keys() | stored.keys()) - {"cells"}):
        if wanted.get(part) != stored.get(part):
            return [f"its {part} is not as the pipeline's"]
    return []


def other_origin(course, name):
    """Return a sentence if the notebook was made from something else than what there is now.

    So an output is refused that nobody has run since what it follows from was changed. It is a
    reminder and no proof, since a hash can be edited too: nbval runs every notebook.
    """
    stored = nbformat.read(course.notebook(name), as_version=4)
    now = made_from(course, stored)
    why = reasons(now, stored)
    record = stored.metadata.get(RECORD, {})
    if why:
        return [f"{', '.join(why)}; make it with 'course.py notebooks'"]
    wanted = {"made_from": now, "outputs": record["outputs"]}
    if name.startswith("solutions/"):
        stem = name.split("/")[1]
        if course.notebook(f"exercises/{stem}").exists():
            wanted["exercise"] = exercises.mark(course, stem)
    if record != wanted:
        return ["does not say what it was made from as the pipeline does; make it again"]
    return []


def stored_problems(path):
    """Return a sentence for each rule that the notebook at ``path`` breaks."""
    notebook = nbformat.read(path, as_version=4)
    found = [
        *never_compared(notebook),
        *order_problems(notebook),
        *output_problems(notebook),
        *form_problems(notebook),
    ]
    if not found and to_bytes(tidy(notebook)) != path.read_bytes():
        found = ["is not stored as the pipeline stores it; make it with 'course.py notebooks'"]
    return found


def changed_definitions(course, name):
    """Return a sentence for each function of a chapter that casebook defines otherwise.

    A chapter may write a function before it imports that of casebook; then both must be the
    same code. Docstrings may differ; slow teaching versions are called ``..._loop``. Modules
    that the chapter does not import may use the same names for something else.
    """
    if not name.startswith(("chapters/", "evidence/")):
        return
    notebook = nbformat.read(course.notebook(name), as_version=4)
    code = [(cell.id, cell.source) for cell in notebook.cells if cell.cell_type == "code"]
    ours = {}
    for path in imported(course, "\n".join(source for _, source in code)):
        ours |= dict(_definitions(path.read_text("utf-8")))
    for cell_id, source in code:
        for function, body in _definitions(source):
            if function in ours and not function.endswith("_loop") and body != ours[function]:
                yield f"cell {cell_id}: defines {function} otherwise than casebook does"


def _definitions(code):
    """Return name and body of each public function at the top level, without docstrings."""
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:]
            yield node.name, ast.dump(node)


def edited_exercises(course):
    """Return a sentence for each exercise that is not, byte for byte, what nbgrader makes."""
    names = [name for name in course.names() if name.startswith("exercises/")]
    stems = [name.split("/")[1] for name in names]
    stems = [stem for stem in stems if course.notebook(f"solutions/{stem}").exists()]
    if not stems:
        return []
    with exercises.derived(course, stems) as made:
        return sorted(
            f"exercises/{stem}/{name}: {difference}"
            for stem in stems
            for name, difference in _differences(made / stem, course.root / "exercises" / stem)
        )


def _differences(new, old):
    """Return name and difference of each file that the two folders do not share."""
    wanted = {p.relative_to(new).as_posix() for p in new.rglob("*") if p.is_file()}
    present = {p.relative_to(old).as_posix() for p in old.rglob("*") if p.is_file()}
    present = {name for name in present if ".ipynb_checkpoints" not in name}
    yield from ((name, "is missing") for name in wanted - present)
    yield from ((name, "nbgrader does not make this file") for name in present - wanted)
    for name in wanted & present:
        if (new / name).read_bytes() != (old / name).read_bytes():
            yield name, "is not what nbgrader makes of its solution; was it edited by hand?"


def _text(path):
    return Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""


def main():
    """Return the exit code: 1 if anything does not agree."""
    try:
        found = problems(HERE)
    except (CourseError, yaml.YAMLError) as problem:
        found = [str(problem)]
    for problem in found:
        print(problem)
    n_notebooks = len(HERE.stored())
    print(f"{n_notebooks} notebooks: {len(found) or 'no'} disagreement{'s' * (len(found) != 1)}")
    return 1 if found or not n_notebooks else 0


if __name__ == "__main__":
    sys.exit(main())
