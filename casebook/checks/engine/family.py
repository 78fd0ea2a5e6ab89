"""A computation cut into named stages, and the mistakes that people make at each of them.

A :class:`Family` holds both. Without a mistake it is the right computation; with a mistaken
stage put in, it gives what someone who makes this mistake would give.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from casebook.checks.engine.compare import same
from casebook.checks.engine.plain_words import Wrong


@dataclass(frozen=True, eq=False)
class Case:
    """One input. ``label`` opens a sentence ("for a single key") if only this one fails."""

    label: str
    inputs: tuple


@dataclass(frozen=True)
class Deviation:
    """A mistaken stage: which stage, what the mistake is called, and the stage itself."""

    stage: str
    says: str
    does: Callable


def deviations(stage, *mistakes):
    """Return the deviations of one stage; each mistake is (what it is called, what it does)."""
    return tuple(Deviation(stage, says, does) for says, does in mistakes)


def keep(value, *_):
    """Return the value as it is: the stage that does nothing."""
    return value


@dataclass(frozen=True)
class Family:
    """A computation with replaceable stages.

    compute: ``compute(*inputs, **stages)`` returns the tuple of results; without
        ``stages`` it is right.
    deviations: the likeliest first.
    absolute: how far apart two numbers count as the same; None: only rounding apart.
    read: for answers that are no numbers, such as text: makes arrays of such an answer,
        those of words first, or raises Wrong. ``compute`` then returns what a learner does.
    """

    compute: Callable
    deviations: tuple
    absolute: float | None = None
    read: Callable | None = None

    def results(self, inputs, mistakes=()):
        """Return the results with these mistakes in them, as arrays; None if it breaks."""
        stages = {mistake.stage: mistake.does for mistake in mistakes}
        try:
            with np.errstate(all="ignore"):
                answer = self.compute(*inputs, **stages)
                return self.read(answer) if self.read else [np.asarray(part) for part in answer]
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, Wrong):
            return None

    def gives(self, case, mistakes, answer):
        """Tell whether these mistakes give this answer."""
        results = self.results(case.inputs, mistakes)
        return results is not None and same(answer, results, self.absolute)

    def suspects(self, case, answer, together):
        """Return the mistakes, so many ``together``, that give this answer; likeliest first."""
        return [
            mistakes
            for mistakes in itertools.combinations(self.deviations, together)
            if len({mistake.stage for mistake in mistakes}) == together
            and self.gives(case, mistakes, answer)
        ]
