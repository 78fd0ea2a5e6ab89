"""The check of an inverted index."""

import re
from collections import Counter

from casebook.checks.engine import plain_answers as plain
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations
from casebook.checks.engine.verdict import check
from casebook.checks.stages.texts import NAMES, WORDS, turned
from casebook.retrieval import character_bigrams, tokenise
from casebook.retrieval import tokenise as split_into_words


def _put(index, term, name, count):
    index.setdefault(term, {})[name] = count


def index_of(
    documents,
    tokenise,
    cut=lambda name, text, tokenise: tokenise(text),
    count=lambda terms, text: Counter(terms),
    put=_put,
    start=lambda documents, tokenise: {},
    finish=lambda index, documents: index,
):
    """Return the result of task ``build_index``, a dict {term: {name: count}}."""
    index = start(documents, tokenise)
    for name, text in documents.items():
        for term, times in count(cut(name, text, tokenise), text).items():
            put(index, term, name, times)
    return finish(index, documents)


def _shared_dict(documents, tokenise):
    """Return what ``dict.fromkeys(terms, {})`` makes: one dict under every term."""
    return dict.fromkeys((term for text in documents.values() for term in tokenise(text)), {})


# fmt: off
MISTAKES = (
    *deviations(
        "finish",
        ("the index is turned round: it is {term: {name: count}}",
         lambda index, docs: turned(index)),
        ("counts the documents of a term: count the term inside each document",
         lambda index, docs: {t: dict.fromkeys(p, len(p)) for t, p in index.items()}),
        ("each document has the count of all together: count inside each one",
         lambda index, docs: {t: dict.fromkeys(p, sum(p.values())) for t, p in index.items()}),
        ("documents without the term stand there with 0: leave them out",
         lambda index, docs: {t: {n: p.get(n, 0) for n in docs} for t, p in index.items()}),
        ("the result is empty: nothing was put in", lambda index, docs: {}),
        ("drops the terms of a single document: keep every term",
         lambda index, docs: {t: p for t, p in index.items() if len(p) > 1}),
        ("drops terms that stand once in a document: keep every term",
         lambda index, docs: {t: {n: c for n, c in p.items() if c > 1} for t, p in index.items()}),
        ("drops short words: keep every term that tokenise gives",
         lambda index, docs: {t: p for t, p in index.items() if len(t) > 3}),
        ("drops words of one letter: keep every term that tokenise gives",
         lambda index, docs: {t: p for t, p in index.items() if len(t) > 1}),
        ("the last document is missing", lambda index, docs: {
            t: {n: c for n, c in p.items() if n != list(docs)[-1]} for t, p in index.items()}),
        ("only the last document is there: the index is begun anew in the loop",
         lambda index, docs: {
             t: {n: c for n, c in p.items() if n == list(docs)[-1]} for t, p in index.items()}),
        ("only the first document is there: the return stands inside the loop",
         lambda index, docs: {
             t: {n: c for n, c in p.items() if n == list(docs)[0]} for t, p in index.items()}),
    ),
    *deviations(
        "count",
        ("a repeated word counts once: count how often it stands there",
         lambda terms, text: Counter(set(terms))),
        ("the counts are 1 too small: the first time counts too",
         lambda terms, text: {t: n - 1 for t, n in Counter(terms).items()}),
        ("the counts are 1 too large: the first time counts 1, not 2",
         lambda terms, text: {t: n + 1 for t, n in Counter(terms).items()}),
        ("every count is 0: nothing was added",
         lambda terms, text: dict.fromkeys(terms, 0)),
        ("text.count finds a term inside longer words: count in tokenise(text)",
         lambda terms, text: {t: text.count(t) for t in terms}),
        ("text.count finds a term inside longer words: count in tokenise(text)",
         lambda terms, text: {t: text.lower().count(t) for t in terms}),
        ("counts are divided by the length of the document: keep whole counts",
         lambda terms, text: {t: n / len(terms) for t, n in Counter(terms).items()}),
    ),
    *deviations(
        "cut",
        ("text.split() stands in for tokenise: use the function that is given",
         lambda name, text, tokenise: text.split()),
        ("text.lower().split() stands in for tokenise: use what is given",
         lambda name, text, tokenise: text.lower().split()),
        ("the text is put in lower case and split at spaces: use tokenise",
         lambda name, text, tokenise: text.lower().split(" ")),
        ("the text is put in lower case: give it to tokenise as it is",
         lambda name, text, tokenise: tokenise(text.lower())),
        ("another tokeniser is used: use the function that is given",
         lambda name, text, tokenise: split_into_words(text)),
        ("another tokeniser is used: use the function that is given",
         lambda name, text, tokenise: re.findall(r"\w+", text.lower())),
        ("the name is cut into terms: tokenise the text",
         lambda name, text, tokenise: tokenise(name)),
        ("the name is indexed too: only the text is asked for",
         lambda name, text, tokenise: tokenise(f"{name} {text}")),
        ("single characters are indexed: the terms are those of tokenise",
         lambda name, text, tokenise: list(text)),
        ("tokenise gets the text in words already: give it the text as it is",
         lambda name, text, tokenise: [t for word in text.split() for t in tokenise(word)[:1]]),
    ),
    *deviations(
        "put",
        ("a document overwrites the earlier ones of its term: add to the dict",
         lambda index, term, name, times: index.update({term: {name: times}})),
        ("only the first document of each term is kept: add the others",
         lambda index, term, name, times: index.setdefault(term, {name: times})),
    ),
    *deviations(
        "start",
        ("all terms share one dict (dict.fromkeys): make one for each term", _shared_dict),
    ),
)
# fmt: on


def _without_s(text):
    return [word.removesuffix("s") for word in tokenise(text)]


FAMILY = Family(
    index_of,
    MISTAKES,
    read=lambda value: plain.table(value, "{term: {name: count}}", "{} in {}".format),
)


@check("build_index", ("documents", "tokenise"))
def check_build_index(learner, rng):
    """Check an inverted index: repeated words, any tokeniser, documents without words."""
    chinese = {"碼頭": "渡輪早上開。渡輪晚上也開。", "茶": "茶園在南坡，一人一杯茶。"}
    bare = {"mill": "Tea, tea and a boat.", "zoo": "", "yard": "... ?"}
    cases = [
        Case("", (_texts(rng, 4), tokenise)),
        Case("", (_texts(rng, 6), _without_s)),
        Case("", (_texts(rng, 3), str.split)),
        Case("for Chinese", (chinese, character_bigrams)),
        Case("beside a document without words", (bare, tokenise)),
        Case("for two equal texts", (dict.fromkeys(NAMES[2:4], "Tea and tea."), tokenise)),
        Case("for a single document", (_texts(rng, 1), tokenise)),
        Case("for no documents", ({}, tokenise)),
    ]
    examine(learner, cases, FAMILY, ("the index", "the count"))


def _texts(rng, n_documents):
    """Return documents with capitals, punctuation and repeated words."""
    texts = {}
    for name in NAMES[:n_documents]:
        words = [*rng.choice(WORDS, 5), "boat", *rng.choice(WORDS, 2), "tea"]
        words[2] = words[0]  # one word at least stands twice
        texts[name] = f"{words[0].title()} {', '.join(words[1:5])}. The {' '.join(words[5:])}!"
    return texts
