"""The committed tables hold what the chapters say of them."""

import importlib.resources

import numpy as np
import pytest

from casebook.data.tables import (
    MODELS,
    STEPS,
    attention_sentences,
    load_attention,
    load_glove,
    load_glove_full_vocabulary,
)
from casebook.vectors import analogy, neighbours, vector_of

SIZE_LIMITS = {"glove": 120_000, "attention": 500_000}  # bytes, of all files that begin so
EVERY_SENTENCE = [(model, name) for model in MODELS for name in attention_sentences(model)]


def weights_on(model, sentence, asking, *asked):
    """Return the weights (n_layers, n_heads) of one token on each of some others."""
    tokens, weights = load_attention(model, sentence)
    return [weights[:, :, tokens.index(asking), tokens.index(word)] for word in asked]


def test_files_are_small_and_each_has_its_licence_beside_it():
    folder = importlib.resources.files("casebook") / "data"
    files = [file for file in folder.iterdir() if file.is_file() and file.suffix != ".py"]
    names = {file.name for file in files}
    for beginning, limit in SIZE_LIMITS.items():
        sizes = [len(file.read_bytes()) for file in files if file.name.startswith(beginning)]
        assert 0 < sum(sizes) < limit
    assert {"README.md", "LICENCE-glove.md", "LICENCE-smollm2.md", "LICENCE-minilm.md"} <= names
    readme = next(file for file in files if file.name == "README.md").read_text("utf-8")
    for name in names - {"README.md"}:
        assert f"`{name}`" in readme


# Word vectors


def test_glove_is_a_table_of_distinct_words_with_50_numbers():
    words, vectors = load_glove()
    assert 280 <= len(words) == len(set(words)) <= 320
    assert vectors.shape == (len(words), 50) and vectors.dtype == np.float64
    assert np.isfinite(vectors).all() and (np.linalg.norm(vectors, axis=1) > 1).all()
    np.testing.assert_array_equal(vectors, vectors.round(4))


@pytest.mark.parametrize(
    ("a", "b", "c", "answer", "cosine", "cosine_at_unit_length"),
    [
        ("king", "man", "woman", "queen", 0.861, 0.852),
        ("paris", "france", "italy", "rome", 0.838, 0.847),
        ("went", "go", "come", "came", 0.954, 0.962),
        ("cats", "cat", "dog", "dogs", 0.915, 0.904),
        ("actor", "man", "woman", "actress", 0.944, 0.942),
        ("better", "good", "bad", "worse", 0.897, 0.901),
    ],
)
def test_analogies_of_the_table_and_of_the_whole_vocabulary(
    a, b, c, answer, cosine, cosine_at_unit_length
):
    words, vectors = load_glove()
    whole = load_glove_full_vocabulary()["analogies"][f"{a} - {b} + {c}"]["inputs_left_out"]
    assert whole[0] == [answer, pytest.approx(cosine, abs=5e-4)]
    assert analogy(a, b, c, words, vectors)[0] == (answer, pytest.approx(cosine, abs=5e-4))
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found = analogy(a, b, c, words, unit)[0]
    assert found == (answer, pytest.approx(cosine_at_unit_length, abs=5e-4))


def test_king_wins_when_the_inputs_are_left_in():
    words, vectors = load_glove()
    whole = load_glove_full_vocabulary()["analogies"]["king - man + woman"]["inputs_left_in"]
    small = analogy("king", "man", "woman", words, vectors, leave_inputs_out=False)
    assert [word for word, _ in small[:2]] == [word for word, _ in whole[:2]] == ["king", "queen"]
    assert small[0][1] == pytest.approx(0.886, abs=5e-4)


def test_one_vector_holds_the_commonest_meaning_most():
    words, vectors = load_glove()
    ranks = load_glove_full_vocabulary()["ranks"]
    assert ranks["apple"]["iphone"]["rank"] < 10 < ranks["apple"]["fruit"]["rank"] < 200
    assert ranks["bank"]["loans"]["rank"] < 20 and ranks["bank"]["river"]["rank"] > 1000
    near_apple = neighbours(vector_of("apple", words, vectors), words, vectors, 12, ["apple"])
    assert {"microsoft", "juice"} <= {word for word, _ in near_apple}


def test_the_small_table_and_the_whole_vocabulary_agree_on_cosines():
    words, vectors = load_glove()
    for word, nearest in load_glove_full_vocabulary()["neighbours"].items():
        cosines = dict(neighbours(vector_of(word, words, vectors), words, vectors, len(words)))
        for other, cosine in nearest:
            if other in cosines:
                assert cosines[other] == pytest.approx(cosine, abs=2e-4)


# Attention weights


@pytest.mark.parametrize(("model", "sentence"), EVERY_SENTENCE)
def test_weights_have_the_shape_of_the_model_and_rows_that_sum_to_one(model, sentence):
    tokens, weights = load_attention(model, sentence)
    n = len(tokens)
    n_layers, n_heads = {"smollm2": (30, 9), "minilm": (6, 12)}[model]
    assert weights.shape == (n_layers, n_heads, n, n) and weights.dtype == np.float64
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-14)
    np.testing.assert_allclose(weights * STEPS, np.rint(weights * STEPS), rtol=0, atol=1e-9)
    pieces = [token.lower().removeprefix("##") for token in tokens if token[0] != "["]
    text = attention_sentences(model)[sentence]
    assert "".join(pieces) == text.lower().replace(" ", "")


@pytest.mark.parametrize("sentence", attention_sentences("smollm2"))
def test_the_decoder_sees_nothing_that_comes_later_and_the_encoder_does(sentence):
    _, decoder = load_attention("smollm2", sentence)
    _, encoder = load_attention("minilm", sentence)
    assert not np.triu(decoder, 1).any()
    assert np.triu(encoder, 1).sum() > 0.1 * encoder.sum()


def test_layer_13_head_8_puts_it_on_dog_and_the_mean_over_heads_does_not():
    dog, ball, first = weights_on("smollm2", "dog_excited", "it", "dog", "ball", "The")
    assert dog[13, 8] == pytest.approx(0.66, abs=0.006)
    assert ball[13, 8] == pytest.approx(0.08, abs=0.006)
    assert dog.mean() == pytest.approx(0.041, abs=0.0006)
    assert ball.mean() == pytest.approx(0.067, abs=0.0006)
    assert first.mean() == pytest.approx(0.49, abs=0.006)


def test_the_decoder_has_not_seen_how_the_sentence_ends():
    for one, other in (("dog_excited", "dog_bouncy"), ("animal_tired", "animal_wide")):
        tokens, weights = load_attention("smollm2", one)
        _, others = load_attention("smollm2", other)
        n = len(tokens) - 1  # all but the last word
        np.testing.assert_array_equal(weights[:, :, :n, :n], others[:, :, :n, :n])


@pytest.mark.parametrize(
    ("sentence", "asking", "one", "other", "on_one", "on_other"),
    [
        ("animal_tired", "it", "animal", "street", 0.70, 0.01),
        ("boy_angry", "he", "boy", "stone", 0.58, 0.09),
        ("boy_small", "it", "boy", "stone", 0.30, 0.48),
        ("cat_bird", "it", "cat", "bird", 0.49, 0.34),
        ("sister_doctor", "she", "sister", "doctor", 0.44, 0.28),
        ("dog_passive", "it", "dog", "ball", 0.55, 0.15),
        ("horse_because", "it", "horse", "cart", 0.51, 0.22),
        ("horse_until", "it", "horse", "cart", 0.15, 0.71),
    ],
)
def test_the_same_head_on_the_other_sentences(sentence, asking, one, other, on_one, on_other):
    first, second = weights_on("smollm2", sentence, asking, one, other)
    assert first[13, 8] == pytest.approx(on_one, abs=0.006)
    assert second[13, 8] == pytest.approx(on_other, abs=0.006)


@pytest.mark.parametrize(
    ("sentence", "mean_dog", "mean_ball", "head_dog"),
    [("dog_excited", 0.0633, 0.0602, 0.65), ("dog_bouncy", 0.0566, 0.0594, 0.55)],
)
def test_the_encoder_changes_its_mind_by_a_hair(sentence, mean_dog, mean_ball, head_dog):
    dog, ball = weights_on("minilm", sentence, "it", "dog", "ball")
    assert dog.mean() == pytest.approx(mean_dog, abs=1e-4)
    assert ball.mean() == pytest.approx(mean_ball, abs=1e-4)
    assert dog[5, 11] == pytest.approx(head_dog, abs=0.006)


def test_an_unknown_name_is_told_what_there_is():
    with pytest.raises(ValueError, match="model is 'gpt2': expected one of smollm2, minilm"):
        load_attention("gpt2", "dog_excited")
    with pytest.raises(ValueError, match="model is 'gpt2': expected one of smollm2, minilm"):
        attention_sentences("gpt2")
    with pytest.raises(ValueError, match="sentence is 'cow': expected one of dog_excited, .*until"):
        load_attention("minilm", "cow")
