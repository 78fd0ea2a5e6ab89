"""What heads look at, as numbers: how much of the weight goes to which place.

The weights may come from anywhere: from matrices set by hand, or from a model of
:mod:`casebook.data.tables`.
"""

import numpy as np

from casebook.guards import square_weights
from casebook.types import Array

PLACES = ("first", "previous", "itself", "elsewhere")


def attention_shares(weights: Array) -> dict[str, Array]:
    """Return how a head's weight is shared out between four places, as a mean over the tokens.

    The places are the first token, the previous one, the token itself, and all others. The
    mean runs from the third token on: for the first two some of the places are the same.

    weights: (..., n, n), rows that sum to 1, n at least 3.
    Returns: dict of "first", "previous", "itself" and "elsewhere", each (...,); they sum to 1.
    Raises: ValueError for weights that are not square, or for fewer than three tokens.
    """
    weights = square_weights(weights, least=3)
    asks = np.arange(2, weights.shape[-1])
    shares = {
        "first": weights[..., asks, 0].mean(axis=-1),
        "previous": weights[..., asks, asks - 1].mean(axis=-1),
        "itself": weights[..., asks, asks].mean(axis=-1),
    }
    total = weights[..., asks, :].sum(axis=-1).mean(axis=-1)
    return shares | {"elsewhere": total - sum(shares.values())}


def pattern(weights: Array) -> str:
    """Return in words what one head looks at: "mostly the previous token (0.84)".

    weights: (n, n), rows that sum to 1. Raises: as :func:`attention_shares`.
    """
    shares = {place: float(share) for place, share in attention_shares(weights).items()}
    del shares["elsewhere"]
    place = max(shares, key=shares.__getitem__)
    share, token = shares[place], place if place == "itself" else f"the {place} token"
    for least, words in ((0.9, "almost only"), (0.6, "mostly"), (0.4, "about half on")):
        if share >= least:
            return f"{words} {token} ({share:.2f})"
    return f"spread out, at most {share:.2f} on {token}"
