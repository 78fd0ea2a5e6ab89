"""Which students are graded in which assignment: the few of every day, or all there are.

Who damages a notebook, cheats, or keeps the grader waiting tries the grader, not the
assignment: one assignment has them all. The others have a few who try their own tasks.
With COURSE_FULL=1 in the environment, as in ``course.py test --full``, all are everywhere.
"""

from dataclasses import dataclass

from tests.classroom.students import stems
from tests.classroom.tricks import TRICKS, WAITING

HARD = "05_positional_clocks"  # has an essay, and an answer that changes what it was given
FEW = ("Right-1", "Wrong-1", "Wrong-2", "Untouched", "Half-done")

# Where else tricks are tried in a full run; the endless loop then waits for the course's limit.
ELSEWHERE = {
    "02": ("changes_its_inputs", "rebinds", "patches", "crash", "endless_loop"),
    "03": ("forgets_the_grader", "killed", "flood"),
    "04": ("patches_deep", "hides_errors", "endless_and_stubborn"),
    "05": ("changes_its_inputs", "rebinds", "huge_output"),
    "06": ("forgets_the_grader", "patches_deep"),
    "07": ("hides_errors",),
    "08": ("patches",),
}


@dataclass(frozen=True)
class Intake:
    """A class to be graded. only: names of its students, all if None. hurried: whose
    cells are stopped early, so that a test of a limit does not take as long as the limit.
    """

    stem: str
    tricks: tuple = ()
    only: tuple | None = None
    hurried: tuple = ()


def whole(stem):
    """Return all students of an assignment, but for tricks that are tried elsewhere."""
    tricks = ELSEWHERE.get(stem.split("_")[0], ())
    return Intake(stem, tricks, hurried=("Flood", "Endless-and-stubborn"))


def intakes(full):
    """Return the classes that are tested, by the name of their test. full: all, everywhere."""
    quick = tuple(trick for trick in TRICKS if trick not in WAITING)
    waiting = tuple(WAITING.values())
    chosen = {
        "Waiting": Intake(HARD, tuple(WAITING), only=waiting, hurried=waiting),
        "Hard": Intake(HARD, quick),
    }
    for stem in stems():
        if full:
            chosen[_camel(stem)] = whole(stem)
        elif stem != HARD:
            chosen[_camel(stem)] = Intake(stem, only=FEW)
    return chosen


def _camel(stem):
    return stem.title().replace("_", "")
