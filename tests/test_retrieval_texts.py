"""Words, chunks, recall, and the two corpora of casebook.retrieval."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.data.tables import load_glove
from casebook.retrieval import (
    BM25,
    InvertedIndex,
    MeanVectors,
    TfIdf,
    best_window,
    character_bigrams,
    chunk,
    chunk_documents,
    document_of,
    load_corpus,
    load_corpus_vectors,
    ranked_names,
    recall_at,
    tokenise,
    within_budget,
)

TOKENISERS = {"english": tokenise, "chinese": character_bigrams}


# Words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cat sat. The CAT!", "the cat sat the cat"),
        ("at 6:40, for 1.50 or 10,000.", "at 6:40 for 1.50 or 10,000"),
        ("the town's dog, it’s BUTTON’S", "the town dog it button"),
        ("don't; o’clock; 'quoted'", "don't o’clock quoted"),
        ("half-past a_b (c) d/e", "half past a b c d e"),
        ("Cafe\u0301 ＡＢＣ １２", "café abc 12"),
        ("?! …", ""),
        ("", ""),
    ],
)
def test_tokenise(text, words):
    assert tokenise(text) == words.split()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("渡輪時間", "渡輪 輪時 時間"),
        ("渡輪，時間", "渡輪 時間"),
        ("我", "我"),
        ("我。愛 AI！", "我 愛 ai"),
        ("早上6:40開船，搭Bus 7到站", "早上 6:40 開船 搭 bus 7 到站"),
        ("人人、日日、時々刻々", "人人 日日 時々 々刻 刻々"),
        ("𠮷野家", "𠮷野 野家"),
        ("no Chinese at all", "no chinese at all"),
        ("，。", ""),
    ],
)
def test_character_bigrams(text, terms):
    assert character_bigrams(text) == terms.split()


@given(st.text(alphabet="一二三四五六七", min_size=2, max_size=20))
def test_bigrams_overlap_and_lose_no_character(text):
    pairs = character_bigrams(text)
    assert len(pairs) == len(text) - 1
    assert "".join(pair[0] for pair in pairs) + pairs[-1][1] == text


@given(st.text())
def test_terms_of_any_text_are_lower_case_and_not_empty(text):
    for terms in (tokenise(text), character_bigrams(text)):
        assert all(term and not re.search(r"\s|[.,!?]$", term) for term in terms)
        assert all(term == term.lower() for term in terms)


@pytest.mark.parametrize("function", [tokenise, character_bigrams])
def test_what_is_no_text_is_refused(function):
    with pytest.raises(TypeError, match="text is 7: expected a string"):
        function(7)


# Chunks, windows, budget

SIZES = st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1)))


@given(st.lists(st.integers(), max_size=60), SIZES)
def test_chunks_cover_all_words_and_overlap_as_asked(words, size_and_overlap):
    size, overlap = size_and_overlap
    pieces = chunk(words, size, overlap)
    assert bool(pieces) == bool(words)
    for before, after in zip(pieces, pieces[1:], strict=False):
        assert len(before) == size and len(after) > overlap
        assert before[size - overlap :] == after[:overlap]
    assert sum((piece[overlap:] for piece in pieces[1:]), (pieces or [[]])[0]) == words
    assert all(len(piece) <= size for piece in pieces)


def test_chunk_by_hand():
    words = list("abcdefg")
    assert chunk(words, 3) == [["a", "b", "c"], ["d", "e", "f"], ["g"]]
    assert chunk(words, 3, 1) == [["a", "b", "c"], ["c", "d", "e"], ["e", "f", "g"]]
    assert chunk(words, 9, 4) == [words]
    assert chunk([], 3) == []


def test_chunk_documents_names_the_pieces():
    pieces = chunk_documents({"a": "one  two\nthree", "b/c": "four", "none": ""}, 2)
    assert pieces == {"a/1": "one two", "a/2": "three", "b/c/1": "four"}
    assert [document_of(name) for name in pieces] == ["a", "a", "b/c"]
    characters = chunk_documents({"船": "渡輪時間"}, 3, 1, cut=list, joint="")
    assert characters == {"船/1": "渡輪時", "船/2": "時間"}


@given(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3]), min_size=1, max_size=30), st.integers(1, 35))
def test_best_window_weighs_most_and_is_the_first_of_equals(weights, size):
    words = list(enumerate(weights))
    window = best_window(words, size, lambda word: word[1])
    assert len(window) == min(size, len(words))
    start = window[0][0]
    assert window == words[start : start + size]
    totals = [round(10 * sum(weights[i : i + size])) for i in range(max(1, len(words) - size + 1))]
    assert totals[start] == max(totals) and max(totals) not in totals[:start]


def test_budget_takes_the_best_that_fit():
    texts = {"a": "1 2 3", "b": "1 2 3 4 5", "c": "1 2", "d": "1"}
    ranked = [("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.6)]
    assert within_budget(ranked, texts, 5) == ["a", "c"]  # b is passed over, d comes too late
    assert within_budget(ranked, texts, 6) == ["a", "c", "d"]
    assert within_budget(ranked, texts, 8) == ["a", "b"]
    assert within_budget(ranked, texts, 1) == ["d"]
    assert within_budget(ranked[:1], texts, 1) == []
    assert within_budget([("船", 1.0)], {"船": "渡輪時間"}, 3) == ["船"]
    assert within_budget([("船", 1.0)], {"船": "渡輪時間"}, 3, cut=list) == []


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: chunk(["a"], 0), ValueError, "size is 0: expected at least 1"),
        (lambda: chunk(["a"], 3, 3), ValueError, "overlap is 3 and size is 3: expected 0 to 2"),
        (lambda: chunk(["a"], 3, -1), ValueError, "overlap is -1 and size is 3"),
        (lambda: chunk("a text", 3), TypeError, "words is a string: expected a list of words"),
        (lambda: best_window("a text", 3, len), TypeError, "words is a string"),
        (lambda: best_window(["a"], 0, len), ValueError, "size is 0: expected at least 1"),
        (lambda: chunk_documents({"a": "b"}, 2, 2), ValueError, "overlap is 2 and size is 2"),
        (lambda: within_budget([], {}, 0), ValueError, "n_words is 0: expected at least 1"),
    ],
)
def test_bad_sizes_are_refused(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()


# Recall


def test_recall_at_k_counts_the_questions_answered():
    ranked = [["a", "b", "c"], ["b", "a"], [], ["c", "b", "a"]]
    right = ["a", "a", "a", "a"]
    assert [recall_at(k, ranked, right) for k in (1, 2, 3)] == [0.25, 0.5, 0.75]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: recall_at(0, [["a"]], ["a"]), "k is 0: expected at least 1"),
        (lambda: recall_at(1, [], []), "ranked has 0 lists and right has 0 names"),
        (lambda: recall_at(1, [["a"]], ["a", "b"]), "ranked has 1 lists and right has 2 names"),
        (lambda: recall_at(1, [["a"], []], ["a", None]), r"right\[1\] is None: leave out"),
    ],
)
def test_recall_of_what_cannot_be_measured_is_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_a_question_of_unknown_words_finds_nothing_but_other_errors_show():
    index = InvertedIndex()
    index.add("a", "oak")
    assert ranked_names(TfIdf(index), ["oak", "zebra"], 1) == [["a"], []]
    with pytest.raises(ValueError, match="k is 2"):
        ranked_names(TfIdf(index), ["oak"], 2)


# The corpora


def index_of(language):
    documents, questions = load_corpus(language)
    index = InvertedIndex(TOKENISERS[language])
    for name, text in documents.items():
        index.add(name, text)
    return index, documents, questions


def recall(ranking, questions, k=2):
    answerable = [question for question in questions if question.document]
    names = ranked_names(ranking, [question.text for question in answerable], k)
    return recall_at(k, names, [question.document for question in answerable])


def top_2(ranking, question):
    return ranked_names(ranking, [question], 2)[0]


@pytest.mark.parametrize(
    ("language", "n_documents", "n_questions"),
    [("english", range(20, 41), 30), ("chinese", range(8, 13), 10)],
)
def test_corpus_is_whole_and_every_answer_stands_in_its_document(
    language, n_documents, n_questions
):
    documents, questions = load_corpus(language)
    assert len(documents) in n_documents and len(questions) >= n_questions
    assert len({question.text for question in questions}) == len(questions)
    for question in questions:
        assert question.text.endswith(("?", "？")) and question.answer
        if question.document is None:
            assert question.kind == "unanswerable" and question.evidence is None
        else:
            assert question.kind != "unanswerable"
            assert question.evidence in documents[question.document]


def test_english_corpus_has_one_long_document_and_short_ones():
    documents, questions = load_corpus("english")
    lengths = {name: len(text.split()) for name, text in documents.items()}
    assert 240 <= lengths.pop("history") <= 300
    assert max(lengths.values()) <= 40
    assert all(2 <= len(re.findall(r"[.]\s|[.]$", documents[name])) <= 3 for name in lengths)
    kinds = {question.kind for question in questions}
    assert kinds == {"plain", "synonym", "outdated", "contradiction", "long", "unanswerable"}
    for name, text in documents.items():
        assert text.isascii() and "  " not in text, name


def test_chinese_corpus_is_chinese_with_full_width_punctuation():
    documents, questions = load_corpus("chinese")
    for text in [*documents.values(), *(question.text for question in questions)]:
        assert re.fullmatch(r"[\u4e00-\u9fff，。、：？]+", text)


def test_words_alone_find_most_answers_and_miss_on_purpose():
    index, _, questions = index_of("english")
    of_kind = {
        kind: [question for question in questions if question.kind == kind]
        for kind in ("plain", "synonym", "outdated", "contradiction")
    }
    ranking = TfIdf(index)
    assert recall(ranking, of_kind["plain"]) == 1
    assert recall(ranking, of_kind["synonym"]) == 0
    for question in of_kind["outdated"]:
        assert top_2(ranking, question.text)[0] == "ferry_2019" != question.document
    for question in of_kind["contradiction"]:
        assert set(top_2(ranking, question.text)) == {"lighthouse_guide", "lighthouse_survey"}
    assert recall(BM25(index), of_kind["plain"]) >= 0.9


def test_vectors_find_the_physician_and_lose_elsewhere():
    index, documents, questions = index_of("english")
    physician, puppy, kids, _ = (q for q in questions if q.kind == "synonym")
    by_vectors = MeanVectors(index, *load_corpus_vectors())
    assert "physician" in physician.text and "doctor" in documents[physician.document]
    assert top_2(by_vectors, physician.text)[0] == physician.document == "doctor"
    assert top_2(by_vectors, puppy.text)[0] == puppy.document
    assert top_2(TfIdf(index), kids.text) == [] and kids.document not in top_2(
        by_vectors, kids.text
    )
    assert recall(by_vectors, questions) < recall(TfIdf(index), questions)


def test_synonyms_have_vectors():
    words, _ = load_corpus_vectors()
    assert {"physician", "doctor", "puppy", "dog", "kids", "children", "tourists"} <= set(words)
    assert {"puppy", "dog"} <= set(load_glove()[0])  # so the small table can tell them too


def test_corpus_vectors_are_those_of_every_word_that_glove_knows():
    documents, questions = load_corpus("english")
    words, vectors = load_corpus_vectors()
    texts = [*documents.values(), *(question.text for question in questions)]
    missing = {word for text in texts for word in tokenise(text)} - set(words)
    assert missing == {"hask", "hesk", "norl", "penmora", "postwoman"}
    assert words == sorted(words) and vectors.shape == (len(words), 50)
    few_words, few_vectors = load_glove()
    for word, vector in zip(few_words, few_vectors, strict=True):
        if word in words:
            np.testing.assert_allclose(vectors[words.index(word)], vector, atol=0.00056)


def test_chinese_bigrams_find_most_answers_and_miss_on_purpose():
    index, _, questions = index_of("chinese")
    ranking = TfIdf(index)
    assert recall(ranking, [q for q in questions if q.kind == "plain"], k=1) == 1
    synonym = next(q for q in questions if q.kind == "synonym")
    assert top_2(ranking, synonym.text) == []  # 大夫 is not 醫生
    outdated = next(q for q in questions if q.kind == "outdated")
    assert top_2(ranking, outdated.text)[0] == "舊市集公告" != outdated.document


def test_chunks_answer_with_fewer_words_and_overlap_mends_a_cut():
    """Share of the long document's questions whose evidence stands whole in the best 2 pieces."""
    documents, questions = load_corpus("english")
    long = [question for question in questions if question.kind == "long"]

    def share(size, overlap):
        pieces = chunk_documents(documents, size, overlap)
        index = InvertedIndex()
        for name, text in pieces.items():
            index.add(name, text)
        found = ranked_names(TfIdf(index), [question.text for question in long], 2)
        return sum(
            any(question.evidence in pieces[name] for name in names)
            for question, names in zip(long, found, strict=True)
        ) / len(long)

    assert share(300, 0) == 1
    assert share(20, 0) < share(20, 10) == 1


def test_another_language_is_refused():
    with pytest.raises(ValueError, match="language is 'latin': expected one of english, chinese"):
        load_corpus("latin")
