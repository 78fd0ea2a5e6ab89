"""Which faults an ordinary run takes: those in touched functions, and the same sample each time."""

import subprocess

import pytest

from tools.gates import sample
from tools.gates.faults import Fault
from tools.pipeline.layout import Course

NAMES = [f"f{number}" for number in range(100)]
FAULTS = [Fault(name, "code.py", name, "1", "2") for name in NAMES]
MODULE = "import math\n\nLIMIT = 1\n" + "".join(f"\n\ndef {n}():\n    return 1\n" for n in NAMES)


def git(course, *arguments):
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    run = subprocess.run(["git", *who, *arguments], cwd=course.root, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def write(course, text, name="code.py"):
    (course.root / "casebook").mkdir(exist_ok=True)
    (course.root / "casebook" / name).write_text(text, "utf-8")


@pytest.fixture
def plain(tmp_path):
    """Return a course with a hundred functions, and no git."""
    course = Course(tmp_path)
    write(course, MODULE)
    return course


@pytest.fixture
def kept(plain):
    """Return the same course with two commits."""
    git(plain, "init", "-q", "-b", "main")
    git(plain, "add", ".")
    git(plain, "commit", "-qm", "first")
    git(plain, "commit", "-q", "--allow-empty", "-m", "second")
    return plain


def chosen(course, faults=FAULTS, notebook_of=lambda fault: int(fault.name[1:]) // 20):
    said = []
    found = [fault.name for fault in sample.choose(course, faults, notebook_of, said.append)]
    return found, said[0]


def test_nothing_touched_means_a_sample_of_some_notebooks(kept):
    found, said = chosen(kept)
    assert len(found) == 60 and len({int(name[1:]) // 20 for name in found}) == 3
    assert said.startswith("0 of 100 faults stand in functions touched since")
    assert found == chosen(kept)[0]
    git(kept, "commit", "-q", "--allow-empty", "-m", "third")
    again = [chosen(kept)[0]]
    git(kept, "commit", "-q", "--allow-empty", "-m", "fourth")
    again += [chosen(kept)[0]]
    assert any(names != found for names in again)


@pytest.mark.parametrize("committed", [False, True])
def test_a_touched_function_is_always_tried(kept, committed):
    for touched in ("f7", "f47", "f97"):
        write(
            kept,
            MODULE.replace(
                f"def {touched}():\n    return 1", f"def {touched}():\n    return 1 + 0"
            ),
        )
        if committed:
            git(kept, "commit", "-qam", "change")
        found, said = chosen(kept)
        assert touched in found
        assert said.startswith("1 of 100" if not committed or touched == "f7" else "2 of 100")


def test_what_a_branch_touched_counts_since_it_left_main(kept):
    git(kept, "checkout", "-qb", "work")
    write(kept, MODULE.replace("def f7():\n    return 1", "def f7():\n    return 2 - 1"))
    git(kept, "commit", "-qam", "change")
    git(kept, "commit", "-q", "--allow-empty", "-m", "another")
    assert sample.touched_since(kept, sample.base_commit(kept), FAULTS) == [FAULTS[7]]


def test_a_moved_function_is_not_touched(kept):
    head, _, tail = MODULE.partition("\n\ndef f50")
    write(kept, head)
    write(kept, "import math  # for later\n\n\ndef f50" + tail, "other.py")
    faults = [
        Fault(f.name, "other.py" if i >= 50 else f.file, f.name, "1", "2")
        for i, f in enumerate(FAULTS)
    ]
    assert sample.touched_since(kept, sample.base_commit(kept), faults) == []
    level = Fault("limit", "code.py", "", "LIMIT = 1", "LIMIT = 2")
    assert sample.touched_since(kept, sample.base_commit(kept), [level]) == []
    write(kept, head.replace("LIMIT = 1", "LIMIT = 3 - 2"))
    assert sample.touched_since(kept, sample.base_commit(kept), [level, *faults]) == [level]


def test_many_touched_faults_are_capped(kept, monkeypatch):
    monkeypatch.setattr(sample, "AT_MOST", 30)
    write(kept, MODULE.replace("return 1", "return 2 - 1"))
    found, said = chosen(kept)
    assert len(found) == 30 and said.startswith("100 of 100")


def test_outside_git_there_is_a_sample(plain, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(plain.root.parent))
    found, said = chosen(plain)
    assert len(found) == 60
    assert "no earlier commit is known here" in said and "drawn from the files" in said
    monkeypatch.setenv("PATH", "")
    assert chosen(plain)[0] == found
