"""Whether what a check says of mistakes is true: judged by the numbers that they give."""

import re

import numpy as np

from casebook.checks.engine.compare import same
from tests.checking import BREAKS

UNUSED = re.compile(r"the result does not depend on (\w+) at all\.")
NEARLY = re.compile(r"only nearly right, off by up to (\S+) \(dtype float64\)\.")
COUNT = re.compile(r"returns (\d) results?, but the task asks for (\d) results?: .*")


def untruth_in(line, made, exam):
    """Return what is untrue in the line of a check on an answer with these mistakes, or None.

    made: the mistakes; exam: what the check tried, as :func:`tests.checking.examined` gives it.
    True is a sentence that names them, or one of them, or others that give the same numbers,
    as far as the engine claims: in all the cases, or else in all the general ones. True is
    also what it may say before it looks for two: that an input plays no part, that the
    numbers are nearly right, that a result is missing.
    """
    given = exam.made_with(made)
    fits = exam.alike(given, exam.right)
    broken = [results is None for results in given]
    failing = [place for place, fit in enumerate(fits) if not fit and not broken[place]]
    if line == f"[ok] {exam.task}: right on every input tried.":
        return None if all(fits) else "is accepted"
    sentence = line.removeprefix(f"[x] {exam.task}: ")
    if not failing:
        return None if any(broken) and BREAKS[:20] in sentence else "is rejected, but right"
    named = _named_by(sentence, exam, exam.cases[failing[0]].label)
    if any(_explains(mistakes, made, given, failing, exam) for mistakes in named):
        return None
    if named:
        return "names what was not done"
    return _untruth_in_numbers(sentence, made, failing[0], exam)


def _untruth_in_numbers(sentence, made, place, exam):
    """Return what is untrue in a sentence that names no mistake but says how the numbers are."""
    inputs, right = exam.cases[place].inputs, exam.right[place]
    given = exam.family.results(inputs, made)
    unused, nearly = UNUSED.fullmatch(sentence), NEARLY.fullmatch(sentence)
    count = COUNT.fullmatch(sentence)
    if unused:
        return None if _is_unused(unused[1], made, place, exam) else "depends on it"
    if nearly:
        off = [np.abs(one - other).max() for one, other in zip(given, right, strict=True)]
        return None if max(off) < 1.1 * float(nearly[1]) else "is further off"
    if count:
        wanted = (str(len(given)), str(len(right)))
        return None if count.groups() == wanted else "are other counts"
    return "is not found"


def _named_by(sentence, exam, label):
    """Return the mistakes that a sentence names, be it led by the case that fails or not."""
    rest = sentence.removeprefix(f"{label}: ") if label else sentence
    return [*exam.said_of.get(sentence, ()), *(exam.said_of.get(rest, ()) if label else ())]


def _explains(mistakes, made, given, failing, exam):
    """Tell whether these mistakes were made, or give the same numbers as those that were."""
    if set(mistakes) <= set(made):
        return True
    alike = exam.alike(exam.made_with(mistakes), given)
    answered = [place for place, results in enumerate(given) if results is not None]
    general = [place for place in answered if not exam.cases[place].label]
    claims = [answered, general] if failing[0] in general else [answered, failing]
    return any(all(alike[place] for place in places) for places in claims)


def _is_unused(name, made, place, exam):
    """Tell whether other numbers for this argument leave the results of these mistakes alone."""
    index, inputs = list(exam.arguments).index(name), exam.cases[place].inputs
    rng = np.random.default_rng(5)
    right = exam.family.results(inputs, made)
    for _ in range(3):
        other = rng.normal(size=np.shape(inputs[index]))
        changed = exam.family.results((*inputs[:index], other, *inputs[index + 1 :]), made)
        if changed is None or not same(changed, right, exam.family.absolute):
            return False
    return True
