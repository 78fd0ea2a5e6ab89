"""What learners' answers are checked with: one check a task, one sentence an answer."""

from casebook.checks.adamw import check_adamw
from casebook.checks.attention_by_hand import (
    check_attention_by_hand,
    check_causal_weights,
    check_cross_attention,
    check_stable_softmax,
)
from casebook.checks.leaks import check_sees_the_future
from casebook.checks.measured_rag import check_with_and_without
from casebook.checks.multi_head import (
    check_head_distances,
    check_merge_heads,
    check_multi_head_attention,
    check_split_heads,
)
from casebook.checks.positional_clocks import (
    check_encode_positions,
    check_shift_by,
    check_turn,
)
from casebook.checks.progress import show_progress
from casebook.checks.relative import check_is_relative
from casebook.checks.saturation import (
    check_attention_weights,
    check_dot_product_variance,
    check_effective_keys,
    check_softmax_gradient,
)
from casebook.checks.toy_rag import (
    check_build_index,
    check_build_prompt,
    check_document_vectors,
    check_top_k,
)
from casebook.checks.training import (
    check_cross_entropy,
    check_feed_forward_backward,
    check_gradient_error,
    check_two_lessons,
)
from casebook.checks.transformer_block import (
    check_ask_the_encoder,
    check_block_parameters,
    check_layer_norm,
    check_pre_norm_block,
)
from casebook.checks.verdict import CheckFailed, when_done

__all__ = [
    "CheckFailed",
    "check_adamw",
    "check_ask_the_encoder",
    "check_attention_by_hand",
    "check_attention_weights",
    "check_block_parameters",
    "check_build_index",
    "check_build_prompt",
    "check_causal_weights",
    "check_cross_attention",
    "check_cross_entropy",
    "check_document_vectors",
    "check_dot_product_variance",
    "check_effective_keys",
    "check_encode_positions",
    "check_feed_forward_backward",
    "check_gradient_error",
    "check_head_distances",
    "check_is_relative",
    "check_layer_norm",
    "check_merge_heads",
    "check_multi_head_attention",
    "check_pre_norm_block",
    "check_sees_the_future",
    "check_shift_by",
    "check_softmax_gradient",
    "check_split_heads",
    "check_stable_softmax",
    "check_top_k",
    "check_turn",
    "check_two_lessons",
    "check_with_and_without",
    "show_progress",
    "when_done",
]
