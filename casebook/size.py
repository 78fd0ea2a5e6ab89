"""Size: how many parameters a Transformer has, and how much arithmetic it costs."""

from dataclasses import dataclass

from casebook.guards import divisor


@dataclass(frozen=True)
class ModelSize:
    """The numbers that fix how many parameters a Transformer has.

    d_ff is the width of the feed-forward layer, n_kv_heads the heads of keys and
    values (``n_heads`` unless grouped), n_positions the rows of a learned table of
    positions (0 for sinusoids and RoPE). n_decoder_layers adds blocks with
    cross-attention. bias and norm_bias say whether linear layers and norms have one;
    gated counts the third feed-forward matrix of SwiGLU.
    Raises: ValueError if n_heads does not divide d_model, or n_kv_heads n_heads.
    """

    name: str
    n_words: int
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int
    n_kv_heads: int | None = None
    n_positions: int = 0
    n_segments: int = 0
    n_decoder_layers: int = 0
    bias: bool = True
    norm_bias: bool = True
    gated: bool = False
    embedding_norm: bool = False
    final_norm: bool = False
    pooler: bool = False
    tied: bool = True

    def __post_init__(self):
        n_kv_heads = self.n_kv_heads or self.n_heads
        divisor(f"{self.name}: n_heads", self.n_heads, "d_model", self.d_model)
        divisor(f"{self.name}: n_kv_heads", n_kv_heads, "n_heads", self.n_heads)


def parameter_count(size: ModelSize) -> dict[str, int]:
    """Return how many parameters each part of a model has.

    size: a :class:`ModelSize`.
    Returns: dict of "embedding", "positions", "attention", "feed_forward", "norms",
        "other", "total".
    """
    d, bias = size.d_model, int(size.bias)
    d_kv = d // size.n_heads * (size.n_kv_heads or size.n_heads)
    attention = 2 * d * d + 2 * d * d_kv + bias * (2 * d + 2 * d_kv)
    feed_forward = (3 if size.gated else 2) * d * size.d_ff + bias * (d + size.d_ff)
    norm = d * (1 + size.norm_bias)
    n_blocks = size.n_layers + size.n_decoder_layers
    count = {
        "embedding": (size.n_words + size.n_segments) * d * (1 if size.tied else 2),
        "positions": size.n_positions * d,
        "attention": attention * (n_blocks + size.n_decoder_layers),
        "feed_forward": feed_forward * n_blocks,
        "norms": norm
        * (2 * size.n_layers + 3 * size.n_decoder_layers + size.embedding_norm + size.final_norm),
        "other": size.pooler * (d * d + d),
    }
    return count | {"total": sum(count.values())}


def training_operations(n_parameters: float, n_tokens: float) -> float:
    """Return the floating-point operations of training, about 6 a parameter and token.

    Two for the forward pass (a product and a sum), four for the backward pass.

    n_parameters, n_tokens: how many the model has and how many it is trained on.

    Source: Kaplan et al. (2020), section 2.1.
    """
    return 6 * n_parameters * n_tokens


def block_operations(n_tokens: int, d_model: int, d_ff: int | None = None) -> dict[str, int]:
    """Return the multiply-adds of one block over a sequence, by part.

    d_model, d_ff: the widths; d_ff is 4 d_model unless given.
    Returns: dict of "projections" (Q, K, V and output), "attention" (scores and
        weighted mean, grows with n_tokens squared) and "feed_forward".
    Source: Vaswani et al. (2017), table 1.
    """
    d_ff = 4 * d_model if d_ff is None else d_ff
    return {
        "projections": 4 * n_tokens * d_model**2,
        "attention": 2 * n_tokens**2 * d_model,
        "feed_forward": 2 * n_tokens * d_model * d_ff,
    }
