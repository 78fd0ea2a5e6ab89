"""A computation cut into named stages, and the mistakes that people make at each of them.

A :class:`Family` holds both. Without a mistake it is the right computation; with a mistaken
stage put in, it gives what someone who makes this mistake would give. A stage is an argument
with a default, and the default is the right stage. What the default takes, a mistake takes
too: a family that does not fit together raises :class:`BrokenCheck` as soon as it is made.
"""

import inspect
import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from casebook.checks.engine.plain_words import BrokenCheck, Wrong

BREAKS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, Wrong)


@dataclass(frozen=True, eq=False)
class Case:
    """One input. ``label`` opens a sentence ("for a single key") if only this one fails."""

    label: str
    inputs: tuple


@dataclass(frozen=True, eq=False)
class Deviation:
    """A mistaken stage: which stage, what the mistake is called, and the stage itself."""

    stage: str
    says: str
    does: object


def deviations(stage, *mistakes):
    """Return the deviations of one stage; each mistake is (what it is called, what it does)."""
    return tuple(Deviation(stage, says, does) for says, does in mistakes)


def keep(value):
    """Return the value as it is: the stage that does nothing."""
    return value


class Absent:
    """A stage that the right computation does without, and which a mistake can put in.

    It is false, so that ``if instead:`` asks whether a mistake was put in.
    arguments: names of what the stage would be given.
    """

    def __init__(self, *arguments):
        self.arguments = arguments

    def __bool__(self):
        return False

    def __call__(self, *_):
        """Raise TypeError: there is nothing to call."""
        raise TypeError("an absent stage was called: ask first whether a mistake stands there")


def stages_of(inner, without=()):
    """Return a decorator for a computation that passes its ``**stages`` on to ``inner``.

    The stages of ``inner`` then count as its own, but for those that it sets itself.

    without: names of stages of ``inner`` that it does not pass on.
    """

    def declare(compute):
        signature = inspect.signature(compute)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        passed_on = [
            parameter.replace(kind=parameter.KEYWORD_ONLY)
            for name, parameter in inspect.signature(inner).parameters.items()
            if parameter.default is not parameter.empty
            and name not in {*without, *(p.name for p in own)}
        ]
        compute.__signature__ = signature.replace(parameters=[*own, *passed_on])
        return compute

    return declare


@dataclass(frozen=True)
class Family:
    """A computation with replaceable stages.

    compute: ``compute(*inputs, **stages)`` returns the tuple of results; without
        ``stages`` it is right.
    deviations: the likeliest first.
    absolute: how far apart two numbers count as the same; None: only rounding apart.
    read: for answers that are no numbers, such as text: makes arrays of such an answer,
        those of words first, or raises Wrong. ``compute`` then returns what a learner does.

    Raises: BrokenCheck if a mistake belongs to no stage, or takes other arguments than its
    stage is given.
    """

    compute: Callable
    deviations: tuple
    absolute: float | None = None
    read: Callable | None = None

    def __post_init__(self):
        stages = _stages(self.compute)
        for mistake in self.deviations:
            trouble = _misfit(mistake, stages)
            if trouble:
                where = f"the family of {_name(self.compute)}, mistake {mistake.says!r}"
                raise BrokenCheck(f"{where}: {trouble}")

    def results(self, inputs, mistakes=()):
        """Return the results with these mistakes in them, as arrays; None if these break it.

        Raises: BrokenCheck if the right computation breaks, or a mistake in a way that no
        learner's answer could.
        """
        stages = {mistake.stage: mistake.does for mistake in mistakes}
        try:
            with np.errstate(all="ignore"):
                answer = self.compute(*inputs, **stages)
                return self.read(answer) if self.read else [np.asarray(part) for part in answer]
        except Exception as error:
            if mistakes and isinstance(error, BREAKS):
                return None
            said = " and ".join(repr(mistake.says) for mistake in mistakes)
            what = f"mistake {said}" if mistakes else f"right computation, {_name(self.compute)},"
            raise BrokenCheck(f"the {what} raises {type(error).__name__}: {error}") from error

    def sets(self, together):
        """Return the mistakes that can be made ``together``, at so many stages."""
        return [
            mistakes
            for mistakes in itertools.combinations(self.deviations, together)
            if len({mistake.stage for mistake in mistakes}) == together
        ]


def _stages(compute):
    """Return the right stages by their names: the arguments with a default, but for None."""
    parameters = inspect.signature(compute).parameters
    for name, parameter in parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            raise BrokenCheck(
                f"the family of {_name(compute)}: whose stages are **{name}? "
                "Say it with @stages_of(...) above the function."
            )
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    return {
        name: default
        for name, default in defaults.items()
        if default is not inspect.Parameter.empty and default is not None
    }


def _misfit(mistake, stages):
    """Return why a mistake cannot stand in for its stage, or None if it can."""
    if mistake.stage not in stages:
        return f"there is no stage {mistake.stage!r}; there are {', '.join(stages)}."
    right, does, stage = stages[mistake.stage], mistake.does, f"the stage {mistake.stage!r}"
    if not callable(right):
        return f"{stage} is no function, but the mistake is one." if callable(does) else None
    if not callable(does):
        return f"{stage} is a function, but the mistake is {does!r}."
    count = _count(right)
    if count is None:
        return f"{stage} does not show how many arguments it takes: write it as a lambda."
    return None if _takes(does, count) else f"{stage} is given {count} arguments: take as many."


def _count(right):
    """Return how many arguments a stage is given, as its right function shows; None if not."""
    if isinstance(right, Absent):
        return len(right.arguments)
    if isinstance(right, np.ufunc):
        return right.nin
    try:
        parameters = inspect.signature(right).parameters.values()
    except (TypeError, ValueError):  # some built-in functions have no signature
        return None
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return None
    return sum(parameter.default is parameter.empty for parameter in parameters)


def _takes(does, count):
    """Tell whether a function takes so many arguments, as far as it can be known."""
    if isinstance(does, np.ufunc):
        return does.nin == count
    try:
        signature = inspect.signature(does)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def _name(compute):
    """Return the name of a computation, also of one whose first arguments are given."""
    return getattr(getattr(compute, "func", compute), "__name__", repr(compute))
