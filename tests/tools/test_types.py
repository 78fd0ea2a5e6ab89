"""The type checker, as pyproject.toml sets it up: it sees a wrong call, and no other."""

import subprocess
import sys

import pytest

from tools.pipeline.layout import HERE

GOOD = """\
import numpy as np

from casebook.attention import causal_mask, softmax
from casebook.rag import Answer

weights = softmax(np.zeros((3, 3)))
mask = causal_mask(3)
print(weights.shape, mask.sum(), Answer("yes", 0.5).text)
"""


def found_in(tmp_path, text):
    """Return the exit code of the checker, and what it says of a module with this text."""
    path = tmp_path / "module.py"
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ty", "check", "--output-format", "concise", str(path)]
    run = subprocess.run(command, cwd=HERE.root, capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def test_a_right_module_passes(tmp_path):
    assert found_in(tmp_path, GOOD)[0] == 0


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("causal_mask(3)", 'causal_mask("three")', "invalid-argument-type"),
        ("causal_mask(3)", "causal_mask(keys=3)", "unknown-argument"),
        ("mask.sum()", "mask.summ()", "missing-attribute"),
        ("0.5).text", "0.5).txt", "missing-attribute"),
        ("weights = softmax", "weights: str = softmax", "invalid-assignment"),
    ],
)
def test_a_wrong_one_is_refused(tmp_path, old, new, rule):
    assert old in GOOD
    code, said = found_in(tmp_path, GOOD.replace(old, new))
    assert code == 1
    assert f"[{rule}]" in said
