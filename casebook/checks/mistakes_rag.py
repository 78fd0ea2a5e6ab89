"""Prompt and measurement cut into stages, and the mistakes that people make there."""

from casebook.checks.mistakes_softmax import deviations, keep


def _ended(text):
    return text if text.endswith(".") else f"{text} ."


def write_prompt(
    question,
    found,
    documents,
    pick=lambda found, documents: [name for name, _ in found],
    read=lambda documents, name: documents[name],
    end=_ended,
    put=lambda texts, asked: [*texts, *asked],
    ask=lambda question: ["question:", question, "answer:"],
    finish=keep,
):
    """Return the result of task ``build_prompt``, a text.

    pick: gives the names. read: what stands for a name. end: sees to the full stop.
    put: orders documents and question. ask: words around the question.
    """
    texts = [end(read(documents, name)) for name in pick(found, documents)]
    return finish(" ".join(put(texts, ask(question))))


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
PROMPT = (
    *deviations(
        "pick",
        ("the documents are turned round: the best one comes first",
         lambda found, docs: [name for name, _ in reversed(found)]),
        ("the documents stand in the order of the dict: keep that of found",
         lambda found, docs: [name for name in docs if name in dict(found)]),
        ("the documents stand in alphabetical order: keep that of found",
         lambda found, docs: sorted(name for name, _ in found)),
        ("all documents are put in: only those that were found",
         lambda found, docs: list(docs)),
        ("only the best document is put in: all that were found",
         lambda found, docs: [name for name, _ in found[:1]]),
        ("only two documents are put in: all that were found",
         lambda found, docs: [name for name, _ in found[:2]]),
        ("only the last document is put in: all that were found",
         lambda found, docs: [name for name, _ in found[-1:]]),
        ("the documents are missing: those found stand before the question",
         lambda found, docs: []),
        ("the documents that were not found are put in",
         lambda found, docs: [name for name in docs if name not in dict(found)]),
    ),
    *deviations(
        "read",
        ("names of documents stand there: put in their texts", lambda docs, name: name),
        ("the names stand before the texts: put in the texts alone",
         lambda docs, name: f"{name}: {docs[name]}"),
        ("the names stand before the texts: put in the texts alone",
         lambda docs, name: f"{name} {docs[name]}"),
        ("documents are called so: the model was trained on the texts alone",
         lambda docs, name: f"document: {docs[name]}"),
    ),
    *deviations(
        "end",
        ("a full stop is missing: a text may lack it, then add one", keep),
        ("every text gets one more full stop: add it only where it is missing",
         lambda text: f"{text} ."),
        ("the full stop sticks to the last word: put a space before it",
         lambda text: text if text.endswith(".") else f"{text}."),
        ("all full stops stick to the last words: put a space before each",
         lambda text: f"{text.removesuffix('.').rstrip()}."),
        ("the full stops are taken away: each document ends with one",
         lambda text: text.removesuffix(".").rstrip()),
        ("commas part the documents: each ends with its full stop alone",
         lambda text: f"{_ended(text)},"),
    ),
    *deviations(
        "put",
        ("the question comes first: the documents stand before it",
         lambda texts, asked: [*asked, *texts]),
        ("the documents follow the question: they stand before it",
         lambda texts, asked: [*asked[:2], *texts, *asked[2:]]),
        ("the question is repeated for each document: once, after all of them",
         lambda texts, asked: [word for text in texts for word in (text, *asked)]),
        ("the question is missing", lambda texts, asked: texts),
    ),
    *deviations(
        "ask",
        ("answer: is missing at the end", lambda question: ["question:", question]),
        ("question: is missing before the question", lambda question: [question, "answer:"]),
        ("question: and answer: are missing", lambda question: [question]),
        ("the question itself is missing", lambda question: ["question:", "answer:"]),
        ("question and answer lack their colons: question: and answer:",
         lambda question: ["question", question, "answer"]),
        ("the colons stand apart: question: and answer: are one word each",
         lambda question: ["question :", question, "answer :"]),
        ("Question: and Answer: are capitalised: the model knows small letters",
         lambda question: ["Question:", question, "Answer:"]),
        ("the question mark is missing: put in the question as it is",
         lambda question: ["question:", question.removesuffix("?").rstrip(), "answer:"]),
        ("the question has two question marks: put it in as it is",
         lambda question: ["question:", question, "?", "answer:"]),
    ),
    *deviations(
        "finish",
        ("one more full stop stands at the end: answer: comes last", lambda text: f"{text} ."),
        ("a capital letter: the model knows small letters only",
         lambda text: text[:1].upper() + text[1:]),
    ),
)

MEASURE = (
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
