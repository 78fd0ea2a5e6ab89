"""Task 5 of exercise 08: recall, and how many answers are right with and without retrieval."""

import itertools
from collections import defaultdict

import numpy as np

from tests.answers import right, wrong


def _hit(names, q):
    return q.document in names


def _rows(questions, find, answer, judge=str.__eq__, hit=_hit, nothing=()):
    """Return marks by kind: of a judge, of a hit, and of a model that is given ``nothing``."""
    if not questions:
        raise ValueError("no questions")
    rows = {}
    for q in questions:
        names = find(q.text)
        row = rows.setdefault(q.kind, {"recall": [], "with": [], "without": []})
        row["recall"].append(hit(names, q))
        row["with"].append(judge(answer(q.text, names), q.answer))
        row["without"].append(judge(answer(q.text, nothing), q.answer))
    return rows


def _shares(rows):
    return {
        kind: {key: sum(marks) / len(marks) for key, marks in row.items()}
        for kind, row in rows.items()
    }


@right
def by_kind(questions, find, answer):
    if not questions:
        raise ValueError("questions is empty: expected at least one")
    result = {}
    for kind in {question.kind for question in questions}:
        asked = [question for question in questions if question.kind == kind]
        recall = sum(q.document in find(q.text) for q in asked)
        seen = sum(answer(q.text, find(q.text)) == q.answer for q in asked)
        unseen = sum(answer(q.text, []) == q.answer for q in asked)
        n = len(asked)
        result[kind] = {"recall": recall / n, "with": seen / n, "without": unseen / n}
    return result


@right
def with_lists(questions, find, answer):
    if len(questions) == 0:
        raise ValueError("there is nothing to measure")
    marks = defaultdict(lambda: defaultdict(list))
    for q in questions:
        names = find(q.text)
        marks[q.kind]["recall"].append(q.document in names)
        marks[q.kind]["with"].append(answer(q.text, names) == q.answer)
        marks[q.kind]["without"].append(answer(q.text, []) == q.answer)
    return {kind: {key: np.mean(v) for key, v in row.items()} for kind, row in marks.items()}


@right
def with_counts(questions, find, answer):
    counts = {}
    for q in questions:
        row = counts.setdefault(q.kind, [0, 0, 0, 0])
        names = find(q.text)
        row[0] += 1
        row[1] += 1 if q.document in names else 0
        row[2] += 1 if answer(q.text, names).split() == q.answer.split() else 0
        row[3] += 1 if answer(q.text, ()).split() == q.answer.split() else 0
    if not counts:
        raise ValueError("questions is empty")
    keys = "without", "with", "recall"
    return {
        kind: dict(zip(keys, (w / n, s / n, r / n), strict=True))
        for kind, (n, r, s, w) in counts.items()
    }


@right
def with_sorting(questions, find, answer):
    if not questions:
        raise ValueError("an empty list has no accuracy")
    result = {}
    by_kind = itertools.groupby(sorted(questions, key=lambda q: q.kind), key=lambda q: q.kind)
    for kind, group in by_kind:
        rows = [
            (q.document in find(q.text), answer(q.text, find(q.text)), answer(q.text, []), q.answer)
            for q in group
        ]
        marks = np.array([(found, seen == t, unseen == t) for found, seen, unseen, t in rows])
        result[kind] = dict(zip(("recall", "with", "without"), marks.mean(axis=0), strict=True))
    return result


@wrong("only the value")
def value_only(questions, find, answer):
    def judge(said, truth):
        return said.split()[2] == truth.split()[2]

    return _shares(_rows(questions, find, answer, judge=judge))


@wrong("first name only: any")
def recall_at_one(questions, find, answer):
    return _shares(_rows(questions, find, answer, hit=lambda names, q: q.document == names[0]))


@wrong("that is precision")
def precision(questions, find, answer):
    hit = lambda names, q: (q.document in names) / max(len(names), 1)  # noqa: E731
    return _shares(_rows(questions, find, answer, hit=hit))


@wrong("came as float, no dict")
def one_row(questions, find, answer):
    marks = [mark for row in _rows(questions, find, answer).values() for mark in [row]]
    total = {key: sum((row[key] for row in marks), []) for key in ("recall", "with", "without")}
    return {key: sum(values) / len(values) for key, values in total.items()}


@wrong("the result:", "recall", "is missing")
def no_recall(questions, find, answer):
    shares = _shares(_rows(questions, find, answer))
    return {kind: {"with": r["with"], "without": r["without"]} for kind, r in shares.items()}


@wrong("the result:", "is missing")
def other_names(questions, find, answer):
    shares = _shares(_rows(questions, find, answer))
    return {k: {key.title(): s for key, s in row.items()} for k, row in shares.items()}


@wrong("empty list of questions: raise a ValueError")
def divides_by_nothing(questions, find, answer):
    rows = {}
    for q in questions:
        names = find(q.text)
        row = rows.setdefault(q.kind, {"recall": 0, "with": 0, "without": 0, "n": 0})
        row["recall"] += q.document in names
        row["with"] += answer(q.text, names) == q.answer
        row["without"] += answer(q.text, []) == q.answer
        row["n"] += 1
    return {k: {key: r[key] / r["n"] for key in r if key != "n"} for k, r in rows.items()}


@wrong("empty list of questions: raise a ValueError")
def zero_division(questions, find, answer):
    1 / len(questions)
    return _shares(_rows(questions, find, answer))


@wrong("TypeError", "question.text")
def question_handed_over(questions, find, answer):
    rows = {}
    for q in questions:
        names = find(q)
        rows.setdefault(q.kind, {})["recall"] = q.document in names
    return rows


@wrong("TypeError", "[] for none")
def none_for_nothing(questions, find, answer):
    return _shares(_rows(questions, find, answer, nothing=None))


@wrong("came as tuple, no dict")
def three_numbers(questions, find, answer):
    row = _shares(_rows(questions, find, answer)).popitem()[1]
    return row["recall"], row["with"], row["without"]


@wrong("changes its input questions")
def emptied(questions, find, answer):
    shares = _shares(_rows(questions, find, answer))
    questions.clear()
    return shares


@wrong("AttributeError")
def read_as_dicts(questions, find, answer):
    if not questions:
        raise ValueError("empty")
    return {q.group: {} for q in questions}


@wrong("visitor", "is missing")
def two_kinds_known(questions, find, answer):
    shares = _shares(_rows(questions, find, answer))
    return {kind: row for kind, row in shares.items() if kind in ("known", "newcomer")}


@wrong("answer wants question.text")
def arguments_swapped(questions, find, answer):
    return _shares(_rows(questions, find, lambda text, names: answer(names, text)))


@wrong("rounded to 2 decimals")
def rounded(questions, find, answer):
    shares = _shares(_rows(questions, find, answer))
    return {kind: {key: round(s, 2) for key, s in row.items()} for kind, row in shares.items()}
