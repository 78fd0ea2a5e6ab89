"""Nothing that only a solution may hold gets past tools/secrecy/leaks.py, wherever it stands."""

import json
import shutil
import zlib

import pytest

from tools.pipeline.layout import CourseError
from tools.secrecy import leaks
from tools.secrecy.published_words import flat, flat_text
from tools.secrecy.withheld import secrets

EXERCISE = "exercises/02_tiny/02_tiny"
CODE = "well_hidden = 2 * x"
TEST = "assert double(1234567) == 2469134"
ESSAY = "Because twice a number is the number and the number again."
HIGHLIGHTED = '<span class="n">well_hidden</span> <span class="o">=</span> <span>2</span>\n* x'
ENTITIES = "assert double&#40;1234567&#41; &#61;&#61; 2469134"
SET_IN_TYPE = "<p>Because twice a number\n  is <em>the number</em> and the&nbsp;number again.</p>"


@pytest.fixture
def book(built, tmp_path):
    """Return a folder with what a built book consists of, made by hand, without a leak."""
    folder = tmp_path / "html"
    (folder / "exercises" / "02_tiny").mkdir(parents=True)
    (folder / f"{EXERCISE}.html").write_text("<html><p>Double a number.</p></html>", "utf-8")
    sources = folder / "_sources" / "exercises" / "02_tiny"
    sources.mkdir(parents=True)
    shutil.copy(built.notebook("exercises/02_tiny"), sources)
    write_index(folder, {"doubl": [0]}, {"exercis": 0})
    write_inventory(folder, "attention std:label 1 exercises/02_tiny/02_tiny.html# -\n")
    return folder


def write_index(folder, words, titles):
    index = {"filenames": [f"{EXERCISE}.ipynb"], "terms": words, "titleterms": titles}
    (folder / "searchindex.js").write_text(f"Search.setIndex({json.dumps(index)})", "utf-8")


def write_inventory(folder, entries):
    head = b"# Sphinx inventory version 2\n# Project: Tiny\n# Version: 1\n# packed with zlib\n"
    (folder / "objects.inv").write_bytes(head + zlib.compress(entries.encode()))


def plant_in_page(text):
    def plant(folder):
        page = folder / f"{EXERCISE}.html"
        page.write_text(page.read_text("utf-8").replace("</html>", text + "</html>"), "utf-8")

    return plant


def plant_in_source(change):
    def plant(folder):
        path = folder / "_sources" / f"{EXERCISE}.ipynb"
        notebook = json.loads(path.read_text("utf-8"))
        change(notebook)
        path.write_text(json.dumps(notebook), "utf-8")

    return plant


def as_output(notebook):
    cell = next(cell for cell in notebook["cells"] if cell.get("outputs"))
    cell["outputs"][0]["text"] = ["well_hidden =\n", " 2 * x\n"]


PLANTS = {
    "highlighted code": (plant_in_page(HIGHLIGHTED), CODE),
    "entities": (plant_in_page(f"<pre>{ENTITIES}</pre>"), TEST),
    "comment": (plant_in_page(f"<!-- {TEST} -->"), TEST),
    "attribute": (plant_in_page(f'<i title="{CODE}"></i>'), CODE),
    "data of a script": (
        plant_in_page('<script>{"a": "well_hidden\\u0020= 2 * x"}</script>'),
        CODE,
    ),
    "essay in type": (plant_in_page(SET_IN_TYPE), ESSAY),
    "output of a source": (plant_in_source(as_output), CODE),
    "metadata": (plant_in_source(lambda notebook: notebook["metadata"].update(a=TEST)), TEST),
    "name in metadata": (plant_in_source(lambda notebook: notebook.update({CODE: 1})), CODE),
    "inventory": (lambda folder: write_inventory(folder, f"x std:label 1 y {CODE}\n"), CODE),
    "another file": (lambda folder: (folder / "notes.txt").write_text(ESSAY, "utf-8"), ESSAY),
}


@pytest.mark.parametrize("kind", PLANTS)
def test_planted_leak_is_named(built, book, kind):
    plant, secret = PLANTS[kind]
    assert leaks.leaks_into_book(built, book) == []
    plant(book)
    (problem,) = leaks.leaks_into_book(built, book)
    assert problem.endswith(f": shows what only the solution may hold: {secret!r}")


@pytest.mark.parametrize("where", ["terms", "titles"])
def test_search_that_knows_words_of_a_solution_is_named(built, book, where):
    words = {"well_hidden": 0, "1234567": [0], "doubl": 0}
    write_index(book, *((words, {}) if where == "terms" else ({}, words)))
    assert leaks.leaks_into_book(built, book) == [
        "searchindex.js: exercises/02_tiny/02_tiny.ipynb is found by words that only a solution "
        "uses: 1234567, well_hidden"
    ]


def test_folder_without_a_book_is_named(built, tmp_path):
    with pytest.raises(CourseError, match="there is no book here"):
        leaks.leaks_into_book(built, tmp_path)


def test_secrets_are_what_is_hidden_and_not_taught(course):
    assert [(secret.kind, secret.text) for secret in secrets(course)] == [
        ("solution", CODE),
        ("solution", "return well_hidden"),
        ("hidden test", TEST),
        ("output", "[ok] double: 4"),
        ("model answer", ESSAY),
    ]
    chapter = course.notebook("chapters/02_tiny")
    text = chapter.read_text("utf-8")
    chapter.write_text(text.replace("import numpy as np", f"{CODE}  # {ESSAY}"), "utf-8")
    left = [secret.text for secret in secrets(course)]
    assert CODE not in left and ESSAY in left


def test_answer_without_a_secret_line_is_named(course):
    path = course.notebook("solutions/02_tiny")
    text = path.read_text("utf-8")
    text = text.replace("well_hidden = 2 * x", "y = x").replace("return well_hidden", "return y")
    path.write_text(text, "utf-8")
    assert leaks.leaks(course) == [
        "solutions/02_tiny: each line of the answer to double stands in the course anyway"
    ]


def test_other_files_of_an_exercise_are_looked_at(course):
    (course.root / "exercises" / "02_tiny" / "help.py").write_text(f"if x:\n    {CODE}\n", "utf-8")
    (problem,) = leaks.leaks(course)
    assert problem.startswith("exercises/02_tiny/help.py: shows what only the solution may hold")


@pytest.mark.parametrize(
    ("left", "right"),
    [("a  b\n\tc", "abc"), ("“a”", '"a"'), ("it’s", "it's"), ("a—b", "a--b"), ("a…", "a...")],
)
def test_typesetting_does_not_count(left, right):
    assert flat(left) == flat(right)


def test_text_stored_as_lines_is_joined(tmp_path):
    path = tmp_path / "notebook.ipynb"
    path.write_text(json.dumps({"source": ["a =\n", " 1"], "other": [["b", 2]]}), "utf-8")
    assert "a=1" in flat_text(path)
