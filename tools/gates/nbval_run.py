"""Run every notebook and compare its outputs: ``python -m tools.gates.nbval_run [path ...]``."""

import argparse
import re
import subprocess
import sys
from importlib.metadata import version

from tools.pipeline.execution import CELL_SECONDS, warm_up
from tools.pipeline.layout import HERE

WORKERS = 2
DRAWN_BY = ("numpy", "matplotlib")  # another of these may draw a text a third of a point elsewhere


def command(notebooks, workers=WORKERS, root=HERE.root):
    """Return the command that compares ``notebooks`` (paths), to be run in the repository.

    workers: how many notebooks run at a time; each stays on one worker.
    root: the folder from which pytest names the notebooks.
    """
    options = [
        "--nbval",
        "--nbval-current-env",
        f"--nbval-cell-timeout={CELL_SECONDS}",
        "--nbval-kernel-startup-timeout=180",
        "--continue-on-collection-errors",
        f"--rootdir={root}",
        "--color=no",
        "-q",
    ]
    if workers > 1:
        options += ["-n", str(workers), "--dist", "loadfile"]
    gates = [
        "-p",
        "tools.gates.nbval_gates",
        "-p",
        "tools.gates.timings",
        "-p",
        "no:hypothesispytest",
    ]
    return [sys.executable, "-m", "pytest", *gates, *options, *map(str, notebooks)]


def other_versions(pins):
    """Return a sentence for each package that is not the one of the stored outputs.

    pins: the text of requirements.txt.
    """
    pinned = dict(re.findall(r"^([\w-]+)==(\S+)", pins, re.MULTILINE))
    for name in DRAWN_BY:
        if version(name) != pinned[name]:
            yield (
                f"The stored outputs come from {name} {pinned[name]}, and this is {version(name)}: "
                "a drawing may differ where nothing is wrong."
            )


def main(arguments=None):
    """Return pytest's exit code, or 1 when there is no notebook to run."""
    parser = argparse.ArgumentParser(prog="python -m tools.gates.nbval_run", description=__doc__)
    parser.add_argument("notebook", nargs="*", help="paths; all stored notebooks if none")
    notebooks = parser.parse_args(arguments).notebook or HERE.stored()
    if not notebooks:
        print("There is no notebook to run: first make them with 'course.py notebooks'.")
        return 1
    for sentence in other_versions((HERE.root / "requirements.txt").read_text("utf-8")):
        print(sentence, flush=True)
    warm_up()
    return subprocess.run(command(notebooks), cwd=HERE.root).returncode


if __name__ == "__main__":
    sys.exit(main())
