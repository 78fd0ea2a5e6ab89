"""The model of casebook.training in PyTorch, for references and the benchmark alone."""

import torch
from torch.nn.functional import cross_entropy, rms_norm, scaled_dot_product_attention

from casebook.layers import EPSILON
from casebook.positional import sinusoidal_encoding
from casebook.training import score_bias


def as_tensors(parameters, dtype=torch.float64):
    """Return the parameters as tensors that ask for gradients."""
    return {
        name: torch.tensor(array, dtype=dtype, requires_grad=True)
        for name, array in parameters.items()
    }


def biases_of(config, n_tokens, dtype=torch.float64):
    """Return what is added to the scores of each layer, as tensors."""
    layers = range(config.n_layers)
    return [torch.tensor(score_bias(config, layer, n_tokens), dtype=dtype) for layer in layers]


def forward(tokens, tensors, config, biases):
    """Return what stands at each token after the last norm. tokens: (n_sequences, n_tokens)."""
    n_sequences, n_tokens = tokens.shape
    X = tensors["embedding"][tokens]
    if config.positions == "sinusoidal":
        X = X + torch.tensor(sinusoidal_encoding(n_tokens, config.d_model), dtype=X.dtype)

    def norm(X, name):
        return rms_norm(X, (config.d_model,), tensors[name], eps=EPSILON)

    def heads(X):
        return X.view(n_sequences, n_tokens, config.n_heads, -1).transpose(1, 2)

    for layer, bias in enumerate(biases):
        normed = norm(X, f"{layer}.norm_1")
        Q, K, V = (heads(normed @ tensors[f"{layer}.W_{letter}"]) for letter in "QKV")
        read = scaled_dot_product_attention(Q, K, V, attn_mask=bias)
        X = X + read.transpose(1, 2).reshape(X.shape) @ tensors[f"{layer}.W_O"]
        hidden = torch.relu(norm(X, f"{layer}.norm_2") @ tensors[f"{layer}.W_1"])
        X = X + hidden @ tensors[f"{layer}.W_2"]
    return norm(X, "norm")


def loss(lesson, tensors, config, biases):
    """Return the loss of ``casebook.training.loss_and_gradients`` on a lesson of tensors."""
    tokens, targets, importance = lesson
    X = forward(tokens, tensors, config, biases)
    importance = importance.expand(tokens.shape)
    counts = importance > 0
    logits = X[counts] @ tensors["W_words"]
    surprise = cross_entropy(logits, targets[counts], reduction="none")
    share = importance[counts] / importance[counts].sum()
    return surprise @ share.to(surprise.dtype)
