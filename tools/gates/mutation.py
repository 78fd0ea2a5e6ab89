"""Plant faults in casebook, and demand that the notebooks notice.

Each fault of tests/mutants.toml goes into a copy of casebook; notebooks run with that copy and
are compared by nbval until one fails. A fault that none notices survives.

    python -m tools.gates.mutation [name ...]     all faults, or only those named
    python -m tools.gates.mutation --list         what there is
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.gates.nbval_fork import first_failure
from tools.gates.tripwires import can_trip, verdicts
from tools.pipeline.layout import HERE, CourseError

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
    """What became of a mutant: the notebook cell that noticed it, or None."""

    mutant: Mutant
    killer: str | None


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
def mutated_package(course, mutant):
    """Give a folder that holds a copy of casebook with the fault in it."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as temporary:
        copy = Path(temporary) / "casebook"
        shutil.copytree(
            course.root / "casebook", copy, ignore=shutil.ignore_patterns("__pycache__")
        )
        path = copy / mutant.file
        text = path.read_text("utf-8")
        path.write_text(text.replace(mutant.old, mutant.new), "utf-8")
        yield Path(temporary)


def judge(course, mutant, but=()):
    """Return the verdict on one mutant, from a copy of the package with the fault in it.

    but: notebooks (paths) that are known not to notice.
    """
    with mutated_package(course, mutant) as package:
        paths = [path for path in in_likely_order(course, mutant) if path not in but]
        killers = (
            _killer(course, path, first_failure(path, package, course.root)) for path in paths
        )
        return Verdict(mutant, next(filter(None, killers), None))


def judge_together(course, mutants, pool, say):
    """Return what the notebooks say without a fault, and with all faults that one run can try.

    Each mutant is tried in the notebook that is most likely to notice. say: is told of each.
    Returns: the first cell that fails without a fault, or None; and a dict of the
        verdicts, by mutant. Those that no run could try are not in it.
    """
    likely = {m: in_likely_order(course, m)[0] for m in mutants if can_trip(course, m)}
    groups = {path: [m for m in likely if likely[m] == path] for path in course.stored()}
    paths = sorted(groups, key=lambda path: -len(groups[path]))
    answers = pool.map(lambda path: verdicts(course, path, groups[path]), paths)
    broken, found = None, {}
    for path, (cell, cells) in zip(paths, answers, strict=True):
        broken = broken or _killer(course, path, cell)
        tried = [mutant for mutant in groups[path] if mutant.name in cells]
        for mutant in tried:
            found[mutant] = Verdict(mutant, _killer(course, path, cells[mutant.name]))
        noticed = sum(cells[mutant.name] is not None for mutant in tried)
        ends = f"fails at {cell}" if cell else "agrees"
        say(f"{course.relative(path)}: {ends} without a fault, notices {noticed} of {len(tried)}")
    return broken, found


def _killer(course, path, cell):
    """Return the notebook and its cell in words; None if no cell failed."""
    return f"{course.relative(path)}, {cell}" if cell else None


def in_likely_order(course, mutant):
    """Return the stored notebooks, those first that are likely to notice soon.

    The chapter that names the mutated function most often is the one about it, if it
    imports its module; else a chapter that imports the module, or names the function.
    """
    function, file = _function_around(course, mutant), Path(mutant.file)
    package = ".".join(["casebook", *file.parent.parts])
    module = rf"from {package}(\.{file.stem}\b| import .*\b{file.stem}\b)"

    def likelihood(path):
        code = _code(path, path.stat().st_mtime_ns)
        mentions = code.count(function)
        is_chapter = course.relative(path).startswith("chapters/")
        imports = bool(re.search(module, code))
        is_about = is_chapter and mentions > 0
        return is_about and imports, is_chapter and imports, is_about, package in code, mentions

    return sorted(course.stored(), key=likelihood, reverse=True)


@cache
def _code(path, changed):
    """Return the code of a notebook as it was when last changed."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")


def _function_around(course, mutant):
    """Return the name of the function or class that the fault stands in."""
    text = (course.root / "casebook" / mutant.file).read_text("utf-8")
    before = text[: text.index(mutant.old)].splitlines()
    heads = [line.split()[1] for line in before if line.startswith(("def ", "class "))]
    return heads[-1].split("(")[0].rstrip(":") if heads else Path(mutant.file).stem


def _say(line):
    print(line, flush=True)


def run(course, mutants, say=_say):
    """Judge ``mutants``, two notebooks at a time, and print a table; return the exit code."""
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        broken, together = judge_together(course, mutants, pool, say)
        if broken:
            say(f"The notebooks fail without any fault, at {broken}: mend that first.")
            return 1
        say(f"without a fault: all {len(course.stored())} notebooks agree")

        def settle(mutant):
            verdict = together.get(mutant)
            if verdict and verdict.killer:
                return verdict
            first = in_likely_order(course, mutant)[0]
            return judge(course, mutant, but=[first] if verdict else [])

        survivors = []
        for verdict in pool.map(settle, mutants):
            end = f"killed by {verdict.killer}" if verdict.killer else "SURVIVED"
            say(f"{verdict.mutant.name:42}{end}")
            survivors += [] if verdict.killer else [verdict.mutant.name]
    say(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants killed")
    if survivors:
        say("No notebook notices: " + ", ".join(survivors))
    return 1 if survivors else 0


def main(arguments=None):
    """Return the exit code: 0 only if every mutant was killed and the plain copy passes."""
    parser = argparse.ArgumentParser(prog="python -m tools.gates.mutation", description=__doc__)
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
