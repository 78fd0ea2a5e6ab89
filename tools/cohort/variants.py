"""What differs from cohort to cohort, as instructor/variants.yml says: values and passages.

A variant is a text made from the source of a solution. A passage of the table, filled with
the values of the source, must stand there once; filled with new values it takes its place.
So the table is proven against the source without running anything.
"""

import hashlib
import hmac
import json
import random
import re
from dataclasses import dataclass

from tools.cohort import pencil
from tools.pipeline.layout import CourseError, read_yaml
from tools.secrecy.withheld import BLOCK

TABLE = "instructor/variants.yml"
FIELD = re.compile(r"\{\{(\w+)(?::([^{}]+))?\}\}")
VISIBLE_SEED = re.compile(r"(?<=default_rng\()\d+(?=\))")
HIDDEN_SEED = re.compile(r"(?<=\bseed=)\d+|(?<=default_rng\()\d+")
PARTS = {"draw", "make", "read", "text", "keep"}
BLANK = "…"  # a value that is left open
HIDDEN_BITS = 62  # fits NumPy's seeds, and nobody guesses it
MAKERS = {"pencil": (pencil.BOOK, pencil.draw, pencil.texts)}


@dataclass(frozen=True)
class Passage:
    """A piece of the source with fields, and what stands there in a variant."""

    was: str
    now: str

    def uses(self, names):
        """Tell whether one of these fields stands in it."""
        return any(name in names for name, _ in FIELD.findall(self.was + self.now))


class Chance:
    """Random choices that follow from a secret and from what they are for, nothing else."""

    def __init__(self, name, salt):
        self.name, self.salt = name, bytes.fromhex(salt)

    def number(self, *purpose):
        """Return a whole number of 256 bits; without the salt nobody can tell which."""
        message = json.dumps([self.name, *purpose]).encode()
        return int.from_bytes(hmac.new(self.salt, message, hashlib.sha256).digest(), "big")

    def dice(self, *purpose):
        """Return a random.Random for one purpose."""
        return random.Random(self.number(*purpose))


class Variants:
    """The entry of one assignment in the table.

    Raises: CourseError if the entry has a part that nothing reads.
    """

    def __init__(self, stem, entry):
        unknown = sorted(set(entry) - PARTS)
        if unknown:
            raise CourseError(f"{TABLE}: {stem}: '{unknown[0]}' is none of {sorted(PARTS)}")
        self.stem = stem
        self.drawn, self.makers = entry.get("draw", {}), entry.get("make", [])
        self.read, self.kept = entry.get("read", {}), {str(n) for n in entry.get("keep", [])}
        self.passages = [
            Passage(p, p) if isinstance(p, str) else Passage(p["was"], p["now"])
            for p in entry.get("text", [])
        ]

    def old_values(self):
        """Return the values of the source, but for those that are read from outputs."""
        values = {name: rule["was"] for name, rule in self.drawn.items()}
        for maker in self.makers:
            book, _, texts = MAKERS[maker]
            values |= texts(book)
        return values

    def new_values(self, chance):
        """Return the values of a variant, but for those that are read from outputs."""
        values = {
            name: draw(rule, chance.dice(self.stem, "draw", name))
            for name, rule in self.drawn.items()
        }
        for maker in self.makers:
            _, draw_anew, texts = MAKERS[maker]
            values |= texts(draw_anew(chance.dice(self.stem, "make", maker)))
        return values

    def read_values(self, notebook):
        """Return the numbers that the text quotes, from the outputs of an executed solution.

        Raises: CourseError naming the number that is not found there.
        """
        outputs = printed(notebook)
        values = {}
        for name, pattern in self.read.items():
            found = re.search(pattern, outputs)
            if not found:
                raise CourseError(f"{TABLE}: {self.stem}: no output gives {name}: {pattern!r}")
            values[name] = float(found.group(1))
        return values

    def first_text(self, source, new, chance):
        """Return the variant of a source, but for the numbers that only a run can tell."""
        old = self.old_values()
        for passage in self.passages:
            if not passage.uses(self.read):
                source = self.replaced(source, passage, old, new)
        return with_new_seeds(source, self.stem, chance)

    def final_text(self, source, old, new):
        """Return the variant with the numbers of its own run in the text."""
        for passage in self.passages:
            if passage.uses(self.read):
                source = self.replaced(source, passage, self.old_values() | old, new)
        return source

    def replaced(self, source, passage, old, new):
        """Return the source with one passage in its new form.

        Raises: CourseError if the old form does not stand there exactly once.
        """
        was = filled(passage.was, old)
        if (count := source.count(was)) != 1:
            raise CourseError(
                f"{TABLE}: {self.stem}: stands {count} times in the source, not once: {was!r}"
            )
        return source.replace(was, filled(passage.now, new))


def read_variants(course, stem):
    """Return the :class:`Variants` of the assignment ``stem``; without an entry, seeds only."""
    path = course.root / TABLE
    table = read_yaml(path) if path.exists() else None
    return Variants(stem, (table or {}).get(stem) or {})


def draw(rule, dice):
    """Return a new value for one rule of the table, never the old one."""
    was = rule["was"]
    if "choose" in rule:
        return dice.choice([value for value in rule["choose"] if value != was])
    if "among" in rule:
        return _table_like(was, rule["among"], dice)
    return dice.choice([n for n in range(rule["from"], rule["to"] + 1) if n != was])


def _table_like(was, among, dice):
    """Return a table of the shape of ``was``, floats where it has any; no row is all one number."""

    def drawn(old):
        number = dice.choice(among)
        return float(number) if isinstance(old, float) else number

    while True:
        rows = [[drawn(number) for number in row] for row in was]
        if rows != was and all(len(set(row)) > 1 for row in rows):
            return rows


def filled(text, values):
    """Return ``text`` with its fields replaced by values.

    Raises: CourseError naming a field that has no value.
    """

    def value(match):
        name, form = match.groups()
        if name not in values:
            raise CourseError(f"{TABLE}: nothing gives a value to the field {{{{{name}}}}}")
        found = values[name]
        if found == BLANK:
            return found
        if form == "joined":
            return " / ".join(found)
        if form:
            return format(found, form)
        return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)

    return FIELD.sub(value, text)


def with_new_seeds(source, stem, chance):
    """Return the source with other seeds: the visible ones, and secret ones in hidden tests."""

    def visible(match):
        return str(1000 + chance.number(stem, "seed", match.group()) % 9000)

    def hidden(block):
        if block.group(1) == "SOLUTION":
            return block.group()
        parts = HIDDEN_SEED.split(block.group())
        seeds = [
            chance.number(stem, "hidden", block.group(), place) >> (256 - HIDDEN_BITS)
            for place in range(len(parts) - 1)
        ]
        return parts[0] + "".join(
            f"{seed}{part}" for seed, part in zip(seeds, parts[1:], strict=True)
        )

    return BLOCK.sub(hidden, VISIBLE_SEED.sub(visible, source))


def printed(notebook):
    """Return what the cells of a notebook printed, without drawings."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    texts = [
        output.get("text", "") or output["data"].get("text/plain", "")
        for output in outputs
        if "image/svg+xml" not in output.get("data", {})
    ]
    return "\n".join(texts)
