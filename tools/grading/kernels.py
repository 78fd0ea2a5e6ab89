"""Kernels that start at once: copies of one process that has loaded what all of them need.

A kernel takes seconds to start and to load NumPy, matplotlib and the checks, and each student
of a class gets one of their own. Where the system can copy a process safely (Linux), all that
is loaded once, by :mod:`tools.grading.nursery`; elsewhere a kernel starts as usual.
"""

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import IO, cast

from jupyter_client.provisioning import LocalProvisioner

PROGRAM = Path(__file__).with_name("nursery.py")
STARTS = [sys.executable, "-m", "ipykernel_launcher"]  # the command of a kernel that can be copied


class Provisioner(LocalProvisioner):
    """Starts a kernel as a copy, where that can be."""

    async def launch_kernel(self, cmd, **kwargs):
        """Start the kernel; return how to reach it."""
        if sys.platform != "linux" or cmd[: len(STARTS)] != STARTS:
            return await super().launch_kernel(cmd, **kwargs)
        self.cwd = kwargs.get("cwd") or os.getcwd()
        self.process = nursery().kernel(cmd[len(STARTS) :], self.cwd, kwargs["env"])
        self.pid = self.pgid = self.process.pid
        return self.connection_info


@cache
def nursery():
    """Return the nursery of this process; it ends with it."""
    return Nursery()


class Nursery:
    """The process from which kernels are copied. Raises RuntimeError if it cannot be."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # an interrupt from the keyboard is for the grader
        )
        self.requests = cast(IO[str], self.process.stdin)
        self.answers = cast(IO[str], self.process.stdout)
        if self.answers.readline() != "ready\n":
            raise RuntimeError("no kernel could be made ready: can it load casebook.checks?")

    def kernel(self, command, folder, environment):
        """Return a new kernel's process, a :class:`Copy`."""
        request = {"command": command, "folder": str(folder), "environment": environment}
        return Copy(self, self.ask(request))

    def ask(self, request):
        """Return what the nursery answers."""
        self.requests.write(f"{json.dumps(request)}\n")
        self.requests.flush()
        return json.loads(self.answers.readline())


class Copy:
    """A kernel's process, with what jupyter_client uses of :class:`subprocess.Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, nursery, pid):
        self.nursery, self.pid, self.returncode = nursery, pid, None

    def poll(self):
        """Return the exit code; None while it runs."""
        if self.returncode is None:
            self.returncode = self.nursery.ask({"ended": self.pid})
        return self.returncode

    def wait(self):
        """Return the exit code when it has ended."""
        while self.poll() is None:
            time.sleep(0.05)
        return self.returncode

    def send_signal(self, number):
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self):
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self):
        """End it."""
        self.send_signal(signal.SIGKILL)
