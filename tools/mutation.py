"""Plant faults in casebook, and demand that the notebooks notice: ``python -m tools.mutation``.

Each fault of tests/mutants.toml goes into a copy of casebook; notebooks run with that copy and
are compared by nbval until one fails. A fault that none notices survives.

    python -m tools.mutation [name ...]     all faults, or only those named
    python -m tools.mutation --list         what there is
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.layout import HERE, CourseError
from tools.nbval_fork import first_failure

AT_A_TIME = 2


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
    """Give a folder that holds a copy of casebook with the fault in it.

    mutant: None leaves the copy as it is.
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
        yield Path(temporary)


def judge(course, mutant):
    """Return the verdict on one mutant."""
    started = time.perf_counter()
    with mutated_package(course, mutant) as package:
        killers = (_failure(course, path, package) for path in in_likely_order(course, mutant))
        killer = next(filter(None, killers), None)
    return Verdict(mutant, killer, time.perf_counter() - started)


def _failure(course, path, package):
    """Return the notebook and the cell that fails with this package, or None."""
    cell = first_failure(path, package, course.root)
    return f"{course.relative(path)}, {cell}" if cell else None


def in_likely_order(course, mutant):
    """Return the stored notebooks, those first that are likely to notice soon.

    The chapter that names the mutated function most often is the one about it, if it
    imports the package that the function is of.
    """
    function, module = _function_around(course, mutant), Path(mutant.file).stem
    package = ".".join(["casebook", *Path(mutant.file).parent.parts])

    def likelihood(path):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        code = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        mentions = code.count(function)
        is_chapter = course.relative(path).startswith("chapters/")
        is_about = is_chapter and mentions > 0
        return is_about and package in code, is_about, mentions, code.count(module)

    return sorted(course.stored(), key=likelihood, reverse=True)


def _function_around(course, mutant):
    """Return the name of the function or class that the fault stands in."""
    text = (course.root / "casebook" / mutant.file).read_text("utf-8")
    before = text[: text.index(mutant.old)].splitlines()
    heads = [line.split()[1] for line in before if line.startswith(("def ", "class "))]
    return heads[-1].split("(")[0].rstrip(":") if heads else Path(mutant.file).stem


def run(course, mutants, say=print):
    """Judge ``mutants``, two at a time, and print a table; return the exit code."""
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        with mutated_package(course) as package:
            stored = course.stored()
            failures = pool.map(lambda path: _failure(course, path, package), stored)
            broken = next(filter(None, failures), None)
        if broken:
            say(f"The notebooks fail without any fault, at {broken}: mend that first.")
            return 1
        say(f"without a fault: all {len(stored)} notebooks agree")
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
