"""The check of exercise 08's comparison: recall, and right answers with and without retrieval.

The learner writes ``with_and_without(questions, find, answer)``; it is tried on stand-ins for
retrieval and model that fail in known ways, so that what it counts tells what it forgot.
"""

from collections import namedtuple

from casebook.checks import mistakes_rag as rag
from casebook.checks import plain_answers as plain
from casebook.checks.diagnosis import Case, Family, examine
from casebook.checks.plain_words import Wrong
from casebook.checks.verdict import check

Question = namedtuple("Question", "text document answer kind")
WITH_AND_WITHOUT = Family(
    rag.measure,
    rag.MEASURE,
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
    examine(learner, cases, WITH_AND_WITHOUT, ("the result", "the share"))
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
