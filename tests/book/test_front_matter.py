"""What the front pages say is true: numbers are computed, names exist."""

import re

import numpy as np

from casebook.attention import scaled_dot_product_attention
from tests.book.conftest import ROOT

Q = np.array([[2, 0, 1, 0], [0, 2, 2, 1], [1, 1, 0, 2]], dtype=float)
K = np.array([[1, 1, 0, 1], [2, 0, 1, 0], [0, 1, 2, 0]], dtype=float)
V = np.array([[1, 0, 0, 1], [0, 2, 1, 0], [1, 1, 0, 2]], dtype=float)


def test_weights_of_the_introduction_are_those_of_the_code():
    text = (ROOT / "intro.md").read_text(encoding="utf-8")
    printed = [float(number) for number in re.findall(r"\b0\.\d{4}\b", text)]
    _, weights = scaled_dot_product_attention(Q, K, V)
    assert printed == weights.round(4).ravel().tolist()


def test_every_reference_has_an_address():
    entries = (ROOT / "references.bib").read_text(encoding="utf-8").split("\n@")[1:]
    assert len(entries) >= 20
    for entry in entries:
        assert re.search(r"\b(doi|url|isbn)\s*=", entry), entry.splitlines()[0]
