"""Faults judged by forks get the verdict that they get one by one, or none at all."""

import os

import pytest

from tools.gates.mutation import Mutant
from tools.gates.tripwires import can_trip, verdicts
from tools.pipeline.layout import CourseError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

LARGEST = "highest = scores.max(axis=axis, keepdims=True)"
NOTICED = Mutant("base-two", "attention.py", "np.exp(scores -", "np.exp2(scores -")
HARMLESS = Mutant("as-before", "attention.py", LARGEST, f"{LARGEST} + 0")
NEVER_CALLED = Mutant("triangle", "attention.py", "np.tril(", "np.triu(")
DIES = Mutant("dies", "attention.py", LARGEST, "import os; os._exit(1)")


def chapter(course):
    return course.notebook("chapters/02_tiny")


def append(course, code):
    """Put code at the end of the course's attention.py."""
    path = course.root / "casebook" / "attention.py"
    path.write_text(path.read_text("utf-8") + code, "utf-8")


def test_each_fault_has_a_verdict_of_its_own_and_the_run_goes_on_without(built):
    broken, found = verdicts(built, chapter(built), [NOTICED, HARMLESS, NEVER_CALLED])
    assert broken is None
    assert found == {"base-two": "Cell 0", "as-before": None, "triangle": None}


def test_a_notebook_that_fails_anyway_is_named(course):
    path = chapter(course)
    path.write_text(path.read_text("utf-8").replace("42 ", "43 "), "utf-8")
    assert verdicts(course, path, [])[0] == "Cell 0"


def test_a_fork_that_dies_is_no_verdict(built):
    with pytest.raises(CourseError, match="dies: its process died without an answer"):
        verdicts(built, chapter(built), [DIES])


def test_a_function_that_the_import_calls_is_left_to_the_slow_way(course):
    append(course, "\nHALVES = softmax(np.zeros(2))\n")
    assert can_trip(course, NOTICED)
    assert verdicts(course, chapter(course), [NOTICED]) == (None, {})


def test_a_method_and_a_wrapped_function_can_be_faulty(course):
    append(
        course,
        "\n\nclass Pair:\n    @property\n    def sum(self):\n        return 1 + 2\n"
        "\n\nfrom functools import cache\n\n\n@cache\ndef cached():\n    return 3 + 4\n",
    )
    path = chapter(course)
    call = "import numpy as np\\nfrom casebook.attention import Pair, cached\\n"
    call += "Pair().sum, cached()\\n"
    text = path.read_text("utf-8")
    assert '"import numpy as np\\n"' in text
    path.write_text(text.replace('"import numpy as np\\n"', f'"{call}"', 1), "utf-8")
    faults = [
        Mutant("method", "attention.py", "1 + 2", "1 / 0"),
        Mutant("wrapped", "attention.py", "3 + 4", "1 / 0"),
    ]
    assert verdicts(course, path, faults) == (None, {"method": "Cell 0", "wrapped": "Cell 0"})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import math\n", "import math as arithmetic\n"),
        ("def softmax(scores: Array, axis: int = -1)", "def softmax(scores: Array, axis: int = 0)"),
        ("def softmax(scores", "def soft_max(scores"),
    ],
)
def test_a_fault_outside_of_a_body_is_left_to_the_slow_way(built, old, new):
    assert (built.root / "casebook" / "attention.py").read_text("utf-8").count(old) == 1
    assert not can_trip(built, Mutant("head", "attention.py", old, new))
