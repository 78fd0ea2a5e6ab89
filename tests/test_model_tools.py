"""The parts of the scripts behind casebook/data/ that need no model."""

import json

import numpy as np
import pytest

from casebook.attention import softmax
from provenance import minilm, smollm2
from provenance.make_attention_tables import to_steps
from provenance.package_files import package_file


def test_a_package_that_is_not_there_is_named():
    with pytest.raises(FileNotFoundError, match="no-such-package is not installed: pip install"):
        package_file("no-such-package", "*.gguf")
    with pytest.raises(FileNotFoundError, match=r"numpy is installed, but it has no file \*\.gguf"):
        package_file("numpy", "*.gguf")
    assert package_file("numpy", "numpy/version.py").is_file()


@pytest.mark.parametrize("spread", [0, 1, 10, 100])
def test_rounded_weights_sum_to_one_and_move_by_less_than_a_step(spread):
    rng = np.random.default_rng(3)
    scores = rng.normal(0, 1, (4, 9, 9)) * spread
    scores = np.where(np.tri(9, dtype=bool), scores, -np.inf)
    weights = softmax(scores).astype(np.float32)
    steps = to_steps(weights)
    assert steps.dtype == np.uint16
    np.testing.assert_array_equal(steps.sum(axis=-1), 10_000)
    assert np.abs(steps / 10_000 - weights).max() <= 1e-4
    assert not steps[weights == 0].any()


def test_pieces_of_a_text_as_smollm2_cuts_it():
    assert smollm2.PIECES.findall("It's 42,  isn't_it?\n") == [
        "It", "'s", " ", "4", "2", ",", " ", " isn", "'t", "_", "it", "?", "\n"
    ]  # fmt: skip


def test_merges_go_by_rank_and_stop_where_there_is_none():
    ranks = {("l", "o"): 0, ("lo", "w"): 1, ("o", "w"): 2}
    assert smollm2.merge(list("slower"), ranks) == ["s", "low", "e", "r"]
    assert smollm2.merge(list("bow"), ranks) == ["b", "ow"]
    assert smollm2.merge(["x"], ranks) == ["x"]


def test_every_byte_has_a_letter_of_its_own():
    letters = smollm2.byte_letters()
    assert len(letters) == len(set(letters.values())) == 256
    assert (letters[ord("a")], letters[ord(" ")]) == ("a", "\u0120")


def test_word_pieces_take_the_longest_from_the_left():
    vocabulary = {"bo", "b", "##un", "##cy", "##u", "ball"}
    assert minilm.word_pieces("bouncy", vocabulary) == ["bo", "##un", "##cy"]
    assert minilm.word_pieces("ball", vocabulary) == ["ball"]
    assert minilm.word_pieces("cat", vocabulary) == ["[UNK]"]


def test_a_sentence_stands_in_small_letters_between_its_two_marks():
    model = minilm.MiniLM({}, ["[UNK]", "[CLS]", "[SEP]", "cafe", "was", "##n", "'", "t"])
    assert minilm.encode(model, "Café wasn't") == [1, 3, 4, 5, 6, 7, 2]


def test_safetensors_are_read_by_name(tmp_path):
    numbers = np.arange(6, dtype="<f4")
    header = {
        "__metadata__": {"format": "pt"},
        "a": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]},
        "ids": {"dtype": "I64", "shape": [1], "data_offsets": [16, 24]},
        "b": {"dtype": "F32", "shape": [1], "data_offsets": [20, 24]},
    }
    text = json.dumps(header).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + numbers.tobytes())
    arrays = minilm.read_safetensors(path)
    assert set(arrays) == {"a", "b"}
    np.testing.assert_array_equal(arrays["a"], [[0, 1], [2, 3]])
    np.testing.assert_array_equal(arrays["b"], [5])
