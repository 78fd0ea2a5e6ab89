"""Cost: how many steps, how long a path and how much arithmetic a layer needs, counted.

A layer turns n vectors into n vectors. What differs from kind to kind is who waits
for whom. :func:`feeds` says so, and everything else here is counted on that graph.
Tokens are counted from 0; ``n_tokens`` says how many there are.
"""

from casebook.guards import at_least, one_of

KINDS = ("recurrence", "convolution", "self-attention")


def feeds(
    kind: str, token: int, n_tokens: int, kernel: int = 3, spread: int = 1
) -> tuple[range, range]:
    """Return which outputs of a layer need input ``token``, and which need output ``token``.

    kind: "recurrence" reads one input and the output before it; "convolution" reads
        ``kernel`` inputs, its own and earlier ones, ``spread`` tokens apart;
        "self-attention" reads all inputs.
    Returns: two ranges of outputs.
    Raises: ValueError for another kind, no tokens, a token that is not there, or a kernel
        below 2.
    """
    one_of("kind", kind, KINDS)
    at_least("n_tokens", n_tokens, 1, " token")
    if not 0 <= token < n_tokens:
        raise ValueError(f"token is {token}: expected one of the {n_tokens} tokens, from 0")
    at_least("kernel", kernel, 2, " tokens")
    if kind == "recurrence":
        return range(token, token + 1), range(token + 1, min(token + 2, n_tokens))
    if kind == "convolution":
        return range(token, min(token + kernel * spread, n_tokens), spread), range(0)
    return range(n_tokens), range(0)


def sequential_steps(kind: str, n_tokens: int) -> int:
    """Return how many outputs of one layer must be computed one after another.

    That is the longest chain in which each output needs the one before it.
    kind: as for :func:`feeds`. Returns: a number of steps, at least 1.
    Raises: as :func:`feeds`.
    Source: Vaswani et al. (2017), table 1, "sequential operations".
    """
    feeds(kind, 0, n_tokens)  # says what is wrong, if anything is
    step_of = [1] * n_tokens
    for token in range(n_tokens):
        for later in feeds(kind, token, n_tokens)[1]:
            step_of[later] = max(step_of[later], step_of[token] + 1)
    return max(step_of)


def path_length(kind: str, n_tokens: int, kernel: int = 3, dilated: bool = True) -> int:
    """Return the fewest links between the first input and the last output.

    Layers of one kind are stacked until there is a path: breadth-first search, one
    link from an input to an output or from an output to the next.

    kind, kernel: as for :func:`feeds`.
    dilated: in convolutions, each layer reads ``kernel`` times as far apart as the
        one below; False lets every layer read neighbours.
    Returns: a number of links, at least 1.
    Raises: as :func:`feeds`.
    Source: Vaswani et al. (2017), table 1, "maximum path length".
    """
    growth = kernel if kind == "convolution" and dilated else 1
    reached = {(output, growth) for output in feeds(kind, 0, n_tokens, kernel)[0]}
    seen, n_links = set(), 1
    while all(token != n_tokens - 1 for token, _ in reached):
        seen |= reached
        reached = {
            place
            for token, spread in reached
            for place in _next_places(kind, token, n_tokens, kernel, spread, growth)
        } - seen
        n_links += 1
    return n_links


def operations(kind: str, n_tokens: int, d: int, kernel: int = 3) -> int:
    """Return the multiply-adds of one layer of width ``d``, without softmax and tanh.

    Each link costs: a matrix of d x d in recurrence and convolution; in self-attention
    a dot product and a place in the weighted mean, d each (projections not counted).
    kind, kernel: as for :func:`feeds`. Returns: a whole number.
    Raises: as :func:`feeds`.
    Source: Vaswani et al. (2017), table 1, "complexity per layer".
    """
    feeds(kind, 0, n_tokens, kernel)  # says what is wrong, if anything is
    cost_of_a_link = 2 * d if kind == "self-attention" else d * d
    n_links = sum(
        len(above) + len(beside)
        for above, beside in (feeds(kind, token, n_tokens, kernel) for token in range(n_tokens))
    )
    return n_links * cost_of_a_link


def _next_places(kind, token, n_tokens, kernel, spread, growth):
    """Return where one link leads from an output: up to the next layer, or beside it."""
    above, beside = feeds(kind, token, n_tokens, kernel, spread)
    return [(output, spread * growth) for output in above] + [(output, spread) for output in beside]
