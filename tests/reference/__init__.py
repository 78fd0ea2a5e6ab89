"""Small arrays by PyTorch (see provenance/make_pytorch_reference.py), and their reader."""

from pathlib import Path

import numpy as np


def load(name):
    """Return the arrays of one reference file as a dict."""
    return dict(np.load(Path(__file__).parent / f"{name}.npz"))


def under(prefix, arrays):
    """Return the arrays whose names start with ``prefix.``, without it."""
    start = f"{prefix}."
    names = [key for key in arrays if key.startswith(start)]
    return {name.removeprefix(start): arrays[name] for name in names}


def tree(prefix, arrays):
    """Return the arrays named ``prefix.part.name`` as a dict of dicts."""
    parts = {}
    for key, value in under(prefix, arrays).items():
        part, dot, name = key.partition(".")
        if dot:
            parts.setdefault(part, {})[name] = value
    return parts
