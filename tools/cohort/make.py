"""Make a private variant of the assignments: ``course.py cohort NAME --to FOLDER``.

Seeds, tokens, example sentences and numbers are others, hidden tests have seeds that nobody
can guess, and what the solutions print is computed anew. The folder then holds

    source/solutions/, solutions/, exercises/    as the course has them
    instructor/manifest.yml                      the points, copied
    nbgrader_config.py                           the course's own, for this folder
    cohort.yml                                   name and salt: the same again from these

and is graded as the guide says, with ``--folder FOLDER``. What differs stands in
instructor/variants.yml. Whoever has the salt knows the hidden tests: keep the folder private.
Last year's numbers, outputs and quotations do not fit. A function that was right still is.
"""

import argparse
import re
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

import nbformat
import yaml

from tools.cohort.gates import variant_problems
from tools.cohort.variants import Chance, read_variants
from tools.gates.rules import output_problems
from tools.pipeline import exercises
from tools.pipeline.execution import execute, warm_up
from tools.pipeline.layout import ASSIGNMENTS, HERE, Course, CourseError, read_yaml
from tools.pipeline.notation import read_source
from tools.pipeline.tidy import tidy, to_bytes
from tools.secrecy.withheld import solved

RECORD = "cohort.yml"
SALT = re.compile(r"[0-9a-f]{32,}")
CONFIG = """\
# The course's own configuration, for this folder.
load_subconfig("nbgrader_config.py", path={course!r})
c = get_config()
c.CourseDirectory.root = {folder!r}
"""


def make(course, name, folder, *, salt=None, wanted=(), unlike=(), replace=False, say=print):
    """Make the variant ``name`` of a course in a private folder.

    salt: at least 32 hexadecimal digits, to make an earlier variant again; None: that of the
        folder, if it is replaced, else a new one.
    wanted: stems or numbers of assignments; all, if none is named.
    unlike: folders of earlier variants, whose answers must not fit this one either.
    replace: whether to make the same variant in this folder anew, say after the course has
        changed; what was handed in stays.
    Raises: CourseError if the folder is no private place, or the variant does not hold.
    """
    folder = Path(folder).resolve()
    _require_private_place(course, folder, replace)
    salt = salt or _recorded_salt(folder, name) or secrets.token_hex(16)
    if not SALT.fullmatch(salt):
        raise CourseError(f"salt is {salt!r}: expected at least 32 hexadecimal digits")
    stems = _chosen(course, wanted)
    with tempfile.TemporaryDirectory(prefix="cohort-") as temporary:
        variant = Course(Path(temporary))
        _prepare(course, variant, folder, {"name": name, "salt": salt})
        warm_up()
        for stem in stems:
            _make_solution(course, variant, stem, Chance(name, salt))
            say(f"{stem}: solution made and run")
        exercises.make(variant, stems)
        say("exercises made and run")
        problems = variant_problems(variant, [course, *map(Course, map(Path, unlike))])
        if problems:
            raise CourseError("\n".join(["The variant does not hold:", *problems]))
        _put_in_place(variant, folder, stems)


def _require_private_place(course, folder, replace):
    """Say why a variant must not be written into this folder, if it must not."""
    home = course.root.resolve()
    if home == folder or home in folder.parents:
        raise CourseError(f"{folder} lies in the course, which is public: choose another folder")
    tracked = next(
        (place for place in (folder, *folder.parents) if (place / ".git").exists()), None
    )
    if tracked:
        raise CourseError(f"{folder} lies in {tracked}, which git keeps: choose a private folder")
    if folder.exists() and not replace and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(f"{folder} is not empty: choose another folder, or say --replace")
    if folder.exists() and replace and not (folder / RECORD).exists():
        raise CourseError(f"{folder} holds no {RECORD}: only an earlier variant is replaced")


def _recorded_salt(folder, name):
    """Return the salt of the variant in this folder, None if there is none.

    Raises: CourseError if the folder holds another cohort.
    """
    if not (folder / RECORD).exists():
        return None
    record = read_yaml(folder / RECORD)
    if record["name"] != name:
        raise CourseError(f"{folder} holds the cohort {record['name']!r}: choose another folder")
    return record["salt"]


def _chosen(course, wanted):
    """Return the stems that are meant; each of ``wanted`` is a stem or its number."""
    stems = solved(course)
    for name in wanted:
        if not any(name in (stem, stem.split("_")[0]) for stem in stems):
            raise CourseError(f"there is no assignment '{name}': choose from {', '.join(stems)}")
    return [stem for stem in stems if not wanted or stem in wanted or stem.split("_")[0] in wanted]


def _prepare(course, variant, folder, record):
    """Write all but the notebooks and their sources into the folder of the variant."""
    (variant.root / "instructor").mkdir()
    shutil.copy(course.root / "instructor" / "manifest.yml", variant.root / "instructor")
    config = CONFIG.format(course=str(course.root), folder=str(folder))
    (variant.root / "nbgrader_config.py").write_text(config, "utf-8")
    (variant.root / RECORD).write_text(yaml.safe_dump(record), "utf-8")


def _make_solution(course, variant, stem, chance):
    """Write source and executed solution of one assignment of a variant."""
    name = f"solutions/{stem}"
    variants = read_variants(course, stem)
    path = variant.source(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    source = course.source(name).read_text("utf-8")
    values = variants.new_values(chance)
    path.write_text(variants.first_text(source, values, chance), "utf-8")
    executed = read_source(variant, name)
    goal = variant.notebook(name)
    goal.parent.mkdir(parents=True)
    execute(executed, goal.parent, name)
    if variants.read:
        executed = _with_numbers_of_its_run(course, variant, variants, values, executed)
    problems = output_problems(tidy(executed))
    if problems:
        raise CourseError(f"{name}: " + f"\n{name}: ".join(problems))
    goal.write_bytes(to_bytes(executed))


def _with_numbers_of_its_run(course, variant, variants, values, executed):
    """Return the notebook with the text that quotes its own outputs; the code stays as it ran."""
    name = f"solutions/{variants.stem}"
    old = variants.read_values(nbformat.read(course.notebook(name), as_version=4))
    new = values | variants.read_values(executed)
    path = variant.source(name)
    path.write_text(variants.final_text(path.read_text("utf-8"), old, new), "utf-8")
    final = read_source(variant, name)
    for cell, ran in zip(final.cells, executed.cells, strict=True):
        if cell.cell_type == "code":
            if cell.source != ran.source:
                raise CourseError(f"{name}: a number that is read stands in the code of {ran.id}")
            cell.outputs, cell.execution_count = ran.outputs, ran.execution_count
    return final


def _put_in_place(variant, folder, stems):
    """Move a finished variant into its folder; submissions, marks, other assignments stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem in stems:
        for kind in ASSIGNMENTS:
            shutil.rmtree(folder / kind / stem, ignore_errors=True)
    shutil.copytree(variant.root, folder, dirs_exist_ok=True)


def main(arguments=None):
    """Return the exit code: 1 if the variant could not be made."""
    parser = argparse.ArgumentParser(prog="course.py cohort", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("name", help="of the cohort, such as autumn-2027")
    parser.add_argument("--to", required=True, metavar="FOLDER", help="a private folder")
    parser.add_argument("--salt", help=f"from an earlier {RECORD}, to make the same again")
    parser.add_argument("--only", nargs="+", default=(), metavar="NN", help="which assignments")
    parser.add_argument("--unlike", nargs="+", default=(), metavar="FOLDER", help="earlier ones")
    parser.add_argument("--replace", action="store_true", help="make the one in FOLDER anew")
    options = parser.parse_args(arguments)
    try:
        make(
            HERE,
            options.name,
            options.to,
            salt=options.salt,
            wanted=options.only,
            unlike=options.unlike,
            replace=options.replace,
        )
    except CourseError as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"The assignments of {options.name} are in {options.to}: keep that folder private.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
