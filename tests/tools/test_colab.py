"""Copies for Colab: each begins with a cell that installs the package, and is else the same."""

import nbformat
import pytest

from tools.learner import colab
from tools.pipeline.layout import Course

CONFIG = "repository:\n  url: {}\n  branch: main\n"


@pytest.fixture
def small_course(tmp_path):
    """Return a function that writes a course of one chapter and one solution."""

    def write(address):
        for folder in ("chapters", "solutions/01_a"):
            (tmp_path / folder).mkdir(parents=True)
            cells = [nbformat.v4.new_code_cell("import casebook")]
            notebook = nbformat.v4.new_notebook(cells=cells)
            nbformat.write(notebook, tmp_path / folder / "01_a.ipynb")
        (tmp_path / "_config.yml").write_text(CONFIG.format(address), encoding="utf-8")
        return Course(tmp_path)

    return write


def test_copy_installs_and_then_does_the_same(small_course, tmp_path):
    course = small_course("https://github.com/someone/course.git")
    assert colab.write_copies(course, tmp_path / "out") == 1
    copy = nbformat.read(tmp_path / "out/chapters/01_a.ipynb", as_version=4)
    nbformat.validate(copy)
    install, *rest = copy.cells
    assert '"casebook @ git+https://github.com/someone/course@main"' in install.source
    assert [cell.source for cell in rest] == ["import casebook"]


def test_solutions_are_not_copied(small_course, tmp_path):
    colab.write_copies(small_course("https://github.com/someone/course"), tmp_path / "out")
    assert not (tmp_path / "out/solutions").exists()


@pytest.mark.parametrize("address", ['""', ""])
def test_no_copies_without_an_address(small_course, tmp_path, address):
    with pytest.raises(ValueError, match="names no repository"):
        colab.write_copies(small_course(address), tmp_path / "out")
