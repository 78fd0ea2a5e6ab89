"""The options of heads, layers, models and their gradients, of lookup and of the counts."""

import numpy as np

from casebook import attention, gradients, layers, lookup, model, multihead, size
from tests import reference
from tests.options import Case

LAYERS, MULTIHEAD = reference.load("layers"), reference.load("multihead")
SELF, CROSS = (reference.under(name, MULTIHEAD) for name in ("self", "cross"))
X, MEMORY, MASK = LAYERS["X"], LAYERS["memory"], LAYERS["mask"]
PRE, POST, PRE_DECODER, POST_DECODER = (
    reference.tree(name, LAYERS)
    for name in ("pre.encoder", "post.encoder", "pre.decoder", "post.decoder")
)
GAIN, BIAS = LAYERS["gain"], LAYERS["bias"]
RNG = np.random.default_rng(7)
BLOCKS = [layers.random_block(8, 2, RNG) for _ in range(2)]
READERS = [layers.random_block(8, 2, RNG, cross_attention=True)]
GROUPED = multihead.random_heads(8, 4, RNG, n_kv_heads=2)
Q, K, V, UPSTREAM = RNG.normal(0, 1, (4, 3, 4))
SOME_KEYS = RNG.random((5, 6)) < 0.5
SOME_KEYS[:, 2] = True  # each token may look at something
TABLE = RNG.normal(0, 1, (9, 8))


def slopes(function, x, step=1e-6):
    """Return how a number moves with each entry of ``x``, by small pushes."""
    measured = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        ends = []
        for push in (step, -step):
            pushed = x.copy()
            pushed[place] += push
            ends.append(function(pushed))
        measured[place] = (ends[0] - ends[1]) / (2 * step)
    return measured


def normed(rows, epsilon=1e-5):
    """Return rows with mean 0 and variance 1."""
    return (rows - rows.mean(-1, keepdims=True)) / np.sqrt(rows.var(-1, keepdims=True) + epsilon)


def squashed(x):
    """An activation that is none of the course's."""
    return np.tanh(x) + 0.1


def thought(x, block):
    """Return the feed-forward layer of a block with that activation, written out."""
    of = block["feed_forward"]
    return squashed(x @ of["W_1"] + of["b_1"]) @ of["W_2"] + of["b_2"]


def post_normed(x, block, place):
    return normed(x) * block[f"norm_{place}"]["gain"] + block[f"norm_{place}"]["bias"]


def block_with_another_activation():
    """Return the encoder block, in which only the feed-forward part is written anew."""
    read = multihead.multi_head_attention(X, POST["attention"], 2)[0]
    middle = post_normed(X + read, POST, 1)
    return post_normed(middle + thought(middle, POST), POST, 2)


def decoder_block_with_another_activation():
    block = POST_DECODER
    x = post_normed(X + multihead.multi_head_attention(X, block["attention"], 2)[0], block, 1)
    read = multihead.multi_head_attention(x, block["cross_attention"], 2, memory=MEMORY)[0]
    x = post_normed(x + read, block, 2)
    return post_normed(x + thought(x, block), block, 3)


def each_from_its_own_memory():
    """Return the decoder block row by row, each given only the memory that it may see."""
    rows = [
        layers.decoder_block(X, MEMORY[:, seen], POST_DECODER, 2, mask=MASK)[:, i]
        for i, seen in enumerate(SOME_KEYS)
    ]
    return np.stack(rows, axis=1)


def each_from_its_own_past(norm):
    """Return what a block that sees everything says of each token when it is the last."""
    last = [model.encoder(X[:, : n + 1], BLOCKS[:1], 2, norm=norm)[:, -1] for n in range(5)]
    return np.stack(last, axis=1)


def written_out():
    """Return grouped heads with each shared matrix written out for both of its queries."""
    columns = [0, 1, 0, 1, 2, 3, 2, 3]  # heads of width 2
    shared = {name: GROUPED[name][:, columns] for name in ("W_K", "W_V")}
    return multihead.multi_head_attention(X, GROUPED | shared, 4)


def counted(bias=True, norm_bias=True, gated=False, d_kv=8, cross=False):
    """Return the numbers in one block of width 8 with 12 hidden features, matrix by matrix."""
    attends = [np.ones((8, 8)), np.ones((8, d_kv)), np.ones((8, d_kv)), np.ones((8, 8))]
    attends += [np.ones(8), np.ones(d_kv), np.ones(d_kv), np.ones(8)] if bias else []
    thinks = [np.ones((8, 12))] * (2 if gated else 1) + [np.ones((12, 8))]
    thinks += [np.ones(12), np.ones(8)] if bias else []
    norms = [np.ones(8)] * ((2 if norm_bias else 1) * (3 if cross else 2))
    of = {"attention": attends * (2 if cross else 1), "feed_forward": thinks, "norms": norms}
    return {part: sum(array.size for array in arrays) for part, arrays in of.items()}


def total(embedding=20 * 8, positions=0, other=0, more_norms=0, **block):
    """Return all counts of a model of one block and 20 words."""
    count = counted(**block)
    count["norms"] += more_norms
    count |= {"embedding": embedding, "positions": positions, "other": other}
    return count | {"total": sum(count.values())}


def size_case(option, other, expected, **given):
    sizes = {"name": "toy", "n_words": 20, "d_model": 8, "n_layers": 1, "n_heads": 4, "d_ff": 12}
    return Case(size.ModelSize, option, other, sizes | given, expected, size.parameter_count)


def shapes(arrays):
    return {name: np.shape(array) for name, array in arrays.items()}


def push_of(function, **options):
    """Return the number whose slopes a backward pass gives."""
    return lambda x: (function(x, **options) * UPSTREAM).sum()


def attended(q, mask=None):
    return attention.scaled_dot_product_attention(q, K, V, mask)[0]


def heads_attended(x, mask=None):
    return multihead.multi_head_attention(x, BLOCK_OF_4["attention"], 2, mask=mask)[0]


BLOCK_OF_4 = layers.random_block(4, 2, np.random.default_rng(8))
PAST = np.tri(3, dtype=bool)
ENCODED = {"X": X, "blocks": [POST], "n_heads": 2}
BACKWARD = {"d_output": LAYERS["post.upstream"], "X": X, "block": POST, "n_heads": 2}
STACK = {"d_output": UPSTREAM, "X": Q, "blocks": [BLOCK_OF_4] * 2, "n_heads": 2}
DECODED = {"X": X, "memory": MEMORY, "block": POST_DECODER, "n_heads": 2}
NORM_BACK = {"d_output": UPSTREAM, "X": Q}
FEED = {"X": X, "parameters": POST["feed_forward"]}
LOOKED_UP = {"scaling": "sqrt_d_k", "learning_rate": 1.0, "rng": np.random.default_rng(0)}
first = {"see": lambda results: results[0]}  # d_X, or the output

CASES = [
    Case(multihead.multi_head_attention, "memory", CROSS["memory"],
         {"X": CROSS["X"], "parameters": CROSS, "n_heads": 3, "mask": CROSS["mask"]},
         (CROSS["output"], CROSS["weights"])),
    Case(multihead.multi_head_attention, "mask", SELF["mask"],
         {"X": SELF["X"], "parameters": SELF, "n_heads": 2}, (SELF["output"], SELF["weights"])),
    Case(multihead.multi_head_attention, "n_kv_heads", 2,
         {"X": X, "parameters": GROUPED, "n_heads": 4}, written_out),
    Case(multihead.multi_head_attention, "rotate", lambda heads: 2 * heads,
         {"X": X, "parameters": GROUPED, "n_heads": 4, "n_kv_heads": 2},
         lambda: multihead.multi_head_attention(
             X, GROUPED | {"W_Q": 4 * GROUPED["W_Q"]}, 4, n_kv_heads=2)),
    Case(multihead.random_heads, "n_kv_heads", 2,
         {"d_model": 8, "n_heads": 4, "rng": np.random.default_rng(0)},
         {"W_Q": (8, 8), "W_K": (8, 4), "W_V": (8, 4), "W_O": (8, 8)}, see=shapes),

    Case(layers.layer_norm, "gain", GAIN, {"X": X, "bias": BIAS}, LAYERS["layer_norm"]),
    Case(layers.layer_norm, "bias", BIAS, {"X": X, "gain": GAIN}, LAYERS["layer_norm"]),
    Case(layers.layer_norm, "epsilon", 0.5, {"X": X}, normed(X, 0.5)),
    Case(layers.rms_norm, "gain", GAIN, {"X": X}, LAYERS["rms_norm"]),
    Case(layers.rms_norm, "epsilon", 0.5, {"X": X},
         X / np.sqrt((X**2).mean(-1, keepdims=True) + 0.5)),
    Case(layers.feed_forward, "activation", squashed, FEED, lambda: thought(X, POST)),
    Case(layers.feed_forward_of, "activation", squashed, {"block": POST},
         lambda: thought(X, POST), see=lambda think: think(X)),
    Case(layers.self_attention_of, "mask", SELF["mask"], {"block": {"attention": SELF},
         "n_heads": 2}, SELF["output"], see=lambda attend: attend(SELF["X"])),
    Case(layers.encoder_block, "mask", MASK, {"X": X, "block": POST, "n_heads": 2},
         LAYERS["post.encoder.output"]),
    Case(layers.encoder_block, "norm", "pre", {"X": X, "block": PRE, "n_heads": 2, "mask": MASK},
         LAYERS["pre.encoder.output"]),
    Case(layers.encoder_block, "activation", squashed, {"X": X, "block": POST, "n_heads": 2},
         block_with_another_activation),
    Case(layers.decoder_block, "mask", MASK, DECODED, LAYERS["post.decoder.output"]),
    Case(layers.decoder_block, "memory_mask", SOME_KEYS, DECODED | {"mask": MASK},
         each_from_its_own_memory),
    Case(layers.decoder_block, "norm", "pre", DECODED | {"block": PRE_DECODER, "mask": MASK},
         LAYERS["pre.decoder.output"]),
    Case(layers.decoder_block, "activation", squashed, DECODED,
         decoder_block_with_another_activation),
    Case(layers.random_block, "d_ff", 5, {"d_model": 4, "n_heads": 2, "rng": RNG},
         {"W_1": (4, 5), "b_1": (5,), "W_2": (5, 4), "b_2": (4,)},
         see=lambda block: shapes(block["feed_forward"])),
    Case(layers.random_block, "cross_attention", True, {"d_model": 4, "n_heads": 2, "rng": RNG},
         ["attention", "cross_attention", "feed_forward", "norm_1", "norm_2", "norm_3"],
         see=sorted),

    Case(model.embed, "encoding", TABLE + 1, {"tokens": [4, 0, 4], "embedding": TABLE},
         [TABLE[4] + TABLE[0] + 1, TABLE[0] + TABLE[1] + 1, TABLE[4] + TABLE[2] + 1]),
    Case(model.embed, "scale", True, {"tokens": [4, 0], "embedding": TABLE, "encoding": TABLE},
         [TABLE[4] * 8**0.5 + TABLE[0], TABLE[0] * 8**0.5 + TABLE[1]]),
    Case(model.encoder, "mask", MASK, ENCODED, LAYERS["post.encoder.output"]),
    Case(model.encoder, "norm", "pre", ENCODED | {"blocks": [PRE], "mask": MASK},
         normed(LAYERS["pre.encoder.output"])),
    Case(model.decoder, "norm", "post", {"X": X, "blocks": BLOCKS[:1], "n_heads": 2},
         lambda: each_from_its_own_past("post")),
    Case(model.encoder_decoder, "norm", "pre", {"X": MEMORY, "Y": X, "encoder_blocks": BLOCKS,
         "decoder_blocks": [PRE_DECODER], "n_heads": 2}, lambda: normed(layers.decoder_block(
             X, model.encoder(MEMORY, BLOCKS, 2, norm="pre"), PRE_DECODER, 2, mask=MASK,
             norm="pre"))),

    Case(gradients.attention_backward, "mask", PAST,
         {"d_output": UPSTREAM, "Q": Q, "K": K, "V": V},
         lambda: slopes(push_of(attended, mask=PAST), Q), tolerance=1e-8, **first),
    Case(gradients.multi_head_backward, "mask", PAST,
         {"d_output": UPSTREAM, "X": Q, "parameters": BLOCK_OF_4["attention"], "n_heads": 2},
         lambda: slopes(push_of(heads_attended, mask=PAST), Q), tolerance=1e-8, **first),
    Case(gradients.layer_norm_backward, "gain", GAIN[:4], NORM_BACK,
         lambda: slopes(push_of(layers.layer_norm, gain=GAIN[:4]), Q), tolerance=1e-8, **first),
    Case(gradients.layer_norm_backward, "epsilon", 0.5, NORM_BACK,
         lambda: slopes(push_of(layers.layer_norm, epsilon=0.5), Q), tolerance=1e-8, **first),
    Case(gradients.encoder_block_backward, "mask", MASK, BACKWARD, LAYERS["post.d_X"],
         tolerance=1e-11, **first),
    Case(gradients.encoder_block_backward, "norm", "pre",
         BACKWARD | {"block": PRE, "mask": MASK, "d_output": LAYERS["pre.upstream"]},
         LAYERS["pre.d_X"], tolerance=1e-11, **first),
    Case(gradients.encoder_backward, "mask", PAST, STACK,
         lambda: slopes(push_of(model.encoder, blocks=[BLOCK_OF_4] * 2, n_heads=2, mask=PAST), Q),
         tolerance=1e-7, **first),
    Case(gradients.encoder_backward, "norm", "pre", STACK,
         lambda: slopes(push_of(model.encoder, blocks=[BLOCK_OF_4] * 2, n_heads=2, norm="pre"), Q),
         tolerance=1e-7, **first),

    Case(lookup.draw_sequences, "n_sequences", 3, lambda: {
         "vocabulary": lookup.make_vocabulary(np.random.default_rng(0)),
         "rng": np.random.default_rng(1)}, [(3, 16), (3, 8, 16), (3,)],
         see=lambda drawn: list(map(np.shape, drawn))),
    Case(lookup.train, "d_k", 3, LOOKED_UP | {"n_steps": 2},
         {"W_Q": (16, 3), "W_K": (16, 3), "W_V": (16, 8)},
         see=lambda trained: shapes(trained[1])),
    Case(lookup.train, "n_steps", 4, LOOKED_UP | {"d_k": 2}, 4,
         see=lambda trained: len(trained[0])),

    size_case("n_kv_heads", 2, total(d_kv=4)),
    size_case("n_positions", 7, total(positions=7 * 8)),
    size_case("n_segments", 3, total(embedding=23 * 8)),
    size_case("n_decoder_layers", 1, total(cross=True), n_layers=0),
    size_case("bias", False, total(bias=False, d_kv=4), n_kv_heads=2),
    size_case("norm_bias", False, total(norm_bias=False)),
    size_case("gated", True, total(gated=True, d_kv=4), n_kv_heads=2),
    size_case("embedding_norm", True, total(more_norms=2 * 8)),
    size_case("final_norm", True, total(norm_bias=False, more_norms=8), norm_bias=False),
    size_case("pooler", True, total(other=8 * 8 + 8)),
    size_case("tied", False, total(embedding=2 * 20 * 8)),
    Case(size.block_operations, "d_ff", 5, {"n_tokens": 3, "d_model": 4}, 3 * (4 * 5 + 5 * 4),
         see=lambda operations: operations["feed_forward"]),
]  # fmt: skip

# Whatever it is set to, the result is the same, and should be.
WITHOUT_EFFECT = [
    # A bias is added at the end: no slope knows of it. It is taken so that the parameters of a
    # norm can be handed on whole.
    Case(gradients.layer_norm_backward, "bias", BIAS[:4], NORM_BACK,
         lambda: slopes(push_of(layers.layer_norm, bias=BIAS[:4]), Q), tolerance=1e-8, **first),
]  # fmt: skip
