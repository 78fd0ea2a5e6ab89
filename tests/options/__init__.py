"""Options: each parameter with a default is set to another value, and what comes is expected.

A :class:`Case` names a function, one of its options, another value for it, what else the
function is given, and what must come of it: a number worked out by hand, a loop, a formula,
another implementation. A function that ignored the option would give what it gives without
it; so a case counts only if that is something else.
"""

import contextlib
import copy
import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Case:
    """One option, set to another value.

    given: a dict, or a function that makes one anew for every call. see: what is looked at in
    the result. usual: a dict with what the option is set to for comparison, where its default
    would take too long. tolerance: how far a number may be off.
    setting: a context in which the function runs.
    """

    function: Callable
    option: str
    other: object
    given: dict | Callable
    expected: object
    see: Callable = staticmethod(lambda result: result)
    usual: dict = field(default_factory=dict)
    tolerance: float = 1e-12
    setting: Callable = contextlib.nullcontext

    @property
    def name(self):
        return f"{name_of(self.function)} {self.option}"

    def outcome(self, **options):
        """Return what comes of it; what is given stays out of the function's reach."""
        given = self.given() if callable(self.given) else copy.deepcopy(self.given)
        try:
            with self.setting():
                return self.see(self.function(**given, **copy.deepcopy(options)))
        except (TypeError, ValueError, OSError) as error:
            return f"{type(error).__name__}: {error}"


def problem(case):
    """Return None if a function heeds its option, else a sentence that says what is wrong."""
    expected = case.expected() if callable(case.expected) else case.expected
    came = case.outcome(**{case.option: case.other})
    if not agree(came, expected, case.tolerance):
        return f"{case.name}: {came!r} instead of {expected!r}"
    if agree(case.outcome(**case.usual), expected, case.tolerance):
        return f"{case.name}: the same comes without it, so nobody would notice that it is ignored"
    return None


def agree(one, other, tolerance=1e-12):
    """Return whether two results are the same, but for noise in the last digits."""
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = [(one[key], other.get(key)) for key in one]
        return one.keys() == other.keys() and all(agree(*pair, tolerance) for pair in pairs)
    if isinstance(one, str) or isinstance(other, str) or one is None or other is None:
        return isinstance(one, type(other)) and one == other
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(agree(*pair, tolerance) for pair in pairs)
    one, other = np.asarray(one), np.asarray(other)
    if one.shape != other.shape or object in (one.dtype, other.dtype):
        return False
    if one.dtype.kind in "US" or other.dtype.kind in "US":
        return bool((one == other).all())
    return np.allclose(one, other, rtol=1e-9, atol=tolerance, equal_nan=True)


def options_of(modules):
    """Return "module.function option" of every public parameter with a default."""
    found = set()
    for module in modules:
        for function in public_in(module):
            for parameter in inspect.signature(function).parameters.values():
                if parameter.default is not parameter.empty:
                    found.add(f"{name_of(function)} {parameter.name}")
    return found


def public_in(part):
    """Yield the public functions, classes and methods that a module or a class defines."""
    home = part.__name__ if inspect.ismodule(part) else part.__module__
    for name, thing in vars(part).items():
        thing = getattr(thing, "__func__", thing)  # of a class method
        if name.startswith("_") or getattr(thing, "__module__", None) != home:
            continue
        if inspect.isfunction(thing):
            yield thing
        elif inspect.isclass(thing):
            if dataclasses.is_dataclass(thing) or "__init__" in vars(thing):
                yield thing
            yield from public_in(thing)


def name_of(function):
    """Return the name of a function with its module's, as ``layers.relu``."""
    return f"{function.__module__.removeprefix('casebook.')}.{function.__qualname__}"
