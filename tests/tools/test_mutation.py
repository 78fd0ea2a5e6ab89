"""The mutation run: a noticed fault is told from one that survives, which is named."""

import os

import pytest

from tools.gates import mutation, rerun
from tools.gates.faults import Fault
from tools.gates.likely import in_likely_order
from tools.pipeline.layout import CourseError

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
NOTICED = Fault("base-two", "attention.py", "softmax", "np.exp", "np.exp2")
HARMLESS = Fault("as-before", "attention.py", "softmax", "scores - highest", "scores - highest + 0")
NEVER_CALLED = Fault("triangle", "attention.py", "causal_mask", "np.tril", "np.triu")


def chapter(course):
    return course.notebook("chapters/02_tiny")


def spoil(course):
    """Let a stored output differ from what the cell prints."""
    path = chapter(course)
    path.write_text(path.read_text("utf-8").replace("42 ", "43 "), "utf-8")


def append(course, code):
    """Put code at the end of the course's attention.py."""
    path = course.root / "casebook" / "attention.py"
    path.write_text(path.read_text("utf-8") + code, "utf-8")


def test_noticed_and_surviving_faults_are_told_apart(built):
    said = []
    assert mutation.run(built, [NOTICED, NEVER_CALLED], say=said.append) == 1
    assert said[0] == "chapters/02_tiny.ipynb: agrees without a fault, notices 1 of 2"
    assert len(said) == 7  # the one that is left is tried in the two other notebooks
    assert said[3].split() == ["base-two", "noticed", "by", "chapters/02_tiny.ipynb,", "Cell", "0"]
    assert said[4].split() == ["triangle", "SURVIVED"]
    assert said[5:] == ["1 of 2 faults noticed", "No notebook notices: triangle"]


def test_the_run_is_good_if_all_are_noticed(built):
    assert mutation.run(built, [NOTICED], say=[].append) == 0


def test_notebooks_that_differ_anyway_prove_nothing(course):
    spoil(course)
    with pytest.raises(CourseError, match=r"02_tiny.ipynb, Cell 0, differs without any fault"):
        mutation.run(course, [NEVER_CALLED], say=[].append)


@pytest.mark.parametrize("forking", [pytest.param(True, marks=forks), False])
def test_each_fault_has_a_verdict_of_its_own_and_the_run_goes_on_without(
    built, monkeypatch, forking
):
    if not forking:
        monkeypatch.delattr(os, "fork", raising=False)
    faults = [NOTICED, HARMLESS, NEVER_CALLED]
    broken, found = rerun.first_differences(built, chapter(built), faults)
    assert broken is None
    assert found == {"base-two": "Cell 0", "as-before": None, "triangle": None}


def test_a_run_that_differs_without_a_fault_is_named(course):
    spoil(course)
    assert rerun.first_differences(course, chapter(course), [HARMLESS])[0] == "Cell 0"


@forks
def test_a_fork_that_dies_is_no_verdict(built):
    dies = Fault("dies", "attention.py", "softmax", "np.exp", "__import__('os')._exit(1)")
    with pytest.raises(CourseError, match="dies: its process died without an answer"):
        rerun.first_differences(built, chapter(built), [dies])


@forks
def test_a_fault_without_an_end_is_noticed(built, monkeypatch, tmp_path):
    monkeypatch.setattr(rerun, "FAULT_SECONDS", 0.2)
    switches = rerun.Switches(["endless"], tmp_path)
    if switches.asked("endless"):
        while True:
            pass
    assert switches.verdicts == {"endless": "no end within 0.2 s"}
    assert switches.settled()


def die(course, notebook):
    os._exit(3)


def test_a_process_that_dies_is_no_verdict(built):
    with pytest.raises(CourseError, match=r"02_tiny.ipynb died without an answer"):
        rerun.in_a_process(die, built, chapter(built))


def sleep(course, notebook):
    import time

    time.sleep(60)


def test_a_process_without_an_end_is_no_verdict(built):
    with pytest.raises(CourseError, match=r"02_tiny.ipynb: no end within 0.1 s"):
        rerun.in_a_process(sleep, built, chapter(built), seconds=0.1)


def test_casebook_is_that_of_the_course_and_of_no_other(built, tmp_path):
    """The package of this repository would be found too, and must not be."""
    (tmp_path / "casebook").mkdir()
    (tmp_path / "casebook" / "__init__.py").touch()
    course = type(built)(tmp_path)
    assert rerun.first_differences(course, chapter(built), [])[0] is None  # nothing to find out
    nowhere = Fault("base-two", "other.py", "", "X = 1", "X = 2")
    (tmp_path / "casebook" / "other.py").write_text("X = 1\n", "utf-8")
    assert rerun.first_differences(course, chapter(built), [nowhere])[0] == "Cell 0"


def test_faults_in_methods_constants_and_what_an_import_calls_are_tried(course):
    append(
        course,
        "\n\nclass Pair:\n    @property\n    def sum(self):\n        return 1 + 2\n"
        "\n\nLIMIT = 5\nHALVES = softmax(np.zeros(2))\n",
    )
    path = chapter(course)
    call = "from casebook.attention import LIMIT, Pair\\nassert Pair().sum < LIMIT\\n"
    text = path.read_text("utf-8")
    assert '"import numpy as np\\n"' in text
    path.write_text(
        text.replace('"import numpy as np\\n"', f'"import numpy as np\\n{call}"'), "utf-8"
    )
    faults = [
        Fault("method", "attention.py", "Pair.sum", "1 + 2", "9"),
        Fault("constant", "attention.py", "", "LIMIT = 5", "LIMIT = 3"),
        NOTICED,
    ]
    broken, found = rerun.first_differences(course, path, faults)
    assert broken is None
    assert found == {"method": "Cell 0", "constant": "Cell 0", "base-two": "Cell 0"}


def test_a_fault_is_tried_first_where_it_is_likely_to_be_noticed(built, course):
    assert in_likely_order(built, NOTICED)[0] == chapter(built)
    # A helper that no notebook names is looked for where those that call it are named.
    append(course, "\n\ndef _helper(x):\n    return x\n\n\ndef double(x):\n    return _helper(x)\n")
    helper = Fault("helper", "attention.py", "_helper", "x", "2 * x")
    assert in_likely_order(course, helper)[0] == chapter(course)


def test_an_unknown_name_is_refused(capsys):
    assert mutation.main(["no-such-fault"]) == 1
    assert "no fault is called no-such-fault; see --list" in capsys.readouterr().err
