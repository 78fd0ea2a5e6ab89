"""The check of the text that the reader gets."""

import numpy as np

from casebook.checks.engine import plain_answers as plain
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep
from casebook.checks.engine.verdict import check


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


# fmt: off
MISTAKES = (
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
# fmt: on

FAMILY = Family(write_prompt, MISTAKES, read=plain.prompt)


@check("build_prompt", ("question", "found", "documents"))
def check_build_prompt(learner, rng):
    """Check the text that the reader gets: documents in their order, then the question."""
    cases = [
        _prompt_case("", rng, 3, bare=(1,)),
        _prompt_case("", rng, 2, bare=(0,)),
        _prompt_case("", rng, 4, bare=()),
        _prompt_case("when nothing is found", rng, 0),
        _prompt_case("when one document is found", rng, 1),
    ]
    examine(learner, cases, FAMILY, ("the prompt",))


def _prompt_case(label, rng, n_found, bare=()):
    """Return a case; the documents found at the places ``bare`` lack their full stop."""
    people = rng.permutation(["vera", "omar", "ines", "ruth", "zora", "anton"]).tolist()
    deeds = [
        "drinks tea",
        "sells boats",
        "plays chess",
        "drinks cider",
        "speaks latin",
        "sells oil",
    ]
    documents = {
        f"{person} {deed.split()[0]}": f"{person} {deed} ."
        for person, deed in zip(people, rng.permutation(deeds).tolist(), strict=True)
    }
    names = rng.permutation(list(documents)).tolist()[:n_found]
    if names in (sorted(names), [name for name in documents if name in names]):
        names.reverse()  # must differ from both of these orders
    for place in bare:
        documents[names[place]] = documents[names[place]].removesuffix(" .")
    scores = np.sort(rng.uniform(0.1, 1, n_found))[::-1].tolist()
    question = f"what does {people[0]} {rng.choice(['drink', 'sell', 'play'])} ?"
    return Case(label, (question, list(zip(names, scores, strict=True)), documents))
