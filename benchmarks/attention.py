"""Attention forward in NumPy and in PyTorch: ``python -m benchmarks attention``."""

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention as torch_attention

from benchmarks.timing import take_turns
from casebook.attention import causal_mask, scaled_dot_product_attention

LENGTHS, D_K = (64, 256, 1024, 4096), 64


def run(n_threads, say=print):
    """Print milliseconds of one causal head of 64 columns, in float32."""
    torch.set_num_threads(n_threads)
    rng = np.random.default_rng(0)
    for n_tokens in LENGTHS:
        Q, K, V = rng.normal(0, 1, (3, n_tokens, D_K)).astype(np.float32)
        tensors, mask = [torch.tensor(x)[None, None] for x in (Q, K, V)], causal_mask(n_tokens)
        calls = {
            "NumPy": lambda Q=Q, K=K, V=V, mask=mask: scaled_dot_product_attention(Q, K, V, mask),
            "PyTorch": lambda tensors=tensors: torch_attention(*tensors, is_causal=True),
        }
        seconds = take_turns(calls, 7, max(1, 1024 // n_tokens))
        ratio = seconds["PyTorch"] / seconds["NumPy"]
        times = "  ".join(f"{name} {1000 * s:8.2f}" for name, s in seconds.items())
        say(f"attention n = {n_tokens:4}  {n_threads} threads  ms: {times}  ratio {ratio:.2f}")
