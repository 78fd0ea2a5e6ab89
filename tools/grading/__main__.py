"""The instructor's commands; ``python3 course.py grade`` calls them. See instructor/guide.md."""

import argparse
import sys
from pathlib import Path

from tools.grading.classroom import Classroom
from tools.grading.collect import collect
from tools.grading.essays import read_essays, write_essays
from tools.grading.marks import export, feedback, grade, release
from tools.pipeline.layout import HERE, CourseError


def main(arguments=None):
    """Return the exit code: 1 if something could not be done."""
    options = _parser().parse_args(arguments)
    classroom = Classroom(options.folder.resolve())
    try:
        return options.run(classroom, options)
    except CourseError as problem:
        print(problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted; the same command takes it up again.", file=sys.stderr)
        return 130


def _release(classroom, options):
    stem = classroom.stem(options.assignment)
    print(f"Hand out {release(classroom, stem)}")
    return 0


def _collect(classroom, options):
    stem = classroom.stem(options.assignment)
    report = collect(classroom, stem, options.place)
    print(
        f"{len(report.new)} new, {len(report.again)} handed in again, {len(report.same)} as before"
    )
    if report.left:
        print("Left out:", *report.left, sep="\n  ")
    return 0 if report.new or report.again or report.same else 1


def _run(classroom, options):
    stem = classroom.stem(options.assignment)
    failed = grade(classroom, stem, options.student, options.again)
    if failed:
        print(
            f"Could not be graded: {', '.join(failed)}. Their files lie in submitted/ as they came."
        )
    return 1 if failed else 0


def _essays(classroom, options):
    stem = classroom.stem(options.assignment)
    if options.back:
        print(f"{read_essays(classroom, stem, options.file)} marks taken over")
    else:
        print(f"{write_essays(classroom, stem, options.file)} answers to mark in {options.file}")
    return 0


def _feedback(classroom, options):
    pages = feedback(classroom, classroom.stem(options.assignment))
    print(f"{len(pages)} pages in {classroom.folder / 'feedback'}")
    return 0


def _export(classroom, options):
    stems = [classroom.stem(name) for name in options.assignment] or classroom.released()
    print(f"{export(classroom, stems, options.file)} rows in {options.file}")
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="course.py grade", description=__doc__)
    parser.add_argument("--folder", type=Path, default=HERE.root, help="where the class is graded")
    verbs = parser.add_subparsers(required=True, metavar="verb")

    def verb(run, what):
        command = verbs.add_parser(run.__name__.strip("_"), help=what)
        command.set_defaults(run=run)
        return command.add_argument

    one = {"help": "its number or name"}
    verb(_release, "make an assignment and note its points")("assignment", **one)
    add = verb(_collect, "take what was handed in from zip files, folders or notebooks")
    add("assignment", **one)
    add("place", nargs="+")
    add = verb(_run, "run and mark what was handed in")
    add("assignment", **one)
    add("--student", action="append", default=[], help="only this one; may be repeated")
    add("--again", action="store_true", help="also those who have a mark already")
    add = verb(_essays, "write the answers that a person marks to a csv file")
    add("assignment", **one)
    add("file", type=Path)
    add("--back", action="store_true", help="take the marks in the file over")
    verb(_feedback, "make a page for each student")("assignment", **one)
    add = verb(_export, "write all marks to a csv file")
    add("file", type=Path)
    add("assignment", nargs="*", help="only these; all released ones if none is named")
    return parser


if __name__ == "__main__":
    sys.exit(main())
