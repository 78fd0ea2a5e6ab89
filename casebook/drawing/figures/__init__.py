"""All the figures of the course, so that a notebook can say ``from casebook import figures``."""

from casebook.drawing.figures.attention import (
    influence_heatmaps,
    query_dial,
    value_triangle,
    weights_heatmap,
)
from casebook.drawing.figures.block import (
    cost_by_length,
    gradients_by_depth,
    parameter_bars,
    two_blocks,
)
from casebook.drawing.figures.heads import (
    head_and_matrices,
    heads_side_by_side,
    places_by_layer,
    preference_by_head,
    real_head,
    weights_table,
)
from casebook.drawing.figures.lessons import two_losses
from casebook.drawing.figures.positional import (
    clock_hands,
    encoding_heatmap,
    offset_profile,
    rotary_pair,
)
from casebook.drawing.figures.recurrence import (
    layer_graphs,
    two_senses,
    what_is_left,
)
from casebook.drawing.figures.retrieval import (
    answer_bars,
    piece_sizes,
    reading_map,
    recall_and_accuracy,
    score_parts,
)
from casebook.drawing.figures.saturation import (
    learning_curves,
    sample_size_band,
    saturation_curves,
    scores_and_row,
    variance_growth,
)
from casebook.drawing.figures.training import (
    loss_and_accuracy,
    reading_at_step,
    weight_by_document,
)

__all__ = [
    "answer_bars",
    "clock_hands",
    "cost_by_length",
    "encoding_heatmap",
    "gradients_by_depth",
    "head_and_matrices",
    "heads_side_by_side",
    "influence_heatmaps",
    "layer_graphs",
    "learning_curves",
    "loss_and_accuracy",
    "offset_profile",
    "parameter_bars",
    "piece_sizes",
    "places_by_layer",
    "preference_by_head",
    "query_dial",
    "reading_at_step",
    "reading_map",
    "real_head",
    "recall_and_accuracy",
    "rotary_pair",
    "sample_size_band",
    "saturation_curves",
    "score_parts",
    "scores_and_row",
    "two_blocks",
    "two_losses",
    "two_senses",
    "value_triangle",
    "variance_growth",
    "weight_by_document",
    "weights_heatmap",
    "weights_table",
    "what_is_left",
]
