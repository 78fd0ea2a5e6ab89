"""The checks of exercise 08: index, weights, ranking and prompt."""

from collections import Counter

import numpy as np

from casebook.checks import mistakes_rag as rag
from casebook.checks import mistakes_ranking as ranking
from casebook.checks import mistakes_retrieval as retrieval
from casebook.checks import plain_answers as plain
from casebook.checks.diagnosis import Case, Family, examine
from casebook.checks.verdict import check
from casebook.retrieval import character_bigrams, tokenise

WORDS = ["a", "the", "oat", "boat", "boats", "tea", "6:40", "chess", "ice", "juice", "fish", "goat"]
NAMES = ["harbour", "zoo", "market", "attic", "mill", "bridge", "yard"]  # in no order of any kind


def _without_s(text):
    return [word.removesuffix("s") for word in tokenise(text)]


BUILD_INDEX = Family(
    retrieval.index_of,
    retrieval.INDEX,
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
    examine(learner, cases, BUILD_INDEX, ("the index", "the count"))


def _texts(rng, n_documents):
    """Return documents with capitals, punctuation and repeated words."""
    texts = {}
    for name in NAMES[:n_documents]:
        words = [*rng.choice(WORDS, 5), "boat", *rng.choice(WORDS, 2), "tea"]
        words[2] = words[0]  # one word at least stands twice
        texts[name] = f"{words[0].title()} {', '.join(words[1:5])}. The {' '.join(words[5:])}!"
    return texts


DOCUMENT_VECTORS = Family(
    retrieval.weigh,
    retrieval.WEIGHTS,
    read=lambda value: plain.table(
        value,
        "{name: {term: weight}}",
        lambda name, term: f"{term} in {name}",
        without_zeros=True,
    ),
)


@check("document_vectors", ("index", "n_documents"))
def check_document_vectors(learner, rng):
    """Check weights count * log(N / df), with a term in every document, and wordless ones."""
    cases = [
        Case("", (_index(rng, 5), 7)),
        Case("", (_index(rng, 4, everywhere="the"), 4)),
        Case("", (_index(rng, 6), 40)),
        Case("for a single document", (_index(rng, 1), 1)),
        Case("for an empty index", ({}, 3)),
    ]
    examine(learner, cases, DOCUMENT_VECTORS, ("the vectors", "the weight"), _about_weights)


def _index(rng, n_documents, everywhere=None):
    """Return an index of documents of unequal length with repeated words."""
    index = {}
    for number, name in enumerate(NAMES[:n_documents]):
        words = rng.choice(WORDS[2:], 4 + 2 * number).tolist()
        words += [words[0], words[0], words[1], *[everywhere] * (1 if everywhere else 0)]
        for term, count in Counter(words).items():
            index.setdefault(term, {})[name] = count
    return index


def _about_weights(case, got, right):
    """Say what a weight cannot be, for a mistake that nobody foresaw."""
    if (got[1] < 0).any():
        row = int(np.argmin(got[1]))
        return f"the weight of {right[0][row]} is below 0: N / df is at least 1, so its log is not."
    return None


TOP_K = Family(ranking.rank, ranking.RANK, read=plain.ranking)


@check("top_k", ("terms", "vectors", "idf", "k"))
def check_top_k(learner, rng):
    """Check a ranking by cosine: ties, unknown and repeated words, fewer found than asked for."""
    idf = {"tea": 1.5, "boat": 0.5, "ice": 2.0, "oat": 2.0, "fish": 1.0, "the": 0.0}
    tied = {
        "mill": {"tea": 2.0, "boat": 1.0},
        "zoo": {"tea": 2.0, "oat": 1.0},
        "attic": {"tea": 2.0, "ice": 1.0},
        "yard": {"tea": 2.0},
        "market": {"tea": 2.0, "fish": 1.0},
    }
    one = {"mill": {"tea": 3.0, "boat": 0.5, "the": 0.0}}
    bare = {"zoo": {}, "mill": {"tea": 1.5, "ice": 4.0}, "attic": {"the": 0.0}}
    cases = [
        _asked(rng, 6, 3, repeated=True),
        _asked(rng, 7, 2, unknown=True),
        _asked(rng, 5, 4),
        _asked(rng, 7, 1, repeated=True, unknown=True),
        Case("for equal scores", (["tea", "tea"], tied, idf, 3)),
        Case("where fewer than k share a word", (["ice", "boat"], tied, idf, 4)),
        Case("for a question without a known word", (["who", "knows"], tied, idf, 2)),
        Case("for a question without words", ([], tied, idf, 2)),
        Case("for a word that every document has", (["the"], one, idf, 1)),
        Case("beside a document without weights", (["tea", "the"], bare, idf, 2)),
        Case("for a single document", (["boat", "tea"], one, idf, 3)),
        Case("for a low score", (["tea"], {"mill": {"tea": 0.5, "ice": 20.0}}, idf, 1)),
    ]
    examine(learner, cases, TOP_K, ("the documents", "the score"), _about_scores)


def _asked(rng, n_documents, k, repeated=False, unknown=False):
    """Return a case of documents that share several words with a question, no scores equal."""
    words = WORDS[2:12]
    idf = dict(zip(words, rng.uniform(0.2, 3, len(words)).tolist(), strict=True))
    vectors = {}
    for name in NAMES[:n_documents]:
        inside = rng.choice(words, rng.integers(3, 8), replace=False).tolist()
        vectors[name] = {word: float(rng.integers(1, 4)) * idf[word] for word in inside}
    terms = rng.choice(words, 4, replace=False).tolist()
    terms += [terms[0], terms[0], terms[1]] if repeated else []
    terms[2:2] = ["who", "knows", "who"] if unknown else []
    vectors[NAMES[0]] |= {terms[0]: idf[terms[0]], terms[1]: 2 * idf[terms[1]]}
    return Case("", (terms, vectors, idf, k))


def _about_scores(case, got, right):
    """Say what a cosine cannot be, for a mistake that nobody foresaw."""
    beyond = np.flatnonzero(got[1] > 1 + 1e-9)
    if beyond.size:
        score = got[1][beyond[0]]
        return f"the score of {got[0][beyond[0]]} is {score:.4g}: a cosine is never above 1."
    return None


BUILD_PROMPT = Family(rag.write_prompt, rag.PROMPT, read=plain.prompt)


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
    examine(learner, cases, BUILD_PROMPT, ("the prompt",))


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
