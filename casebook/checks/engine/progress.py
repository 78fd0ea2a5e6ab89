"""How far a learner is: the table at the end of an exercise."""

from casebook.checks.engine.verdict import last_marks

NOT_RUN = "[ ]", "not checked since the kernel started: run its check"
STATES = {
    "[ok]": ("[ok]", "done"),
    "[x]": ("[x]", "wrong: its check names the mistake"),
    "[ ]": ("[ ]", "open"),
    "[!]": ("[!]", "its check is broken: no fault of yours"),
}


def show_progress(*, essays=(), **points):
    """Print one line for each task, and the points that are done.

    The last run of a task's check counts, whatever the order of the runs.

    essays: names of the tasks that a person grades.
    points: how many points each task is worth, by its name, in the order of the exercise.
    Raises: ValueError if no task is named, or an essay has no points.
    """
    if not points:
        raise ValueError("no task is named: expected the points of each, such as turn=4")
    for name in essays:
        if name not in points:
            raise ValueError(f"essays names {name!r}: expected one of {', '.join(points)}")
    marks = {task: last_marks.get(task) for task in points if task not in essays}
    widths = max(map(len, points)), max(len(str(worth)) for worth in points.values())
    for number, (task, worth) in enumerate(points.items(), 1):
        mark, words = _state(task, marks)
        plural = "point, " if worth == 1 else "points,"
        print(f"{mark:4} {number} {task:{widths[0]}}  {worth:{widths[1]}} {plural} {words}")
    print()
    print(_sum(points, marks))


def _state(task, marks):
    """Return the mark of a task and what it means, in words."""
    if task not in marks:
        return "", "an essay: a person grades it"
    return STATES.get(marks[task], NOT_RUN)


def _sum(points, marks):
    """Return the points in one sentence."""
    done = sum(points[task] for task, mark in marks.items() if mark == "[ok]")
    by_check = sum(points[task] for task in marks)
    sentence = f"{done} of {by_check} points done"
    by_hand = sum(points.values()) - by_check
    return f"{sentence}, and {by_hand} for what a person grades." if by_hand else f"{sentence}."
