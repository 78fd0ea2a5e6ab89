"""The options of the trained model: its shape, its steps, its lessons, its checkpoints."""

import math
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from casebook.training import adamw, checkpoint, lessons, reading, transformer
from casebook.training.library import FACTS, VALUES, WORDS
from casebook.training.train import learning_rate, train, train_reader
from tests.options import Case

FOLDER = TemporaryDirectory(prefix="checkpoints-")
SMALL = transformer.Config(9, 8, 2, 1, 8, n_positions=6)
READS = transformer.Config(len(WORDS), 6, 1, 1, 4)  # knows the words, and nothing else


def small(seed=0, config=SMALL):
    return transformer.random_parameters(config, np.random.default_rng(seed))


def saved():
    """Return the path of a file with the parameters of ``small()``."""
    path = Path(FOLDER.name) / "small.npz"
    checkpoint.save_checkpoint(path, small(), SMALL, overwrite=True)
    return path


def same_word(rng):
    words = np.tile(rng.integers(0, 9, (4, 1)), 5)
    return words, words, np.ones(5)


def trained(peak):
    """Return what training gives, one step after the other, with AdamW written out."""
    parameters, rng = small(), np.random.default_rng(1)
    mean, square = ({name: 0 * array for name, array in parameters.items()} for _ in range(2))
    for step in (1, 2):
        _, gradients = transformer.loss_and_gradients(same_word(rng), parameters, SMALL)
        size = math.sqrt(sum((g**2).sum() for g in gradients.values()))
        gradients = {name: g * min(1, 1 / size) for name, g in gradients.items()}
        rate = peak * min(1, step / 30, max(0.02, (1 - step / 2) / 0.4))
        for name, g in gradients.items():
            mean[name] = 0.9 * mean[name] + 0.1 * g
            square[name] = 0.95 * square[name] + 0.05 * g**2
            moved = mean[name] / (1 - 0.9**step)
            moved /= np.sqrt(square[name] / (1 - 0.95**step)) + 1e-8
            parameters[name] = parameters[name] * (1 - 0.2 * rate) - rate * moved
    return parameters["0.W_Q"]


def stepped(w=3.0, g=0.5, rate=0.1, keep=(0.9, 0.95), decay=0.2, epsilon=1e-8, past=(0, 0, 0)):
    """Return one number after a step of AdamW, as in the paper."""
    mean, square, n = past
    mean, square = keep[0] * mean + (1 - keep[0]) * g, keep[1] * square + (1 - keep[1]) * g**2
    mean /= 1 - keep[0] ** (n + 1)
    square /= 1 - keep[1] ** (n + 1)
    return w - rate * decay * w - rate * mean / (math.sqrt(square) + epsilon)


def one_step(optimiser):
    """Return the number 3 after a step of that optimiser with slope 1/2."""
    given = {"w": np.array([3.0])}, {"w": np.array([0.5])}
    return float(optimiser.step(*given, 0.1)["w"][0])


def adamw_case(option, other, expected, **given):
    return Case(adamw.AdamW, option, other, PAST | given, expected, see=one_step)


def config_case(option, other, expected, see):
    return Case(transformer.Config, option, other, {"n_words": 9, "d_model": 12}, expected, see)


def shape_of(name):
    return lambda config: config.shapes().get(name, ())


def room_for(n_tokens):
    """Return what a model says to a text of so many words."""
    return lambda config: transformer.word_probabilities(
        np.zeros((1, n_tokens), dtype=int), small(0, config), config).shape  # fmt: skip


def right_by_hand(n_lessons):
    """Return the share of lessons in which the word before the stop is the likeliest one."""
    rows = lessons.open_book(n_lessons, 2, 1, np.random.default_rng(5), facts=FACTS)
    hits = 0
    for row in rows:
        chances = transformer.word_probabilities(row[None, :-2], small(0, READS), READS)[0, -1]
        hits += int(np.flatnonzero(chances == chances.max())[0] == row[-2])
    return hits / n_lessons


def first_loss(seed):
    """Return the loss of the first lesson of a reader that begins with a seed."""
    config = transformer.Config(len(WORDS))
    start = small(seed, config)
    lesson = lessons.library_lesson(np.random.default_rng(1000 + seed))
    return transformer.loss_and_gradients(lesson, start, config)[0]


def values_stated(rows):
    """Return the values of the two documents of each lesson."""
    return sorted({WORDS[row[place]] for row in rows for place in (2, 6)})


PAST = {"mean": {"w": np.array([0.2])}, "square": {"w": np.array([0.09])}, "n_steps": 2}
BEFORE = (0.2, 0.09, 2)
PROMPT = "vera drinks cocoa . question: what does vera drink ? answer:"
STEPS = {"parameters": small(), "config": SMALL, "draw_lesson": same_word,
         "rng": np.random.default_rng(1)}  # fmt: skip
WATCHED = []  # what the case below has seen

CASES = [
    Case(adamw.clip, "largest", 2.0, {"gradients": {"a": np.array([3.0]), "b": np.array([4.0])}},
         ({"a": [1.2], "b": [1.6]}, 5)),
    adamw_case("keep_mean", 0.5, stepped(keep=(0.5, 0.95), past=BEFORE)),
    adamw_case("keep_square", 0.5, stepped(keep=(0.9, 0.5), past=BEFORE)),
    adamw_case("decay", 0.7, stepped(decay=0.7, past=BEFORE)),
    adamw_case("epsilon", 0.3, stepped(epsilon=0.3, past=BEFORE)),
    Case(adamw.AdamW, "n_steps", 2, {k: PAST[k] for k in ("mean", "square")},
         stepped(past=BEFORE), see=one_step),
    Case(adamw.AdamW, "mean", PAST["mean"], {k: PAST[k] for k in ("n_steps", "square")},
         stepped(past=BEFORE), see=one_step),
    Case(adamw.AdamW, "square", PAST["square"], {k: PAST[k] for k in ("n_steps", "mean")},
         stepped(past=BEFORE), see=one_step),

    Case(transformer.Config, "d_model", 6, {"n_words": 9}, (6, 96), shape_of("0.W_1")),
    config_case("n_heads", 4, (4, 3, 3),
                lambda config: transformer.score_bias(config, 0, 3).shape),
    config_case("n_layers", 3, (12, 12), shape_of("2.W_Q")),
    config_case("d_ff", 7, (7, 12), shape_of("0.W_2")),
    config_case("n_positions", 100, (1, 100, 9), room_for(100)),
    config_case("positions", "sinusoidal", np.where(np.tri(4), 0, -np.inf)[None],
                lambda config: transformer.score_bias(config, 0, 4)),
    config_case("causal", False, np.zeros((1, 2, 2)),
                lambda config: transformer.score_bias(config, 1, 2)),
    Case(transformer.random_parameters, "dtype", np.float32,
         {"config": SMALL, "rng": np.random.default_rng(0)}, ["float32"],
         see=lambda parameters: sorted({str(array.dtype) for array in parameters.values()})),

    Case(checkpoint.save_checkpoint, "overwrite", True,
         lambda: {"path": saved(), "parameters": small(1), "config": SMALL},
         lambda: small(1), see=lambda _: checkpoint.load_checkpoint(
             Path(FOLDER.name) / "small.npz")[0]),
    Case(checkpoint.load_checkpoint, "config", transformer.Config(9, 8, 2, 1, 8, n_positions=50),
         lambda: {"path": saved()}, 50, see=lambda reader: reader[1].n_positions),

    Case(lessons.open_book, "facts", np.zeros_like(FACTS),  # the first value for all
         {"n_sequences": 50, "n_documents": 2, "n_questions": 1, "rng": np.random.default_rng(0)},
         sorted(values[0] for values in VALUES), see=values_stated),
    Case(reading.generate, "most_words", 2, lambda: {
         "prompt": PROMPT, "parameters": small(0, READS), "config": READS}, 2,
         see=lambda written: len(written[1])),
    Case(reading.reading_accuracy, "n_lessons", 60, lambda: {
         "n_documents": 2, "parameters": small(0, READS), "config": READS,
         "rng": np.random.default_rng(5)}, lambda: right_by_hand(60)),

    Case(learning_rate, "peak", 0.5, {"step": 15, "n_steps": 600}, 0.25),
    Case(train, "n_steps", 2, STEPS, 2, see=lambda result: len(result[1]),
         usual={"n_steps": 3}),
    Case(train, "peak", 0.4, STEPS | {"n_steps": 2}, lambda: trained(peak=0.4),
         see=lambda result: result[0]["0.W_Q"]),
    Case(train, "watch", lambda step, _: WATCHED.append(step), STEPS | {"n_steps": 2},
         [1, 2], see=lambda _: [WATCHED.pop(0) for _ in tuple(WATCHED)]),
    Case(train_reader, "seed", 3, {"n_steps": 1}, lambda: [first_loss(3)],
         see=lambda reader: reader[2]),
]  # fmt: skip
