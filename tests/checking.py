"""What the tests of the checks share: what a check tries, and answers that make mistakes.

:func:`examined` looks into a check for its inputs and its list of mistakes. What is handed
to the check, and what it says of it, goes the way of a learner's answer.
"""

import contextlib
import io
from dataclasses import dataclass
from functools import cache, cached_property
from unittest import mock

from casebook import checks
from casebook.checks.engine import diagnosis
from casebook.checks.engine.compare import same
from casebook.checks.engine.plain_words import shorten
from casebook.checks.engine.verdict import LONGEST_SENTENCE

TASKS = [name.removeprefix("check_") for name in checks.__all__ if name.startswith("check_")]
BREAKS = "these mistakes break the computation"


@dataclass(frozen=True)
class Examined:
    """What a check tries for one seed: its inputs, its mistakes, the names of the arguments."""

    task: str
    cases: list
    family: object
    arguments: tuple

    @cached_property
    def right(self):
        """Return the right results, by case."""
        return self.made_with(())

    def made_with(self, mistakes):
        """Return the results with these mistakes in them, by case; None where they break."""
        return [self.family.results(case.inputs, mistakes) for case in self.cases]

    def alike(self, some, others):
        """Return for each case whether two lists of results are the same there."""
        return [
            one is None and other is None
            if one is None or other is None
            else same(one, other, self.family.absolute)
            for one, other in zip(some, others, strict=True)
        ]

    @cached_property
    def pairs(self):
        """Return the pairs that the engine claims to find: mistakes of two different stages."""
        return self.family.sets(2)

    @cached_property
    def said_of(self):
        """Return by the sentence the mistakes that it names; several can have the same words."""
        named = {}
        for mistakes in [*self.family.sets(1), *self.pairs]:
            named.setdefault(sentence_of(mistakes), []).append(mistakes)
        return named


def sentence_of(mistakes):
    """Return what a check says of these mistakes, without the name of the task."""
    sentence = "; and ".join(mistake.says for mistake in mistakes) + "."
    return shorten(sentence, LONGEST_SENTENCE)


@cache
def examined(task, seed=0):
    """Return what the check of a task tries, and the mistakes that it diagnoses with."""
    seen = []
    with (
        mock.patch.object(diagnosis, "_Examination") as examination,
        contextlib.redirect_stdout(io.StringIO()),
    ):
        examination.side_effect = lambda *given: seen.append(given) or mock.Mock(sentence=str)
        getattr(checks, f"check_{task}")(in_form(task, lambda *inputs: 0), seed=seed, strict=False)
    learner, cases, family, *_ = seen[0]
    return Examined(task, cases, family, learner.arguments)


def answer_with(family, mistakes):
    """Return a function that makes these mistakes, and gives what a learner's would."""

    def answer(*inputs):
        results = family.results(inputs, mistakes)
        if results is None:
            raise ValueError(BREAKS)
        if family.read:  # an answer that is no array: as a learner gives it
            return family.compute(*inputs, **{mistake.stage: mistake.does for mistake in mistakes})
        return tuple(results) if len(results) != 1 else results[0]

    return answer


def in_form(task, function):
    """Return the function in the form that the task asks for: itself, or a class that uses it."""
    return {"multi_head_attention": as_attention, "adamw": as_optimiser}.get(task, keep)(function)


def keep(function):
    return function


def as_attention(function):
    class Answer:
        def __init__(self, *given):
            self.given = given

        def __call__(self, X, mask=None):
            return function(X, *self.given, mask)

    return Answer


def as_optimiser(function):
    """Return a class whose step gives the last row of what the function computes so far."""

    class Answer:
        def __init__(self, *settings):
            self.settings, self.start, self.gradients = settings, None, []

        def step(self, parameters, gradients):
            self.start = self.start or parameters
            self.gradients.append(gradients)
            row, stepped = function(self.start, self.gradients, *self.settings)[-1], {}
            for name, W in self.start.items():
                stepped[name], row = row[: W.size].reshape(W.shape), row[W.size :]
            return stepped

    return Answer


def printed(capsys, check, answer, **options):
    """Return the one line that a check prints."""
    assert check(answer, **options) is None
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def raised(check, answer, **options):
    """Return the line that a check raises where somebody marks, or prints if it accepts."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            check(answer, strict=True, **options)
    except checks.CheckFailed as failed:
        assert not said.getvalue()
        return str(failed)
    return said.getvalue().rstrip("\n")
