"""The scores under three scalings, and the mistakes made with them."""

from dataclasses import replace

from casebook.checks import mistakes_attention as attention
from casebook.checks import mistakes_softmax as soft
from casebook.checks.mistakes_softmax import deviations, keep
from casebook.saturation import scale_factor


def by_scaling(scores, sizes):
    """Return the scores under the scaling that is asked for."""
    return scores * scale_factor(sizes.scaling, sizes.d_k)


def attention_weights(Q, K, scaling, choose=keep, scale=by_scaling, **stages):
    """Return the weights of attention under a scaling."""
    sizes = {"scaling": choose(scaling)}
    stages |= {"mix": lambda w, *_: w, "give": lambda output, weights, scores: (weights,)}
    return attention.attend(Q, K, K, sizes, scale=scale, **stages)


def _read_as(**changed):
    return lambda scaling: changed.get(scaling, scaling)


def _for_the_root_only(mistake):
    """Return the mistake, made only where "sqrt_d_k" is asked for."""

    def scale(scores, sizes):
        return (mistake.does if sizes.scaling == "sqrt_d_k" else by_scaling)(scores, sizes)

    return replace(mistake, does=scale)


# fmt: off
ATTENTION_WEIGHTS = (
    *deviations(
        "choose",
        ("scaling is ignored: the scores are always divided by sqrt(d_k)", lambda _: "sqrt_d_k"),
        ("scaling is ignored: the scores are never divided", lambda _: "none"),
        ("scaling is ignored: the scores are always divided by d_k", lambda _: "d_k"),
        ('"none" and "sqrt_d_k" are swapped', _read_as(none="sqrt_d_k", sqrt_d_k="none")),
        ('"d_k" and "sqrt_d_k" are swapped', _read_as(d_k="sqrt_d_k", sqrt_d_k="d_k")),
        ('"none" and "d_k" are swapped', _read_as(none="d_k", d_k="none")),
        ('"none" must leave the scores alone, but divides by sqrt(d_k)', _read_as(none="sqrt_d_k")),
        ('"none" must leave the scores alone, but divides by d_k', _read_as(none="d_k")),
        ('"d_k" divides by sqrt(d_k), not by d_k', _read_as(d_k="sqrt_d_k")),
        ('"d_k" does not divide the scores at all', _read_as(d_k="none")),
    ),
    *deviations(
        "scale",
        ("multiplies the scores where it should divide them",
         lambda s, of: s / scale_factor(of.scaling, of.d_k)),
        ("takes n_q for d_k: d_k is the last axis, Q.shape[-1]",
         lambda s, of: s * scale_factor(of.scaling, of.n_q)),
        ("takes n_k for d_k: d_k is the last axis, Q.shape[-1]",
         lambda s, of: s * scale_factor(of.scaling, of.n_k)),
        ("takes d_k = 64 always: it is the last axis, Q.shape[-1]",
         lambda s, of: s * scale_factor(of.scaling, 64)),
    ),
    *map(_for_the_root_only, attention.SCALE),
    *soft.SOFTMAX,
    attention.SCALE_TOO_LATE[0],
    *attention.ROLES_OF_KEYS,
    *attention.COMPARE,
)
