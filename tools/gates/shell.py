"""Run the cells of a notebook in this very process, and compare their outputs as nbval does.

A kernel would cost seconds to start, and cannot fork (tools/gates/rerun.py does). The gate for the
notebooks themselves uses real kernels; the comparison is the same, nbval's with the gates.
"""

import io
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace

import nbformat
import nbval.plugin
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from tools.gates import nbval_gates
from tools.pipeline.layout import CourseError
from tools.pipeline.tidy import tidy_outputs

# What nbval does not compare, and tools/gates/nbval_gates.py does not add.
NOT_COMPARED = (
    *("metadata", "traceback", "text/latex", "prompt_number", "output_type", "name"),
    *("execution_count", "application/vnd.jupyter.widget-view+json"),
)


class Died(BaseException):
    """A fork ended without an answer; no cell of a notebook can catch this."""


def alike(new, stored):
    """Return whether nbval, with the gates, takes two lists of outputs to be alike."""
    # What nbval asks of the cell for which it compares.
    cell = SimpleNamespace(
        parent=SimpleNamespace(skip_compare=NOT_COMPARED),
        sanitize=lambda text: text,
        colors=nbval.plugin.nocolors,
        comparison_traceback=[],
        format_output_compare=lambda *difference: None,
    )
    return nbval_gates.compare_outputs(cell, tidy_outputs(new), tidy_outputs(stored))


def start_shell():
    """Return the one shell of this process."""
    config = Config({"HistoryManager": {"enabled": False}})  # its thread would not be forked
    return Shell.instance(config=config, display_pub_class=Publisher, displayhook_class=Results)


class Shell(InteractiveShell):
    """IPython's shell in the place of a kernel."""

    kernel = "none"  # sliders ask whether there is one to answer them
    outputs = []  # of the cell that runs, in their order, as a notebook stores them

    def outputs_of(self, source):
        """Run a cell; return its outputs."""
        Shell.outputs = []
        with redirect_stdout(Stream("stdout")), redirect_stderr(Stream("stderr")):
            result = self.run_cell(source, store_history=True)
        if not result.success:
            error = result.error_before_exec or result.error_in_exec
            if isinstance(error, Died):
                raise CourseError(str(error))
            note("error", ename=type(error).__name__)
        return Shell.outputs


def note(kind, **content):
    """Add an output to those of the cell that runs."""
    Shell.outputs.append(nbformat.v4.new_output(kind, **content))


class Stream(io.TextIOBase):
    """What is printed is an output."""

    def __init__(self, name):
        self.name = name

    def write(self, text):
        """Note what is printed."""
        note("stream", name=self.name, text=text)
        return len(text)


class Publisher(DisplayPublisher):
    """What is displayed is an output."""

    def publish(self, data, metadata=None, source="", *, transient=None, update=False, **rest):
        """Note what is displayed."""
        note("display_data", data=data, metadata=metadata or {})


class Results(DisplayHook):
    """The value of a cell's last expression is an output; nothing is printed."""

    def write_format_data(self, format_dict, md_dict=None):
        """Note the value in all its forms."""
        note("execute_result", data=format_dict, metadata=md_dict or {})

    def start_displayhook(self):
        """Print nothing."""

    def write_output_prompt(self):
        """Print nothing."""

    def finish_displayhook(self):
        """Print nothing."""
