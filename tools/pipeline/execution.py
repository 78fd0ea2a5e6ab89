"""Running a notebook from top to bottom, the same way on every machine."""

import os
import re
import subprocess
import sys
import textwrap

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from tools.pipeline.layout import HERE, CourseError

CELL_SECONDS = 300
# A grader at work, or a language model of the person who runs this, would change the outputs.
NOT_FOR_US = ("NBGRADER_EXECUTION", "COURSE_LLM_")
THREADS = "CASEBOOK_THREADS"  # set by tools/gates/blas_kernels.py: it must not matter


def kernel_environment():
    """Return the environment in which notebooks run: no personal start-up files or settings."""
    personal = HERE.root / "_build" / "jupyter"
    profile = personal / "ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    # The kernel warns at each start that it speaks TCP; here it speaks to itself only.
    (profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 40\n")
    # One thread a kernel: two notebooks run at a time.
    threads = os.environ.get(THREADS, "1")
    environment = {
        **os.environ,
        **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads),
        "IPYTHONDIR": str(personal / "ipython"),
        "JUPYTER_CONFIG_DIR": str(personal / "config"),
    }
    return {name: value for name, value in environment.items() if not name.startswith(NOT_FOR_US)}


def warm_up():
    """Let matplotlib build its font list now: the first import on a machine warns of it."""
    subprocess.run([sys.executable, "-c", "import matplotlib.font_manager"], check=True)


def execute(notebook, folder, name):
    """Run ``notebook`` in place, its kernel in ``folder``.

    Raises: CourseError with the cell and its error if one fails.
    """
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        startup_timeout=180,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        client.execute(env=kernel_environment())
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise CourseError(_explain(notebook, name, error)) from None


def _explain(notebook, name, error):
    """Return where the notebook stopped, the cell's source and the error, for a person."""
    run = [i for i, c in enumerate(notebook.cells) if c.cell_type == "code" and c.execution_count]
    index = run[-1] if run else 0
    cell = notebook.cells[index]
    failures = [output for output in cell.get("outputs", []) if output.output_type == "error"]
    if failures:
        what = f"raised {failures[0].ename}"
        detail = without_colour("\n".join(failures[0].traceback))
    else:
        what = f"did not end within {CELL_SECONDS} s or lost its kernel"
        detail = str(error).splitlines()[0]
    numbered = "\n".join(f"{i:3} | {text}" for i, text in enumerate(cell.source.splitlines(), 1))
    return (
        f"{name}: cell {index} ({cell.id}) {what}\n\n"
        f"{textwrap.indent(numbered, '  ')}\n\n{textwrap.indent(detail, '  ')}\n"
    )


def without_colour(text):
    """Return ``text`` without the terminal's colour codes."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
