"""The check of the count of a block's parameters."""

from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations
from casebook.checks.engine.verdict import check


def count_block(
    d_model,
    d_ff,
    n_heads,
    n_kv_heads,
    d_kv=lambda d, n_heads, n_kv_heads: d // n_heads * n_kv_heads,
    matrices=lambda d, d_kv, n_heads: 2 * d * d + 2 * d * d_kv,
    attention_bias=lambda d, d_kv: 2 * d + 2 * d_kv,
    width=lambda d, d_ff: d_ff,
    layers=lambda d, d_ff: 2 * d * d_ff,
    layer_bias=lambda d, d_ff: d + d_ff,
    biases=1,
    norms=lambda d: 4 * d,
    give=lambda attention, feed_forward, norms: (attention, feed_forward, norms),
):
    """Return the result of task ``block_parameters``."""
    shared, d_ff = d_kv(d_model, n_heads, n_kv_heads), width(d_model, d_ff)
    attention = matrices(d_model, shared, n_heads) + biases * attention_bias(d_model, shared)
    feed_forward = layers(d_model, d_ff) + biases * layer_bias(d_model, d_ff)
    return give(attention, feed_forward, norms(d_model))


# fmt: off
MISTAKES = (
    *deviations("biases", ("the biases are missing: every matrix has one here", 0)),
    *deviations(
        "matrices",
        ("W_O is missing: attention has four matrices", lambda d, kv, h: d * d + 2 * d * kv),
        ("K and V share one matrix: each has its own", lambda d, kv, h: 2 * d * d + d * kv),
        ("heads multiply the count: together they have d_model columns",
         lambda d, kv, h: h * (2 * d * d + 2 * d * kv)),
        ("only W_Q and W_O are counted: K and V have matrices too",
         lambda d, kv, h: 2 * d * d),
    ),
    *deviations(
        "d_kv",
        ("n_kv_heads is not used: W_K and W_V have n_kv_heads * d_head columns",
         lambda d, h, kv: d),
        ("K and V count one head: they have n_kv_heads of them", lambda d, h, kv: d // h),
        ("K and V are as wide as d_model / n_kv_heads: use n_kv_heads * d_head",
         lambda d, h, kv: d // kv),
        ("K and V count d_model for each of n_kv_heads: a head has d_head",
         lambda d, h, kv: d * kv),
    ),
    *deviations(
        "attention_bias",
        ("the biases of attention are missing: four vectors", lambda d, kv: 0),
        ("the bias of W_O is missing: it has d_model numbers", lambda d, kv: d + 2 * kv),
        ("all four biases of attention have d_model numbers: b_K, b_V are shorter",
         lambda d, kv: 4 * d),
        ("the biases of K and V are missing", lambda d, kv: 2 * d),
    ),
    *deviations(
        "width",
        ("d_ff is taken as 4 d_model: use the d_ff that is given", lambda d, ff: 4 * d),
        ("d_ff is taken as d_model: use the d_ff that is given", lambda d, ff: d),
    ),
    *deviations(
        "layers",
        ("the feed-forward layer has one matrix here: it has two", lambda d, ff: d * ff),
        ("the feed-forward layer has three matrices here: it has two",
         lambda d, ff: 3 * d * ff),
        ("the two matrices are counted as d_model**2 + d_ff**2",
         lambda d, ff: d * d + ff * ff),
    ),
    *deviations(
        "layer_bias",
        ("the biases of the feed-forward layer are missing", lambda d, ff: 0),
        ("both feed-forward biases have d_ff numbers: b_2 has d_model", lambda d, ff: 2 * ff),
        ("both feed-forward biases have d_model numbers: b_1 has d_ff", lambda d, ff: 2 * d),
        ("b_2 is missing: it has d_model numbers", lambda d, ff: ff),
        ("b_1 is missing: it has d_ff numbers", lambda d, ff: d),
    ),
    *deviations(
        "norms",
        ("norms count 2 d_model: two norms, each with a gain and a bias", lambda d: 2 * d),
        ("three norms are counted: a block has two", lambda d: 6 * d),
        ("a norm has one gain and one bias for each feature, not one number", lambda d: 4),
        ("the norms are missing: each has a gain and a bias", lambda d: 0),
        ("norms count d_model: two norms, each with a gain and a bias", lambda d: d),
    ),
    *deviations(
        "give",
        ("the order is attention, feed-forward, norms", lambda a, f, n: (f, a, n)),
        ("the order is attention, feed-forward, norms; norms came first",
         lambda a, f, n: (n, a, f)),
        ("only the total is returned: three numbers are asked for", lambda a, f, n: (a + f + n,)),
        ("the norms are missing: three numbers are asked for", lambda a, f, n: (a, f)),
    ),
)
# fmt: on

FAMILY = Family(count_block, MISTAKES)


@check("block_parameters", ("d_model", "d_ff", "n_heads", "n_kv_heads"))
def check_block_parameters(learner, _):
    """Check the counts of attention, feed-forward layer and norms, with grouped heads too."""
    cases = [
        Case("", (12, 40, 4, 2)),
        Case("", (30, 70, 5, 5)),
        Case("", (24, 96, 6, 3)),
        Case("", (10, 25, 2, 1)),
        Case("for BERT-base", (768, 3072, 12, 12)),
    ]
    names = ("attention", "feed-forward", "norms")
    examine(learner, cases, FAMILY, names, _about_count)


def _about_count(case, got, right):
    """Say which part is off and by how much, for a mistake that nobody foresaw."""
    d_model = case.inputs[0]
    for name, count, wanted in zip(("attention", "feed-forward", "norms"), got, right, strict=True):
        if count != wanted:
            off = float(count) - float(wanted)
            return (
                f"{name}: {float(count):,.0f}, expected {float(wanted):,.0f} for d_model = "
                f"{d_model}: off by {off / d_model:+.4g} d_model."
            )
    return None
