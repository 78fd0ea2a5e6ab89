"""The steps of the test: side by side, each output whole, no failure hidden, none left running."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tools.gates import steps
from tools.gates.steps import Step
from tools.gates.timings import named
from tools.pipeline.layout import HERE

PYTHON = sys.executable


def step(name, *programs, kind="computes", after=""):
    return Step(name, f"the step {name}", kind, tuple(("-c", text) for text in programs), after)


def run(folder, *chosen):
    """Return exit code and words of a run of these steps."""
    said = []
    code = steps.run(chosen, PYTHON, folder, lambda *words, **_: said.append(" ".join(words)))
    return code, said


def results(said):
    """Return the last column of the table, by the title of the step."""
    (start,) = [number for number, line in enumerate(said) if line.startswith("\nstep ")]
    rows = [line for line in said[start + 1 :] if line.startswith("the step")]
    return {line[:44].split()[-1]: line[44:].split(maxsplit=1)[1] for line in rows}


def test_all_good_steps_make_a_good_test(tmp_path):
    code, said = run(tmp_path, step("a", "print('12 passed')"), step("b", "pass"))
    assert code == 0
    assert "12 passed" in said
    assert results(said) == {"a": "ok", "b": "ok"}


def test_a_failing_step_fails_the_whole_and_hides_nothing(tmp_path):
    failing = step("bad", "print('why'); exit(3)", "print('never')", kind="waits")
    code, said = run(tmp_path, failing, step("good", "import time; time.sleep(0.3); print('done')"))
    assert code == 1
    assert results(said) == {"bad": "failed (exit code 3)", "good": "ok"}
    assert "why" in said and "done" in said and "never" not in "".join(said)


def test_a_step_that_kills_itself_has_failed(tmp_path):
    code, said = run(tmp_path, step("dies", "import os; os.abort()"), step("other", "pass"))
    assert code == 1
    assert results(said)["dies"].startswith("failed")


def test_unlike_steps_run_side_by_side_and_like_ones_do_not(tmp_path):
    """Each writes when it began and ended."""
    text = (
        "import time; began = time.time(); time.sleep(0.6); "
        "open('{}', 'w').write(f'{{began}} {{time.time()}}')"
    )
    kinds = {"a": "computes", "b": "computes", "c": "waits"}
    code, _ = run(tmp_path, *[step(n, text.format(n), kind=kind) for n, kind in kinds.items()])
    times = {n: [float(word) for word in (tmp_path / n).read_text().split()] for n in kinds}
    assert code == 0
    assert times["b"][0] > times["a"][1]
    assert times["c"][0] < times["a"][1]


def test_the_output_of_a_step_is_kept_together(tmp_path):
    text = "import time\nfor i in range(5): print('{}', i, flush=True); time.sleep(0.1)"
    _, said = run(tmp_path, step("a", text.format("a")), step("b", text.format("b"), kind="waits"))
    for name in "ab":
        assert "\n".join(f"{name} {i}" for i in range(5)) in said


def test_a_step_waits_for_what_it_needs(tmp_path):
    needs = step("browser", "print(open('book').read())", kind="waits", after="book")
    book = step("book", "import time; time.sleep(0.5); open('book', 'w').write('pages')")
    code, said = run(tmp_path, needs, book)
    assert code == 0 and "pages" in said
    assert run(tmp_path, needs)[0] == 0  # alone, it takes what is there


def test_a_step_whose_need_failed_is_not_run(tmp_path):
    needs = step("browser", "print('never')", kind="waits", after="book")
    code, said = run(tmp_path, step("book", "exit(1)"), needs)
    assert code == 1
    assert results(said) == {
        "book": "failed (exit code 1)",
        "browser": "failed (it needs 'book')",
    }


def test_what_runs_is_said_now_and_then(tmp_path, monkeypatch):
    monkeypatch.setattr(steps, "NEWS", 0.2)
    _, said = run(tmp_path, step("slow", "import time; time.sleep(0.7)"), step("b", "pass"))
    assert any(line.startswith("... running: slow (") for line in said)


ENDLESS = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open("{0}.new", "w").write(str(child.pid))
import os; os.rename("{0}.new", "{0}")
time.sleep(600)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_all_children(tmp_path, number):
    program = (
        "import sys; from pathlib import Path; from tools.gates import steps; "
        "from tests.tools.test_steps import step, ENDLESS\n"
        "chosen = [step('a', ENDLESS.format('a')), step('b', ENDLESS.format('b'), kind='waits')]\n"
        "try: steps.run(chosen, sys.executable, Path(sys.argv[1]))\n"
        "except KeyboardInterrupt: sys.exit(130)"
    )
    process = subprocess.Popen([PYTHON, "-c", program, str(tmp_path)], cwd=HERE.root)
    files = [tmp_path / "a", tmp_path / "b"]
    until = time.monotonic() + 60
    while not all(file.exists() for file in files) and time.monotonic() < until:
        time.sleep(0.1)
    children = [int(file.read_text()) for file in files]
    process.send_signal(number)
    assert process.wait(60) == 130
    while any(map(is_running, children)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not any(map(is_running, children))


def is_running(number):
    """Return whether a process runs (one that has ended, but was not waited for, does not)."""
    run = subprocess.run(["ps", "-o", "stat=", "-p", str(number)], capture_output=True, text=True)
    return run.stdout.strip()[:1] not in ("", "Z")


def test_the_three_slowest_are_named(tmp_path):
    seconds = {"one": 1.0, "four": 4.0, "two": 2.0, "three": 3.0}
    noted = json.dumps({"pages": seconds})
    text = f"import os; open(os.environ['COURSE_TIMINGS'], 'w').write({noted!r})"
    _, said = run(tmp_path, step("browser", text), step("unit", "pass"))
    assert said[-1] == "slowest pages: four (4 s), three (3 s), two (2 s)"
    old = tmp_path / "_build" / "timings" / "unit.json"
    old.write_text('{"tests": {"of an earlier run": 9}}')
    assert not any("slowest" in line for line in run(tmp_path, step("unit", "pass"))[1])


TESTS = "import time, pytest\ndef test_slow(): time.sleep(0.3)\ndef test_quick(): pass\n"
PAGES = (
    "import pytest\n@pytest.mark.parametrize('page', ['intro', 'a/b'])\ndef test_it(page): pass\n"
)


@pytest.mark.parametrize(
    ("name", "text", "kind", "found"),
    [
        ("unit", TESTS, "tests", {"test_x.py::test_slow", "test_x.py::test_quick"}),
        ("browser", PAGES, "pages", {"intro", "a/b"}),
    ],
)
@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_pytest_notes_what_each_took(tmp_path, name, text, kind, found, workers):
    (tmp_path / "test_x.py").write_text(text, "utf-8")
    one = Step(name, "the step", "computes", ((*steps.PYTEST, "--rootdir=.", *workers),))
    program = (
        "import sys; from pathlib import Path; from tools.gates.steps import *; "
        f"sys.exit(run([{one!r}], sys.executable, Path({str(tmp_path)!r})))"
    )
    environment = dict(os.environ, PYTHONPATH=str(HERE.root))
    ended = subprocess.run([PYTHON, "-c", program], env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout
    assert "2 passed" in ended.stdout
    noted = json.loads((tmp_path / "_build" / "timings" / f"{name}.json").read_text())
    assert set(noted) == {kind} and set(noted[kind]) == found
    if name == "unit":
        assert noted[kind]["test_x.py::test_slow"] >= 0.3


def test_names_of_what_took_time():
    assert named("chapters/02.ipynb::Cell 3", "notebooks") == "chapters/02.ipynb"
    assert named("tests/book/test_pages.py::test_light[chapters/02]", "pages") == "chapters/02"
    assert (
        named("tests/book/test_links.py::test_all", "pages") == "tests/book/test_links.py::test_all"
    )


def test_every_test_file_belongs_to_one_step():
    """A folder that the unit tests leave out has a step of its own."""
    left_out = {name.removeprefix("--ignore=") for name in steps.OTHER_STEPS}
    elsewhere = {
        word
        for one in steps.STEPS
        for command in one.commands
        for word in command
        if word.startswith("tests/") and one.name != "unit"
    }
    assert left_out == elsewhere
    assert all((HERE.root / name).is_dir() for name in left_out)


def test_each_step_needs_one_that_stands_before_it():
    names = [one.name for one in steps.STEPS]
    assert len(set(names)) == len(names)
    for number, one in enumerate(steps.STEPS):
        assert one.kind in ("computes", "waits")
        assert not one.after or one.after in names[:number]
