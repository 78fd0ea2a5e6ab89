"""A planted fault outlives a reformatted line, and one that no longer applies is named."""

import ast
import subprocess
import sys

import pytest

from tools.gates import faults as planted
from tools.gates import steps
from tools.gates.faults import Fault, read_faults, switched
from tools.pipeline.layout import HERE, Course, CourseError

MODULE = '''
"""A module."""

import math

BASE = 10.0
SHAPES = {"flat": lambda x: x, "steep": lambda x: x * x}


def layer_norm(X, gain, bias, epsilon=1e-5):
    """Return X with mean 0 and variance 1, then scaled and shifted."""
    centred = X - X.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gain * centred / math.sqrt(variance + epsilon) + bias


def outer(x):
    def inner(y):
        y += 1
        y += 1
        return y

    return inner(x)


class Norm:
    eps = 1

    def apply(self, X):
        if X is None:
            return self.eps
        return layer_norm(X, 1, 2, epsilon=self.eps)
'''


@pytest.fixture
def small(tmp_path):
    """Return a course whose casebook is one module."""
    (tmp_path / "casebook").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "casebook" / "norm.py").write_text(MODULE, "utf-8")
    return Course(tmp_path)


def read(course, *entries):
    """Return the faults of these entries, each a text of TOML."""
    text = "".join(f'[[mutant]]\nname = "fault"\n{entry}\n' for entry in entries)
    (course.root / "tests" / "mutants.toml").write_text(text, "utf-8")
    return read_faults(course)


def result(course, fault, call, switched_on=True):
    """Return what a call gives in the module with the fault, switched on or off."""
    asked = {"__fault__": lambda name: switched_on and name == fault.name}
    exec(compile(switched(course, "norm.py", [fault]), "norm", "exec"), asked)
    return eval(call, asked)


@pytest.mark.parametrize(
    ("entry", "call", "right", "wrong"),
    [
        ('in = "norm.py"\nold = "BASE = 10.0"\nnew = "BASE = 9.0"', "BASE", 10, 9),
        ('in = "norm.py"\nold = "x * x"\nnew = "x"', "SHAPES['steep'](3)", 9, 3),
        ('in = "norm.py: outer.inner"\nold = "y += 1"\nnew = ""\nnth = 2', "outer(0)", 2, 1),
        ('in = "norm.py: outer"\nold = "y += 1\\ny += 1"\nnew = "y = 7"', "outer(0)", 2, 7),
        ('in = "norm.py: outer"\nold = "return inner(x)"', "outer(0)", 2, None),
        ('in = "norm.py: Norm"\nold = "eps = 1"\nnew = "eps = 5"', "Norm().apply(None)", 1, 5),
        ('in = "norm.py: Norm.apply"\nold = "X is None"\nnew = "not X"', "Norm().apply(0)", "", 1),
        (
            'in = "norm.py: layer_norm"\nold = "1e-5"\nnew = "1"',
            "layer_norm.__defaults__[0]",
            1e-5,
            1,
        ),
    ],
)
def test_a_change_is_made_where_it_is_said_and_only_when_switched_on(
    small, entry, call, right, wrong
):
    (fault,) = read(small, entry)
    if right != "":
        assert result(small, fault, call, switched_on=False) == right
    assert result(small, fault, call) == wrong


REWRITTEN = [
    lambda text: text.replace(
        "gain * centred / math.sqrt(variance + epsilon) + bias",
        "bias + centred * gain / math.sqrt(epsilon + variance)",
    ),
    lambda text: text.replace("mean(axis=-1, keepdims=True)", "mean(keepdims=True, axis=-1)"),
    lambda text: text.replace(
        "gain * centred / math.sqrt(variance + epsilon) + bias",
        "(  # scaled\n        gain * (centred) / math.sqrt(variance + epsilon)\n    + bias)",
    ),
    lambda text: text.replace('"""', "'''").replace("import math", "import math  # roots"),
]
ENTRIES = [
    'in = "norm.py: layer_norm"\nold = "gain * centred / math.sqrt(variance + epsilon) + bias"\n'
    'new = "centred"',
    'in = "norm.py: layer_norm"\nold = "(centred**2).mean(axis=-1, keepdims=True)"\nnew = "1"',
    "in = 'norm.py: Norm.apply'\nold = 'layer_norm(X, 1, 2, epsilon=self.eps)'\nnew = 'X'",
]


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("rewrite", REWRITTEN)
def test_a_reformatted_or_reordered_line_is_still_found(small, entry, rewrite):
    text = rewrite(MODULE)
    assert text != MODULE
    (small.root / "casebook" / "norm.py").write_text(text, "utf-8")
    assert len(read(small, entry)) == 1


def test_all_committed_faults_outlive_another_line_length(tmp_path):
    course = Course(tmp_path)
    for file in {fault.file for fault in read_faults(HERE)}:
        path = tmp_path / "casebook" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((HERE.root / "casebook" / file).read_bytes())
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "70"]
    quotes = ["--config", "format.quote-style = 'single'"]
    subprocess.run([*ruff, *quotes, str(tmp_path)], check=True, capture_output=True)
    (tmp_path / "tests").mkdir()
    mutants = tmp_path / "tests" / "mutants.toml"
    mutants.write_bytes((HERE.root / "tests" / "mutants.toml").read_bytes())
    assert len(read_faults(course)) == len(read_faults(HERE)) >= 300


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ('in = "form.py: f"\nold = "x"\nnew = "y"', "there is no form.py in casebook"),
        ('in = "norm.py: f"\nold = "x"\nnew = "y"', "norm.py has no function 'f'"),
        ('in = "norm.py: outer"\nold = "z"\nnew = "y"', "occurs 0 times in norm.py: outer"),
        (
            'in = "norm.py: outer"\nold = "y += 1"\nnew = ""',
            "occurs 2 times .*; say by 'nth' which",
        ),
        ('in = "norm.py: outer"\nold = "y += 1"\nnth = 3', "occurs 2 times .*, and nth is 3"),
        ('in = "norm.py: outer"\nold = "y = 1 +"\nnew = "x"', "its old is no expression"),
        (
            'in = "norm.py: outer"\nold = "inner(x)"\nnew = "(inner((x)))"',
            "says the same as its old",
        ),
        ('in = "norm.py"\nold = "BASE"\nnew = "1"', "occurs 0 times"),
        ('in = "norm.py"\nold = "BASE = 10.0"\nnew = "return 1"', "norm.py is no Python: 'return'"),
        ('in = "norm.py"\nold = ""\nnew = "1"', "it has no old"),
        ('in = "norm.py"\nold = "1"\nnew = "2"\ncount = 1', "'count' is not a key"),
        ('in = "norm.py"\nold = 1\nnew = "2"', "'old' is not a key of a fault, or not of its kind"),
    ],
)
def test_an_entry_that_does_not_apply_is_named(small, entry, sentence):
    with pytest.raises(CourseError, match=rf"^tests/mutants.toml: fault: .*{sentence}"):
        read(small, entry)


def test_the_gate_of_the_lint_step_says_no(small, capsys):
    text = '[[mutant]]\nname = "gone"\nin = "norm.py"\nold = "BASE"\nnew = "1"\n'
    (small.root / "tests" / "mutants.toml").write_text(text, "utf-8")
    assert planted.main(small) == 1
    assert "gone: its old occurs 0 times in norm.py" in capsys.readouterr().err
    (small.root / "tests" / "mutants.toml").write_text(text.replace('"BASE"', '"10.0"'), "utf-8")
    assert planted.main(small) == 0
    assert ("-m", "tools.gates.faults") in steps.LINT


def test_where_a_moved_function_stands_now_is_said(small):
    (small.root / "casebook" / "guards.py").write_text("def check(x):\n    return x\n", "utf-8")
    with pytest.raises(CourseError, match="no function 'check'; there is one in guards.py"):
        read(small, 'in = "norm.py: check"\nold = "x"\nnew = "1"')


def test_all_that_do_not_apply_are_named_at_once(small):
    entry = 'in = "norm.py"\nold = "{}"\nnew = "1"'
    with pytest.raises(CourseError) as caught:
        read(small, entry.format("x * y"), entry.format("x * x"), entry.format("x * x"))
    assert str(caught.value).count("occurs 0 times") == 1
    assert "fault: the name comes twice" in str(caught.value)


def test_faults_that_overlap_do_not_disturb_each_other(small):
    changes = [("y += 1\ny += 1", "y = 7"), ("y += 1\nreturn y", "return 9"), ("y += 1", "y = 5")]
    faults = [
        Fault(f"fault {number}", "norm.py", "outer.inner", old, new, nth=1)
        for number, (old, new) in enumerate(changes)
    ]
    tree = switched(small, "norm.py", faults)
    code = compile(ast.fix_missing_locations(tree), "norm", "exec")
    for on, expected in [(None, 2), ("fault 0", 7), ("fault 1", 9), ("fault 2", 6)]:
        asked = {"__fault__": lambda name, on=on: name == on}
        exec(code, asked)
        assert eval("outer(0)", asked) == expected


def test_a_difference_that_is_one_is_seen():
    keys = {planted.key(ast.parse(text)) for text in ("a - b", "b - a", "a / b", "a * b", "a @ b")}
    assert len(keys) == 5
    assert planted.key(ast.parse("b @ a")) not in keys
    same = {
        planted.key(ast.parse(text)) for text in ("a - b + c * d", "d * c + (a) - b", "c*d-b+a")
    }
    assert len(same) == 1
