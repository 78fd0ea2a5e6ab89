"""A course of three tiny notebooks, made once by the real pipeline, and a good notebook."""

import os
import shutil
import time

import nbformat
import pytest

from tools.pipeline import notebooks
from tools.pipeline.execution import execute
from tools.pipeline.layout import HERE, Course
from tools.pipeline.notation import read_source
from tools.pipeline.tidy import tidy, to_bytes

GOOD = HERE.root / "tests" / "bad_notebooks" / "good.md"
FRONT_MATTER = GOOD.read_text("utf-8").split("# A good notebook")[0]

CHAPTER = """\
# A tiny chapter

```{code-cell} ipython3
import numpy as np

from casebook.attention import softmax


def double(x):
    return 2 * x


print(double(21), softmax(np.zeros(2)), softmax(np.array([0.0, 1.0])).round(4))
```
"""

SOLUTION = """\
# Exercise 02: double

## Task 1: twice

<details><summary>Hint 1</summary>

Add it to itself.

</details>

<details><summary>Hint 2</summary>

Or multiply.

</details>

<details><summary>Hint 3</summary>

By 2.

</details>

```{code-cell} ipython3
:task: double

def double(x):
    ### BEGIN SOLUTION
    well_hidden = 2 * x
    return well_hidden
    ### END SOLUTION
```

Then this says how it went.

```{code-cell} ipython3
:check: double

try:
    print("[ok] double:", double(2))
except NotImplementedError:
    print("[ ] double: not attempted yet")
### BEGIN HIDDEN TESTS
assert double(1234567) == 2469134
### END HIDDEN TESTS
```

## Task 2: why?

+++ {"essay": "reason"}

Because twice a number is the number and the number again.

+++

How far are you?

```{code-cell} ipython3
:progress: true
```
"""

MANIFEST = """\
02_tiny:
  title: Tiny
  chapter: 02
  tasks:
    double: {points: 3, minutes: 5}
    reason: {points: 2, minutes: 5}
"""

CONTENTS = """\
root: intro
chapters:
  - file: chapters/02_tiny
  - file: exercises/02_tiny/02_tiny
"""


@pytest.fixture(scope="session")
def good_notebook(tmp_path_factory):
    """Return good.md as the pipeline stores it."""
    folder = tmp_path_factory.mktemp("good")
    root = Course(folder)
    root.source("chapters/good").parent.mkdir(parents=True)
    shutil.copy(GOOD, root.source("chapters/good"))
    notebook = read_source(root, "chapters/good")
    execute(notebook, folder, "good")
    return nbformat.reads(to_bytes(tidy(notebook)).decode(), as_version=4)


@pytest.fixture
def spoiled(good_notebook):
    """Return a function that gives a fresh copy of the good notebook, spoiled in one way."""

    def make(way):
        notebook = nbformat.from_dict(good_notebook)
        way(notebook)
        return notebook

    return make


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Return the tiny course, made; tests must not change it.

    Making it takes a while, so the workers of one test run share it: one makes it, and the
    others wait for it.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    course, done = Course(shared / "tiny-course"), shared / "tiny-course-is-made"
    try:
        course.root.mkdir()
    except FileExistsError:
        for _ in range(600):
            if done.exists():
                return course
            time.sleep(0.5)
        raise
    make(course)
    done.touch()
    return course


def make(course):
    """Write the sources of the tiny course and run the pipeline on them."""
    files = {
        "source/chapters/02_tiny.md": FRONT_MATTER + CHAPTER,
        "source/solutions/02_tiny.md": FRONT_MATTER + SOLUTION,
        "instructor/manifest.yml": MANIFEST,
        "_toc.yml": CONTENTS,
        "casebook/doubling.py": "def double(x):\n    return 2 * x\n",
        "requirements.txt": "numpy\n",
        "tests/mutants.toml": "mutant = []\n",
    }
    for name, text in files.items():
        (course.root / name).parent.mkdir(parents=True, exist_ok=True)
        (course.root / name).write_text(text, "utf-8")
    for name in ("nbgrader_config.py", "casebook/__init__.py", "casebook/attention.py"):
        shutil.copy(HERE.root / name, course.root / name)
    said = []
    assert notebooks.make(course, say=said.append) == 0, said


@pytest.fixture
def course(built, tmp_path):
    """Return a copy of the tiny course, to be spoiled."""
    shutil.copytree(built.root, tmp_path / "course")
    return Course(tmp_path / "course")
