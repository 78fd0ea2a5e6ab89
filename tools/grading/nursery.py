"""A process that has loaded what every kernel needs, and becomes one by making a copy of itself.

It is a program of its own (see :mod:`tools.grading.kernels`), and runs no line of a learner's
code: so a copy knows nothing but what a kernel that started anew would have loaded.
"""

import json
import os
import signal
import sys


def serve(requests, answers):
    """Start kernels and say how they ended until the grader is gone; return in a new kernel.

    requests: a line of JSON each, ``{"command": [...], "folder": ..., "environment": {...}}`` for
    a new kernel, or ``{"ended": process}``; the answer is its number, or its exit code if any.
    Returns: the request, in the process of the new kernel; None when there are no more.
    """
    running = set()
    for line in requests:
        request = json.loads(line)
        if "ended" in request:
            answer = _exit_code(request["ended"])
            running -= set() if answer is None else {request["ended"]}
        else:
            answer = os.fork()
            if answer == 0:
                return request
            running.add(answer)
        answers.write(f"{json.dumps(answer)}\n")
        answers.flush()
    for process in running:
        os.kill(process, signal.SIGKILL)
    return None


def _exit_code(process):
    """Return the exit code of a kernel; None while it runs."""
    found, status = os.waitpid(process, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def load():
    """Import what a kernel of the course imports in any case, and nothing that looks around.

    ipykernel and matplotlib ask the environment when they are imported: whose child is this
    kernel, and where do pictures go? The answers are those that a kernel gives.
    """
    os.environ["JPY_PARENT_PID"] = str(os.getpid())
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    import ipykernel.kernelapp  # noqa: F401
    import matplotlib.figure  # noqa: F401

    import casebook.checks  # noqa: F401


def become(request, requests, answers):
    """Be the kernel that was asked for, in a session of its own and with no way back."""
    os.setsid()
    answers.close()
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), requests.fileno())
    os.chdir(request["folder"])
    parent = os.environ["JPY_PARENT_PID"]
    os.environ.clear()
    os.environ.update(request["environment"], JPY_PARENT_PID=parent)
    import ipykernel_launcher
    import numpy as np

    np.random.seed()  # no two kernels begin with the same numbers
    sys.argv = [ipykernel_launcher.__file__, *request["command"]]
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()


if __name__ == "__main__":
    del sys.path[0]  # this folder: nobody's modules
    # Whatever a kernel writes to its standard output is no answer.
    ANSWERS = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    load()
    print("ready", file=ANSWERS, flush=True)
    REQUEST = serve(sys.stdin, ANSWERS)
    if REQUEST:
        become(REQUEST, sys.stdin, ANSWERS)
