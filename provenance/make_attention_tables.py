"""Write the attention weights of two real models on a few sentences in casebook/data/.

The packages stand at the head of ``provenance/smollm2.py`` and ``provenance/minilm.py``. Then:

    python -m provenance.make_attention_tables

It first checks each model: SmolLM2 must go on from "The capital of France is" with
" Paris", and MiniLM must find two sentences as alike as its makers' own code does.
Then it writes ``attention_smollm2.npz`` and ``attention_minilm.npz``.

Weights are stored as whole ten-thousandths (uint16), rounded so that each row still
sums to 1; no weight moves by more than 0.0001. The axes stand as (n_q, n_k, n_layers,
n_heads), which packs better; ``casebook.data.tables.load_attention`` turns them round.
"""

from pathlib import Path

import numpy as np

from casebook.data.tables import STEPS
from provenance import minilm, smollm2

FOLDER = Path(__file__).resolve().parent.parent / "casebook" / "data"

SENTENCES = {
    "dog_excited": "The dog chased the ball because it was excited",
    "dog_bouncy": "The dog chased the ball because it was bouncy",
    "dog_passive": "The ball was chased by the dog because it was excited",
    "animal_tired": "The animal did not cross the street because it was too tired",
    "animal_wide": "The animal did not cross the street because it was too wide",
    "boy_angry": "The boy kicked the stone because he was angry",
    "boy_small": "The boy kicked the stone because it was small",
    "cat_bird": "The cat watched the bird because it was hungry",
    "sister_doctor": "My sister called the doctor because she was ill",
    "horse_because": "The horse pulled the cart because it was strong",
    "horse_until": "The horse pulled the cart until it was tired",
}


def to_steps(weights):
    """Return the weights in whole ten-thousandths; each row sums to 10,000 exactly.

    Every weight is rounded down, and the steps then missing from a row go to the weights
    that lost most. A weight of 0 stays 0.

    weights: (..., n_k), rows sum to 1. Returns: same shape, uint16.
    """
    exact = weights.astype(np.float64)
    exact = exact / exact.sum(axis=-1, keepdims=True) * STEPS
    steps = np.floor(exact)
    missing = np.rint(STEPS - steps.sum(axis=-1, keepdims=True))
    order = np.argsort(steps - exact, axis=-1, kind="stable")  # what lost most comes first
    place = np.argsort(order, axis=-1, kind="stable")
    return (steps + (place < missing)).astype(np.uint16)


def smollm2_tables():
    """Return text, tokens and weights of every sentence from the decoder, by name of the array."""
    model = smollm2.load()
    next_token = smollm2.most_likely_next(model, "The capital of France is")
    assert next_token == " Paris", f"SmolLM2 went on with {next_token!r}: expected ' Paris'"
    print(f"SmolLM2: The capital of France is ->{next_token}")

    def token_texts(token_ids):
        return [smollm2.decode(model, [i]) for i in token_ids]

    return tables(smollm2, model, token_texts)


def minilm_tables():
    """Return text, tokens and weights of every sentence from the encoder, by name of the array."""
    model = minilm.load()
    similarity = minilm.sentence_similarity(
        model, "A man is eating food.", "A man is eating a piece of bread."
    )
    assert abs(similarity - 0.7553) < 5e-5, f"MiniLM says {similarity:.4f}: expected 0.7553"
    print(f"MiniLM: food ~ piece of bread {similarity:.4f}")

    def token_texts(token_ids):
        return [model.vocabulary[i] for i in token_ids]

    return tables(minilm, model, token_texts)


def tables(module, model, token_texts):
    """Return the arrays of one model's file.

    module: what encodes a text for the model and runs it. token_texts: a function from
        token numbers to the texts of the tokens.
    """
    arrays = {}
    for name, text in SENTENCES.items():
        token_ids = module.encode(model, text)
        _, weights = module.run(model, token_ids)
        arrays[f"{name}.text"] = np.array(text)
        arrays[f"{name}.tokens"] = np.array(token_texts(token_ids))
        steps = to_steps(weights)
        moved = np.abs(steps / STEPS - weights).max()
        assert moved <= 1 / STEPS, f"{name}: rounding moved a weight by {moved}"
        arrays[f"{name}.weights"] = np.ascontiguousarray(steps.transpose(2, 3, 0, 1))
    return arrays


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for model_name, make in (("smollm2", smollm2_tables), ("minilm", minilm_tables)):
        path = FOLDER / f"attention_{model_name}.npz"
        np.savez_compressed(path, **make())
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
