"""Sliders that work everywhere: live in Jupyter, and without a kernel in the book.

``explore`` draws one figure for each choice. The notebook stores them all as one
piece of HTML, in which the frames share what they have in common; the book's
``explore.js`` moves between them. Where a kernel runs, the same object shows
ipywidgets, and every move draws anew.
"""

import inspect
import itertools
import math
from dataclasses import dataclass

from casebook.drawing import explore_live, explore_page
from casebook.drawing.explore_page import spoken, value_text

MOST_FRAMES = 64


def explore(draw, *, label, alt=None, start=None, play=None, **choices):
    """Return a slider, or several, that moves through the figures ``draw`` makes.

    draw: function that takes one value for each slider, by name, and returns a
        CourseFigure. If it raises for one choice, that frame says so; the others work.
    label: what is chosen, in words: a text, or for several sliders a dict from name to text.
    alt: function with the same arguments that returns the frame's alternative text;
        the figure's own ``alt`` unless given.
    start: the value shown first, or for several sliders a dict from name to value;
        the first of each unless given.
    play: name of the slider that gets a Play button.
    choices: for each slider its name and its values, numbers or texts; at most 64
        frames in all.
    Raises: TypeError or ValueError for choices that cannot make sliders, a ``draw`` that
        returns no figure, or a frame without alternative text.
    """
    if not callable(draw):
        raise TypeError(f"draw is {draw!r}: expected a function that returns a figure")
    if alt is not None and not callable(alt):
        raise TypeError(f"alt is {alt!r}: expected a function that returns a text")
    choices = _checked_choices(choices)
    for name, function in (("draw", draw), ("alt", alt)):
        _check_accepts(name, function, choices)
    if play is not None and play not in choices:
        raise ValueError(f"play is {play!r}: expected the name of a slider, {_listed(choices)}")
    return Explore(draw, alt, choices, _labels(label, choices), _start(start, choices), play)


@dataclass(frozen=True)
class Frame:
    """One drawn choice.

    drawing: SVG that stands alone, or None if drawing raised.
    alt: the alternative text, or the sentence that says what went wrong.
    digest: what is drawn, as text.
    """

    choice: dict
    drawing: str | None
    alt: str
    digest: str


class Explore:
    """Sliders and their frames; Jupyter and the book show it by themselves.

    draw, alt, play: as for :func:`explore`. choices: the values of each slider, by its name.
    labels: the words for each, start: the value shown first, by its name too.
    Raises: as :meth:`frame`.
    """

    def __init__(self, draw, alt, choices, labels, start, play):
        self._draw, self._alt = draw, alt
        self.choices, self.labels, self.start, self.play = choices, labels, start, play
        combinations = itertools.product(*choices.values())
        self.frames = [self.frame(**dict(zip(choices, c, strict=True))) for c in combinations]

    def frame(self, **choice):
        """Return the frame for one choice, drawn now; if drawing raises, one that says so.

        choice: a value for each slider, by its name.
        Raises: TypeError if draw returned no figure of the course, ValueError for a frame
            without alternative text.
        """
        try:
            figure = self._draw(**choice)
            drawing = figure.to_svg() if hasattr(figure, "to_svg") else None
            alt = getattr(figure, "alt", "") if self._alt is None else self._alt(**choice)
        except Exception as error:
            words = " ".join(f"{type(error).__name__}: {error}".split())
            sentence = f"{spoken(choice)} cannot be drawn. {words}".rstrip(": ")
            printable = "".join(c for c in sentence if c.isprintable())
            return Frame(choice, None, printable, "not drawn")
        if drawing is None:
            raise TypeError(
                f"draw returned {type(figure).__name__} for {spoken(choice)}: "
                "expected a figure made with new_figure"
            )
        if not isinstance(alt, str) or not alt.strip():
            raise ValueError(
                f"the frame for {spoken(choice)} has no alternative text: "
                "set figure.alt in draw, or give alt=, a function that returns the text"
            )
        return Frame(choice, drawing, alt, figure.describe())

    @property
    def start_number(self):
        """The number of the frame shown first."""
        return next(i for i, frame in enumerate(self.frames) if frame.choice == self.start)

    def to_html(self, hint=explore_page.RUN_HINT):
        """Return the starting frame as an image, hidden controls, and all frames as data.

        hint: what is said below the frame where no script runs, outside the book.
        """
        return explore_page.page(self, hint)

    def describe(self):
        """Return all frames as text: the first in full, of the others what differs from it."""
        lines = [f"explore {', '.join(self.labels.values())}; starts at {spoken(self.start)}"]
        first = self.frames[0].digest.splitlines()
        for number, frame in enumerate(self.frames):
            lines.append(f"{spoken(frame.choice)}: {frame.alt}")
            own = frame.digest.splitlines()
            if number > 0 and len(own) == len(first):
                own = [line for line, before in zip(own, first, strict=True) if line != before]
            lines += [f"  {line}" for line in own]
        return "\n".join(lines)

    def _repr_mimebundle_(self, include=None, exclude=None):
        view = explore_live.view(self)
        hint = explore_page.INSTALL_HINT if view is None else explore_page.RUN_HINT
        return {"text/html": self.to_html(hint), "text/plain": self.describe(), **(view or {})}


def _checked_choices(choices):
    """Return each slider's values as a list of plain numbers or texts, or say what is wrong."""
    if not choices:
        raise ValueError("there is nothing to choose: expected a slider, for example n=range(1, 9)")
    checked = {}
    for name, values in choices.items():
        if isinstance(values, str) or not hasattr(values, "__len__"):
            raise TypeError(f"{name} is {values!r}: expected a range or a list of values")
        checked[name] = [_plain(name, value) for value in values]
        if not checked[name]:
            raise ValueError(f"{name} is {values!r}, which is empty: expected at least one value")
        texts = [value_text(value) for value in checked[name]]
        if len(set(texts)) < len(texts):
            raise ValueError(f"{name} is {values!r}: expected values that differ")
    n_frames = math.prod(len(values) for values in checked.values())
    if n_frames > MOST_FRAMES:
        raise ValueError(
            f"{_listed(checked)} make {n_frames} frames: expected at most {MOST_FRAMES}"
        )
    return checked


def _plain(name, value):
    """Return a value as Python's own int, float or str."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or value == "":
        raise TypeError(f"{name} holds {value!r}: expected numbers or texts")
    return value


def _check_accepts(name, function, choices):
    """Say which slider the function does not take."""
    if function is None:
        return
    try:
        inspect.signature(function).bind(**dict.fromkeys(choices))
    except TypeError as error:
        raise TypeError(
            f"{name} does not take the sliders {_listed(choices)} by name: {error}"
        ) from None


def _labels(label, choices):
    """Return the words for each slider."""
    given = dict.fromkeys(choices, label) if isinstance(label, str) and len(choices) == 1 else label
    if isinstance(given, dict) and given.keys() == choices.keys():
        labels = {name: given[name] for name in choices}
        if all(isinstance(words, str) and words.strip() for words in labels.values()):
            return labels
    example = ", ".join(f'"{name}": "..."' for name in choices)
    raise ValueError(
        f"label is {label!r}: expected what is chosen in words, "
        + ("a text" if len(choices) == 1 else f"for several sliders a dict {{{example}}}")
    )


def _start(start, choices):
    """Return the choice shown first."""
    first = {name: values[0] for name, values in choices.items()}
    if start is None:
        return first
    if not isinstance(start, dict):
        if len(choices) > 1:
            raise TypeError(f"start is {start!r}: expected a dict from slider to value")
        start = dict.fromkeys(choices, start)
    for name, value in start.items():
        if name not in choices:
            raise ValueError(f"start names {name!r}: expected a slider, {_listed(choices)}")
        if value not in choices[name]:
            texts = ", ".join(value_text(value) for value in choices[name])
            raise ValueError(f"start is {value!r} for {name}: expected one of {texts}")
    return first | start


def _listed(names):
    return ", ".join(names)
