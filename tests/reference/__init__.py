"""Small arrays that PyTorch computed (see tools/make_pytorch_reference.py), and their reader."""

from pathlib import Path

import numpy as np


def load(name):
    """Return the arrays of one reference file as a dict."""
    return dict(np.load(Path(__file__).parent / f"{name}.npz"))


def under(prefix, arrays):
    """Return the arrays whose names start with ``prefix.``, without it."""
    start = f"{prefix}."
    return {key.removeprefix(start): value for key, value in arrays.items() if key.startswith(start)}
