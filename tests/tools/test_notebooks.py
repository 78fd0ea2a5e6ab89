"""Making the notebooks: only what changed, the same bytes, and errors a person can read."""

import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tests.tools.conftest import FRONT_MATTER
from tools.gates import drift
from tools.pipeline import exercises, made_from, notebooks
from tools.pipeline.execution import execute
from tools.pipeline.layout import HERE, Course, CourseError
from tools.pipeline.tidy import tidy, to_bytes

NAMES = CHAPTER, EVIDENCE, SOLUTION, EXERCISE = [
    f"{kind}/02_tiny" for kind in ("chapters", "evidence", "solutions", "exercises")
]


TEXT_OF_EVIDENCE = """\
# Evidence of twice

It is twice.

```{code-cell} ipython3
from casebook.vectors import cosine_similarity

print(cosine_similarity([1.0, 0.0], [[2.0, 0.0]]))
```
"""


@pytest.fixture(scope="session")
def with_evidence(built, tmp_path_factory):
    """Return the tiny course with a notebook of evidence; tests must not change it."""
    course = Course(tmp_path_factory.mktemp("evidence") / "course")
    shutil.copytree(built.root, course.root)
    shutil.copy(HERE.root / "casebook" / "vectors.py", course.root / "casebook")
    course.source(EVIDENCE).parent.mkdir()
    course.source(EVIDENCE).write_text(FRONT_MATTER + TEXT_OF_EVIDENCE, "utf-8")
    append(course.root / "_toc.yml", "  - file: chapters/evidence/02_tiny\n")
    assert notebooks.make(course, [EVIDENCE]) == 0
    return course


@pytest.fixture
def course(with_evidence, tmp_path):
    """Return a copy of that course, to be spoiled."""
    shutil.copytree(with_evidence.root, tmp_path / "course")
    return Course(tmp_path / "course")


def append(path, text):
    path.write_bytes(path.read_bytes() + text.encode())


def replace(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_bytes(text.replace(old, new).encode())


def made(course, *wanted):
    """Make the notebooks; return what is said of each, by its name."""
    said = []
    assert notebooks.make(course, wanted, say=said.append) == 0, said
    return dict(line.split(": ", 1) for line in said)


@pytest.fixture
def nothing_runs(monkeypatch):
    """Let a test fail where a notebook is run, or an exercise made by a run."""

    def refuse(*arguments):
        raise AssertionError(f"runs {arguments}")

    monkeypatch.setattr(notebooks, "execute", refuse)
    monkeypatch.setattr(exercises, "derived", refuse)


@pytest.fixture
def said_before_running(monkeypatch):
    """Return a function that gives what is said of each notebook before any of them is run."""

    def stop(*arguments):
        raise CourseError("stopped by the test")

    def say_of(course, *wanted):
        monkeypatch.setattr(notebooks, "execute", stop)
        monkeypatch.setattr(notebooks, "warm_up", lambda: None)
        monkeypatch.setattr(exercises, "derived", stop)
        said = []
        notebooks.make(course, wanted, say=said.append)
        return dict(line.split(": ", 1) for line in said if ": " in line)

    return say_of


def outputs(course, name):
    notebook = nbformat.read(course.notebook(name), as_version=4)
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]


def reasons(course, name):
    """Return why the pipeline would run a notebook."""
    notebook = nbformat.read(course.notebook(name), as_version=4)
    return made_from.reasons(made_from.made_from(course, notebook), notebook)


def test_second_run_makes_nothing(course):
    said = []
    assert notebooks.make(course, say=said.append) == 0
    assert said == [f"{name}: up to date" for name in NAMES]


def test_made_again_the_bytes_are_the_same(course):
    before = {path: path.read_bytes() for path in course.stored()}
    said = []
    assert notebooks.make(course, force=True, say=said.append) == 0
    assert {path: path.read_bytes() for path in course.stored()} == before
    assert sum("same bytes as before" in line for line in said) == len(before) == 4


@pytest.mark.parametrize(
    ("name", "old", "new", "changed"),
    [
        (CHAPTER, "# A tiny", "# A small", "prose"),
        (CHAPTER, "ipython3\n", "ipython3\n:tags: [remove-input]\n\n", "captions, tags or points"),
        (EVIDENCE, "It is twice.", "It is double.", "prose"),
        (SOLUTION, "Then this says", "And this says", "prose"),
        (SOLUTION, "Add it to itself", "Add it to its own self", "prose"),
        (SOLUTION, "and the number again", "and once more the number", "prose"),
    ],
)
def test_where_only_words_changed_the_outputs_are_kept(
    course, nothing_runs, name, old, new, changed
):
    before = {name: outputs(course, name) for name in course.names()}
    replace(course.source(name), old, new)
    said = made(course)
    assert said[name] == f"{changed} changed, outputs kept"
    assert {name: outputs(course, name) for name in course.names()} == before
    assert new in course.notebook(name).read_text("utf-8") or "remove-input" in new
    others = set(course.names()) - {name} - ({EXERCISE} if name == SOLUTION else set())
    assert {said[other] for other in others} == {"up to date"}
    assert set(made(course).values()) == {"up to date"}


def test_exercise_whose_outputs_are_kept_is_the_one_that_nbgrader_makes(course):
    replace(course.source(SOLUTION), "Then this says", "And this says")
    replace(course.source(SOLUTION), ":task: double", ":task: double\n:tags: [tall]")
    assert made(course)[EXERCISE] == "prose changed, outputs kept"
    assert drift.problems(course) == []


def test_points_concern_the_solution(course, said_before_running):
    replace(course.root / "instructor" / "manifest.yml", "points: 2", "points: 5")
    said = said_before_running(course)
    assert said[SOLUTION] == "code changed, executing"  # the call that shows the progress
    assert {said[name] for name in (CHAPTER, EVIDENCE)} == {"up to date"}


def test_changed_answer_runs_the_solution_and_not_the_exercise(course, monkeypatch):
    replace(course.source(SOLUTION), "well_hidden = 2 * x", "well_hidden = x + x")
    monkeypatch.setattr(exercises, "derived", None)
    said = made(course)
    assert said[CHAPTER] == said[EXERCISE] == "up to date"
    assert "code changed" not in said[EXERCISE]
    assert said[SOLUTION].startswith("written")


def test_tag_that_changes_the_run_runs_it(course, said_before_running):
    tagged = "ipython3\n:tags: [raises-exception]\n\n"
    replace(course.source(CHAPTER), "ipython3\n", tagged)
    assert said_before_running(course, CHAPTER) == {CHAPTER: "code changed, executing"}


def test_source_edited_while_its_notebook_runs_is_noticed(course, monkeypatch, said_before_running):
    def edited_meanwhile(notebook, folder, name):
        replace(course.source(name), "def double", "def  double")
        append(course.root / "casebook" / "attention.py", "later = 1\n")
        execute(notebook, folder, name)

    monkeypatch.setattr(notebooks, "execute", edited_meanwhile)
    assert notebooks.make(course, [CHAPTER], force=True, say=lambda line: None) == 0
    assert said_before_running(course, CHAPTER) == {
        CHAPTER: "code changed, casebook/attention.py changed, executing"
    }


def test_line_ends_do_not_count(course, nothing_runs):
    for path in (course.source(CHAPTER), course.root / "casebook" / "attention.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert set(made(course).values()) == {"up to date"}


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("casebook/attention.py", "later = 1\n", ["casebook/attention.py changed"]),
        ("casebook/attention.py", "# later\n", []),
        ("casebook/doubling.py", "later = 1\n", []),
        ("casebook/new.py", "later = 1\n", []),
        ("requirements.txt", "numpy==1.0\n", ["numpy is 1.0, was not pinned"]),
        ("requirements.txt", "ruff==1.0\n", []),
    ],
)
def test_only_what_the_cells_reach_is_a_reason(course, file, text, why):
    path = course.root / file
    path.touch()
    append(path, text)
    assert reasons(course, CHAPTER) == why
    found = drift.other_origin(course, CHAPTER)
    assert found == [f"{', '.join(why)}; make it with 'course.py notebooks'"] * bool(why)
    assert reasons(course, EVIDENCE) == [w for w in why if "pinned" in w]


def test_module_that_is_reached_runs_its_notebooks_alone(course, said_before_running):
    append(course.root / "casebook" / "vectors.py", "later = 1\n")
    assert said_before_running(course) == {
        CHAPTER: "up to date",
        EVIDENCE: "casebook/vectors.py changed, executing",
        SOLUTION: "up to date",
        EXERCISE: "up to date",
    }


def test_other_versions_than_the_pinned_ones_run_nothing(course, nothing_runs):
    append(course.root / "requirements.txt", "numpy==1.0\n")
    with pytest.raises(CourseError, match=r"numpy is [\d.]+ here and 1\.0 in the pins"):
        notebooks.make(course, [CHAPTER], say=print)


@pytest.mark.parametrize("name", NAMES)
def test_edited_output_is_made_again(course, name, said_before_running):
    path = course.notebook(name)
    notebook = nbformat.read(path, as_version=4)
    ran = next(cell for cell in notebook.cells if cell.get("outputs"))
    ran.outputs[0].text = ran.outputs[0].text.replace("o", "0").replace("1", "2")
    path.write_bytes(to_bytes(notebook))
    assert drift.other_origin(course, name) == [
        "not as it was made; make it with 'course.py notebooks'"
    ]
    assert said_before_running(course, name) == {name: "not as it was made, executing"}


def test_missing_notebook_and_missing_record_are_named(course, said_before_running):
    course.notebook(CHAPTER).unlink()
    notebook = nbformat.read(course.notebook(EVIDENCE), as_version=4)
    del notebook.metadata["casebook"]
    course.notebook(EVIDENCE).write_bytes(to_bytes(notebook))
    assert drift.other_origin(course, EVIDENCE) == [
        "does not say what it was made from; make it with 'course.py notebooks'"
    ]
    assert said_before_running(course, "chapters", "evidence") == {
        CHAPTER: "new, executing",
        EVIDENCE: "does not say what it was made from, executing",
    }


def test_record_that_is_not_the_pipelines_is_named(course):
    for name, entry in ((CHAPTER, {"note": "by hand"}), (SOLUTION, {"exercise": "0" * 12})):
        notebook = nbformat.read(course.notebook(name), as_version=4)
        notebook.metadata["casebook"] |= entry
        course.notebook(name).write_bytes(to_bytes(notebook))
        (problem,) = drift.other_origin(course, name)
        assert problem.startswith("does not say what it was made from as the pipeline does")


def test_record_of_the_exercise_tells_nothing_of_the_solution(built):
    solution = nbformat.read(built.notebook(SOLUTION), as_version=4)
    exercise = nbformat.read(built.notebook(EXERCISE), as_version=4)
    record, other = exercise.metadata["casebook"], solution.metadata["casebook"]
    assert record == {
        "made_from": made_from.made_from(built, exercise),
        "outputs": made_from.outputs_of(exercise),
    }
    assert record["made_from"]["code"] != other["made_from"]["code"]
    assert other["exercise"] not in built.notebook(EXERCISE).read_text("utf-8")


def test_file_beside_a_solution_is_a_reason(course, said_before_running):
    (course.root / "solutions" / "02_tiny" / "table.txt").write_text("1 2\n", "utf-8")
    said = said_before_running(course)
    assert said[SOLUTION] == "up to date"
    assert said[EXERCISE] == "files beside it changed, executing"


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("02", {CHAPTER, EVIDENCE, SOLUTION, EXERCISE}),
        ("chapters/02", {CHAPTER}),
        ("evidence", {EVIDENCE}),
        ("exercises/02_tiny", {EXERCISE}),
    ],
)
def test_a_number_or_a_kind_is_a_name(course, wanted, names):
    assert set(made(course, wanted)) == names


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
