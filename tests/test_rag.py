"""casebook.rag: prompts, answers and measures; what the chapter claims of the trained reader."""

import math

import numpy as np
import pytest

from casebook import rag
from casebook.retrieval import TfIdf, ranked_names, recall_at, tokenise
from casebook.training import library, load_reader, reading_accuracy

QUESTIONS = rag.library_questions()
PAGES = library.documents()
VERA = next(q for q in QUESTIONS if q.document == "vera drink")


@pytest.fixture(scope="module")
def reader():
    return load_reader()


@pytest.fixture(scope="module")
def found():
    search = TfIdf(rag.index_of(PAGES, rag.stems), idf="plain")
    return ranked_names(search, [q.text for q in QUESTIONS], 16)


def right(answers):
    return round(96 * rag.share_right(answers, [q.answer for q in QUESTIONS]))


def test_each_document_has_its_question_and_16_people_a_memory_that_is_wrong():
    assert [q.document for q in QUESTIONS] == list(PAGES)
    assert [q.answer for q in QUESTIONS] == list(PAGES.values())
    remembered = [q for q in QUESTIONS if q.memory]
    assert len(remembered) == 64
    for q in remembered:
        assert q.memory != q.answer
        assert q.memory.split()[:2] == q.answer.split()[:2]


def test_the_readers_prompt_is_the_one_of_training():
    prompt = rag.reader_prompt(["vera drinks cocoa .", "vera sells boats ."], VERA.text)
    assert prompt == (
        "vera drinks cocoa . vera sells boats . question: what does vera drink ? answer:"
    )
    assert rag.reader_prompt([], VERA.text) == "question: what does vera drink ? answer:"


def test_the_prompt_for_a_chat_model_numbers_its_documents():
    prompt = rag.build_prompt(["First.", "Second."], "What?")
    assert prompt.split("\n\n") == [
        rag.INSTRUCTION,
        "[1] First.",
        "[2] Second.",
        "Question: What?",
    ]
    assert rag.build_prompt([], "What?") == "What?"


def test_stems_bring_the_two_forms_of_a_verb_together():
    assert rag.stems("What does Iris drink? Iris drinks!")[-1] == "drink"
    assert rag.stems("s") == ["s"]  # never an empty term
    with pytest.raises(TypeError, match="expected a string"):
        rag.stems(None)


def test_an_index_takes_its_documents_in_order():
    index = rag.index_of({"b": "one two", "a": "two"}, tokenise=str.split)
    assert index.names == ["b", "a"]
    assert index.postings("two") == [("b", 1), ("a", 1)]


def test_without_documents_the_reader_is_stale_or_invents(reader):
    closed = rag.answer_all(QUESTIONS, [[]] * 96, PAGES, reader)
    said = [(q, a) for q, a in zip(QUESTIONS, closed, strict=True) if q.memory]
    assert all(a.text == q.memory and a.probability > 0.95 for q, a in said)
    assert right(closed) <= 6  # newcomers alone can be right by chance
    strangers = [(q, a) for q, a in zip(QUESTIONS, closed, strict=True) if not q.memory]
    truths = [q.answer for q, _ in strangers]
    assert rag.mean_probability_when_wrong([a for _, a in strangers], truths) > 0.5
    assert sum(rag.is_well_formed(a, q) for q, a in strangers) >= 30


def test_with_the_top_2_the_one_error_is_the_retrievers(reader, found):
    answers = rag.answer_all(QUESTIONS, [names[:2] for names in found], PAGES, reader)
    assert right(answers) == 95
    wrong = [
        (q, names)
        for q, a, names in zip(QUESTIONS, answers, found, strict=True)
        if a.text != q.answer
    ]
    assert [q.document for q, _ in wrong] == ["ruth play"]
    assert wrong[0][1].index("ruth play") == 2
    assert recall_at(2, found, [q.document for q in QUESTIONS]) == 95 / 96


def test_without_the_right_document_it_invents_again(reader, found):
    rest = [
        [name for name in names if name != q.document][:2]
        for q, names in zip(QUESTIONS, found, strict=True)
    ]
    assert right(rag.answer_all(QUESTIONS, rest, PAGES, reader)) <= 10


def test_the_hard_test_is_that_of_reading_accuracy(reader):
    lessons = rag.look_alikes(3, 60, np.random.default_rng(5))
    answers = [rag.answer(question, texts, reader) for texts, question, _ in lessons]
    share = rag.share_right(answers, [truth for *_, truth in lessons])
    assert share == reading_accuracy(3, *reader, np.random.default_rng(5), n_lessons=60)
    texts, question, truth = lessons[0]
    assert len(texts) == 3
    assert truth in texts
    assert truth.split()[0] in question.split()


def test_the_probability_is_that_of_the_whole_sentence(reader):
    text, probabilities = "vera drinks juice .", rag.value_probabilities(VERA, [], reader)
    said = rag.answer(VERA.text, [], reader)
    juice = library.VALUES[VERA.relation].index("juice")
    assert said.text == text
    assert said.probability <= probabilities[juice]
    assert said.probability == pytest.approx(probabilities[juice], abs=0.02)
    assert probabilities.sum() < 1


def test_measures_of_answers_written_by_hand():
    answers = [rag.Answer("a", 0.9), rag.Answer("b", 0.4), rag.Answer("c", 0.8)]
    assert rag.share_right(answers, ["a", "x", "y"]) == 1 / 3
    assert rag.mean_probability_when_wrong(answers, ["a", "x", "y"]) == pytest.approx(0.6)
    assert math.isnan(rag.mean_probability_when_wrong(answers[:1], ["a"]))


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("vera drinks mead .", True),
        ("vera drinks rugby .", False),
        ("emil drinks mead .", False),
        ("vera drinks mead", False),
    ],
)
def test_well_formed_is_one_of_the_ten_possible_sentences(text, is_one):
    assert rag.is_well_formed(rag.Answer(text, 1.0), VERA) is is_one


@pytest.mark.parametrize(
    ("phrase", "is_there"),
    [("2 crowns", True), ("crowns for", True), ("2 crown", False), ("for 2", False)],
)
def test_a_phrase_is_held_only_as_whole_words_in_order(phrase, is_there):
    assert rag.holds("It costs 2 CROWNS, for a child.", phrase) is is_there


def test_a_window_is_cut_to_the_question():
    index = rag.index_of({"a": "the cat sat on the red mat", "b": "the dog"}, tokenise)
    assert rag.telling_window("the cat sat on the red mat", "a red mat?", index, 2) == "red mat"
    assert rag.telling_window("the cat sat", "what about the dog?", index, 9) == "the cat sat"


def test_every_head_reads_the_full_stop_of_the_right_document(reader):
    texts = ["vera sells boats .", "vera drinks cocoa ."]
    words, weights = rag.reading_weights(VERA, texts, reader)
    assert words[-2:] == ["vera", "drinks"]
    assert weights.shape == (3, len(words))
    assert (weights.argmax(axis=1) == 7).all()
    shares = rag.weight_of_documents(weights, 2)
    assert shares.shape == (3, 2)
    np.testing.assert_allclose(shares[:, 1], weights[:, 4:8].sum(axis=1))
    with pytest.raises(ValueError, match="5 documents have 20 words"):
        rag.weight_of_documents(weights, 5)


def test_bad_input_gets_a_clear_sentence(reader):
    with pytest.raises(ValueError, match="'zelda'"):
        rag.answer("what does zelda drink ?", [], reader)
    with pytest.raises(ValueError, match="context of 96 is too short"):
        rag.answer(VERA.text, list(PAGES.values())[:21], reader)
    with pytest.raises(ValueError, match="1 questions and 2 lists"):
        rag.answer_all([VERA], [[], []], PAGES, reader)
    with pytest.raises(ValueError, match="0 answers and 0 truths"):
        rag.share_right([], [])
    with pytest.raises(ValueError, match="1 answers and 2 truths"):
        rag.share_right([rag.Answer("a", 1.0)], ["a", "b"])
