"""Whatever no longer agrees with its source is found and named."""

import json

import nbformat
import pytest

from tests.bad_notebooks import spoil
from tests.tools.conftest import GOOD
from tools.gates import drift
from tools.pipeline import made_from
from tools.pipeline.layout import HERE, Course
from tools.pipeline.tidy import to_bytes

CHAPTER, SOLUTION, EXERCISE = "chapters/02_tiny", "solutions/02_tiny", "exercises/02_tiny"


def replace(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_bytes(text.replace(old, new).encode())


def test_made_course_agrees(built):
    assert drift.problems(built) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "sentence"),
    [
        (CHAPTER, "double(21)", "double(22)", "its source is not as in the source"),
        (CHAPTER, "# A tiny", "# A small", "its source is not as in the source"),
        (CHAPTER, "ipython3\nimport", "ipython3\n:tags: [x]\n\nimport", "its metadata is not as"),
        (CHAPTER, "\n```\n", "\n```\n\nMore.\n", "has 2 cells, its source 3"),
        (SOLUTION, "1234567", "7654321", "its source is not as in the source"),
    ],
)
def test_stale_notebook_is_named(course, name, old, new, sentence):
    replace(course.source(name), old, new)
    (problem,) = drift.stale(course, name)
    assert sentence in problem


@pytest.mark.parametrize("way", spoil.NOT_IN_THE_SOURCE, ids=lambda way: way.__name__)
def test_what_is_only_in_the_notebook_is_named(spoiled, tmp_path, way):
    """Also where the notebook says that it was made so."""
    course, name = Course(tmp_path), "chapters/good"
    for path in (course.source(name), course.notebook(name)):
        path.parent.mkdir(parents=True)
    course.source(name).write_text(GOOD.read_text("utf-8"), "utf-8")
    for change, wanted in ((way, spoil.NOT_IN_THE_SOURCE[way]), (lambda notebook: None, None)):
        notebook = spoiled(change)
        made_from.stamp(notebook, made_from.made_from(HERE, notebook))
        course.notebook(name).write_bytes(to_bytes(notebook))
        problems = drift.stale(course, name)
        assert wanted in problems[0] if wanted else problems == []


def test_changed_points_make_the_solution_stale(course):
    replace(course.root / "instructor/manifest.yml", "points: 3", "points: 4")
    (problem,) = drift.stale(course, SOLUTION)
    assert "(check_double): its metadata is not as in the source" in problem


def test_orphans_and_missing_notebooks_are_named(course):
    course.notebook(CHAPTER).rename(course.root / "chapters" / "09_orphan.ipynb")
    (course.root / "exercises" / "08_empty").mkdir()
    assert set(drift.missing_or_orphaned(course)) == {
        "chapters/02_tiny.ipynb: is missing; make it with 'course.py notebooks'",
        "chapters/09_orphan.ipynb: is an orphan; nothing in source/ makes it",
        "exercises/08_empty: is a folder without its notebook",
    }


def test_contents_and_manifest_are_held_against_the_sources(course):
    replace(course.root / "_toc.yml", "chapters/02_tiny", "solutions/02_tiny/02_tiny")
    replace(course.root / "instructor/manifest.yml", "02_tiny", "03_other")
    assert list(drift.not_listed(course)) == [
        "_toc.yml: does not list chapters/02_tiny",
        "_toc.yml: lists solutions/02_tiny/02_tiny, which is not for readers or is not there",
        "instructor/manifest.yml: has no entry 02_tiny",
        "instructor/manifest.yml: 03_other has no solution in source/",
    ]


def test_edited_exercise_and_stray_file_are_named(course):
    replace(course.notebook(EXERCISE), "not attempted yet", "not tried yet")
    (course.root / "exercises" / "02_tiny" / "notes.txt").write_text("by hand", "utf-8")
    assert drift.edited_exercises(course) == [
        "exercises/02_tiny/02_tiny.ipynb: is not what nbgrader makes of its solution; "
        "was it edited by hand?",
        "exercises/02_tiny/notes.txt: nbgrader does not make this file",
    ]


def leak_into_output(notebook, secret):
    cell = next(cell for cell in notebook["cells"] if cell.get("outputs"))
    cell["outputs"][0]["text"].append(secret)


def leak_into_metadata(notebook, secret):
    notebook["cells"][0]["metadata"]["note"] = secret


def leak_into_text(notebook, secret):
    notebook["cells"][0]["source"].append(f"Hint: {secret}")


@pytest.mark.parametrize("leak", [leak_into_output, leak_into_metadata, leak_into_text])
@pytest.mark.parametrize(
    "secret",
    [
        "well_hidden = 2 * x",
        "assert double(1234567) == 2469134",
        "Because twice a number is the number and the number again.",
    ],
)
def test_leaked_solution_is_named(course, leak, secret):
    assert drift.leaks(course) == []
    path = course.notebook(EXERCISE)
    notebook = json.loads(path.read_text("utf-8"))
    leak(notebook, secret)
    path.write_text(json.dumps(notebook), "utf-8")
    (problem,) = drift.leaks(course)
    assert problem == (
        f"exercises/02_tiny/02_tiny.ipynb: shows what only the solution may hold: {secret!r}"
    )


IMPORT = "from casebook.doubling import double\n"


@pytest.mark.parametrize(
    ("source", "n_problems"),
    [
        (IMPORT + "def double(x):\n    return 2 * x", 0),
        (IMPORT + 'def double(x):\n    """Return twice x."""\n    return 2 * x', 0),
        (IMPORT + "def double(x):\n    return x + x", 1),
        ("from casebook import doubling\ndef double(x):\n    return x + x", 1),
        (IMPORT + "def double_loop(x):\n    return x + x", 0),
        (IMPORT + "def triple(x):\n    return 3 * x", 0),
        ("def double(x):\n    return x + x", 0),
    ],
)
def test_function_that_differs_from_casebook_is_named(course, source, n_problems):
    path = course.notebook(CHAPTER)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].source = source
    nbformat.write(notebook, path)
    found = list(drift.changed_definitions(course, CHAPTER))
    assert len(found) == n_problems
    assert all("defines double otherwise than casebook does" in problem for problem in found)
