"""Whose fault is it? A fault of the check is its author's; whatever an answer does is the answer's.

First the faults that an author makes: each is said as soon as the family is made, or as soon
as the check is used, whatever the answer. Then answers as strange as we could think of: none
of them may be blamed on the author.
"""

import inspect
from functools import partial

import numpy as np
import pytest

from casebook import checks
from casebook.checks.engine.diagnosis import examine
from casebook.checks.engine.family import Absent, Case, Family, deviations, keep, stages_of
from casebook.checks.engine.plain_words import BrokenCheck
from casebook.checks.engine.progress import show_progress
from casebook.checks.engine.verdict import BROKEN, LONGEST_SENTENCE, check
from tests.answers import all_answers

RIGHT = {entry.task: entry.answer for entry in all_answers() if entry.pieces is None}
SAYS = "it is doubled"


def area(
    width,
    height,
    unit=keep,
    join=lambda a, b: a * b,
    power=1,
    rise=np.exp,
    instead=Absent("width", "height"),
    note=None,
):
    if instead:
        return (instead(width, height),)
    return (unit(join(width, height)) ** power,)


@stages_of(area, without=["rise"])
def two_areas(width, height, both=lambda area: (area, area), **stages):
    return both(*area(width, height, **stages))


def refused(compute, stage, does):
    """Return what is said of a family with one mistake."""
    with pytest.raises(BrokenCheck) as broken:
        Family(compute, deviations(stage, (SAYS, does)))
    return str(broken.value)


def test_families_that_fit_are_made():
    fitting = {
        "unit": (lambda product: 2 * product, np.sqrt, abs, np.sum),
        "join": (lambda a, b: a + b, np.add, lambda a, b, c=3: a, lambda *both: 0, max),
        "power": (2, None, (1, 2)),
        "rise": (np.log, lambda x: x),
        "instead": (np.hypot, lambda width, height: width),
    }
    for stage, functions in fitting.items():
        for does in functions:
            Family(area, deviations(stage, (SAYS, does)))
            if stage != "rise":
                Family(two_areas, deviations(stage, (SAYS, does)))
    Family(partial(area, 2), deviations("unit", (SAYS, np.sqrt)))
    doubled = Family(two_areas, deviations("unit", (SAYS, lambda product: 2 * product)))
    assert doubled.results((2, 3), doubled.deviations) == [12, 12]
    assert doubled.results((2, 3)) == [6, 6]


@pytest.mark.parametrize("compute", [area, two_areas, partial(area, 2)])
def test_a_stage_that_is_not_there_is_named(compute):
    said = refused(compute, "unitt", keep)
    assert said.startswith("the family of ")
    assert f"mistake {SAYS!r}: there is no stage 'unitt'; there are " in said
    assert "unit, join, power" in said
    assert "area" in said.split(",")[0]


def test_inputs_and_notes_are_no_stages():
    for name in ("width", "note"):
        assert f"there is no stage {name!r}" in refused(area, name, 2)
    assert "there is no stage 'rise'" in refused(two_areas, "rise", np.log)


@pytest.mark.parametrize(
    ("stage", "does", "count"),
    [
        ("unit", lambda: 2, 1),
        ("unit", lambda a, b: a, 1),
        ("unit", np.multiply, 1),
        ("join", lambda a: a, 2),
        ("join", lambda a, b, c: a, 2),
        ("join", lambda a, *, b: a, 2),
        ("join", np.sqrt, 2),
        ("join", keep, 2),
        ("rise", lambda: 1, 1),
        ("instead", lambda width: width, 2),
        ("both", lambda one, two: one, 1),
    ],
)
def test_a_stage_of_the_wrong_arity_is_named(stage, does, count):
    said = refused(two_areas if stage == "both" else area, stage, does)
    assert said.endswith(
        f"mistake {SAYS!r}: the stage {stage!r} is given {count} arguments: take as many."
    )


def test_values_stand_in_for_values_and_functions_for_functions():
    assert "the stage 'power' is no function, but the mistake is one" in refused(area, "power", abs)
    assert "the stage 'unit' is a function, but the mistake is 3" in refused(area, "unit", 3)


def test_a_computation_says_whose_stages_it_passes_on():
    def careless(width, **stages):
        return area(width, 2, **stages)

    assert "the family of careless: whose stages are **stages?" in refused(careless, "unit", keep)


@pytest.mark.parametrize("right", [bool, lambda *numbers: numbers[0]])
def test_a_right_stage_shows_what_it_is_given(right):
    def compute(width, unit=right):
        return (unit(width),)

    assert "does not show how many arguments it takes" in refused(compute, "unit", keep)


def test_an_absent_stage_is_false_and_cannot_be_called():
    assert not Absent("width")
    with pytest.raises(TypeError, match="an absent stage was called"):
        Absent("width")(2)


def test_a_broken_task_is_named_when_it_is_imported(tmp_path, monkeypatch):
    (tmp_path / "rectangle.py").write_text(
        "from casebook.checks.engine.family import Family, deviations, keep\n"
        "def area(width, unit=keep):\n    return (unit(width),)\n"
        f"FAMILY = Family(area, deviations('unit', ({SAYS!r}, lambda: 1)))\n"
    )
    monkeypatch.setattr(checks.tasks, "__path__", [*checks.tasks.__path__, str(tmp_path)])
    monkeypatch.setattr(checks, "TASKS", [*checks.TASKS, "rectangle"])
    with pytest.raises(BrokenCheck, match="^rectangle: the family of area, mistake 'it is doubled"):
        checks.check_rectangle  # noqa: B018


def divides_by_zero(width, height, unit=keep):
    return (1 / 0 + unit(width),)


def forgets_the_comma(width, height, unit=keep):
    return np.ones(3)


def forgets_the_tuple(width, height, unit=keep):
    return 5


def never_stops(width, height, unit=keep):
    return never_stops(width, height)


def _refuses(value):
    raise checks.engine.plain_words.Wrong("no text")


def _no_gift(product):
    raise NotImplementedError("not written yet")


CASES = [Case("", (2.0, 3.0)), Case("for a square", (4.0, 4.0))]
SOUND = {"cases": CASES, "family": Family(area, ()), "names": ("the area",), "properties": None}
FAULTY = {
    "the right computation, divides_by_zero, raises ZeroDivisionError: division by zero": {
        "family": Family(divides_by_zero, ())
    },
    "the right computation, forgets_the_tuple, raises TypeError": {
        "family": Family(forgets_the_tuple, ())
    },
    "the right computation, never_stops, raises RecursionError": {
        "family": Family(never_stops, ())
    },
    "a case has 3 results, but the names are ('the area',)": {
        "family": Family(forgets_the_comma, ())
    },
    "a case has 1 results, but the names are ('the area', 'the error')": {
        "names": ("the area", "the error")
    },
    "the case 'for a line' has 3 inputs, but the names are ('width', 'height')": {
        "cases": [*CASES, Case("for a line", (2.0, 1.0, 0.0))],
        "family": Family(lambda *numbers: (numbers[0],), ()),
    },
    "the right computation, <lambda>, raises TypeError": {
        "cases": [Case("", (2.0, 3.0, 4.0))],
        "family": Family(lambda width, height: (width,), ()),
    },
    "the right computation, area, raises Wrong: no text": {
        "family": Family(area, (), read=_refuses)
    },
}
FAULTY_IN_DIAGNOSIS = {
    "IndexError: list index out of range": {"properties": lambda case, got, right: got[1]},
    "the mistake 'not written' raises NotImplementedError: not written yet": {
        "family": Family(area, deviations("unit", ("not written", _no_gift)))
    },
}


def made(fault):
    """Return a check with this fault."""
    parts = SOUND | fault

    @check("area", ("width", "height"))
    def check_area(learner, rng):
        examine(learner, parts["cases"], parts["family"], parts["names"], parts["properties"])

    return check_area


def stub(width, height):
    raise NotImplementedError


def right(width, height):
    return width * height


def breaks(width, height):
    return [][width]


def unforeseen(width, height):
    return width**2 + np.sin(height)


def test_a_sound_check_is_not_called_broken(capsys):
    for answer, mark in ((right, "[ok]"), (stub, "[ ]"), (breaks, "[x]"), (unforeseen, "[x]")):
        made({})(answer)
        assert capsys.readouterr().out.startswith(f"{mark} area: ")


@pytest.mark.parametrize("answer", [right, stub, breaks, unforeseen])
@pytest.mark.parametrize(("said", "fault"), FAULTY.items(), ids=[*FAULTY])
def test_a_fault_of_the_author_is_the_authors(said, fault, answer, capsys):
    seen_as_broken(said, fault, answer, capsys)


@pytest.mark.parametrize(("said", "fault"), FAULTY_IN_DIAGNOSIS.items(), ids=[*FAULTY_IN_DIAGNOSIS])
def test_a_fault_in_the_diagnosis_is_the_authors_too(said, fault, capsys):
    seen_as_broken(said, fault, unforeseen, capsys)


def test_a_fault_in_making_the_cases_is_the_authors(capsys):
    @check("area", ("width", "height"))
    def check_area(learner, rng):
        rng.normal(size=(2, "three"))

    check_area(right)
    assert capsys.readouterr().out.startswith(f"[!] area: {BROKEN}: TypeError: ")


def seen_as_broken(said, fault, answer, capsys):
    """In a notebook one calm sentence; where somebody tests or marks, the exception itself."""
    made(fault)(answer, strict=False)
    line = capsys.readouterr().out
    assert line.startswith(f"[!] area: {BROKEN}: {said}"[:LONGEST_SENTENCE]), line
    assert len(line.splitlines()) == 1
    show_progress(area=3)
    assert (
        "[!]  1 area  3 points, its check is broken: no fault of yours" in capsys.readouterr().out
    )
    with pytest.raises(BrokenCheck) as broken:
        made(fault)(answer, strict=True)
    assert str(broken.value).startswith(f"area: {said}")
    assert isinstance(broken.value.__cause__, Exception)


class Raises:
    """An object all of whose methods raise."""

    def __getattribute__(self, name):
        raise RuntimeError("no")

    def _no(self, *_, **__):
        raise RuntimeError("no")

    __array__ = __len__ = __iter__ = __eq__ = __format__ = __float__ = __bool__ = __str__ = _no
    __repr__ = __hash__ = __getitem__ = __call__ = _no


class SpeechlessError(Exception):
    def __str__(self):
        raise self


class Stops:
    def __array__(self, *_, **__):
        raise SystemExit


class Mapping(dict):
    def items(self):
        raise LookupError("no items")


class Text(str):
    def __format__(self, _):
        raise LookupError("no form")

    def strip(self, *_):
        raise LookupError("no strip")


class UnlikeAll(type):
    def __getattr__(cls, name):
        raise RuntimeError("no")

    def __mro_entries__(cls, _):
        raise RuntimeError("no")


class Unlike(metaclass=UnlikeAll):
    pass


class NoSignature:
    def __call__(self, *inputs):
        return 0

    @property
    def __signature__(self):
        raise RuntimeError("no")


def raises(error):
    def answer(*inputs):
        raise error

    return answer


def spoils(*inputs):
    """Put an object into an input that cannot be compared with what was there."""
    for given in inputs:
        if isinstance(given, list):
            given[:] = [Raises()] * len(given)
        elif isinstance(given, dict):
            given.update(dict.fromkeys(given, Raises()))
    return 0


def deep(*inputs):
    nested = []
    for _ in range(5000):
        nested = [nested]
    return nested


def gives(value):
    """Return an answer that gives this, whatever it is given."""
    return lambda *inputs: value


def huge(*inputs):
    return np.broadcast_to(0.0, (10**6, 10**6))


STRANGE = {
    "an object that raises": gives(Raises()),
    "a list of objects that raise": gives([Raises(), Raises()]),
    "a pair of objects that raise": gives((Raises(), Raises(), Raises())),
    "a dict that raises": gives(Mapping(a=1)),
    "a dict of dicts that raise": gives({"a": Mapping(b=1)}),
    "texts that raise": gives({Text("a"): {Text("b"): 1.0}}),
    "a text that raises": gives(Text("question: who ? answer:")),
    "pairs of texts that raise": gives([(Text("mill"), 0.5)]),
    "numbers that raise": gives({"a": {"b": Raises()}}),
    "an object that stops": gives(Stops()),
    "an exception without words": raises(SpeechlessError()),
    "a warning as an exception": raises(Warning("no")),
    "an exception of ours": raises(BrokenCheck("mine")),
    "inputs that cannot be compared": spoils,
    "a list too deep": deep,
    "an array too large": huge,
    "an array of nothing": gives(np.zeros((0, 0))),
    "an array of texts": gives(np.array(["a", "b"])),
    "an array of dates": gives(np.array(["2026-01-01"], dtype="datetime64[D]")),
    "a record array": gives(np.zeros(2, dtype=[("a", float)])),
    "a masked array": gives(np.ma.masked_all((3, 3))),
    "a class": Unlike,
    "an object without a signature": NoSignature(),
    "an object that is no function": Raises(),
}
NUMBERS = {
    "nothing but NaN": lambda array: np.full(array.shape, np.nan),
    "infinite": lambda array: np.full(array.shape, np.inf),
    "one NaN": lambda array: np.where(np.arange(array.size).reshape(array.shape), array, np.nan),
    "huge": lambda array: np.full(array.shape, 1e308),
    "tiny": lambda array: np.full(array.shape, 5e-324),
    "negative": lambda array: -1 - np.abs(array),
    "zeros": lambda array: np.zeros(array.shape),
    "whole": lambda array: np.full(array.shape, 7, dtype=np.uint8),
    "truth values": lambda array: array > 0,
    "of half precision": lambda array: (1.1 * array).astype(np.float16),
    "of long precision": lambda array: (1.1 * array).astype(np.longdouble),
    "with an axis more": lambda array: array[..., None],
    "bent": lambda array: np.sin(3 * array) + array**2,
    "right in the first call only": None,
}


@pytest.mark.parametrize("task", sorted(RIGHT))
def test_no_answer_however_strange_is_blamed_on_the_author(task, capsys):
    check_it = getattr(checks, f"check_{task}")
    answers = dict(STRANGE)
    if not inspect.isclass(RIGHT[task]):
        answers |= {name: spoilt(RIGHT[task], change) for name, change in NUMBERS.items()}
    for name, answer in answers.items():
        check_it(answer, strict=False)
        line = capsys.readouterr().out
        assert line.startswith((f"[x] {task}: ", f"[ok] {task}: ")), (name, line)
        assert line.startswith("[ok]") <= (name in NUMBERS), (name, line)


def spoilt(function, change):
    """Return the right answer with its numbers changed, or right at first and then not."""
    calls = []

    def answer(*inputs):
        calls.append(1)
        results = function(*inputs)
        if change is None:
            return results if len(calls) == 1 else None
        if isinstance(results, (str, list, dict)):
            return results
        if isinstance(results, tuple):
            return tuple(change(np.asarray(part, dtype=float)) for part in results)
        return change(np.asarray(results, dtype=float))

    return answer
