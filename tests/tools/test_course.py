"""course.py: what a newcomer meets, and what must not happen to a learner's files."""

import ast
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.gates import steps
from tools.pipeline.layout import HERE

SCRIPT = HERE.root / "course.py"


@pytest.fixture
def course_py(tmp_path):
    """Return course.py as a module that believes it stands in a folder of its own."""
    spec = importlib.util.spec_from_file_location("course", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.ROOT = tmp_path
    module.VENV = tmp_path / ".venv"
    module.BIN = module.VENV / module.BIN.name
    module.PYTHON = module.BIN / module.PYTHON.name
    module.STAMP = module.VENV / module.STAMP.name
    module.LOG = tmp_path / "_build" / "setup.log"
    for name in (module.READERS, module.DEVELOPERS, "pyproject.toml"):
        (tmp_path / name).write_text("numpy==2.4.6\n", "utf-8")
    return module


@pytest.fixture
def installs(course_py, monkeypatch):
    """Return the list of set-ups done, with a set-up that takes no time."""
    done = []

    def make_environment():
        course_py.BIN.mkdir(parents=True)
        course_py.PYTHON.touch()

    monkeypatch.setattr(course_py, "healthy", course_py.PYTHON.exists)
    monkeypatch.setattr(course_py, "make_environment", make_environment)
    monkeypatch.setattr(course_py, "install", done.append)
    monkeypatch.setattr(course_py, "call", lambda *command: None)
    return done


def test_old_python_gets_one_clear_sentence():
    program = (
        "import runpy, sys; sys.version_info = (3, 8, 10, 'final', 0); "
        f"runpy.run_path({str(SCRIPT)!r}, run_name='__main__')"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr == (
        "The course needs Python 3.11 or newer, and this is Python 3.8: "
        "install a newer one and run course.py with it.\n"
    )


def test_old_python_can_read_the_file():
    """It gets as far as the sentence only if nothing in the file is newer than it."""
    tree = ast.parse(SCRIPT.read_text("utf-8"))
    too_new = (ast.JoinedStr, ast.NamedExpr, ast.AnnAssign, ast.Match, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        assert not isinstance(node, too_new), f"line {node.lineno}"
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            assert not any(isinstance(item, ast.Starred) for item in node.elts), node.lineno
        if isinstance(node, ast.FunctionDef):
            assert not node.args.kwonlyargs, node.lineno
            assert node.returns is None, node.lineno
        if isinstance(node, ast.Call):
            assert sum(isinstance(given, ast.Starred) for given in node.args) < 2, node.lineno
    first = [node for node in tree.body if not isinstance(node, ast.Expr)][:3]
    assert [type(node) for node in first] == [ast.ImportFrom, ast.Import, ast.If]


def imported(path):
    tree = ast.parse(path.read_text("utf-8"))
    names = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    return names | {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


def test_only_the_standard_library_is_imported():
    ours = {"tools.gates", "tools.gates.steps"}
    known = {*sys.stdlib_module_names, *ours}
    for path in (SCRIPT, Path(steps.__file__)):
        assert imported(path) - known == set()
    for package in (HERE.root / "tools", HERE.root / "tools" / "gates"):
        init = package / "__init__.py"
        assert imported(init) - known == set()


@pytest.mark.parametrize("verb", ["book", "lab", "reset", "grade", "cohort", "test", "notebooks"])
@pytest.mark.parametrize("asked", [("{}", "--help"), ("{}", "-h"), ("help", "{}")])
def test_each_verb_explains_itself_and_does_nothing(course_py, calls, capsys, verb, asked):
    assert course_py.main([word.format(verb) for word in asked]) == 0
    assert capsys.readouterr().out.startswith(f"python3 course.py {verb}")
    assert calls == []


def test_a_tool_that_is_installed_says_more(course_py, calls, monkeypatch):
    monkeypatch.setattr(course_py, "is_set_up", lambda requirements: True)
    assert course_py.main(["cohort", "--help"]) == 0
    assert course_py.main(["grade", "release", "--help"]) == 0
    assert calls == [
        ("-m", "tools.cohort.make", "--help"),
        ("-m", "tools.grading", "release", "--help"),
    ]


def test_help_names_every_step(course_py, capsys):
    assert course_py.main(["test", "--help"]) == 0
    said = capsys.readouterr().out
    assert all(f"  {step.name} " in said and step.title in said for step in steps.STEPS)
    assert "--full" in said


@pytest.mark.parametrize(("arguments", "code"), [([], 0), (["--help"], 0), (["bok"], 2)])
def test_without_a_verb_it_says_what_there_is(arguments, code):
    run = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)
    assert run.returncode == code
    for verb in ("book", "test", "lab", "reset", "notebooks"):
        assert f"  {verb} " in run.stdout


def test_unknown_test_step_is_named(course_py, capsys):
    assert course_py.main(["test", "lnt"]) == 1
    assert "There is no test step 'lnt': choose from lint, book, unit" in capsys.readouterr().out


def test_second_set_up_is_reused(course_py, installs, capsys):
    course_py.set_up(course_py.READERS)
    course_py.set_up(course_py.READERS)
    assert installs == [course_py.READERS]
    assert "reused" in capsys.readouterr().out


def test_developers_set_up_serves_readers(course_py, installs):
    course_py.set_up(course_py.DEVELOPERS)
    course_py.set_up(course_py.READERS)
    course_py.set_up(course_py.DEVELOPERS)
    assert installs == [course_py.DEVELOPERS]


@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml"])
def test_changed_pins_are_installed(course_py, installs, name):
    course_py.set_up(course_py.READERS)
    (course_py.ROOT / name).write_text("numpy==2.4.7\n", "utf-8")
    course_py.set_up(course_py.READERS)
    assert len(installs) == 2


def test_interrupted_set_up_is_done_again(course_py, installs, monkeypatch):
    course_py.set_up(course_py.READERS)
    (course_py.ROOT / "requirements.txt").write_text("numpy==2.4.7\n", "utf-8")

    def interrupted(requirements):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(course_py, "install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            course_py.set_up(course_py.READERS)
    assert not course_py.STAMP.exists()
    course_py.set_up(course_py.READERS)
    assert len(installs) == 2


def test_damaged_stamp_counts_as_none(course_py, installs):
    course_py.set_up(course_py.READERS)
    course_py.STAMP.write_text("{half a sta", "utf-8")
    course_py.set_up(course_py.READERS)
    assert len(installs) == 2
    assert set(json.loads(course_py.STAMP.read_text())) == {course_py.READERS}


def test_failed_download_gets_one_clear_sentence(course_py, monkeypatch, capsys):
    """Really by pip, which asks a port at which nobody listens for a package nobody has."""
    (course_py.ROOT / course_py.READERS).write_text("casebook-nobody-has-this==1.0\n", "utf-8")
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setattr(course_py, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(course_py, "healthy", lambda: True)
    assert course_py.main(["book"]) == 1
    said = capsys.readouterr().out
    assert (
        "A download failed: check the network and run the same command again; "
        f"pip's own words are in {course_py.LOG}." in said
    )
    assert "[1/2] set-up: failed" in said
    assert not course_py.STAMP.exists()


@pytest.fixture
def calls(course_py, monkeypatch):
    """Return the list of commands that course.py runs, none of which is run."""
    ran = []
    monkeypatch.setattr(course_py, "set_up", lambda requirements: ran.append((requirements,)))
    monkeypatch.setattr(course_py, "call", lambda *command, **options: ran.append(command))
    monkeypatch.setattr(
        course_py.subprocess, "call", lambda command, **_: ran.append(tuple(command[1:])) or 0
    )
    return ran


def test_lab_makes_the_copies_first(course_py, calls):
    assert course_py.main(["lab", "--no-browser"]) == 0
    root = f"--ServerApp.root_dir={course_py.ROOT}"
    assert calls == [
        (course_py.READERS,),
        ("-m", "tools.learner.copies"),
        ("-m", "jupyterlab", root, "--no-browser"),
    ]


def test_reset_sets_up_only_when_it_must(course_py, calls):
    assert course_py.main(["reset", "02", "turn"]) == 0
    assert calls == [(course_py.READERS,), ("-m", "tools.learner.reset", "02", "turn")]
    course_py.BIN.mkdir(parents=True)
    course_py.PYTHON.touch()
    stamps = {course_py.READERS: course_py.fingerprint(course_py.READERS)}
    course_py.STAMP.write_text(json.dumps(stamps), "utf-8")
    assert course_py.main(["reset"]) == 0
    assert calls[2:] == [("-m", "tools.learner.reset")]


@pytest.mark.parametrize(
    ("options", "folder"), [([], "."), (["--instructors"], "_build/instructors")]
)
def test_each_edition_is_built_into_its_own_folder(course_py, calls, capsys, options, folder):
    assert course_py.main(["book", *options]) == 0
    assert calls[0] == (course_py.READERS,)
    assert calls[1][-2:] == ("--path-output", folder)
    page = course_py.ROOT / folder / "_build" / "html" / "index.html"
    said = capsys.readouterr().out
    assert page.as_uri() in said
    assert ("do not publish it" in said) == bool(options)


def test_unknown_edition_is_refused(course_py, calls, capsys):
    assert course_py.main(["book", "--teachers"]) == 1
    assert "book takes --instructors or nothing; got --teachers." in capsys.readouterr().out
    assert calls == []


def test_cohort_is_made_where_the_instructor_is(course_py, calls):
    assert course_py.main(["cohort", "autumn", "--to", "private"]) == 0
    assert calls[1:] == [("-m", "tools.cohort.make", "autumn", "--to", "private")]


@pytest.mark.parametrize("full", [False, True])
def test_the_steps_run_in_the_python_of_the_set_up(course_py, calls, monkeypatch, full):
    ran = []
    monkeypatch.setattr(steps, "run", lambda *given: ran.append(given) or 3)
    monkeypatch.setenv("COURSE_FULL", "0")
    assert course_py.main(["test", "unit", *["--full"] * full]) == 3
    chosen = [step for step in steps.STEPS if step.name == "unit"]
    assert ran == [(chosen, course_py.PYTHON, course_py.ROOT)]
    assert os.environ["COURSE_FULL"] == str(int(full))


def test_nothing_is_tested_without_a_set_up(course_py, monkeypatch, capsys):
    def failing(requirements):
        raise course_py.StepError("No network.")

    monkeypatch.setattr(course_py, "set_up", failing)
    monkeypatch.setattr(steps, "run", lambda *given: pytest.fail("ran"))
    assert course_py.main(["test"]) == 1
    assert "No network." in capsys.readouterr().out


def test_ci_runs_the_same_command_and_nothing_else():
    lines = (HERE.root / ".ci" / "run").read_text("utf-8").splitlines()
    assert lines == ["#!/usr/bin/env bash", "exec python3 course.py test"]
