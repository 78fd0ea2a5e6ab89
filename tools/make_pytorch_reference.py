"""Write the reference arrays in tests/reference/ with PyTorch.

The tests compare the course's code with these arrays, so that nobody has to
install PyTorch to run them. To make them anew, in an environment of its own:

    pip install torch==2.13.0 numpy==2.4.6
    python tools/make_pytorch_reference.py

Every file notes the versions that made it under the key ``versions``.
"""

import math
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "reference"
VERSIONS = np.array(f"torch {torch.__version__.split('+')[0]}, numpy {np.__version__}")

# name: axes in front, n_q, n_k, d_k, d_v, kind of mask
ATTENTION_CASES = {
    "square": ((), 4, 4, 8, 8, None),
    "cross": ((), 3, 7, 5, 2, None),
    "one_query": ((), 1, 6, 16, 3, None),
    "one_key": ((), 5, 1, 3, 4, None),
    "wide": ((), 6, 9, 64, 5, None),
    "heads": ((3,), 5, 5, 6, 6, None),
    "batch_of_heads": ((2, 3), 4, 6, 5, 7, None),
    "causal": ((), 6, 6, 5, 4, "causal"),
    "causal_heads": ((2, 2), 5, 5, 3, 3, "causal"),
    "random_mask": ((2,), 5, 8, 4, 3, "random"),
    "nothing_allowed": ((), 4, 6, 5, 3, "one row of nothing"),
}


def make_mask(kind, n_q, n_k, rng):
    """Return a boolean mask (True means may attend) of one of the kinds above, or None."""
    if kind is None:
        return None
    if kind == "causal":
        return np.tri(n_q, n_k, dtype=bool)
    mask = rng.random((n_q, n_k)) < 0.6
    mask[:, 0] = True
    if kind == "one row of nothing":
        mask[1] = False
    return mask


def attention_reference(rng):
    """Return the arrays of every attention case, in both precisions."""
    arrays = {"versions": VERSIONS}
    for name, (front, n_q, n_k, d_k, d_v, kind) in ATTENTION_CASES.items():
        mask = make_mask(kind, n_q, n_k, rng)
        shapes = {"Q": (n_q, d_k), "K": (n_k, d_k), "V": (n_k, d_v)}
        inputs = {letter: rng.normal(0, 1, front + shape) for letter, shape in shapes.items()}
        if mask is not None:
            arrays[f"{name}.mask"] = mask
        for dtype in ("float64", "float32"):
            tensors = {k: torch.tensor(v.astype(dtype)) for k, v in inputs.items()}
            allowed = None if mask is None else torch.tensor(mask)
            output = scaled_dot_product_attention(
                tensors["Q"], tensors["K"], tensors["V"], attn_mask=allowed
            )
            scores = tensors["Q"] @ tensors["K"].transpose(-1, -2) / math.sqrt(d_k)
            if allowed is not None:
                scores = scores.masked_fill(~allowed, -math.inf)
            weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
            for key, tensor in {**tensors, "output": output, "weights": weights}.items():
                arrays[f"{name}.{dtype}.{key}"] = tensor.numpy()
    return arrays


def softmax_reference(rng):
    """Return softmax along several axes, its Jacobian, and a gradient through it."""
    arrays = {"versions": VERSIONS}
    for name, shape, axis, spread in (
        ("vector", (7,), -1, 1.0),
        ("rows", (3, 5), -1, 3.0),
        ("columns", (4, 3), 0, 3.0),
        ("middle", (2, 4, 3), 1, 2.0),
        ("peaked", (3, 6), -1, 30.0),
    ):
        scores = rng.normal(0, spread, shape)
        upstream = rng.normal(0, 1, shape)
        for dtype in ("float64", "float32"):
            tensor = torch.tensor(scores.astype(dtype), requires_grad=True)
            weights = torch.softmax(tensor, dim=axis)
            (gradient,) = torch.autograd.grad(weights, tensor, torch.tensor(upstream.astype(dtype)))
            arrays[f"{name}.{dtype}.scores"] = tensor.detach().numpy()
            arrays[f"{name}.{dtype}.weights"] = weights.detach().numpy()
            arrays[f"{name}.{dtype}.upstream"] = upstream.astype(dtype)
            arrays[f"{name}.{dtype}.gradient"] = gradient.numpy()
        arrays[f"{name}.axis"] = np.array(axis)
    row = torch.tensor(rng.normal(0, 2, 6))
    jacobian = torch.autograd.functional.jacobian(lambda s: torch.softmax(s, dim=-1), row)
    entropy = torch.distributions.Categorical(logits=row).entropy()
    arrays |= {"jacobian.scores": row.numpy(), "jacobian.value": jacobian.numpy()}
    arrays["entropy.value"] = entropy.numpy()
    return arrays


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file_name, make in (("attention", attention_reference), ("softmax", softmax_reference)):
        path = FOLDER / f"{file_name}.npz"
        np.savez_compressed(path, **make(np.random.default_rng(2017)))
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
