"""A kernel that is a copy: like one that started anew, and alone."""

import json
import os
import sys
import time
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tools.grading import kernels
from tools.grading.proctor import Proctor
from tools.pipeline.execution import kernel_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are copied on Linux only")

# What a learner's code can see of the process that it runs in.
LOOKS = """\
import json, os, signal, sys, threading
import numpy as np
print(json.dumps({
    "path": sys.path, "argv": sys.argv[0], "options": len(sys.argv), "flags": list(sys.flags),
    "name": __name__, "folder": os.getcwd(), "standard input": sys.stdin.read(1),
    "environment": sorted(name for name in os.environ if name != "PS1"),
    "leads its group": os.getpgid(0) == os.getsid(0) == os.getpid(),
    "parent": int(os.environ["JPY_PARENT_PID"]) == os.getppid(),
    "signals": [str(signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)],
    "threads": sorted(type(thread).__name__ for thread in threading.enumerate()),
    "limits": np.geterr(),
}))
"""
DRAWS = """\
%matplotlib inline
import matplotlib.pyplot as plt
plt.plot([1, 2]);
"""


@pytest.fixture
def ran(tmp_path, monkeypatch):
    """Return a function that runs cells as a grader does, and returns what they put out."""
    for name, value in kernel_environment().items():
        monkeypatch.setenv(name, value)
    own = tmp_path / "autograded" / "ada" / "02_topic"
    own.mkdir(parents=True)

    def run(*sources):
        cells = [new_code_cell(text) for text in sources]
        Proctor().preprocess(new_notebook(cells=cells), {"metadata": {"path": str(own)}})
        return [cell.outputs for cell in cells]

    return run


def test_a_copy_is_like_a_kernel_that_started_anew(ran, monkeypatch):
    (copy, drawn) = ran(LOOKS, DRAWS)
    monkeypatch.setattr(kernels, "STARTS", ["no such command"])
    (anew, drawn_anew) = ran(LOOKS, DRAWS)
    assert json.loads(copy[0].text) == json.loads(anew[0].text)
    assert [sorted(output.data) for output in drawn] == [["image/png", "text/plain"]]
    assert drawn == drawn_anew


def test_the_copy_was_really_a_copy(ran):
    (started,) = ran("import os; print(os.getppid())")
    assert int(started[0].text) == kernels.nursery().process.pid != os.getpid()


def test_no_two_copies_begin_with_the_same_numbers(ran):
    draw = "import random, numpy as np; print(random.random(), np.random.rand())"
    pairs = [ran(draw)[0][0].text.split() for _ in range(2)]
    assert all(first != second for first, second in zip(*pairs, strict=True))


def test_a_copy_has_no_way_back_to_the_nursery(ran):
    """Else a learner's code could ask it for a process outside the fence."""
    nursery = kernels.nursery()
    ends = {os.fstat(pipe.fileno()).st_ino for pipe in (nursery.requests, nursery.answers)}
    look = (
        "import contextlib, os\nfor number in range(256):\n    with contextlib.suppress(OSError):\n"
        "        print(os.fstat(number).st_ino)"
    )
    (held,) = ran(look)
    held = {int(number) for number in held[0].text.split()}
    assert len(held) > 5
    assert not held & ends


def started(nursery, folder):
    """Return a kernel that nobody talks to."""
    return nursery.kernel(["-f", str(folder / "kernel.json")], folder, dict(os.environ))


def test_the_nursery_ends_with_its_grader_and_its_kernels_with_it(tmp_path):
    nursery = kernels.Nursery()
    kernel = started(nursery, tmp_path)
    assert kernel.poll() is None
    nursery.requests.close()
    assert nursery.process.wait(20) == 0
    for _ in range(100):
        if gone(kernel.pid):
            return
        time.sleep(0.1)
    pytest.fail("the kernel lived on")


def gone(pid):
    """Tell whether a process has ended; nobody may have asked how yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] == "Z"
    except FileNotFoundError:
        return True


def test_how_a_copy_ended_is_known(tmp_path):
    kernel = started(kernels.nursery(), tmp_path)
    assert kernel.poll() is None
    kernel.kill()
    assert kernel.wait() == -9
    kernel.kill()  # nothing to do any more
    assert kernel.poll() == -9


def test_a_nursery_that_cannot_load_the_checks_is_named(tmp_path, monkeypatch):
    (tmp_path / "bad.py").write_text("import no_such_module", "utf-8")
    monkeypatch.setattr(kernels, "PROGRAM", tmp_path / "bad.py")
    with pytest.raises(RuntimeError, match=r"can it load casebook\.checks"):
        kernels.Nursery()
