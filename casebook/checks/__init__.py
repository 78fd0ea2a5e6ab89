"""What learners' answers are checked with: one check a task, one sentence an answer."""

from casebook.checks.attention_by_hand import (
    check_attention_by_hand,
    check_causal_weights,
    check_cross_attention,
    check_stable_softmax,
)
from casebook.checks.leaks import check_sees_the_future
from casebook.checks.positional_clocks import (
    check_encode_positions,
    check_shift_by,
    check_turn,
)
from casebook.checks.relative import check_is_relative
from casebook.checks.saturation import (
    check_attention_weights,
    check_dot_product_variance,
    check_effective_keys,
    check_softmax_gradient,
)
from casebook.checks.verdict import CheckFailed, when_done

__all__ = [
    "CheckFailed",
    "check_attention_by_hand",
    "check_attention_weights",
    "check_causal_weights",
    "check_cross_attention",
    "check_dot_product_variance",
    "check_effective_keys",
    "check_encode_positions",
    "check_is_relative",
    "check_sees_the_future",
    "check_shift_by",
    "check_softmax_gradient",
    "check_stable_softmax",
    "check_turn",
    "when_done",
]
