"""All the figures of the course, so that a notebook can say ``from casebook import figures``."""

from casebook.figures.attention import (
    influence_heatmaps,
    query_dial,
    value_triangle,
    weights_heatmap,
)
from casebook.figures.block import (
    cost_by_length,
    gradients_by_depth,
    parameter_bars,
    two_blocks,
)
from casebook.figures.heads import (
    head_and_matrices,
    heads_side_by_side,
    places_by_layer,
    preference_by_head,
    real_head,
    weights_table,
)
from casebook.figures.positional import (
    clock_hands,
    encoding_heatmap,
    offset_profile,
    rotary_pair,
)
from casebook.figures.recurrence import (
    layer_graphs,
    two_senses,
    what_is_left,
)
from casebook.figures.saturation import (
    learning_curves,
    sample_size_band,
    saturation_curves,
    scores_and_row,
    variance_growth,
)

__all__ = [
    "clock_hands",
    "cost_by_length",
    "encoding_heatmap",
    "gradients_by_depth",
    "head_and_matrices",
    "heads_side_by_side",
    "influence_heatmaps",
    "layer_graphs",
    "learning_curves",
    "offset_profile",
    "parameter_bars",
    "places_by_layer",
    "preference_by_head",
    "query_dial",
    "real_head",
    "rotary_pair",
    "sample_size_band",
    "saturation_curves",
    "scores_and_row",
    "two_blocks",
    "two_senses",
    "value_triangle",
    "variance_growth",
    "weights_heatmap",
    "weights_table",
    "what_is_left",
]
