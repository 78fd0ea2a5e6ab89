"""Running a notebook that nobody has read: the fence, the seal, lost kernels, endless output.

Each test runs a small notebook as if it had been handed in; ``graded`` cells are test cells.
"""

import json
import subprocess
import sys

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader import utils

from tests.classroom.tricks import ENDLESS_AND_STUBBORN, READ_SOLUTIONS
from tools.grading.proctor import CUT, Proctor, changes
from tools.pipeline.execution import kernel_environment
from tools.pipeline.layout import HERE

TEST = {"nbgrader": {"grade": True, "solution": False, "grade_id": "check_it", "points": 1}}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs cells, ``*`` before a test cell, in a course of their own."""
    for name, value in kernel_environment().items():
        monkeypatch.setenv(name, value)
    own = tmp_path / "autograded" / "ada" / "02_topic"
    own.mkdir(parents=True)
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "secret.txt").write_text("the answer", "utf-8")
    (own / "data.txt").write_text("mine", "utf-8")

    def run(*sources, **settings):
        cells = [
            new_code_cell(text.lstrip("*"), metadata=TEST if text[0] == "*" else {})
            for text in sources
        ]
        resources = {"metadata": {"path": str(own)}}
        Proctor(**settings).preprocess(new_notebook(cells=cells), resources)
        return cells

    return run


def said(cell):
    """Return all that a cell printed or raised."""
    return "".join(out.get("text", out.get("evalue", "")) for out in cell.outputs)


REFUSED = {
    "open('../../../solutions/secret.txt').read()": "may not use",
    "open(b'../../../solutions/secret.txt').read()": "may not use",
    "__import__('os').open('../../../solutions/secret.txt', 0)": "may not use",
    "__import__('numpy').fromfile('../../../solutions/secret.txt')": "may not use",
    "__import__('os').link('../../../solutions/secret.txt', 'mine.txt')": "may not use",
    "__import__('shutil').rmtree('../../../solutions')": "may not use",
    "__import__('os').listdir('../../../solutions')": "may not use",
    "__import__('os').rename('../../..', '../../../../gone')": "may not use",
    "open(__import__('casebook').__file__, 'a')": "may not use",
    "open('../other.txt', 'w')": "may not use",
    "__import__('sqlite3').connect('../../../gradebook.db')": "may not open a database",
    "__import__('sqlite3').connect('file:x?mode=memory', uri=True)": "may not open a database",
    "__import__('subprocess').run(['echo'])": "may not start another program",
    "__import__('os').system('echo')": "may not start another program",
    "get_ipython().system('echo')": "may not start another program",
    "__import__('os').kill(__import__('os').getppid(), 9)": "may not signal another program",
    "__import__('socket').create_connection(('192.0.2.1', 80), 1)": "may not use the network",
}
ALLOWED = (
    "open('data.txt').read()",
    "open('new.txt', 'w').write('mine')",
    "__import__('os').listdir('.')",
    "__import__('casebook.drawing.figures').drawing.figures.style",
    "open(__import__('casebook').__file__).read()",
    "__import__('json.tool')",
)


def test_the_fence_refuses_what_a_notebook_has_no_need_for(run):
    attempts = [*REFUSED, *ALLOWED]
    cells = run(*(f"{attempt};" for attempt in attempts))
    for attempt, cell in zip(attempts, cells, strict=True):
        if attempt in REFUSED:
            assert REFUSED[attempt] in said(cell), attempt
        else:
            assert not utils.has_failed(cell), (attempt, said(cell))


def test_without_the_fence_the_solutions_could_be_read(tmp_path):
    """Else the test of the class, in which a student tries, would prove nothing."""
    stem = "02_attention_by_hand"
    program = "import numpy as np\n" + READ_SOLUTIONS.replace("STEM", stem)
    program += "print(stable_softmax([1.0]))"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=kernel_environment() | {"PYTHONPATH": str(HERE.root)},
        capture_output=True,
        text=True,
    )
    assert f"read {stem}.ipynb" in run.stdout, run.stderr
    assert run.stdout.splitlines()[-1] == "[1.]"


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is set on Linux only")
def test_memory_is_limited(run):
    cells = run("import numpy as np\nhuge = np.empty(10**9)", "small = np.empty(10**6)")
    assert "Unable to allocate" in said(cells[0])
    assert not utils.has_failed(cells[1])


# What is changed, how, and how it is put back, so that one kernel does for all.
ENGINE, LEAKS = "casebook.checks.engine", "casebook.checks.tasks.sees_the_future"
CHANGES = {
    "casebook.checks.check_turn": "casebook.checks.check_turn = print",
    f"{ENGINE}.verdict._say": f"{ENGINE}.verdict._say = print",
    f"{ENGINE}.verdict.CheckFailed": f"{ENGINE}.verdict.CheckFailed = Warning",
    f"{ENGINE}.compare.len": f"{ENGINE}.compare.len = lambda values: 0",
    f"{ENGINE}.compare.np": f"{ENGINE}.compare.np = None",
    f"{LEAKS}._honest: code": f"{LEAKS}._honest.__code__ = (lambda *given: None).__code__",
    f"{ENGINE}.learner.Learner.__call__": f"{ENGINE}.learner.Learner.__call__ = print",
    f"{LEAKS}.LEAKING": f"{LEAKS}.LEAKING.clear()",
    "numpy.allclose": "np.allclose = lambda *given, **options: True",
    "numpy._core.numeric.isclose": "np._core.numeric.isclose = lambda *given, **options: True",
    "builtins.isinstance": "builtins.isinstance = builtins.isinstance.__call__",
    "threading.Thread": "threading.Thread = None",
    "casebook.checks": "sys.modules['casebook.checks'] = types.ModuleType('casebook.checks')",
    "IPython: transformers": "get_ipython().ast_transformers.append(ast.NodeTransformer())",
    "IPython: hidden exceptions": "get_ipython().set_custom_exc((Exception,), lambda *given: None)",
    "IPython: methods of its own": "get_ipython().showtraceback = lambda *given, **options: None",
}
PUT_BACK = {
    f"{ENGINE}.compare.len": f"del {ENGINE}.compare.len",
    f"{LEAKS}._honest: code": f"{LEAKS}._honest.__code__ = kept",
    f"{LEAKS}.LEAKING": f"{LEAKS}.LEAKING.update(kept)",
    "casebook.checks": "sys.modules['casebook.checks'] = kept",
    "IPython: transformers": "get_ipython().ast_transformers.pop()",
    "IPython: hidden exceptions": "get_ipython().custom_exceptions = ()",
    "IPython: methods of its own": "del get_ipython().showtraceback",
}
KEPT = {
    f"{LEAKS}._honest: code": f"{LEAKS}._honest.__code__",
    f"{LEAKS}.LEAKING": f"dict({LEAKS}.LEAKING)",
    "casebook.checks": "sys.modules['casebook.checks']",
}
IMPORTS = f"import ast, builtins, sys, threading, types\nimport numpy as np\nimport {LEAKS}"


def test_whatever_decides_a_mark_is_under_seal(run):
    cells = [IMPORTS, "*1"]
    for name, change in CHANGES.items():
        target = change.split(" = ")[0]
        kept = KEPT.get(name, "None" if name in PUT_BACK else target)
        cells += [f"kept = {kept}\n{change}", "*1", PUT_BACK.get(name, f"{target} = kept")]
    ran = run(*cells, "*1")
    for name, test in zip(CHANGES, ran[3:-1:3], strict=True):
        assert utils.has_failed(test), name
        assert test.outputs[-1].ename == "ChecksChanged", said(test)
    for honest in (ran[1], ran[-1]):  # also after all was put back
        assert not utils.has_failed(honest), said(honest)


def test_the_seal_names_what_was_changed(run):
    _, test = run("import casebook.checks\ncasebook.checks.check_turn = print", "*1")
    assert said(test) == "this notebook changed casebook.checks.check_turn."


def test_honest_habits_leave_the_seal_whole(run):
    habits = [
        "%matplotlib inline",
        "import numpy as np\nnp.random.seed(1)\nnp.set_printoptions(precision=3)",
        "np.seterr(all='raise')",
        "import warnings\nwarnings.simplefilter('ignore')",
        "import math, random, statistics",
        "from casebook.checks import *\nfrom casebook import figures, explore",
        "%time sum(range(10))",
        "def len(values):\n    return 0",
    ]
    test = run(*habits, "*1")[-1]
    assert not utils.has_failed(test), said(test)


def test_seals_differ_by_name():
    parts = {"module casebook.a": 1, "casebook.a.f": 2, "numpy.g": 3}
    before = {"digest": "1", "parts": parts}
    assert changes(before, {"digest": "1", "parts": False}) == []
    assert changes(before, None) == ["how the grader looks at it"]
    after = {"digest": "2", "parts": {"module casebook.a": 1, "casebook.a.f": 5, "numpy.new": 4}}
    assert changes(before, after) == ["numpy.g", "casebook.a.f"]
    shadow = {"digest": "3", "parts": parts | {"casebook.a.len": 6, "numpy.new": 7}}
    assert changes(before, shadow) == ["casebook.a.len"]


def test_a_lost_kernel_costs_its_own_cell(run):
    cells = run(
        "import os\nx = 1",
        "raise ValueError('of their own')",
        "os._exit(3)",
        "print('x is', x)",
        "*os.kill(os.getpid(), 9)",
        "*print('x is still', x)",
    )
    assert [utils.has_failed(cell) for cell in cells] == [False, True, True, False, True, False]
    assert said(cells[2]) == said(cells[4]) == "this cell ended the kernel."
    assert said(cells[3]) == "x is 1\n"
    assert said(cells[5]) == "x is still 1\n"


def test_a_cell_that_cannot_be_interrupted_costs_itself(run):
    cells = run("x = 1", ENDLESS_AND_STUBBORN, "print('x is', x)", timeout=3, iopub_timeout=1)
    assert said(cells[1]) == "this cell did not end in time, and could not be stopped."
    assert said(cells[2]) == "x is 1\n"


def test_endless_output_is_cut(run):
    flood = "for _ in range(300): print('x' * 100_000)"
    cells = run(flood, "print('short')", "'y' * 10**6", most_output=5000)
    assert said(cells[0]).endswith(CUT)
    assert len(said(cells[0])) <= 5000 + len(CUT)
    assert said(cells[1]) == "short\n"
    assert len(json.dumps(cells[2].outputs)) < 5200
