"""Write the files of pins from pyproject.toml: ``python -m tools.pipeline.lock``.

Needs uv (``pip install uv``). The pins hold for Python 3.11 and newer on every system.
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.pipeline.layout import HERE

UV = ["uv", "pip", "compile", "--universal", "--python-version", "3.11", "--upgrade"]
UV += ["--fork-strategy", "fewest", "--no-header", "--no-annotate", "--quiet"]
# What packages ask for and the course does without. rfc3987-syntax checks addresses for
# jsonschema, is never called here, and takes two seconds of every process that reads a notebook.
LEFT_OUT = ("rfc3987-syntax",)
HEADER = """\
# {what}
# Exact versions for Python 3.11 and newer on Linux, macOS and Windows. Made from
# pyproject.toml by "python -m tools.pipeline.lock" (uv pip compile --universal); do not edit.
"""


def resolve(*options):
    """Return the pins that uv finds for pyproject.toml, a line each."""
    with tempfile.TemporaryDirectory() as folder:
        output, overrides = Path(folder) / "pins.txt", Path(folder) / "overrides.txt"
        overrides.write_text("".join(f"{name} ; python_version < '3'\n" for name in LEFT_OUT))
        command = [sys.executable, "-m", *UV, "pyproject.toml", *options, "-o", str(output)]
        command += ["--overrides", str(overrides)]
        if subprocess.run(command, cwd=HERE.root).returncode:
            sys.exit("tools.pipeline.lock: uv found no pins, for the reason above; nothing changed")
        return output.read_text("utf-8").splitlines()


def main():
    """Write both files; nothing is written if one cannot be resolved, or without uv."""
    if importlib.util.find_spec("uv") is None:
        sys.exit("tools.pipeline.lock: uv is not installed here: run 'pip install uv' first")
    for_readers = resolve("--extra", "book", "--extra", "lab")
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder) / "readers.txt"
        constraints.write_text("\n".join(for_readers), "utf-8")
        for_all = resolve("--all-extras", "-c", str(constraints))
    known = {name_of(pin) for pin in for_readers}
    only_dev = [pin for pin in for_all if name_of(pin) not in known]
    readers = HEADER.format(what="What reading, running and building the course needs.")
    developers = HEADER.format(what="What tests, authors and instructors need besides.")
    write("requirements.txt", [readers + "\n".join(for_readers), "-e ."])
    write("requirements-dev.txt", [developers + "-r requirements.txt", *only_dev])


def name_of(pin):
    """Return the package's name in a line such as ``numpy==2.4.6``."""
    return re.split(r"[^\w.-]", pin, maxsplit=1)[0]


def write(name, lines):
    """Write one of the files, its lines ending alike on every system."""
    (HERE.root / name).write_text("\n".join(lines) + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    main()
