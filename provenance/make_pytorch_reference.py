"""Write the reference arrays in tests/reference/ with PyTorch.

The tests compare the course's code with these arrays, so that nobody has to
install PyTorch to run them. To make them anew, in an environment of its own:

    pip install torch==2.13.0 numpy==2.4.6
    python -m provenance.make_pytorch_reference

Every file notes the versions that made it under the key ``versions``.
"""

import math
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from casebook.training import Config, random_parameters
from provenance.torch_transformer import as_tensors, biases_of, loss

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


def multihead_reference(rng):
    """Return self- and cross-attention with several heads, with PyTorch's own weights."""
    arrays = {"versions": VERSIONS}
    for name, n_heads, n_q, n_k, cross in (("self", 2, 5, 5, False), ("cross", 3, 4, 7, True)):
        d_model = 4 * n_heads
        layer = torch.nn.MultiheadAttention(d_model, n_heads, batch_first=True, dtype=torch.float64)
        randomise(layer, rng)
        X = torch.tensor(rng.normal(0, 1, (2, n_q, d_model)))
        memory = torch.tensor(rng.normal(0, 1, (2, n_k, d_model))) if cross else X
        mask = torch.tensor(np.tri(n_q, n_k, dtype=bool))
        output, weights = layer(X, memory, memory, attn_mask=~mask, average_attn_weights=False)
        tensors = {"X": X, "memory": memory, "mask": mask, "output": output, "weights": weights}
        arrays |= {f"{name}.{key}": tensor.detach().numpy() for key, tensor in tensors.items()}
        arrays |= {f"{name}.{key}": value for key, value in attention_parameters(layer).items()}
        arrays[f"{name}.n_heads"] = np.array(n_heads)
    return arrays


def layers_reference(rng):
    """Return norms, activations, and whole encoder and decoder layers, pre- and post-norm."""
    F, arrays = torch.nn.functional, {"versions": VERSIONS}
    X = torch.tensor(rng.normal(0.5, 2, (2, 5, 8)))
    memory = torch.tensor(rng.normal(0, 1, (2, 6, 8)))
    gain, bias = (torch.tensor(rng.normal(1, 0.3, 8)) for _ in range(2))
    mask = torch.tensor(np.tri(5, dtype=bool))
    arrays |= {"X": X.numpy(), "memory": memory.numpy(), "mask": mask.numpy()}
    arrays |= {"gain": gain.numpy(), "bias": bias.numpy()}
    arrays["layer_norm"] = F.layer_norm(X, (8,), gain, bias).numpy()
    arrays["rms_norm"] = F.rms_norm(X, (8,), gain, eps=1e-5).numpy()
    arrays["gelu"], arrays["relu"] = F.gelu(X).numpy(), F.relu(X).numpy()
    arrays["gelu_tanh"] = F.gelu(X, approximate="tanh").numpy()
    for norm in ("pre", "post"):
        options = {"dim_feedforward": 12, "dropout": 0.0, "batch_first": True}
        options |= {"norm_first": norm == "pre", "dtype": torch.float64}
        encoder = torch.nn.TransformerEncoderLayer(8, 2, **options).eval()
        decoder = torch.nn.TransformerDecoderLayer(8, 2, **options).eval()
        for layer in (encoder, decoder):
            randomise(layer, rng)
        asked = X.clone().requires_grad_()
        outputs = {"encoder": encoder(asked, src_mask=~mask), "decoder": decoder(X, memory, ~mask)}
        upstream = torch.tensor(rng.normal(0, 1, tuple(X.shape)))
        outputs["encoder"].backward(upstream)
        arrays |= {f"{norm}.upstream": upstream.numpy(), f"{norm}.d_X": asked.grad.numpy()}
        for part, values in block_parameters(encoder, gradients=True).items():
            arrays |= {f"{norm}.gradient.{part}.{key}": value for key, value in values.items()}
        for kind, layer in (("encoder", encoder), ("decoder", decoder)):
            arrays[f"{norm}.{kind}.output"] = outputs[kind].detach().numpy()
            for part, values in block_parameters(layer).items():
                arrays |= {f"{norm}.{kind}.{part}.{key}": value for key, value in values.items()}
    return arrays


def recurrent_reference(rng):
    """Return an RNN and an LSTM over one sequence, with the gradient of the last state."""
    arrays = {"versions": VERSIONS}
    for name, kind in (("rnn", torch.nn.RNN), ("lstm", torch.nn.LSTM)):
        layer = kind(3, 4, dtype=torch.float64)
        randomise(layer, rng)
        X = torch.tensor(rng.normal(0, 1, (7, 3)), requires_grad=True)
        states, _ = layer(X)
        by_first = [torch.autograd.grad(s, X, retain_graph=True)[0][0] for s in states[-1]]
        arrays |= {f"{name}.X": X.detach().numpy(), f"{name}.states": states.detach().numpy()}
        arrays[f"{name}.last_by_first"] = torch.stack(by_first).numpy()
        arrays[f"{name}.W_x"] = layer.weight_ih_l0.detach().numpy().T
        arrays[f"{name}.W_h"] = layer.weight_hh_l0.detach().numpy().T
        arrays[f"{name}.b"] = (layer.bias_ih_l0 + layer.bias_hh_l0).detach().numpy()
    return arrays


# name: config, n_sequences, n_tokens
TRAINING_CASES = {
    "look_back": (Config(11, 12, 3, 2, 20), 4, 9),
    "both_sides": (Config(7, 10, 2, 3, 6, positions="sinusoidal", causal=False), 3, 5),
    "one_sequence": (Config(5, 8, 1, 1, 8), 1, 2),
}
STEPS, LEARNING_RATE, LARGEST = 3, 0.02, 1.0  # AdamW steps on the same lesson


def training_reference(rng):
    """Return lessons, parameters, the loss and its gradients, and parameters after AdamW steps."""
    arrays = {"versions": VERSIONS}
    for name, (config, n_sequences, n_tokens) in TRAINING_CASES.items():
        parameters = random_parameters(config, rng)
        for array in parameters.values():
            array += rng.normal(0, 0.1, array.shape)  # no gain of exactly one
        tokens, targets = rng.integers(0, config.n_words, (2, n_sequences, n_tokens))
        importance = rng.choice([0.0, 1.0, 4.0], (n_sequences, n_tokens))
        importance[0, 0] = 2.0
        lesson = {"tokens": tokens, "targets": targets, "importance": importance}
        tensors, biases = as_tensors(parameters), biases_of(config, n_tokens)
        optimiser = torch.optim.AdamW(
            tensors.values(), lr=LEARNING_RATE, betas=(0.9, 0.95), weight_decay=0.2
        )
        arrays |= {f"{name}.lesson.{key}": array for key, array in lesson.items()}
        arrays |= {f"{name}.parameters.{key}": array for key, array in parameters.items()}
        for step in range(STEPS):
            optimiser.zero_grad()
            value = loss(
                [torch.tensor(array) for array in lesson.values()], tensors, config, biases
            )
            value.backward()
            if step == 0:
                arrays[f"{name}.loss"] = value.detach().numpy()
                slopes = {key: tensor.grad.numpy().copy() for key, tensor in tensors.items()}
                arrays |= {f"{name}.gradients.{key}": slope for key, slope in slopes.items()}
            torch.nn.utils.clip_grad_norm_(tensors.values(), LARGEST)
            optimiser.step()
        arrays |= {f"{name}.stepped.{key}": t.detach().numpy() for key, t in tensors.items()}
    return arrays


def randomise(layer, rng):
    """Fill every parameter of a layer from ``rng``, so that no zero or one hides a mistake."""
    for parameter in layer.parameters():
        parameter.data = torch.tensor(rng.normal(0.1, 0.4, tuple(parameter.shape)))


def numbers(parameter, gradients):
    """Return a parameter, or its gradient, as an array."""
    return (parameter.grad if gradients else parameter.detach()).numpy()


def attention_parameters(layer, gradients=False):
    """Return PyTorch's attention weights (or gradients) under the course's names, (d_in, d_out)."""
    W = np.split(numbers(layer.in_proj_weight, gradients).T, 3, axis=1)
    b = np.split(numbers(layer.in_proj_bias, gradients), 3)
    named = {f"W_{letter}": values for letter, values in zip("QKV", W, strict=True)}
    named |= {f"b_{letter}": values for letter, values in zip("QKV", b, strict=True)}
    named["W_O"] = numbers(layer.out_proj.weight, gradients).T
    return named | {"b_O": numbers(layer.out_proj.bias, gradients)}


def block_parameters(layer, gradients=False):
    """Return a PyTorch Transformer layer's weights (or gradients) as the course's block."""
    block = {"attention": attention_parameters(layer.self_attn, gradients)}
    if hasattr(layer, "multihead_attn"):
        block["cross_attention"] = attention_parameters(layer.multihead_attn, gradients)
    linear = {"1": layer.linear1, "2": layer.linear2}
    block["feed_forward"] = {f"W_{k}": numbers(v.weight, gradients).T for k, v in linear.items()}
    block["feed_forward"] |= {f"b_{k}": numbers(v.bias, gradients) for k, v in linear.items()}
    for place in (1, 2, 3):
        norm = getattr(layer, f"norm{place}", None)
        if norm is not None:
            gain, bias = numbers(norm.weight, gradients), numbers(norm.bias, gradients)
            block[f"norm_{place}"] = {"gain": gain, "bias": bias}
    return block


MAKERS = {
    "attention": attention_reference,
    "softmax": softmax_reference,
    "multihead": multihead_reference,
    "layers": layers_reference,
    "recurrent": recurrent_reference,
    "training": training_reference,
}

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file_name, make in MAKERS.items():
        path = FOLDER / f"{file_name}.npz"
        np.savez_compressed(path, **make(np.random.default_rng(2017)))
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
