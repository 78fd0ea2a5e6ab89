"""Plant faults in casebook, and demand that the notebooks notice.

A fault of tests/mutants.toml is noticed if, with it, some notebook has a cell that comes out
otherwise than stored. A fault that none notices survives, and this run fails.

    python -m tools.gates.mutation                what was touched since the base, and a sample
    python -m tools.gates.mutation --full         all faults (so does COURSE_FULL=1)
    python -m tools.gates.mutation name ...       only those
    python -m tools.gates.mutation --list         what there is
"""

import argparse
import os
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

from tools.gates.faults import read_faults
from tools.gates.likely import in_likely_order
from tools.gates.rerun import first_differences
from tools.gates.sample import choose
from tools.pipeline.layout import HERE, CourseError

AT_A_TIME = 2


def judge(course, faults, say):
    """Return by whom each fault is noticed: a dict by its name, of texts or None.

    Each is tried in the notebook most likely to notice; then those that are left, in the next.
    say: is told of each notebook that was run.
    Raises: CourseError if a notebook differs without any fault: that proves nothing.
    """
    noticed = dict.fromkeys(fault.name for fault in faults)
    orders = {fault: in_likely_order(course, fault) for fault in faults}
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for number in range(len(course.stored())):
            groups = defaultdict(list)
            for fault in faults:
                if not noticed[fault.name]:
                    groups[orders[fault][number]].append(fault)
            runs = sorted(groups.items(), key=lambda group: -len(group[1]))
            answers = pool.map(lambda run: first_differences(course, *run), runs)
            for (path, _), (broken, cells) in zip(runs, answers, strict=True):
                name = course.relative(path)
                if broken:
                    raise CourseError(f"{name}, {broken}, differs without any fault: mend that")
                found = {fault: f"{name}, {cell}" for fault, cell in cells.items() if cell}
                noticed |= found
                say(f"{name}: agrees without a fault, notices {len(found)} of {len(cells)}")
    return noticed


def _say(line):
    print(line, flush=True)


def run(course, faults, say=_say):
    """Judge ``faults`` and print who noticed each; return the exit code."""
    noticed = judge(course, faults, say)
    for name, notebook in noticed.items():
        say(f"{name:45} {f'noticed by {notebook}' if notebook else 'SURVIVED'}")
    survivors = [name for name, notebook in noticed.items() if not notebook]
    say(f"{len(noticed) - len(survivors)} of {len(noticed)} faults noticed")
    if survivors:
        say("No notebook notices: " + ", ".join(survivors))
    return 1 if survivors else 0


def main(arguments=None):
    """Return the exit code: 0 only if every fault was noticed, and nothing else differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.gates.mutation", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("name", nargs="*", help="which faults")
    parser.add_argument("--full", action="store_true", help="all faults")
    parser.add_argument("--list", action="store_true", help="list the faults and stop")
    options = parser.parse_args(arguments)
    try:
        faults = read_faults(HERE)
        unknown = set(options.name) - {fault.name for fault in faults}
        if unknown:
            raise CourseError(f"no fault is called {', '.join(sorted(unknown))}; see --list")
        if options.list:
            print("\n".join(f"{fault.name:45} {fault.place}" for fault in faults))
            return 0
        if options.name:
            faults = [fault for fault in faults if fault.name in options.name]
        elif not (options.full or os.environ.get("COURSE_FULL") == "1"):
            faults = choose(HERE, faults, lambda fault: in_likely_order(HERE, fault)[0], _say)
        return run(HERE, faults)
    except CourseError as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
