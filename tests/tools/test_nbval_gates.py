"""Each bad notebook is refused by the real run, with the message that names its fault."""

import os
import re
import subprocess
from itertools import chain

import nbformat
import pytest

from tests.bad_notebooks import spoil
from tests.bad_notebooks.places import FIRST, code
from tools.gates import nbval_gates
from tools.gates.nbval_run import command
from tools.pipeline.layout import HERE
from tools.pipeline.tidy import tidy_outputs, to_bytes


@pytest.fixture(scope="module")
def answers(good_notebook, tmp_path_factory):
    """Return what the run says of each bad notebook (and of the good ones), by name."""
    folder = tmp_path_factory.mktemp("notebooks")
    ways = {way.__name__: way for way in [*spoil.REFUSED, *spoil.PASSED]}
    for name, way in ways.items():
        notebook = nbformat.from_dict(good_notebook)
        way(notebook)
        (folder / f"{name}.ipynb").write_bytes(to_bytes(notebook))
    (folder / "good.ipynb").write_bytes(to_bytes(good_notebook))
    run = subprocess.run(
        command(sorted(folder.glob("*.ipynb")), root=folder),
        cwd=HERE.root,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    sections = re.split(r"^_{3,} (.*?) _{3,}$", run.stdout, flags=re.MULTILINE)
    said = dict.fromkeys([*ways, "good"], "")
    for title, text in zip(sections[1::2], sections[2::2], strict=True):
        name = re.search(r"(\w+)\.ipynb", title).group(1)
        said[name] += text.split("short test summary info")[0]
    return said


@pytest.mark.parametrize("way", spoil.REFUSED, ids=lambda way: way.__name__)
def test_bad_notebook_is_refused(answers, way):
    assert spoil.REFUSED[way] in answers[way.__name__]


@pytest.mark.parametrize("name", ["good", *(way.__name__ for way in spoil.PASSED)])
def test_good_notebook_passes(answers, name):
    assert answers[name] == ""


def compared(new, stored):
    """Return what the gate says of the outputs of two notebooks, without a run."""
    cells = zip(new.cells, stored.cells, strict=True)
    pairs = [(one.outputs, other.outputs) for one, other in cells if "outputs" in one]
    each = (nbval_gates.differences_of(*map(tidy_outputs, pair)) for pair in pairs)
    return list(chain(*each))


@pytest.mark.parametrize("way", spoil.COMPARED, ids=lambda way: way.__name__)
def test_what_is_smuggled_into_an_output_is_seen(spoiled, way):
    assert compared(spoiled(lambda notebook: None), spoiled(way))[0].startswith(spoil.COMPARED[way])


@pytest.mark.parametrize("way", [*spoil.PASSED, lambda notebook: None])
def test_outputs_that_show_the_same_are_alike(spoiled, way):
    assert compared(spoiled(lambda notebook: None), spoiled(way)) == []


def test_a_listed_cell_may_go_unchecked(spoiled, monkeypatch):
    notebook = spoiled(spoil.ignore_tag)
    cell_id = code(notebook, FIRST).id
    assert len(list(nbval_gates._unchecked("chapters/good.ipynb", notebook))) == 1
    listed = {("chapters/good.ipynb", cell_id): "says how long it took"}
    monkeypatch.setattr(nbval_gates, "ALLOWED_UNCHECKED", listed)
    assert list(nbval_gates._unchecked("chapters/good.ipynb", notebook)) == []


def test_no_grader_and_no_model_of_this_person_reaches_the_notebooks(monkeypatch):
    for gate in (nbval_gates.IPyNbFile, nbval_gates.IPyNbCell, nbval_gates.RunningKernel):
        for name in ("collect", "compare_outputs", "execute_cell_input"):
            if hasattr(gate, name):
                monkeypatch.setattr(gate, name, getattr(gate, name))  # put back at the end
    settings = {"COURSE_LLM_KEY": "secret", "NBGRADER_EXECUTION": "autograde", "KEPT": "yes"}
    monkeypatch.setattr(os, "environ", {**os.environ, **settings})
    nbval_gates.pytest_configure(None)
    assert os.environ["KEPT"] == "yes"
    assert not {"COURSE_LLM_KEY", "NBGRADER_EXECUTION"} & set(os.environ)


def test_the_faults_change_what_they_should(good_notebook, spoiled):
    tables = (spoil.REFUSED, spoil.COMPARED, spoil.BROKEN_RULES, spoil.NOT_IN_THE_SOURCE)
    for way in [*chain(*tables), *spoil.PASSED]:
        assert spoiled(way) != good_notebook, f"{way.__name__} changes nothing"
