"""Lookup: one attention step as a whole model, small enough to train in a second.

Each sequence holds items, and an item is a name with a label: "vera: blue". The
last token asks for one of the names: "vera: ?". The model must give its label. It
can only do so by attention: the query must find the key with the same name.

All gradients are written by hand. Nothing but W_Q, W_K and W_V is trained.

What the functions hand on: ``vocabulary`` from :func:`make_vocabulary`, ``sequences``
from :func:`draw_sequences`, ``parameters`` from :func:`start_parameters`. ``factor``
multiplies a raw score, and ``rng`` is a NumPy random generator.
"""

import numpy as np

from casebook.attention import scaled_dot_product_attention, softmax
from casebook.saturation import scale_factor, softmax_jacobian
from casebook.types import Array, Integers, Parameters

N_NAMES, N_LABELS, N_ITEMS = 16, 8, 8
D_MODEL = 16  # half for the name, half for the label
N_SEQUENCES = 64  # drawn anew for every step
GRADIENT_DECIMALS = 6

Vocabulary = tuple[Array, Array]
Sequences = tuple[Array, Array, Integers]


def make_vocabulary(rng: np.random.Generator) -> Vocabulary:
    """Return the fixed random vectors of the names and of the labels.

    Returns: (N_NAMES, D_MODEL / 2) and (N_LABELS + 1, D_MODEL / 2); the last label is "?".
    """
    half = D_MODEL // 2
    return rng.normal(size=(N_NAMES, half)), rng.normal(size=(N_LABELS + 1, half))


def draw_sequences(
    vocabulary: Vocabulary, rng: np.random.Generator, n_sequences: int = N_SEQUENCES
) -> Sequences:
    """Return random sequences: the token that asks, the items, and the right labels.

    Returns: asking (n_sequences, D_MODEL), items (n_sequences, N_ITEMS, D_MODEL) and
        answers (n_sequences,), each a number below N_LABELS.
    """
    names, labels = vocabulary
    shuffled = rng.random((n_sequences, N_NAMES)).argsort(axis=1)[:, :N_ITEMS]  # no name twice
    given = rng.integers(0, N_LABELS, (n_sequences, N_ITEMS))
    asked = rng.integers(0, N_ITEMS, n_sequences)
    rows = np.arange(n_sequences)
    items = np.concatenate([names[shuffled], labels[given]], axis=-1)
    blank = np.tile(labels[N_LABELS], (n_sequences, 1))
    asking = np.concatenate([names[shuffled[rows, asked]], blank], axis=-1)
    return asking, items, given[rows, asked]


def start_parameters(d_k: int, rng: np.random.Generator) -> Parameters:
    """Return random matrices that keep the entries of q and k near variance 1.

    Returns: W_Q and W_K (D_MODEL, d_k), W_V (D_MODEL, N_LABELS).
    """
    shapes = {"W_Q": (D_MODEL, d_k), "W_K": (D_MODEL, d_k), "W_V": (D_MODEL, N_LABELS)}
    return {name: rng.normal(0, D_MODEL**-0.5, shape) for name, shape in shapes.items()}


def project(parameters: Parameters, sequences: Sequences) -> tuple[Array, Array, Array]:
    """Return the queries, keys and values of the sequences.

    Returns: q (n_sequences, 1, d_k), K (n_sequences, N_ITEMS, d_k) and
        V (n_sequences, N_ITEMS, N_LABELS).
    """
    asking, items, _ = sequences
    q = asking @ parameters["W_Q"]
    return q[:, None, :], items @ parameters["W_K"], items @ parameters["W_V"]


def forward(
    parameters: Parameters, sequences: Sequences, factor: float
) -> tuple[float, Array, Array]:
    """Return the mean loss in nats, the weights, and the probabilities of the labels.

    Returns: a number, (n_sequences, N_ITEMS) and (n_sequences, N_LABELS).
    """
    return _answer(*project(parameters, sequences), sequences[2], factor)


def gradients(
    parameters: Parameters, sequences: Sequences, factor: float
) -> tuple[float, Parameters]:
    """Return the loss of :func:`forward`, and its derivatives by every parameter.

    Returns: a number, and arrays named and shaped like ``parameters``.
    """
    asking, items, answers = sequences
    q, K, V = project(parameters, sequences)
    loss, weights, probabilities = _answer(q, K, V, answers, factor)
    d_output = (probabilities - np.eye(N_LABELS)[answers]) / len(answers)
    d_weights = V @ d_output[:, :, None]  # (n_sequences, N_ITEMS, 1)
    d_raw_scores = softmax_jacobian(weights) @ d_weights * factor
    d_q = (d_raw_scores * K).sum(axis=1)
    # Keys and values are linear in the items: sum these first, and meet each matrix once.
    by_feature = np.swapaxes(items, -1, -2)
    scored = (by_feature @ d_raw_scores)[:, :, 0]  # (n_sequences, D_MODEL)
    mixed = (by_feature @ weights[:, :, None])[:, :, 0]
    slopes = {"W_Q": asking.T @ d_q, "W_K": scored.T @ q[:, 0], "W_V": mixed.T @ d_output}
    return loss, slopes


def train(
    scaling: str, learning_rate: float, rng: np.random.Generator, d_k: int = 64, n_steps: int = 300
) -> tuple[Array, Parameters, Vocabulary]:
    """Return the loss at every step of plain gradient descent, and what it led to.

    Each step draws new sequences, so the loss is always on sequences not seen before.
    Gradients are rounded to GRADIENT_DECIMALS. Unscaled training magnifies the last bit
    of a number until it shows; rounding keeps the run the same on every processor.

    scaling: a name from ``saturation.SCALINGS``. rng: gives vocabulary, start and data,
        so the same seed gives the same of each. learning_rate: what a slope is multiplied
        with. d_k: width of a query.
    Returns: losses (n_steps,), the parameters, and the vocabulary.
    """
    vocabulary = make_vocabulary(rng)
    parameters = start_parameters(d_k, rng)
    factor = scale_factor(scaling, d_k)
    losses = []
    for _ in range(n_steps):
        loss, slopes = gradients(parameters, draw_sequences(vocabulary, rng), factor)
        losses.append(loss)
        for name, slope in slopes.items():
            parameters[name] = parameters[name] - learning_rate * slope.round(GRADIENT_DECIMALS)
    return np.array(losses), parameters, vocabulary


def _answer(q, K, V, answers, factor):
    """Return what :func:`forward` returns, from queries, keys and values."""
    output, weights = scaled_dot_product_attention(q, K, V, scale=factor)
    probabilities = softmax(output[:, 0])
    loss = -np.log(probabilities[np.arange(len(answers)), answers]).mean()
    return loss, weights[:, 0], probabilities
