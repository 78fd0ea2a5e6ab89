"""Marks that a person gives: out to a csv file with the answers in it, and back again."""

from nbformat import read
from nbgrader import utils

from tools.grading.marks import read_csv, write_csv
from tools.pipeline.layout import CourseError

COLUMNS = ("student", "task", "out_of", "mark", "comment", "answer")


def write_essays(classroom, stem, path):
    """Write the answers of an assignment that a person marks; return how many.

    A mark and a comment that were given before stand in it. Answers left untouched are
    left out: they have 0 points already.
    """
    found = []
    with classroom.gradebook() as gradebook:
        for student in classroom.students(stem):
            if not classroom.autograded(student, stem).exists():
                continue
            for cell in read(classroom.autograded(student, stem), as_version=4).cells:
                if not (utils.is_grade(cell) and utils.is_solution(cell)):
                    continue
                task = cell.metadata.nbgrader.grade_id
                mark = gradebook.find_grade(task, stem, stem, student)
                if mark.auto_score is not None:
                    continue
                comment = gradebook.find_comment(task, stem, stem, student).manual_comment
                found.append(
                    {
                        "student": student,
                        "task": task,
                        "out_of": mark.max_score,
                        "mark": "" if mark.manual_score is None else mark.manual_score,
                        "comment": comment or "",
                        "answer": cell.source,
                    }
                )
    write_csv(path, COLUMNS, found)
    return len(found)


def read_essays(classroom, stem, path):
    """Take the marks of a csv file into the gradebook, all or none; return how many.

    A row whose mark is empty is left as it is. A row may also name a task that a check marks:
    its mark then stands in place of the check's. Raises: CourseError naming the row that is
    wrong; nothing is then taken over.
    """
    rows = [row for row in read_csv(path, COLUMNS[:5]) if row["mark"].strip()]
    with classroom.gradebook() as gradebook:
        grades = {
            (submission.student.id, grade.name.removeprefix("check_")): grade
            for submission in gradebook.assignment_submissions(stem)
            for grade in submission.notebooks[0].grades
        }
        marks = [_mark(path, row, grades) for row in rows]
        for row, mark in zip(rows, marks, strict=True):
            grade = grades[row["student"], row["task"]]
            grade.manual_score, grade.needs_manual_grade = mark, False
            if row["comment"].strip():  # only cells with an answer in them have a comment
                comment = gradebook.find_comment(row["task"], stem, stem, row["student"])
                comment.manual_comment = row["comment"]
        gradebook.db.commit()
    return len(rows)


def _mark(path, row, grades):
    """Return the mark of a row as a number, or raise CourseError naming the row."""
    where = f"{path}: {row['student']}, {row['task']}"
    grade = grades.get((row["student"], row["task"]))
    if grade is None:
        raise CourseError(f"{where}: nobody of this name handed in such a task")
    try:
        mark = float(row["mark"].replace(",", "."))
    except ValueError:
        raise CourseError(f"{where}: '{row['mark']}' is no number") from None
    if not 0 <= mark <= grade.max_score:
        raise CourseError(f"{where}: {row['mark']} is not between 0 and {grade.max_score:g}")
    return mark
