"""What each notebook was last made from, so that only what changed is made again."""

import hashlib
import json


def inputs(course, name):
    """Return a hash of each thing that the notebook ``name`` is made from, by its kind."""
    kind, stem = name.split("/")
    found = {
        "package": course.fingerprint(course.package_files()),
        "pins": course.fingerprint(course.pin_files()),
        "pipeline": course.fingerprint(course.pipeline_files()),
    }
    if kind == "exercises":
        solution = course.notebook(f"solutions/{stem}")
        return {"solution": course.fingerprint([solution] if solution.exists() else []), **found}
    if kind == "solutions":
        tasks = course.manifest().get(stem, {}).get("tasks", {})
        points = {task: details.get("points") for task, details in tasks.items()}
        found["points"] = _hash(json.dumps(points, sort_keys=True).encode())
    return {"source": course.fingerprint([course.source(name)]), **found}


def reasons(course, name):
    """Return why the notebook ``name`` must be made again; empty when it is up to date."""
    notebook = course.notebook(name)
    if not notebook.exists():
        return ["new"]
    record = _path(course, name)
    if not record.exists():
        return ["not yet made on this machine"]
    remembered = json.loads(record.read_text(encoding="utf-8"))
    now = inputs(course, name)
    changed = [f"{what} changed" for what in now if remembered["inputs"].get(what) != now[what]]
    if remembered["output"] != _hash(notebook.read_bytes()):
        changed.append("notebook is not as it was made")
    return changed


def remember(course, name, made_from):
    """Write down what the notebook ``name`` was just made from, as :func:`inputs` gave it."""
    record = _path(course, name)
    record.parent.mkdir(parents=True, exist_ok=True)
    output = _hash(course.notebook(name).read_bytes())
    content = {"inputs": made_from, "output": output}
    record.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _path(course, name):
    # Beside the book's build folder, which a clean build empties; one file each, as
    # two people's runs may overlap.
    return course.root / "_build" / "pipeline" / f"{name}.json"


def _hash(content):
    return hashlib.sha256(content).hexdigest()[:16]
