"""casebook.training: library, lessons, training, checkpoints, and the model that is stored."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.training import (
    Config,
    attention_weights,
    closed_book_accuracy,
    generate,
    learning_rate,
    load_checkpoint,
    load_reader,
    random_parameters,
    reading_accuracy,
    save_checkpoint,
    score_bias,
    train,
    train_reader,
    word_probabilities,
)
from casebook.training import lessons as lessons_module
from casebook.training.library import (
    FACTS,
    KNOWN,
    MEMORIES,
    NEWCOMERS,
    PEOPLE,
    WORDS,
    decode,
    documents,
    encode,
    question,
)

SMALL = Config(9, 8, 2, 1, 8, n_positions=6)


def small_parameters(seed=0):
    return random_parameters(SMALL, np.random.default_rng(seed))


@pytest.fixture(scope="module")
def reader():
    return load_reader()


# --- the library and the lessons


def test_every_word_has_one_number_and_comes_back():
    assert len(set(WORDS)) == len(WORDS) == 78
    assert decode(encode(" ".join(WORDS))) == " ".join(WORDS)


def test_training_teaches_no_fact_of_today():
    assert (FACTS != MEMORIES).all()
    today = set(documents().values())
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(40):
        for row in lessons_module.open_book(32, 3, 3, rng):
            seen |= {decode(row[i : i + 4]) for i in (0, 4, 8)}
    assert len(seen) > 800
    assert not seen & today


def test_newcomers_are_never_asked_about_without_documents():
    rows = lessons_module.closed_book(200, 4, np.random.default_rng(0))
    words = set(decode(rows.ravel()).split())
    assert words & set(PEOPLE) == {PEOPLE[person] for person in KNOWN}


@given(seed=st.integers(0, 10**6), n_documents=st.integers(1, 8), data=st.data())
@settings(max_examples=30)
def test_an_open_book_lesson_asks_only_what_a_document_says(seed, n_documents, data):
    n_questions = data.draw(st.integers(1, n_documents))
    rows = lessons_module.open_book(3, n_documents, n_questions, np.random.default_rng(seed))
    assert rows.shape == (3, 4 * n_documents + 11 * n_questions)
    for row in rows:
        stated = [decode(row[4 * i : 4 * i + 4]) for i in range(n_documents)]
        assert len({tuple(line.split()[:2]) for line in stated}) == n_documents
        asked = decode(row[4 * n_documents :]).split("question: ")[1:]
        assert len(set(asked)) == n_questions
        for line in asked:
            told, answer = line.strip().split(" answer: ")
            assert answer in stated
            person, relation = answer.split()[:2]
            assert told == f"what does {person} {relation.removesuffix('s')} ?"


def test_the_other_documents_are_look_alikes():
    rows = lessons_module.open_book(2000, 2, 1, np.random.default_rng(0))
    same_person = (rows[:, 0] == rows[:, 4]).mean()
    same_relation = (rows[:, 1] == rows[:, 5]).mean()
    assert 0.2 < same_person < 0.3  # those that would share both are drawn anew
    assert 0.55 < same_relation < 0.7
    assert not ((rows[:, 0] == rows[:, 4]) & (rows[:, 1] == rows[:, 5])).any()


def test_importance_stands_on_the_answers():
    rows = lessons_module.open_book(1, 2, 1, np.random.default_rng(0))
    tokens, targets, importance = lessons_module.next_words(rows, lessons_module.importance(2, 1))
    assert decode(targets[0, importance > 0]) == decode(rows[0, -4:])
    assert importance[importance > 0].tolist() == [1, 1, 4, 1]
    np.testing.assert_array_equal(tokens[0, 1:], targets[0, :-1])


# --- training


def copying_lesson(rng):
    """Return sequences in which the next word is always the word itself."""
    words = np.tile(rng.integers(0, 9, (16, 1)), 5)
    return words, words, np.ones(5)


def test_training_learns_and_is_the_same_again():
    runs = [
        train(small_parameters(), SMALL, copying_lesson, np.random.default_rng(1), n_steps=200)
        for _ in range(2)
    ]
    losses = runs[0][1]
    assert losses[0] > 2
    assert losses[-1] < 0.2 * losses[0]
    np.testing.assert_array_equal(losses, runs[1][1])


def test_watch_sees_every_step_and_the_parameters_after_it():
    seen = []
    parameters, _ = train(
        small_parameters(),
        SMALL,
        copying_lesson,
        np.random.default_rng(1),
        n_steps=3,
        watch=lambda step, now: seen.append((step, now)),
    )
    assert [step for step, _ in seen] == [1, 2, 3]
    assert seen[-1][1] is parameters


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid", "ignore:divide")
def test_training_that_diverges_says_so():
    with pytest.raises(FloatingPointError, match=r"the loss is nan at step \d: .*rate of 1e\+200"):
        train(
            small_parameters(),
            SMALL,
            copying_lesson,
            np.random.default_rng(1),
            peak=1e200,
            n_steps=9,
        )


def test_the_learning_rate_climbs_stays_and_falls():
    rates = [learning_rate(step, 600) for step in range(1, 601)]
    assert rates[14] == pytest.approx(1.5e-3)
    assert set(rates[29:360]) == {3e-3}
    assert rates[479] == pytest.approx(1.5e-3)
    assert rates[-1] == pytest.approx(6e-5)


def test_five_steps_of_the_reader_are_those_of_the_stored_start():
    parameters, config, losses = train_reader(n_steps=5)
    assert config == Config(n_words=78)
    assert losses.round(4).tolist()[0] == 4.8308
    assert sum(array.size for array in parameters.values()) == 44_592


# --- what a model can be asked


def test_a_causal_model_does_not_see_the_future_and_the_other_does():
    tokens = np.array([[1, 2, 3, 4]])
    changed = np.array([[1, 2, 3, 5]])
    for causal in (True, False):
        config = dataclasses.replace(SMALL, causal=causal)
        before, after = (
            word_probabilities(rows, small_parameters(), config) for rows in (tokens, changed)
        )
        assert np.allclose(before[:, :3], after[:, :3]) == causal


def test_look_back_prefers_one_two_three_steps_back_in_the_first_layer_alone():
    config = Config(9)
    bias = score_bias(config, 0, 20)
    assert bias.shape == (3, 20, 20)
    assert bias[:, 15].argmax(axis=-1).tolist() == [14, 13, 12]
    assert bias[0, 15, 0] == -8
    assert np.isneginf(bias[:, 2, 3:]).all()
    assert score_bias(config, 1, 4)[0].tolist() == np.where(np.tri(4), 0, -np.inf).tolist()


def test_the_stored_model_reads_and_does_not_know(reader):
    parameters, config = reader
    rng = np.random.default_rng(11)
    for n_documents in (1, 2, 4):
        assert reading_accuracy(n_documents, parameters, config, rng) > 0.98
    assert closed_book_accuracy(KNOWN, FACTS, parameters, config) == 0
    assert closed_book_accuracy(KNOWN, MEMORIES, parameters, config) == 1
    assert closed_book_accuracy(NEWCOMERS, FACTS, parameters, config) < 0.25


def test_the_stored_model_writes_a_sentence_and_says_how_sure_it_is(reader):
    person = PEOPLE.index("vera")
    fact = documents()["vera drink"]
    text, sure = generate(f"{fact} question: {question(person, 0)} answer:", *reader)
    assert text == fact
    assert len(sure) == 4
    assert min(sure) > 0.95


def test_attention_weights_are_those_of_one_layer(reader):
    weights = attention_weights("vera drinks cocoa .", *reader, layer=0)
    assert weights.shape == (3, 4, 4)
    np.testing.assert_allclose(weights.sum(axis=-1), 1)
    assert weights[0, 3].argmax() == 2


# --- bad input


def test_bad_input_gets_a_sentence(reader):
    parameters, config = reader
    with pytest.raises(ValueError, match="text holds 'xenia'"):
        encode("xenia drinks tea .")
    with pytest.raises(ValueError, match="tokens hold 78"):
        decode([78])
    with pytest.raises(ValueError, match="context of 96 is too short"):
        generate("vera drinks cocoa . " * 24, parameters, config)
    with pytest.raises(ValueError, match="there are 97 tokens"):
        word_probabilities(np.zeros((1, 97), dtype=int), parameters, config)
    with pytest.raises(ValueError, match="tokens hold -1 to 78"):
        word_probabilities(np.array([[-1, 78]]), parameters, config)
    with pytest.raises(ValueError, match="n_questions is 3: expected at most 2"):
        lessons_module.open_book(1, 2, 3, np.random.default_rng(0))
    with pytest.raises(ValueError, match="positions is 'rope'"):
        Config(9, positions="rope")
    with pytest.raises(ValueError, match="n_heads is 3 and d_model is 8"):
        Config(9, d_model=8)


# --- checkpoints


def test_a_checkpoint_comes_back(tmp_path):
    path = tmp_path / "small.npz"
    save_checkpoint(path, small_parameters(), SMALL)
    parameters, config = load_checkpoint(path)
    assert config == SMALL
    for name, array in small_parameters().items():
        np.testing.assert_array_equal(parameters[name], array)


def test_a_checkpoint_is_not_overwritten_unasked(tmp_path):
    path = tmp_path / "small.npz"
    save_checkpoint(path, small_parameters(0), SMALL)
    with pytest.raises(FileExistsError, match="is there already"):
        save_checkpoint(path, small_parameters(1), SMALL)
    np.testing.assert_array_equal(
        load_checkpoint(path)[0]["embedding"], small_parameters(0)["embedding"]
    )
    save_checkpoint(path, small_parameters(1), SMALL, overwrite=True)
    np.testing.assert_array_equal(
        load_checkpoint(path)[0]["embedding"], small_parameters(1)["embedding"]
    )


def test_a_checkpoint_that_does_not_fit_is_refused(tmp_path):
    path = tmp_path / "small.npz"
    save_checkpoint(path, small_parameters(), SMALL)
    with pytest.raises(ValueError, match=r"'embedding' is \(9, 8\), and the config says \(10, 8\)"):
        load_checkpoint(path, dataclasses.replace(SMALL, n_words=10))
    with pytest.raises(ValueError, match=r"'1.norm_1' is missing"):
        load_checkpoint(path, dataclasses.replace(SMALL, n_layers=2))
    with pytest.raises(ValueError, match="'extra' is .* no such parameter"):
        save_checkpoint(tmp_path / "x.npz", small_parameters() | {"extra": np.ones(2)}, SMALL)
    arrays = dict(np.load(path))
    np.savez(path, **(arrays | {"version": 2}))
    with pytest.raises(ValueError, match="version 2: expected 1"):
        load_checkpoint(path)
    np.savez(path, **small_parameters())
    with pytest.raises(ValueError, match="it holds no version or no config"):
        load_checkpoint(path)
    path.write_bytes(b"not a zip file")
    with pytest.raises(ValueError, match="is no checkpoint"):
        load_checkpoint(path)
