"""Plant faults in casebook, and demand that the notebooks notice: ``python -m tools.mutation``.

Each fault of tests/mutants.toml goes into a copy of casebook; kernels import that copy, and
the notebooks are compared by nbval until one fails. A fault that none notices survives.

    python -m tools.mutation [name ...]     all faults, or only those named
    python -m tools.mutation --list         what there is
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.execution import kernel_environment, without_colour
from tools.layout import HERE, CourseError
from tools.nbval_run import command

AT_A_TIME = 2
STOPPED_AT_A_FAILURE = (1, 2)  # pytest's exit codes, without and with several workers


@dataclass(frozen=True)
class Mutant:
    """A named fault: in ``file``, the text ``old`` (which occurs once) becomes ``new``."""

    name: str
    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: the notebook cell that noticed it, or None, and the seconds."""

    mutant: Mutant
    killer: str | None
    seconds: float


def read_mutants(course):
    """Return the mutants of tests/mutants.toml.

    Raises: CourseError if a name comes twice, or an ``old`` not exactly once in its file.
    """
    path = course.root / "tests" / "mutants.toml"
    mutants = [Mutant(**entry) for entry in tomllib.loads(path.read_text("utf-8"))["mutant"]]
    names = [mutant.name for mutant in mutants]
    problems = [f"{name}: the name comes twice" for name in set(names) if names.count(name) > 1]
    for mutant in mutants:
        source = course.root / "casebook" / mutant.file
        count = source.read_text("utf-8").count(mutant.old) if source.exists() else 0
        if count != 1:
            problems.append(f"{mutant.name}: its old text occurs {count} times in {mutant.file}")
    if problems:
        raise CourseError("tests/mutants.toml: " + "\ntests/mutants.toml: ".join(problems))
    return mutants


@contextmanager
def mutated_package(course, mutant=None):
    """Give an environment whose kernels import a copy of casebook with the fault in it.

    mutant: None leaves the copy as it is. Raises: CourseError if the copy is not what
    a kernel would import.
    """
    with tempfile.TemporaryDirectory(prefix="mutant-") as temporary:
        copy = Path(temporary) / "casebook"
        shutil.copytree(
            course.root / "casebook", copy, ignore=shutil.ignore_patterns("__pycache__")
        )
        if mutant:
            path = copy / mutant.file
            text = path.read_text("utf-8")
            path.write_text(text.replace(mutant.old, mutant.new), "utf-8")
        environment = kernel_environment() | {"PYTHONPATH": temporary}
        _require_imported(copy, environment)
        yield environment


def _require_imported(copy, environment):
    program = "import casebook; print(casebook.__file__)"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=copy.parent.parent,
        env=environment,
        capture_output=True,
        text=True,
    )
    imported = Path(run.stdout.strip() or ".").resolve()
    if imported != (copy / "__init__.py").resolve():
        raise CourseError(f"a kernel would import {imported}, not the copy in {copy}")


def judge(course, mutant):
    """Return the verdict on one mutant."""
    started = time.perf_counter()
    with mutated_package(course, mutant) as environment:
        killer = first_failure(in_likely_order(course, mutant), environment, course.root)
    return Verdict(mutant, killer, time.perf_counter() - started)


def first_failure(notebooks, environment, root, workers=1):
    """Return the first notebook cell that nbval finds different, or None if all agree."""
    run = subprocess.run(
        [*command(notebooks, workers, root), "-x", "--tb=no", "-rfE"],
        cwd=HERE.root,
        env=environment,
        capture_output=True,
        text=True,
    )
    if run.returncode == 0:
        return None
    lines = without_colour(run.stdout).splitlines()
    named = [line.split(" ", 1)[1] for line in lines if line.startswith(("FAILED ", "ERROR "))]
    if run.returncode not in STOPPED_AT_A_FAILURE or not named:
        raise CourseError(f"nbval did not run to an end:\n{run.stdout}\n{run.stderr}")
    path, _, cell = named[0].split(" - ")[0].partition("::")
    path = Path(os.path.relpath(HERE.root / path, root)).as_posix()
    return f"{path}, {cell}" if cell else path


def in_likely_order(course, mutant):
    """Return the stored notebooks, those first that are likely to notice soon.

    The chapter that names the mutated function most often is the one about it.
    """
    function, module = _function_around(course, mutant), Path(mutant.file).stem

    def likelihood(path):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        code = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        mentions = code.count(function)
        is_chapter = course.relative(path).startswith("chapters/")
        return is_chapter and mentions > 0, mentions, code.count(module)

    return sorted(course.stored(), key=likelihood, reverse=True)


def _function_around(course, mutant):
    """Return the name of the function or class that the fault stands in."""
    text = (course.root / "casebook" / mutant.file).read_text("utf-8")
    before = text[: text.index(mutant.old)].splitlines()
    heads = [line.split()[1] for line in before if line.startswith(("def ", "class "))]
    return heads[-1].split("(")[0].rstrip(":") if heads else Path(mutant.file).stem


def run(course, mutants, say=print):
    """Judge ``mutants``, two at a time, and print a table; return the exit code."""
    with mutated_package(course) as environment:
        broken = first_failure(course.stored(), environment, course.root, AT_A_TIME)
    if broken:
        say(f"The notebooks fail without any fault, at {broken}: mend that first.")
        return 1
    say(f"without a fault: all {len(course.stored())} notebooks agree")
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        verdicts = []
        for verdict in pool.map(lambda mutant: judge(course, mutant), mutants):
            verdicts.append(verdict)
            end = f"killed by {verdict.killer}" if verdict.killer else "SURVIVED"
            say(f"{verdict.mutant.name:40} {verdict.seconds:6.1f} s  {end}")
    survivors = [verdict.mutant.name for verdict in verdicts if not verdict.killer]
    say(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants killed")
    if survivors:
        say("No notebook notices: " + ", ".join(survivors))
    return 1 if survivors else 0


def main(arguments=None):
    """Return the exit code: 0 only if every mutant was killed and the plain copy passes."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("name", nargs="*", help="which faults; all if none is named")
    parser.add_argument("--list", action="store_true", help="list the faults and stop")
    options = parser.parse_args(arguments)
    try:
        mutants = read_mutants(HERE)
        unknown = set(options.name) - {mutant.name for mutant in mutants}
        if unknown:
            raise CourseError(f"no mutant is called {', '.join(sorted(unknown))}; see --list")
        chosen = [m for m in mutants if not options.name or m.name in options.name]
        if options.list:
            print("\n".join(f"{mutant.name:40} {mutant.file}" for mutant in chosen))
            return 0
        return run(HERE, chosen)
    except CourseError as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
