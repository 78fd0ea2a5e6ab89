"""Let nbval run notebooks in this very process: ``-p tools.gates.nbval_in_process``.

The comparisons stay nbval's and those of tools/gates/nbval_gates.py; only the kernel is replaced
by IPython's shell. That saves its start and its imports, several seconds a notebook, but
notebooks share one process. So it serves the mutation run (tools/gates/mutation.py), which gives
every notebook a process of its own; the gate for the notebooks themselves uses real kernels.
"""

import itertools
import os
from collections import deque
from queue import Empty

import nbval.plugin
from IPython.core.displayhook import DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config


def pytest_configure(config):
    """Put the shell where nbval starts its kernels."""
    nbval.plugin.RunningKernel = ShellInThisProcess


class KeptResults(DisplayHook):
    """Keep the value of a cell's last expression, in all its forms, instead of printing it."""

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.kept = []

    def start_displayhook(self):
        """Print nothing."""

    def write_output_prompt(self):
        """Print nothing."""

    def write_format_data(self, format_dict, md_dict=None):
        """Keep what IPython would print."""
        self.kept.append({"data": format_dict, "metadata": md_dict or {}, "execution_count": 0})

    def finish_displayhook(self):
        """Print nothing."""


class ShellInThisProcess:
    """What nbval asks of a kernel, answered by a shell in this process."""

    def __init__(self, kernel_name, cwd=".", startup_timeout=None):
        os.chdir(cwd)
        config = Config({"HistoryManager": {"enabled": False}})  # its thread would not be forked
        self.shell = InteractiveShell.instance(config=config, displayhook_class=KeptResults)
        self.shell.kernel = self  # sliders ask whether there is one to answer them
        self.messages = deque()
        self.numbers = itertools.count(1)

    def execute_cell_input(self, cell_input, allow_stdin=None):
        """Run a cell, keep its messages, return their common id."""
        number = str(next(self.numbers))
        with capture_output() as captured:
            result = self.shell.run_cell(cell_input, store_history=True)
        contents: list[tuple[str, dict]] = [
            ("stream", {"name": name, "text": text})
            for name, text in (("stdout", captured.stdout), ("stderr", captured.stderr))
            if text
        ]
        contents += [
            ("display_data", {"data": output.data, "metadata": output.metadata})
            for output in captured.outputs
        ]
        contents += [("execute_result", kept) for kept in self.shell.displayhook.kept]
        self.shell.displayhook.kept.clear()
        if not result.success:
            error = result.error_before_exec or result.error_in_exec
            contents.append(("error", _described(error)))
        contents.append(("status", {"execution_state": "idle"}))
        self.messages.extend(
            {"msg_type": kind, "content": content, "parent_header": {"msg_id": number}}
            for kind, content in contents
        )
        return number

    def await_reply(self, msg_id, timeout=None):
        """Return at once: the cell has run."""

    def await_idle(self, msg_id, timeout=None):
        """Drop what is left of the cell's messages."""
        self.messages.clear()

    def get_message(self, stream, timeout=None):
        """Return the next message. Raises: Empty when there is none, as a kernel's queue does."""
        if not self.messages:
            raise Empty
        return self.messages.popleft()

    def is_alive(self):
        """Return True: this process is."""
        return True

    def stop(self):
        """Forget the messages."""
        self.messages.clear()


def _described(error):
    return {"ename": type(error).__name__, "evalue": str(error), "traceback": [str(error)]}
