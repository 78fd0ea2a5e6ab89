"""Running what a learner handed in, so that one cell cannot spoil the marks of the others.

Differs from nbgrader's own step in this: a cell that ends its kernel or cannot be stopped
costs itself, not the notebook; output is cut while it comes; the notebook stays behind a
fence; and a check that the notebook changed gives no mark. See :mod:`tools.grading.inside`.
"""

import ast
import copy
import json
import sys
from pathlib import Path
from uuid import uuid4

from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.preprocessors import Execute
from traitlets import Integer, default

from tools.grading.kernels import Provisioner
from tools.pipeline.layout import HERE

INSIDE = Path(__file__).with_name("inside.py").read_text(encoding="utf-8")
KERNEL_LOST = "KernelLost"
OUT_OF_TIME = "CellTimeoutError"  # nbgrader's own name for it
CHECKS_CHANGED = "ChecksChanged"
CUT = "\n... the rest was cut off ...\n"
ENDED: dict[type, tuple[str, str]] = {
    DeadKernelError: (KERNEL_LOST, "this cell ended the kernel."),
    CellTimeoutError: (OUT_OF_TIME, "this cell did not end in time, and could not be stopped."),
}


class Proctor(Execute):
    """nbgrader's step that runs a notebook, for notebooks that nobody has read."""

    most_output = Integer(200_000, help="characters of output kept for a cell").tag(config=True)
    most_memory = Integer(4 << 30, help="bytes that a kernel may use (Linux)").tag(config=True)

    @default("shutdown_kernel")
    def _kill_it(self):
        return "immediate"

    def create_kernel_manager(self):
        """Return the manager of a kernel that starts at once, where the system allows it."""
        manager = super().create_kernel_manager()
        manager.provisioner = Provisioner(
            kernel_id=str(uuid4()), kernel_spec=manager.kernel_spec, parent=manager
        )
        return manager

    def preprocess(self, nb, resources=None, km=None):
        """Run all cells of ``nb`` in place, in a new kernel whenever a cell ended the last one."""
        NotebookClient.__init__(self, nb, km)  # as nbconvert does: a preprocessor is used again
        self.reset_execution_trackers()
        self._check_assign_resources(resources)
        at = 0
        while at < len(nb.cells):
            with self.setup_kernel():
                before = self._start(resources)
                self._again(nb.cells[:at])
                at = self._run(nb.cells, at, before)
        return nb, self.resources

    def _run(self, cells, at, before):
        """Run the cells from ``at`` on; return where to go on, after the last or a fatal one."""
        for index in range(at, len(cells)):
            cell = cells[index]
            try:
                self.execute_cell(cell, index)
                if utils.is_grade(cell) and cell.cell_type == "code":
                    self._mark_if_changed(cell, before)
            except (DeadKernelError, CellTimeoutError) as error:
                cell.outputs = [*cell.get("outputs", []), error_output(*ENDED[type(error)])]
                return index + 1
        return len(cells)

    def _again(self, cells):
        """Give a new kernel what the lost one knew; what was shown then stays as it was."""
        for index, cell in enumerate(copy.deepcopy(cells)):
            if not utils.is_grade(cell) and not trouble(cell):
                self.execute_cell(cell, index)
        self.nb.cells[: len(cells)] = cells

    def _start(self, resources):
        """Put up the fence in a new kernel, and return the seal of what decides the marks."""
        own = Path(resources["metadata"]["path"]).resolve()
        course = own.parents[2]  # autograded/<student>/<assignment>
        readable = [HERE.root / "casebook", HERE.root / "_build" / "jupyter", *_python()]
        places = ([HERE.root, course], readable, [own])
        fence = (*([str(path) for path in paths] for paths in places), self.most_memory)
        before = self._ask("seal()")
        if not before or not self._ask(f"fence(*{fence!r})"):
            raise RuntimeError("the kernel could not be made ready: can it load casebook.checks?")
        return before

    def _mark_if_changed(self, cell, before):
        """Put an error into a graded cell if what decides its mark is no longer what it was."""
        if utils.has_failed(cell):
            return
        names = changes(before, self._ask(f"seal({before['modules']!r}, {before['digest']!r})"))
        if names:
            cell.outputs.append(error_output(CHECKS_CHANGED, f"this notebook changed {names[0]}."))

    def _ask(self, call):
        """Return what ``call`` gives inside the kernel; None if it cannot be asked any more."""
        expression = (
            f"(lambda own: (__import__('builtins').exec({INSIDE!r}, own), "
            f"__import__('builtins').eval({call!r}, own))[1])({{'__name__': 'inside'}})"
        )
        if self.kc is None:
            return None
        message = self.kc.execute(
            "", silent=True, store_history=False, user_expressions={"asked": expression}
        )
        reply = self.wait_for_reply(message)
        answer = ((reply or {}).get("content", {}).get("user_expressions") or {}).get("asked", {})
        if answer.get("status") != "ok":
            return None
        text = ast.literal_eval(answer["data"]["text/plain"])
        return json.loads(text) if isinstance(text, str) else text

    def process_message(self, msg, cell, cell_index):
        """Keep the first part of a cell's output: endless prints must not fill the memory."""
        content = msg["content"]
        texts = content if msg["msg_type"] == "stream" else content.get("data", {})
        for key in [key for key in texts if key == "text" or "/" in key]:
            room = self.most_output - _size(cell.get("outputs", ()))
            if room <= 0:
                return None
            if len(str(texts[key])) >= room:
                texts[key] = str(texts[key])[:room] + CUT
        return super().process_message(msg, cell, cell_index)


def changes(before, after):
    """Return the names of what differs between two seals, the shortest first."""
    if not after:
        return ["how the grader looks at it"]
    if before["digest"] == after["digest"]:
        return []
    before, after = before["parts"], after["parts"]
    names = {name for name, value in before.items() if after.get(name) != value}
    # A name put into a module of the course can hide a built-in one; other modules may grow.
    names |= {name for name in after.keys() - before.keys() if name.startswith("casebook")}
    return sorted((name.removeprefix("module ") for name in names), key=lambda n: (len(n), n))


def trouble(cell):
    """Return the errors in a cell's output that the proctor, or a time limit, put there."""
    ours = (KERNEL_LOST, OUT_OF_TIME, CHECKS_CHANGED)
    return [output for output in cell.get("outputs", ()) if output.get("ename") in ours]


def error_output(name, sentence):
    """Return a cell's output that nbgrader takes for an error: no points."""
    return new_output("error", ename=name, evalue=sentence, traceback=[f"{name}: {sentence}"])


def _python():
    return {Path(path).resolve() for path in (sys.prefix, sys.base_prefix, sys.exec_prefix)}


def _size(outputs):
    return sum(len(str(output.get("text", output.get("data", "")))) for output in outputs)
