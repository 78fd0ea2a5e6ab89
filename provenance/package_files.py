"""Finds the data files that an installed package brings."""

import importlib.metadata
from pathlib import Path


def package_file(package, pattern):
    """Return the path of the first file of an installed package that fits a pattern.

    package: its name, as pip says it. pattern: for example "*.gguf" or "data/*.npy".
    Raises: FileNotFoundError if the package is not installed or has no such file.
    """
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        raise FileNotFoundError(
            f"{package} is not installed: pip install --no-deps {package}"
        ) from None
    for file in files:
        if file.match(pattern):
            return Path(file.locate())
    raise FileNotFoundError(f"{package} is installed, but it has no file {pattern}")
