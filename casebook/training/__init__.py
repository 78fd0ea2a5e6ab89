"""A small Transformer trained in NumPy: library, lessons, passes, transformer, adamw, train.

Read the modules in that order; ``checkpoint`` keeps what was learned, and ``reading``
asks the trained model.
"""

from casebook.training.adamw import AdamW, clip
from casebook.training.checkpoint import load_checkpoint, load_reader, save_checkpoint
from casebook.training.reading import (
    attention_weights,
    closed_book_accuracy,
    generate,
    reading_accuracy,
)
from casebook.training.train import learning_rate, train, train_reader
from casebook.training.transformer import (
    Config,
    backward,
    forward,
    loss_and_gradients,
    random_parameters,
    score_bias,
    word_probabilities,
)

__all__ = [
    "AdamW",
    "Config",
    "attention_weights",
    "backward",
    "clip",
    "closed_book_accuracy",
    "forward",
    "generate",
    "learning_rate",
    "load_checkpoint",
    "load_reader",
    "loss_and_gradients",
    "random_parameters",
    "reading_accuracy",
    "save_checkpoint",
    "score_bias",
    "train",
    "train_reader",
    "word_probabilities",
]
