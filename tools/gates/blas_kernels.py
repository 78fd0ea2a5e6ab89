"""Show that outputs do not hang on the processor's own matrix product (its BLAS kernel).

``python -m tools.gates.blas_kernels [notebook ...]``

The notebooks are compared by nbval under several of OpenBLAS's kernels and with one and two
threads. Run by hand: it takes as long as running the notebooks as many times as there are lines.
"""

import argparse
import os
import re
import subprocess
import sys

from tools.gates.nbval_run import command
from tools.pipeline.execution import THREADS
from tools.pipeline.layout import HERE

SETTINGS = (
    ("Haswell", 1),
    ("Haswell", 2),
    ("Sandybridge", 1),
    ("Nehalem", 2),
    ("Prescott", 1),
)


def kernel_in_use(environment):
    """Return the kernel that OpenBLAS says it takes, or "unknown" where it says nothing."""
    program = "import numpy"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=environment | {"OPENBLAS_VERBOSE": "2"},
        capture_output=True,
        text=True,
    )
    found = re.search(r"Core: (\w+)", run.stdout + run.stderr)
    return found.group(1) if found else "unknown"


def main(arguments=None):
    """Return the exit code: 1 if the outputs differ under any setting."""
    parser = argparse.ArgumentParser(prog="python -m tools.gates.blas_kernels", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("notebook", nargs="*", help="paths; all stored notebooks if none")
    notebooks = parser.parse_args(arguments).notebook or HERE.stored()
    failed = False
    for core, threads in SETTINGS:
        environment = os.environ | {"OPENBLAS_CORETYPE": core, THREADS: str(threads)}
        used = kernel_in_use(environment)
        run = subprocess.run(
            command(notebooks), cwd=HERE.root, env=environment, capture_output=True, text=True
        )
        last = run.stdout.strip().splitlines()[-1]
        print(f"asked for {core}, got {used}; threads {threads}: {last}", flush=True)
        if run.returncode:
            print(run.stdout)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
