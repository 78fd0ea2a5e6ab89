"""Checkpoint: trained parameters in a file, and back."""

import dataclasses
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from casebook.training.transformer import Config, Reader
from casebook.types import Parameters

VERSION = 1
READER = Path(__file__).parent.parent / "data" / "reader.npz"


def save_checkpoint(
    path: str | Path, parameters: Parameters, config: Config, *, overwrite: bool = False
) -> None:
    """Write parameters and config to an ``.npz`` file, named by ``path``.

    Raises: ValueError if the parameters do not fit the config; FileExistsError if
        there is such a file, unless ``overwrite`` is True.
    """
    _require_shapes(parameters, config, "parameters")
    path = Path(path)
    if path.exists() and not overwrite:
        raise FileExistsError(f"{path} is there already: choose another name, or overwrite=True")
    described = json.dumps(dataclasses.asdict(config))
    arrays: dict[str, Any] = {"version": VERSION, "config": described, **parameters}
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


def load_checkpoint(path: str | Path, config: Config | None = None) -> Reader:
    """Return the parameters (float64) and the config of a checkpoint.

    path: of an ``.npz`` file. config: what the caller expects; without it, what the file says.
    Raises: ValueError if the file is no checkpoint, or of another version, or holds
        other shapes than the config has.
    """
    try:
        with np.load(path) as file:
            arrays = dict(file)
    except (zipfile.BadZipFile, ValueError, EOFError) as problem:
        raise ValueError(f"{path} is no checkpoint: {problem}") from None
    if "version" not in arrays or "config" not in arrays:
        raise ValueError(f"{path} is no checkpoint: it holds no version or no config")
    version, described = int(arrays.pop("version")), str(arrays.pop("config"))
    if version != VERSION:
        raise ValueError(f"{path} is a checkpoint of version {version}: expected {VERSION}")
    config = Config(**json.loads(described)) if config is None else config
    _require_shapes(arrays, config, str(path))
    return {name: array.astype(np.float64) for name, array in arrays.items()}, config


def load_reader() -> Reader:
    """Return the parameters and config of the model that chapter 07 trains.

    They are rounded to float32. Made by ``provenance/make_reader.py``.
    """
    return load_checkpoint(READER)


def _require_shapes(parameters, config, holder):
    """Refuse parameters of other names or shapes than the config has."""
    expected = config.shapes()
    for name in [*expected, *parameters]:
        found = np.shape(parameters[name]) if name in parameters else "missing"
        wanted = expected.get(name, "no such parameter")
        if found != wanted:
            raise ValueError(f"{holder}: {name!r} is {found}, and the config says {wanted}")
