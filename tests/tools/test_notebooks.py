"""Making the notebooks: only what changed, the same bytes, and errors a person can read."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tools.pipeline import made_from, notebooks
from tools.pipeline.execution import execute
from tools.pipeline.layout import CourseError
from tools.pipeline.tidy import tidy

CHAPTER, SOLUTION, EXERCISE = "chapters/02_tiny", "solutions/02_tiny", "exercises/02_tiny"


def append(path, text):
    path.write_bytes(path.read_bytes() + text.encode())


def reasons(course):
    return {name: why for name in course.names() if (why := made_from.reasons(course, name))}


def test_second_run_makes_nothing(course):
    said = []
    assert notebooks.make(course, say=said.append) == 0
    assert said == [f"{name}: up to date" for name in (CHAPTER, SOLUTION, EXERCISE)]


def test_made_again_the_bytes_are_the_same(course):
    before = {path: path.read_bytes() for path in course.stored()}
    said = []
    assert notebooks.make(course, force=True, say=said.append) == 0
    assert {path: path.read_bytes() for path in course.stored()} == before
    assert sum("same bytes as before" in line for line in said) == len(before) == 3


def test_edited_source_concerns_only_its_notebook(course):
    append(course.source(CHAPTER), "\nMore.\n")
    assert reasons(course) == {CHAPTER: ["source changed"]}


def test_source_edited_while_its_notebook_runs_is_noticed(course, monkeypatch):
    def edited_meanwhile(notebook, folder, name):
        append(course.source(name), "\nMore.\n")
        execute(notebook, folder, name)

    monkeypatch.setattr(notebooks, "execute", edited_meanwhile)
    assert notebooks.make(course, [CHAPTER], force=True, say=lambda line: None) == 0
    assert reasons(course) == {CHAPTER: ["source changed"]}


def test_line_ends_do_not_count(course):
    source = course.source(CHAPTER)
    source.write_bytes(source.read_bytes().replace(b"\n", b"\r\n"))
    assert reasons(course) == {}


@pytest.mark.parametrize(
    ("file", "reason"),
    [("casebook/doubling.py", "package changed"), ("requirements.txt", "pins changed")],
)
def test_package_and_pins_concern_all(course, file, reason):
    append(course.root / file, "# changed\n")
    assert reasons(course) == dict.fromkeys([CHAPTER, SOLUTION, EXERCISE], [reason])


def test_new_module_concerns_all(course):
    (course.root / "casebook" / "new.py").write_text("", "utf-8")
    assert len(reasons(course)) == 3


def test_points_concern_the_solution(course):
    manifest = course.root / "instructor" / "manifest.yml"
    manifest.write_text(manifest.read_text("utf-8").replace("points: 3", "points: 4"), "utf-8")
    assert reasons(course) == {SOLUTION: ["points changed"]}


def test_changed_solution_concerns_its_exercise(course):
    append(course.notebook(SOLUTION), " ")
    reason = "notebook is not as it was made"
    assert reasons(course) == {SOLUTION: [reason], EXERCISE: ["solution changed"]}


def test_missing_notebook_and_missing_record_are_named(course):
    course.notebook(CHAPTER).unlink()
    (course.root / "_build" / "pipeline" / f"{SOLUTION}.json").unlink()
    assert reasons(course) == {CHAPTER: ["new"], SOLUTION: ["not yet made on this machine"]}


def test_failing_cell_is_shown_and_the_old_notebook_stays(course):
    before = course.notebook(CHAPTER).read_bytes()
    append(
        course.source(CHAPTER), "\nAnd:\n\n```{code-cell} ipython3\nnumber = 1\nnumber / 0\n```\n"
    )
    said = []
    assert notebooks.make(course, ["chapters"], say=said.append) == 1
    message = said[-1]
    assert "chapters/02_tiny: cell 3" in message
    assert "raised ZeroDivisionError" in message
    assert "1 | number = 1\n    2 | number / 0" in message
    assert "ZeroDivisionError: division by zero" in message
    assert "\x1b" not in message
    assert course.notebook(CHAPTER).read_bytes() == before
    assert made_from.reasons(course, CHAPTER) == ["source changed"]


def test_exercise_that_crashes_untouched_is_refused(course):
    before = course.notebook(EXERCISE).read_bytes()
    append(course.source(SOLUTION), "\nAnd:\n\n```{code-cell} ipython3\nprint(double(2))\n```\n")
    said = []
    assert notebooks.make(course, ["02_tiny"], say=said.append) == 1
    assert "stores the error NotImplementedError" in said[-1]
    assert course.notebook(EXERCISE).read_bytes() == before


def test_unknown_name_is_named(course):
    with pytest.raises(CourseError, match="no source is called 99_nothing"):
        notebooks.make(course, ["99_nothing"], say=print)


def test_exercise_holds_stubs_and_no_hidden_test(built):
    text = built.notebook(EXERCISE).read_text("utf-8")
    assert 'raise NotImplementedError(\\"your code stands here\\")' in text
    assert "[ ] double: not attempted yet" in text
    assert "*Write your answer here.*" in text
    assert not any(secret in text for secret in ("well_hidden", "1234567", "Because twice"))


def test_tidy_keeps_only_what_every_run_gives():
    view = "application/vnd.jupyter.widget-view+json"
    outputs = [
        new_output("stream", name="stdout", text="a\n"),
        new_output("stream", name="stdout", text="b\n"),
        new_output("stream", name="stderr", text="c\n"),
        new_output("display_data", {"text/plain": "slider", view: {"model_id": "random"}}),
    ]
    cell = new_code_cell("x", outputs=outputs, metadata={"execution": {"iopub.status.busy": "now"}})
    notebook = new_notebook(cells=[cell], metadata={"widgets": {"state": {}}})
    notebook.metadata["language_info"] = {"name": "python", "version": "3.11.7"}
    tidy(notebook)
    assert cell.metadata == {}
    assert notebook.metadata == {"language_info": {"name": "python"}}
    assert [output.get("text") for output in cell.outputs] == ["a\nb\n", "c\n", None]
    assert cell.outputs[2].data == {"text/plain": "slider"}


def test_stored_notebook_has_no_trace_of_the_run(built):
    for path in built.stored():
        notebook = nbformat.read(path, as_version=4)
        assert notebook.metadata["language_info"] == {"name": "python"}
        assert all("execution" not in cell.metadata for cell in notebook.cells)
        assert b"\r" not in path.read_bytes()
