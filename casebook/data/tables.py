"""The small tables of ``casebook/data/``: real word vectors and real attention weights.

What each file is, its licence and how it was made: ``casebook/data/README.md``.
Layers and heads are counted from 0.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from casebook.guards import one_of
from casebook.types import Array

FOLDER = Path(__file__).parent
MODELS = ("smollm2", "minilm")
STEPS = 10_000  # the weights are stored as whole ten-thousandths


def load_glove() -> tuple[list[str], Array]:
    """Return about 300 chosen words and their GloVe vectors.

    The vectors have the length that training gave them, not 1.

    Returns: list of n words, and vectors (n, 50), float64, rounded to 4 decimals.
    Source: Pennington et al. (2014), GloVe 6B, 50 dimensions.
    """
    rows = [line.split() for line in (FOLDER / "glove.txt").read_text("utf-8").splitlines()]
    return [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=float)


def load_glove_full_vocabulary() -> dict[str, Any]:
    """Return what all 400,000 words of GloVe answer, computed once by the script.

    Returns: a dict with
        "n_words", a number;
        "analogies", by "king - man + woman" and the like: a dict of "inputs_left_out"
        and "inputs_left_in", each a list of 5 [word, cosine], nearest first;
        "neighbours", by word: a list of 20 [word, cosine];
        "ranks", by word and other word: a dict of "rank" (1 is nearest) and "cosine".
    Source: Pennington et al. (2014), GloVe 6B, 50 dimensions.
    """
    return json.loads((FOLDER / "glove_full_vocabulary.json").read_text("utf-8"))


def attention_sentences(model: str) -> dict[str, str]:
    """Return the text of every sentence whose weights are stored, by its name.

    model: "smollm2" or "minilm".
    Raises: ValueError for another model.
    """
    with _open(model) as arrays:
        names = [key.removesuffix(".text") for key in arrays if key.endswith(".text")]
        return {name: str(arrays[f"{name}.text"]) for name in names}


def load_attention(model: str, sentence: str) -> tuple[list[str], Array]:
    """Return the tokens of a sentence and the attention weights of every head of a real model.

    ``weights[13, 8, 6, 1]`` is how much, in layer 13 and head 8, token 6 attends to token 1.

    model: "smollm2", a decoder of 30 layers and 9 heads (causal), or "minilm", an encoder
        of 6 layers and 12 heads (it sees both sides).
    sentence: a name from :func:`attention_sentences`.
    Returns: list of n tokens, without the space that SmolLM2's carry in front, and weights
        (n_layers, n_heads, n, n), float64, rounded to 4 decimals so that each row sums to 1.
    Raises: ValueError for another model or a sentence that is not stored.
    Source: Ben Allal et al. (2025), SmolLM2; Wang et al. (2020), MiniLM.
    """
    with _open(model) as arrays:
        if f"{sentence}.weights" not in arrays:
            names = ", ".join(key.removesuffix(".text") for key in arrays if ".text" in key)
            raise ValueError(f"sentence is {sentence!r}: expected one of {names}")
        tokens = [str(token).strip() for token in arrays[f"{sentence}.tokens"]]
        steps = arrays[f"{sentence}.weights"]  # (n_q, n_k, n_layers, n_heads)
    return tokens, steps.transpose(2, 3, 0, 1) / STEPS


def _open(model):
    """Return the open file of a model's weights, or say which models there are."""
    one_of("model", model, MODELS)
    return np.load(FOLDER / f"attention_{model}.npz")
