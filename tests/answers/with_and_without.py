"""Task 5 of exercise 08: recall, and how many answers are right with and without retrieval."""

import itertools
from collections import defaultdict

import numpy as np

from tests.answers import right, wrong


def _rows(questions, find, answer, **stages):
    """Return shares by kind from a judge, a hit and what the model is given."""
    judge = stages.get("judge", lambda said, truth: said == truth)
    hit = stages.get("hit", lambda names, q: q.document in names)
    given = stages.get("given", lambda names, q: names)
    nothing = stages.get("nothing", lambda names: [])
    if not questions:
        raise ValueError("no questions")
    rows = {}
    for q in questions:
        names = find(q.text)
        row = rows.setdefault(q.kind, {"recall": [], "with": [], "without": []})
        row["recall"].append(hit(names, q))
        row["with"].append(judge(answer(q.text, given(names, q)), q.answer))
        row["without"].append(judge(answer(q.text, nothing(names)), q.answer))
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


@wrong("accepts more than the sentence")
def substring(questions, find, answer):
    return _shares(_rows(questions, find, answer, judge=lambda said, truth: truth in said))


@wrong("accepts a part of the sentence")
def substring_turned(questions, find, answer):
    return _shares(_rows(questions, find, answer, judge=lambda said, truth: said in truth))


@wrong("only the value")
def value_only(questions, find, answer):
    def judge(said, truth):
        return said.split()[2] == truth.split()[2]

    return _shares(_rows(questions, find, answer, judge=judge))


@wrong("accepts the value in any sentence")
def value_somewhere(questions, find, answer):
    return _shares(_rows(questions, find, answer, judge=lambda s, t: t.split()[2] in s))


@wrong("without its full stop")
def stops_stripped(questions, find, answer):
    judge = lambda said, truth: said.rstrip(" .") == truth.rstrip(" .")  # noqa: E731
    return _shares(_rows(questions, find, answer, judge=judge))


@wrong("in any order")
def bags_of_words(questions, find, answer):
    judge = lambda said, truth: sorted(said.split()) == sorted(truth.split())  # noqa: E731
    return _shares(_rows(questions, find, answer, judge=judge))


@wrong("begins like the sentence")
def beginning(questions, find, answer):
    judge = lambda said, truth: said.split()[:3] == truth.split()[:3]  # noqa: E731
    return _shares(_rows(questions, find, answer, judge=judge))


@wrong("wrong answers are counted")
def errors(questions, find, answer):
    return _shares(_rows(questions, find, answer, judge=lambda said, truth: said != truth))


@wrong("first name only: any")
def recall_at_one(questions, find, answer):
    return _shares(_rows(questions, find, answer, hit=lambda names, q: q.document == names[0]))


@wrong("whether anything was found")
def anything_found(questions, find, answer):
    return _shares(_rows(questions, find, answer, hit=lambda names, q: len(names) > 0))


@wrong("that is precision")
def precision(questions, find, answer):
    hit = lambda names, q: (q.document in names) / max(len(names), 1)  # noqa: E731
    return _shares(_rows(questions, find, answer, hit=hit))


@wrong("came as float, no dict")
def one_row(questions, find, answer):
    marks = [mark for row in _rows(questions, find, answer).values() for mark in [row]]
    total = {key: sum((row[key] for row in marks), []) for key in ("recall", "with", "without")}
    return {key: sum(values) / len(values) for key, values in total.items()}


@wrong("gets the right document")
def oracle(questions, find, answer):
    return _shares(_rows(questions, find, answer, given=lambda names, q: [q.document]))


@wrong("first name only: give")
def best_document_only(questions, find, answer):
    return _shares(_rows(questions, find, answer, given=lambda names, q: names[:1]))


@wrong("names are turned round")
def turned_round(questions, find, answer):
    return _shares(_rows(questions, find, answer, given=lambda names, q: names[::-1]))


@wrong("documents in both cases")
def always_with(questions, find, answer):
    return _shares(_rows(questions, find, answer, nothing=lambda names: names))


@wrong("nothing in both cases")
def never_with(questions, find, answer):
    return _shares(_rows(questions, find, answer, given=lambda names, q: []))


@wrong("swapped")
def swapped(questions, find, answer):
    shares = _shares(_rows(questions, find, answer))
    for row in shares.values():
        row["with"], row["without"] = row["without"], row["with"]
    return shares


@wrong("divided by all questions")
def over_all(questions, find, answer):
    rows = _rows(questions, find, answer)
    return {
        kind: {key: sum(marks) / len(questions) for key, marks in row.items()}
        for kind, row in rows.items()
    }


@wrong("counts, not shares")
def counts(questions, find, answer):
    rows = _rows(questions, find, answer)
    return {kind: {key: sum(marks) for key, marks in row.items()} for kind, row in rows.items()}


@wrong("percent")
def percent(questions, find, answer):
    shares = _shares(_rows(questions, find, answer))
    return {kind: {key: 100 * s for key, s in row.items()} for kind, row in shares.items()}


@wrong("divided by recall")
def of_those_found(questions, find, answer):
    shares = _shares(_rows(questions, find, answer))
    for row in shares.values():
        row["with"] = row["with"] / row["recall"] if row["recall"] else 0.0
    return shares


@wrong('"recall" repeats "with"')
def recall_from_answers(questions, find, answer):
    shares = _shares(_rows(questions, find, answer))
    for row in shares.values():
        row["recall"] = row["with"]
    return shares


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
    return _shares(_rows(questions, find, answer, nothing=lambda names: None))


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


@wrong("counts only answers whose document was found")
def found_and_right(questions, find, answer):
    rows = _rows(questions, find, answer)
    for row in rows.values():
        row["with"] = [a and b for a, b in zip(row["with"], row["recall"], strict=True)]
    return _shares(rows)


@wrong("other capitals")
def any_case(questions, find, answer):
    return _shares(_rows(questions, find, answer, judge=lambda s, t: s.lower() == t.lower()))


@wrong("verb is not compared")
def name_and_value(questions, find, answer):
    judge = lambda said, truth: said.split()[::2] == truth.split()[::2]  # noqa: E731
    return _shares(_rows(questions, find, answer, judge=judge))


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


@wrong("not with is")
def identity(questions, find, answer):
    return _shares(_rows(questions, find, answer, judge=lambda said, truth: said is truth))


@wrong("only the right one of those found")
def filtered(questions, find, answer):
    given = lambda names, q: [name for name in names if name == q.document]  # noqa: E731
    return _shares(_rows(questions, find, answer, given=given))
