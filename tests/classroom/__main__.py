"""Grade the simulated class and print its marks: ``python -m tests.classroom [02 ...]``."""

import sys
import tempfile
from pathlib import Path

from tests.classroom.cycle import run
from tests.classroom.intakes import whole
from tests.classroom.students import stems

for stem in stems():
    if not sys.argv[1:] or stem.split("_")[0] in sys.argv[1:]:
        with tempfile.TemporaryDirectory(prefix="class-") as folder:
            print(stem, *run(whole(stem), Path(folder)).table(), sep="\n", flush=True)
