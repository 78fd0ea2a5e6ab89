"""The check of a comparison: recall, and right answers with and without retrieval.

The learner writes ``with_and_without(questions, find, answer)``; it is tried on stand-ins for
retrieval and model that fail in known ways, so that what it counts tells what it forgot.
"""

from collections import namedtuple

from casebook.checks.engine import plain_answers as plain
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep
from casebook.checks.engine.plain_words import Wrong
from casebook.checks.engine.verdict import check


def measure(
    questions,
    find,
    answer,
    kind=lambda question: question.kind,
    hit=lambda names, question: question.document in names,
    judge=lambda said, right: said == right,
    counts=lambda is_right, is_found: is_right,
    given=lambda names, question: names,
    nothing=lambda names: [],
    base=lambda values, questions: len(values),
    finish=keep,
):
    """Return the result of task ``with_and_without``, a dict of dicts by kind of question.

    hit: tells whether retrieval found the document. given, nothing: the names that the model
    gets with and without retrieval. counts: which right answers are counted with it.
    base: what a sum is divided by.
    """
    marks = {}
    for question in questions:
        names = find(question.text)
        found = hit(names, question)
        said = answer(question.text, given(names, question))
        alone = answer(question.text, nothing(names))
        row = marks.setdefault(kind(question), {"recall": [], "with": [], "without": []})
        row["recall"].append(found)
        row["with"].append(counts(judge(said, question.answer), found))
        row["without"].append(judge(alone, question.answer))
    shares = {
        name: {key: sum(values) / base(values, questions) for key, values in row.items()}
        for name, row in marks.items()
    }
    return finish(shares)


def _keys(change):
    """Return what changes the three numbers of each kind: ``change(recall, with, without)``."""
    names = ("recall", "with", "without")

    def finish(shares):
        return {
            kind: dict(zip(names, change(*(row[name] for name in names)), strict=True))
            for kind, row in shares.items()
        }

    return finish


def _words(judge):
    """Return a judge of two sets of words."""
    return lambda said, right: judge(set(said.split()), set(right.split()))


def _value(sentence):
    return (sentence.split() + [""] * 3)[2]


# fmt: off
MISTAKES = (
    *deviations(
        "judge",
        ("accepts more than the sentence: an answer must be equal to it",
         lambda said, right: right in said),
        ("accepts a part of the sentence: an answer must be equal to it",
         lambda said, right: said in right),
        ("only the value is compared: the whole sentence must be equal",
         lambda said, right: _value(said) == _value(right)),
        ("accepts the value in any sentence: the whole sentence must be equal",
         lambda said, right: _value(right) in said.split()),
        ("accepts an answer without its full stop: it must be equal",
         lambda said, right: said.strip(" .") == right.strip(" .")),
        ("accepts other capitals: an answer must be equal to the sentence",
         lambda said, right: said.lower() == right.lower()),
        ("accepts the words in any order: the sentence must be equal",
         _words(lambda said, right: said == right)),
        ("accepts one word in common: the whole sentence must be equal",
         _words(lambda said, right: bool(said & right))),
        ("accepts what begins like the sentence: the whole must be equal",
         lambda said, right: said.startswith(right.removesuffix(" ."))),
        ("the verb is not compared: the whole sentence must be equal",
         lambda said, right: said.split()[::2] == right.split()[::2]),
        ("wrong answers are counted: the share of right ones is asked for",
         lambda said, right: said != right),
        ("no answer counts as right: compare with ==, not with is",
         lambda said, right: False),
        ("every answer counts as right: compare it with question.answer",
         lambda said, right: True),
    ),
    *deviations(
        "counts",
        ('"with" counts only answers whose document was found: count all right ones',
         lambda is_right, is_found: is_right and is_found),
        ('"with" counts what was found or said: count the right answers',
         lambda is_right, is_found: is_right or is_found),
    ),
    *deviations(
        "hit",
        ("recall looks at the first name only: any of those found counts",
         lambda names, question: question.document in names[:1]),
        ("recall looks at the second name only: any of those found counts",
         lambda names, question: question.document in names[1:]),
        ("recall asks whether anything was found: it must be the document",
         lambda names, question: bool(names)),
        ("recall is divided by the number of names found: that is precision",
         lambda names, question: (question.document in names) / len(names)),
        ("recall looks for the answer among the names: for the document",
         lambda names, question: question.answer in names),
        ("recall counts what is not found", lambda names, question: question.document not in names),
    ),
    *deviations(
        "kind",
        ("the kinds are not kept apart: one row for each question.kind", lambda question: "all"),
    ),
    *deviations(
        "given",
        ("the model gets the right document: give it what find returns",
         lambda names, question: [question.document]),
        ("the model gets only the right one of those found: give it all of them",
         lambda names, question: [name for name in names if name == question.document]),
        ("the model gets the first name only: give it all that find returns",
         lambda names, question: names[:1]),
        ("the names are turned round: keep the order of find",
         lambda names, question: names[::-1]),
        ("the names are sorted: keep the order of find",
         lambda names, question: sorted(names)),
        ("the model gets nothing in both cases: give it what find returns",
         lambda names, question: []),
    ),
    *deviations(
        "nothing",
        ("the model gets documents in both cases: [] is without retrieval", keep),
    ),
    *deviations(
        "base",
        ("divided by all questions: divide by those of the kind",
         lambda values, questions: len(questions)),
        ("counts, not shares: divide by the number of questions of the kind",
         lambda values, questions: 1),
        ("percent: shares from 0 to 1 are asked for",
         lambda values, questions: len(values) / 100),
        ("divided by one question less than there are",
         lambda values, questions: len(values) - 1),
    ),
    *deviations(
        "finish",
        ("the result is empty: no kind was put in", lambda shares: {}),
        ('"with" and "without" are swapped', _keys(lambda r, w, o: (r, o, w))),
        ('"recall" and "with" are swapped', _keys(lambda r, w, o: (w, r, o))),
        ('"with" is divided by recall: divide by the questions of the kind',
         _keys(lambda r, w, o: (r, w / r if r else 0.0, o))),
        ('"recall" repeats "with": it asks for the document in what find gave',
         _keys(lambda r, w, o: (w, w, o))),
        ('"with" repeats "recall": it compares sentences', _keys(lambda r, w, o: (r, r, o))),
        ('"without" is 1 - "with": ask the model again, without documents',
         _keys(lambda r, w, o: (r, w, 1 - w))),
    ),
)
# fmt: on

Question = namedtuple("Question", "text document answer kind")

FAMILY = Family(
    measure,
    MISTAKES,
    read=lambda value: plain.table(
        value, '{kind: {"recall", "with", "without"}}', '{}["{}"]'.format
    ),
)

# Where retrieval puts the document (None: it misses), and what is said with and without it.
FATES = {
    "known": [
        (0, "right", "wrong"),
        (1, "right", "right"),
        (None, "wrong", "right"),
        (0, "longer", "shorter"),
        (1, "value", "wrong"),
        (0, "right", "turned"),
        (1, "wrong", "wrong"),
        (1, "capital", "wrong"),
        (1, "right", "value"),
        (0, "silent", "silent"),
    ],
    "newcomer": [
        (0, "right", "longer"),
        (None, "right", "wrong"),
        (1, "right", "wrong"),
        (0, "shorter", "value"),
        (1, "part", "wrong"),
        (1, "right", "shorter"),
    ],
    "visitor": [(0, "right", "part"), (None, "turned", "longer"), (None, "wrong", "right")],
}


@check("with_and_without", ("questions", "find", "answer"))
def check_with_and_without(learner, rng):
    """Check the comparison: recall, and whole sentences right, for each kind of question."""
    cases = [
        Case("", _measured(rng, "known", "newcomer")),
        Case("", _measured(rng, "newcomer", "visitor")),
        Case("", _measured(rng, "known", "newcomer", "visitor")),
        Case("for a single kind", _measured(rng, "known")),
        Case("when nothing is found", _found_nothing()),
    ]
    examine(learner, cases, FAMILY, ("the result", "the share"))
    _refuses_no_questions(learner, cases[0].inputs[1:])


def _refuses_no_questions(learner, functions):
    """Raise Wrong unless an empty list is met with a ValueError."""
    try:
        learner([], *functions)
    except Wrong as wrong:
        if str(wrong).startswith("ValueError"):
            return
    raise Wrong("an empty list of questions: raise a ValueError, there is nothing to measure.")


def _measured(rng, *kinds):
    """Return questions of these kinds, a retrieval and a model that meet them with FATES."""
    fates = [(kind, *fate) for kind in kinds for fate in FATES[kind]]
    questions, found, said = [], {}, {}
    for number in rng.permutation(len(fates)).tolist():
        kind, place, with_it, without = fates[number]
        right = f"n{number} drinks tea{number} ."
        question = Question(f"what does n{number} drink ?", f"n{number} drink", right, kind)
        names = [f"n{number} speak", f"n{number} sell"]
        if place is not None:
            names[place] = question.document
        questions.append(question)
        found[question.text] = names
        said[question.text, tuple(names)] = _say(with_it, number, right)
        said[question.text, ()] = _say(without, number, right)
        said[question.text, (question.document,)] = right
        turned = "wrong" if with_it == "right" else "right"  # the order of the names matters
        said[question.text, tuple(names[::-1])] = _say(turned, number, right)
    return questions, _finder(found), _model(said)


def _found_nothing():
    question = Question("what does vera drink ?", "vera drink", "vera drinks tea .", "newcomer")
    said = {(question.text, ()): "vera drinks milk ."}
    return [question], _finder({question.text: []}), _model(said)


def _say(how, number, right):
    return {
        "right": right,
        "wrong": f"n{number} drinks milk .",
        "longer": f"{right} n{number} sells boats .",
        "shorter": right.removesuffix(" ."),
        "capital": right.capitalize(),
        "part": f"n{number} drinks",
        "value": f"n{number} sells tea{number} .",
        "turned": f"tea{number} drinks n{number} .",
        "silent": "nobody knows anything",  # no word in common, not even the full stop
    }[how]


def _finder(found):
    def find(question):
        if not isinstance(question, str):
            raise TypeError(f"find wants question.text, a text, got {type(question).__name__}")
        return list(found[question])

    return find


def _model(said):
    def answer(question, names):
        if not isinstance(question, str):
            raise TypeError(f"answer wants question.text, a text, got {type(question).__name__}")
        if names is None or isinstance(names, str):
            raise TypeError(f"answer wants a list of names, [] for none, got {names!r}")
        sentence = said.get((question, tuple(names)), "somebody drinks something .")
        return "".join(list(sentence))  # another object: equal to the right one, never the same

    return answer
