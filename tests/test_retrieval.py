"""casebook.retrieval against scikit-learn, rank_bm25 and bm25s, and as an index must behave."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.retrieval import (
    BM25,
    InvertedIndex,
    MeanVectors,
    NoKnownWordError,
    TfIdf,
    best,
    bm25_term_frequency,
    character_bigrams,
    inverse_document_frequency,
    term_frequency,
    tokenise,
)

REFERENCE = json.loads((Path(__file__).parent / "reference" / "retrieval.json").read_text("utf-8"))
CORPORA = {"generated": tokenise, "english": tokenise, "chinese": character_bigrams}
CASES = {
    kind: [
        pytest.param(corpus, case, id=f"{corpus}-{number}")
        for corpus in CORPORA
        for number, case in enumerate(REFERENCE[corpus][kind])
    ]
    for kind in ("tfidf", "bm25")
}
WORDS = ["ash", "birch", "cedar", "elm", "fir", "oak"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
DOCUMENTS = st.dictionaries(st.sampled_from("abcdefgh"), TEXTS, min_size=1)


def index_of(documents, tokenise_with=tokenise):
    index = InvertedIndex(tokenise_with)
    for name, text in documents.items():
        index.add(name, text)
    return index


def restless_index_of(documents, tokenise_with=tokenise):
    """Return the same index after a past: other documents came and went, names changed text."""
    texts = list(documents.values())
    index = InvertedIndex(tokenise_with)
    index.add("passing", " ".join(reversed(texts)))
    for number, (name, text) in enumerate(documents.items()):
        index.add(name, texts[-1 - number] + " zzz")
        index.remove(name)
        index.add(name, text)
        TfIdf(index).document_vectors()  # a ranking reads the index in between
    index.remove("passing")
    return index


# Agreement with independent implementations


@pytest.mark.parametrize("make_index", [index_of, restless_index_of])
@pytest.mark.parametrize(("corpus", "case"), CASES["tfidf"])
def test_tfidf_scores_equal_those_of_scikit_learn(corpus, case, make_index):
    index = make_index(REFERENCE[corpus]["documents"], CORPORA[corpus])
    ranking = TfIdf(index, tf=case["tf"], idf=case["idf"], cosine=case["cosine"])
    scores = [ranking.scores(question) for question in REFERENCE[corpus]["questions"]]
    np.testing.assert_allclose(scores, case["scores"], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("make_index", [index_of, restless_index_of])
@pytest.mark.parametrize(("corpus", "case"), CASES["bm25"])
def test_bm25_scores_equal_those_of_two_packages(corpus, case, make_index):
    index = make_index(REFERENCE[corpus]["documents"], CORPORA[corpus])
    ranking = BM25(index, k1=case["k1"], b=case["b"], idf=case["idf"])
    for question, expected in zip(case["questions"], case["scores"], strict=True):
        np.testing.assert_allclose(ranking.scores(question), expected, rtol=1e-12, atol=1e-12)


def test_the_reference_has_scores_to_compare_with():
    for corpus in CORPORA:
        for case in REFERENCE[corpus]["tfidf"] + REFERENCE[corpus]["bm25"]:
            scores = np.array(case["scores"])
            assert scores.shape == (4, len(REFERENCE[corpus]["documents"]))
            assert np.isfinite(scores).all() and (scores.max(axis=1) > 0).all()


# The index


@given(st.lists(st.tuples(st.sampled_from("abcd"), TEXTS), max_size=20))
@settings(max_examples=60)
def test_index_equals_one_made_of_what_is_left(changes):
    """Adding and removing in any order leaves exactly what was not removed."""
    index, left = InvertedIndex(), {}
    for name, text in changes:
        if name in left:
            index.remove(name)
            del left[name]
        else:
            index.add(name, text)
            left[name] = text
    fresh = index_of(left)
    assert index.names == fresh.names == list(left)
    assert index.terms == fresh.terms
    for term in index.terms:
        assert index.postings(term) == fresh.postings(term)
        assert index.document_frequency(term) == len(fresh.postings(term)) > 0
    for name in left:
        assert index.counts(name) == fresh.counts(name)
        assert index.document_length(name) == fresh.document_length(name)
    for make in (TfIdf, BM25):
        if index.terms:
            question = " ".join(index.terms)
            old, new = make(index).scores(question), make(fresh).scores(question)
            np.testing.assert_array_equal(old, new)  # to the last bit


@given(DOCUMENTS)
def test_postings_and_counts_are_the_same_table_read_two_ways(documents):
    index = index_of(documents)
    by_term = {(name, term, n) for term in index.terms for name, n in index.postings(term)}
    by_name = {(name, term, n) for name in documents for term, n in index.counts(name).items()}
    assert by_term == by_name
    for name, text in documents.items():
        assert index.document_length(name) == sum(index.counts(name).values())
        assert index.counts(name) == {word: text.split().count(word) for word in text.split()}


def test_postings_are_in_the_order_of_adding():
    index = index_of({"z": "oak oak", "a": "elm", "m": "elm oak"})
    assert index.postings("oak") == [("z", 2), ("m", 1)]
    assert index.postings("fir") == [] and index.document_frequency("fir") == 0
    assert "oak" in index and "fir" not in index
    assert index.n_documents == 3 and index.document_length("z") == 2
    index.remove("z")
    index.add("z", "oak")
    assert index.postings("oak") == [("m", 1), ("z", 1)]


def test_what_an_index_gives_away_cannot_change_it():
    index = index_of({"a": "oak elm"})
    index.postings("oak").clear()
    index.names.clear()
    index.terms.clear()
    index.counts("a").clear()
    assert index.postings("oak") == [("a", 1)] and index.counts("a") == {"oak": 1, "elm": 1}


def test_a_document_without_words_is_held_and_never_found():
    index = index_of({"empty": "...", "a": "oak"})
    assert index.n_documents == 2 and index.document_length("empty") == 0
    for ranking in (TfIdf(index), BM25(index)):
        assert [name for name, _ in ranking.top_k("oak", 2)] == ["a"]
    index.remove("empty")
    assert index.names == ["a"]


def test_a_refused_document_changes_nothing():
    index = index_of({"a": "oak"})
    version = index.version
    with pytest.raises(TypeError, match="text is 3: expected a string"):
        index.add("b", 3)
    with pytest.raises(ValueError, match="name 'a' is in the index already"):
        index.add("a", "elm")
    assert index.names == ["a"] and index.terms == ["oak"] and index.version == version


@pytest.mark.parametrize("method", ["remove", "document_length", "counts"])
def test_a_name_that_is_not_there_is_refused(method):
    index = index_of({"a": "oak"})
    with pytest.raises(ValueError, match="name 'b' is not in the index: it was never added"):
        getattr(index, method)("b")
    index.remove("a")
    with pytest.raises(ValueError, match="name 'a' is not in the index"):
        getattr(index, method)("a")


# Weighting


def test_variants_are_the_formulas_they_are_named_after():
    counts, df = np.array([1, 2, 7]), np.array([1, 3, 10])
    np.testing.assert_allclose(term_frequency(counts, "count"), [1, 2, 7])
    np.testing.assert_allclose(term_frequency(counts, "binary"), [1, 1, 1])
    np.testing.assert_allclose(term_frequency(counts, "log"), [1, 1.693147, 2.945910], atol=1e-6)
    expected = {
        "none": [1, 1, 1],
        "plain": [2.302585, 1.203973, 0],
        "plus_one": [3.302585, 2.203973, 1],
        "smooth": [2.704748, 2.011601, 1],
        "robertson": [1.845827, 0.762140, -3.044522],
        "lucene": [1.992430, 1.145132, 0.046520],
    }
    for variant, values in expected.items():
        np.testing.assert_allclose(
            inverse_document_frequency(df, 10, variant), values, rtol=0, atol=1e-6
        )


def test_bm25_saturates_and_divides_by_length():
    often = bm25_term_frequency([1, 10, 1e6], [5, 5, 5], mean_length=5, k1=1.5)
    assert often[0] == 1 < often[1] < often[2] < 2.5
    short, mean, long = bm25_term_frequency([2, 2, 2], [2, 5, 50], mean_length=5)
    assert short > mean > long
    np.testing.assert_array_equal(
        bm25_term_frequency([2, 2], [2, 50], mean_length=5, b=0), [25 / 17.5 / 1] * 2
    )
    np.testing.assert_array_equal(bm25_term_frequency([1, 9], [5, 5], 5, k1=0), [1, 1])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda index: TfIdf(index, tf="raw"), "tf is 'raw': expected one of count, log, binary"),
        (lambda index: TfIdf(index, idf="bm25"), "idf is 'bm25': expected one of none, plain"),
        (lambda index: BM25(index, idf="okapi"), "idf is 'okapi': expected one of"),
        (lambda index: BM25(index, k1=-1), "k1 is -1: expected a number from 0 up"),
        (lambda index: BM25(index, k1=float("nan")), "k1 is nan"),
        (lambda index: BM25(index, b=1.5), "b is 1.5: expected a number from 0 to 1"),
        (lambda index: MeanVectors(index, ["oak"], np.ones((1, 2)), idf="x"), "idf is 'x'"),
        (lambda index: MeanVectors(index, ["oak"], np.ones((2, 2))), "1 words and vectors of sh"),
        (lambda index: MeanVectors(index, ["oak"], [1.0]), "expected \\(n_words, d\\)"),
    ],
)
def test_options_that_do_not_exist_are_refused_at_once(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(index_of({"a": "oak"}))


# Ranking


@given(DOCUMENTS, TEXTS)
@settings(max_examples=80)
def test_rankings_agree_with_their_vectors_and_order(documents, question):
    index = index_of(documents)
    if not set(question.split()) & set(index.terms):
        return
    for ranking in (TfIdf(index), TfIdf(index, tf="log", idf="plain"), BM25(index)):
        scores = ranking.scores(question)
        product = ranking.document_vectors() @ ranking.query_vector(question)
        np.testing.assert_allclose(scores, product, atol=1e-12)
        order = np.argsort(-scores.round(12), kind="stable")
        expected = [(index.names[row], scores[row]) for row in order if scores[row]]
        for k in range(1, len(scores) + 1):
            assert ranking.top_k(question, k) == expected[:k]


@given(DOCUMENTS, TEXTS)
@settings(max_examples=60)
def test_cosines_lie_between_0_and_1_and_a_document_finds_itself(documents, question):
    ranking = TfIdf(index_of(documents))
    for text in [question, *documents.values()]:
        if not set(text.split()) & set(ranking.index.terms):
            continue
        scores = ranking.scores(text)
        assert (scores >= 0).all() and (scores <= 1 + 1e-12).all()
        if text in documents.values():
            own = list(documents.values()).index(text)
            assert scores[own] == pytest.approx(1, abs=1e-12)


def test_cosine_does_not_favour_a_document_said_twice():
    index = index_of({"once": "oak elm", "twice": "oak elm oak elm"})
    once, twice = TfIdf(index).scores("oak")
    assert once == pytest.approx(twice, abs=1e-15)
    once, twice = TfIdf(index, cosine=False).scores("oak")
    assert twice == pytest.approx(2 * once)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_ties_keep_the_order_of_adding(k):
    names = ["z", "y", "a", "x", "b"]
    index = index_of(dict.fromkeys(names, "oak elm"))
    for ranking in (TfIdf(index), BM25(index), MeanVectors(index, ["oak"], [[1.0, 2.0]])):
        assert [name for name, _ in ranking.top_k("oak", k)] == names[:k]


def test_scores_that_differ_by_rounding_alone_are_a_tie():
    texts = ["oak elm fir", "fir oak elm", "elm oak fir oak elm fir", "ash oak birch"]
    index = index_of(dict(zip("abcd", texts, strict=True)))
    assert [name for name, _ in TfIdf(index).top_k("oak", 4)] == list("abcd")[:3] + ["d"]
    assert best(np.array([0.1 + 0.2, 0.3, 0.3 + 1e-9]), ["a", "b", "c"], 3)[0][0] == "c"
    assert best(np.array([0.3, 0.1 + 0.2, 1e-17]), ["a", "b", "c"], 3) == [
        ("a", 0.3),
        ("b", 0.1 + 0.2),
    ]


def test_best_sorts_only_what_can_be_among_the_first():
    rng = np.random.default_rng(0)
    scores = rng.integers(-3, 4, size=200).astype(float)  # many ties, and zeros
    names = list(range(200))
    order = [row for row in np.argsort(-scores, kind="stable") if scores[row]]
    for k in (1, 7, 100, 200):
        assert best(scores, names, k) == [(row, scores[row]) for row in order[:k]]


def test_documents_of_score_zero_are_left_out():
    index = index_of({"a": "oak", "b": "elm", "c": "oak elm"})
    assert [name for name, _ in TfIdf(index).top_k("elm", 3)] == ["c", "b"][::-1]
    assert TfIdf(index_of({"a": "oak", "b": "oak"}), idf="plain").top_k("oak", 2) == []


def test_a_word_asked_twice_counts_twice():
    index = index_of({"a": "oak", "b": "elm", "c": "fir fir"})
    np.testing.assert_allclose(
        BM25(index).scores("oak oak elm"),
        2 * BM25(index).scores("oak") + BM25(index).scores("elm"),
    )
    one, two, _ = TfIdf(index).scores("oak oak elm")
    assert one == pytest.approx(2 * two)


def test_words_without_a_document_are_left_out_of_the_question():
    index = index_of({"a": "oak elm", "b": "elm fir"})
    for ranking in (TfIdf(index), BM25(index)):
        np.testing.assert_array_equal(ranking.scores("oak zzz"), ranking.scores("oak"))


def test_a_ranking_sees_what_changes_in_its_index():
    index = index_of({"a": "oak"})
    rankings = [TfIdf(index), BM25(index), MeanVectors(index, ["oak", "elm"], np.eye(2))]
    for ranking in rankings:
        assert ranking.top_k("oak", 1)[0][0] == "a"
    index.add("b", "elm elm")
    for ranking in rankings:
        assert ranking.top_k("elm", 1)[0][0] == "b"
    index.remove("a")
    for ranking in rankings:
        assert len(ranking.scores("elm")) == 1


RANKINGS = [
    TfIdf,
    BM25,
    lambda index: MeanVectors(index, ["oak", "elm", "yew"], np.eye(3)),
]


@pytest.mark.parametrize("make", RANKINGS)
def test_questions_that_cannot_be_answered_say_why(make):
    empty = make(InvertedIndex())
    with pytest.raises(ValueError, match="the corpus is empty: add a document first"):
        empty.top_k("oak", 1)
    ranking = make(index_of({"a": "oak", "b": "elm"}))
    with pytest.raises(NoKnownWordError, match=r"no word of the query is in .*: zebra, quagga"):
        ranking.top_k("Zebra! Quagga, zebra?", 1)
    with pytest.raises(NoKnownWordError, match="query is '\\?': expected at least one word"):
        ranking.top_k("?", 1)
    with pytest.raises(TypeError, match="text is None: expected a string"):
        ranking.scores(None)
    with pytest.raises(ValueError, match="k is 3: expected at most 2, the number of documents"):
        ranking.top_k("oak", 3)
    with pytest.raises(ValueError, match="k is 0: expected at least 1"):
        ranking.top_k("oak", 0)
    for k in (1.0, True, "1"):
        with pytest.raises(TypeError, match="k is .*: expected a whole number"):
            ranking.top_k("oak", k)
    assert len(ranking.top_k("oak", np.int64(1))) == 1


@pytest.mark.parametrize("make", [TfIdf, BM25])
def test_an_emptied_index_is_an_empty_corpus(make):
    index = index_of({"a": "oak"})
    ranking = make(index)
    assert ranking.top_k("oak", 1)
    index.remove("a")
    with pytest.raises(ValueError, match="the corpus is empty"):
        ranking.document_vectors()


# Means of word vectors


def test_mean_vectors_are_means_at_length_one():
    words, vectors = ["oak", "elm", "yew"], np.array([[3.0, 0.0], [0.0, 4.0], [1.0, 1.0]])
    index = index_of({"a": "oak oak elm", "b": "zzz", "c": "yew"})
    ranking = MeanVectors(index, words, vectors)
    expected = np.array([[6, 4] / np.sqrt(52), [0, 0], [1, 1] / np.sqrt(2)])
    np.testing.assert_allclose(ranking.document_vectors(), expected, atol=1e-15)
    np.testing.assert_allclose(ranking.scores("ELM zzz"), expected @ [0, 1], atol=1e-15)
    assert [name for name, _ in ranking.top_k("elm", 3)] == ["c", "a"]  # b has nothing to say
    assert ranking.left_out("The oak, the zzz!") == ["the", "zzz"]


def test_mean_vectors_weigh_rare_words_for_more_if_asked():
    index = index_of({"a": "oak elm", "b": "oak fir", "c": "oak"})
    words, vectors = ["oak", "elm", "fir", "yew"], np.eye(4)
    ranking = MeanVectors(index, words, vectors, idf="smooth")
    common, rare = inverse_document_frequency([3, 1], 3, "smooth")
    length = np.hypot(common, rare)
    np.testing.assert_allclose(ranking.document_vectors()[0][:2], [common / length, rare / length])
    # No document holds the yew: it weighs as the rarest do.
    np.testing.assert_allclose(ranking.query_vector("oak yew")[[0, 3]], [common, rare] / length)


def test_vectors_given_away_cannot_change_a_ranking():
    ranking = MeanVectors(index_of({"a": "oak"}), ["oak"], [[1.0, 0.0]])
    ranking.document_vectors()[:] = 7
    np.testing.assert_array_equal(ranking.scores("oak"), [1])
