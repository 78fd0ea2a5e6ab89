"""The check of attention weights under three scalings of the scores."""

from dataclasses import replace

from casebook.checks.engine import properties
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Case, Family, deviations, keep, stages_of
from casebook.checks.engine.verdict import check
from casebook.checks.stages import attention
from casebook.checks.stages import softmax as soft
from casebook.saturation import SCALINGS, scale_factor


def by_scaling(scores, sizes):
    """Return the scores under the scaling that is asked for."""
    return scores * scale_factor(sizes.scaling, sizes.d_k)


@stages_of(attention.attend, without=("mix", "give"))
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
MISTAKES = (
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
# fmt: on

FAMILY = Family(attention_weights, MISTAKES)


@check("attention_weights", ("Q", "K", "scaling"))
def check_attention_weights(learner, rng):
    """Check attention weights under each of the three scalings."""
    sizes = [("", 3, 5, 6, 1.0), ("", 5, 5, 5, 1.0), ("", 4, 7, 64, 0.4)]
    sizes += [("for a single key", 3, 1, 6, 1.0), ("for very large scores", 3, 5, 6, 60.0)]
    cases = [
        Case(
            label, (rng.normal(0.2, size, (n_q, d_k)), rng.normal(-0.1, size, (n_k, d_k)), scaling)
        )
        for label, n_q, n_k, d_k, size in sizes
        for scaling in SCALINGS
    ]
    examine(
        learner,
        cases,
        FAMILY,
        ("weights",),
        lambda case, got, right: properties.of_weights(got[0], right[0]),
    )
