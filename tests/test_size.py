"""casebook.size against arrays that are really made, and against counts that others published."""

import numpy as np
import pytest

from casebook.model import random_stack
from casebook.size import ModelSize, block_operations, parameter_count, training_operations


def entries(tree):
    """How many numbers a dict of dicts of arrays holds."""
    if isinstance(tree, dict):
        return sum(entries(branch) for branch in tree.values())
    return np.size(tree)


@pytest.mark.parametrize("cross", [False, True])
def test_the_formula_counts_what_random_block_makes(cross):
    blocks = random_stack(1, 8, 2, np.random.default_rng(0), d_ff=20, cross_attention=cross)
    layers = {"n_layers": 0, "n_decoder_layers": 1} if cross else {"n_layers": 1}
    count = parameter_count(ModelSize("toy", 0, 8, n_heads=2, d_ff=20, **layers))
    biases_of_attention = (2 if cross else 1) * 4 * 8  # random_heads makes none
    assert count["total"] - biases_of_attention == sum(entries(block) for block in blocks)


# The checkpoints' own counts, number for number.
EXACT = {
    ModelSize(
        "BERT-base",
        30522,
        768,
        12,
        12,
        3072,
        n_positions=512,
        n_segments=2,
        embedding_norm=True,
        pooler=True,
    ): 109_482_240,
    ModelSize(
        "GPT-2 124M", 50257, 768, 12, 12, 3072, n_positions=1024, final_norm=True
    ): 124_439_808,
    ModelSize(
        "SmolLM2-135M",
        49152,
        576,
        30,
        9,
        1536,
        n_kv_heads=3,
        bias=False,
        norm_bias=False,
        gated=True,
        final_norm=True,
    ): 134_515_008,
}


@pytest.mark.parametrize("size, published", EXACT.items(), ids=lambda x: getattr(x, "name", ""))
def test_counts_equal_those_of_the_checkpoints(size, published):
    assert parameter_count(size)["total"] == published


def test_gpt3_was_trained_with_the_operations_that_were_published():
    assert training_operations(175e9, 300e9) == pytest.approx(3.14e23, rel=0.01)


def test_attention_costs_more_than_feed_forward_only_beyond_four_widths():
    assert block_operations(4 * 64, 64)["attention"] == block_operations(4 * 64, 64)["feed_forward"]
    longer, shorter = block_operations(4 * 64 + 1, 64), block_operations(4 * 64 - 1, 64)
    assert longer["attention"] > longer["feed_forward"]
    assert shorter["attention"] < shorter["feed_forward"]


def test_heads_that_do_not_divide_get_a_sentence():
    with pytest.raises(ValueError, match="toy: n_heads is 3 and d_model is 8"):
        ModelSize("toy", 10, 8, 1, 3, 32)
    with pytest.raises(ValueError, match="toy: n_kv_heads is 3 and n_heads is 4"):
        ModelSize("toy", 10, 8, 1, 4, 32, n_kv_heads=3)
