"""Diagnosis by re-enactment: to name a mistake, make it too and compare the numbers.

A :class:`~casebook.checks.engine.family.Family` is the right computation cut into named
stages, with a list of mistaken ones. If one of them, or two together, give exactly what the
learner's function gave on every input, the mistake is found and has its sentence. If none
does, the task's own ``properties`` speak, and at last the first number that differs.
"""

import contextlib

import numpy as np

from casebook.checks.engine.compare import difference, is_words, nearly, parts_of, relation, same
from casebook.checks.engine.plain_words import BrokenCheck, Fatal, Wrong, blamed_on_the_answer


def examine(learner, cases, family, names, properties=None):
    """Return if the learner's function is right on every case; raise Wrong with a sentence if not.

    cases: the general ones first; several mistakes must not give the same numbers on all.
    names: names of the results. properties: ``properties(case, got, expected)`` returns a
        sentence or None; asked where re-enactment finds nothing.
    """
    sentence = _Examination(learner, cases, family, names, properties).sentence()
    if sentence:
        raise Wrong(sentence)


def of_one_part(family, names, case, got, right):
    """Return the sentence of a mistake that explains one of the results by itself, or None.

    With three mistakes or more, no pair of them explains everything.
    """
    for index, name in enumerate(names):
        part = slice(index, index + 1)
        if same(got[part], right[part]):
            continue
        for mistake in family.deviations:
            results = family.results(case.inputs, [mistake])
            if results and same(got[part], results[part]):
                return f"in {name}: {mistake.says}."
    return None


class _Examination:
    """The answers to all the cases, and what can be said of them."""

    def __init__(self, learner, cases, family, names, properties):
        self.learner, self.family = learner, family
        self.names, self.properties = names, properties
        self.cases, self.answers, self.troubles = cases, {}, {}
        self.explained = {}  # by mistakes and case
        # Before any answer runs: whatever goes wrong here is no answer's fault.
        self.right = {case: self.right_results(case) for case in cases}
        for case in cases:
            try:
                self.answers[case] = self.answer_to(case.inputs)
            except Fatal:
                raise
            except Wrong as trouble:
                self.troubles[case] = trouble
        self.failing = [case for case in self.answers if not self.is_right(case)]

    def right_results(self, case):
        """Return the right results; raise BrokenCheck unless inputs and results are as named."""
        results = self.family.results(case.inputs)
        for what, found, names in (
            ("inputs", case.inputs, self.learner.arguments),
            ("results", results, self.names),
        ):
            if len(found) != len(names):
                which = f"the case {case.label!r}" if case.label else "a case"
                raise BrokenCheck(f"{which} has {len(found)} {what}, but the names are {names}.")
        return results

    def answer_to(self, inputs):
        """Return the arrays of the learner's answer; raise Wrong if it gives none."""
        answer = self.learner(*inputs)
        with blamed_on_the_answer():
            return self.family.read(answer) if self.family.read else parts_of(answer, self.names)

    def explains(self, mistakes, case):
        """Tell whether these mistakes give the answer to this case; worked out once."""
        if (mistakes, case) not in self.explained:
            results = self.family.results(case.inputs, mistakes)
            self.explained[mistakes, case] = results is not None and same(
                self.answers[case], results, self.family.absolute
            )
        return self.explained[mistakes, case]

    def is_right(self, case):
        return same(self.answers[case], self.right[case], self.family.absolute)

    def sentence(self):
        """Return what is wrong, the likeliest to help first; None if nothing is."""
        if not self.failing:
            return self.of_exceptions() or self.of_a_second_call(self.cases[0])
        case = self.failing[0]
        return (
            self.of_known_mistakes(together=1)
            or self.of_a_second_call(case)
            or self.led_by_case(case, self.of_precision(case))
            or self.of_unused_inputs(case, {"": ...})
            or self.of_known_mistakes(together=2)
            or self.of_exceptions(before=case)
            or self.led_by_case(case, self.of_the_numbers(case))
        )

    def led_by_case(self, case, sentence):
        """Return the sentence, led by its case if that is a special one, or by its text inputs."""
        given = zip(self.learner.arguments, case.inputs, strict=True)
        texts = [f'for {name} "{value}"' for name, value in given if isinstance(value, str)]
        where = case.label or ("" if self.family.read else ", ".join(texts))
        return f"{where}: {sentence}" if where and sentence else sentence

    def of_known_mistakes(self, together):
        """Return the sentence of the mistakes that explain the answers, or None.

        All the answers are looked at; then the general ones, for what is wrong in every
        case; then, for one mistake, only those that are wrong: it is made in a special case.
        """
        first = self.failing[0]
        suspects = self.family.sets(together)
        general = [case for case in self.answers if not case.label]
        special = self.failing if first.label and together == 1 else ()
        for cases in (self.answers, general, special):
            if first not in cases:
                continue
            for mistakes in suspects:
                if all(self.explains(mistakes, case) for case in (first, *cases)):
                    sentence = "; and ".join(mistake.says for mistake in mistakes) + "."
                    return self.led_by_case(first, sentence) if cases is special else sentence
        return None

    def of_exceptions(self, before=None):
        """Return the sentence of the first exception, in a case ``before`` that one, or None."""
        for case in self.cases:
            if case is before:
                return None
            if case in self.troubles:
                sentence = str(self.troubles[case])
                everywhere = len(self.troubles) == len(self.cases)
                return sentence if everywhere else self.led_by_case(case, sentence)
        return None

    def of_a_second_call(self, case):
        """Return a sentence if the same input gives other numbers the next time, or None."""
        if same(self.answer_to(case.inputs), self.answers[case]):
            return None
        return "gives different numbers when called twice: is something random, or kept?"

    def of_precision(self, case):
        """Return a sentence if the numbers are right but for rounding, or None.

        What is rounded in one general case is rounded in all: else it is an accident.
        """
        sentences = [
            nearly(self.names, self.answers[other], self.right[other], self.family.absolute)
            for other in self.failing
            if other is case or not other.label
        ]
        return sentences[0] if all(sentences) else None

    def of_the_numbers(self, case):
        """Return what can be said of a mistake that nobody foresaw."""
        got, right = self.answers[case], self.right[case]
        sentence = None
        if self.is_comparable(case):
            if self.properties:
                sentence = self.properties(case, got, right)
            ends = {"the last row of ": np.s_[-1:], "the last column of ": np.s_[..., -1:]}
            sentence = sentence or self.of_relations() or self.of_unused_inputs(case, ends)
        return sentence or difference(self.names, got, right, self.family.absolute)

    def of_relations(self):
        """Return a sentence if a result is everywhere a function of the right one, or None."""
        comparable = [case for case in self.answers if self.is_comparable(case)]
        general = [case for case in comparable if not case.label]
        cases = general or [case for case in comparable if case in self.failing]
        for index, name in enumerate(self.names):
            if is_words(self.right[self.failing[0]][index]):
                continue
            got, right = (
                np.concatenate([results[case][index].ravel() for case in cases])
                for results in (self.answers, self.right)
            )
            sentence = relation(name, got, right)
            if sentence:
                return sentence
        return None

    def is_comparable(self, case):
        """Tell whether the results have the right shapes and words, and finite numbers."""
        got, right = self.answers[case], self.right[case]
        return [array.shape for array in got] == [array.shape for array in right] and all(
            np.array_equal(*pair) if is_words(pair[1]) else np.isfinite(pair[0]).all()
            for pair in zip(got, right, strict=True)
        )

    def of_unused_inputs(self, case, parts):
        """Return a sentence if these parts of an input play no part in the result, or None."""
        if case.label or not self.is_comparable(case):
            return None
        for what, part in parts.items():
            for index, name in enumerate(self.learner.arguments):
                given = case.inputs[index]
                if not isinstance(given, np.ndarray) or given.dtype.kind != "f":
                    continue
                before, after = case.inputs[:index], case.inputs[index + 1 :]
                others = [(*before, other, *after) for other in _others(given, part)]
                others = [inputs for inputs in others if self.matters(case, inputs)]
                if others and all(self.is_blind_to(case, inputs) for inputs in others):
                    return f"the result does not depend on {what}{name} at all."
        return None

    def matters(self, case, inputs):
        """Tell whether the right results differ for these inputs."""
        try:
            return not same(self.family.results(inputs), self.right[case])
        except BrokenCheck:  # these are no inputs for this task
            return False

    def is_blind_to(self, case, inputs):
        """Tell whether other inputs leave the answer as it was."""
        with contextlib.suppress(Wrong):
            return same(self.answer_to(inputs), self.answers[case])
        return False


def _others(given, part):
    """Yield other numbers for a part of an input; one way alone may leave an argmax as it was."""
    for sign, size, phase in ((1, 1, 0), (1, -3, 1), (1, 9, 2), (-1, 0, 0)):
        other = np.atleast_1d(given).copy()
        steps = size * (1 + np.sin(phase + (1 + phase) * np.arange(other[part].size)))
        other[part] = sign * other[part] + steps.reshape(other[part].shape)
        yield other
