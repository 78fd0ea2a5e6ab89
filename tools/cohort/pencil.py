"""Numbers for the task by pencil of exercise 02, and what its text says of them.

Whoever draws them anew gets scores that are whole numbers, the second negative, a root of 3,
and a different result for each mistake that the check can name.
"""

import math
from dataclasses import dataclass

from casebook.checks.engine.compare import same
from casebook.checks.tasks.attention_by_hand import KEYS, QUERY, VALUES, by_hand_with

WIDTH = 9
ROOT = 3
PLACES = 4  # where the query is not 0; the first and the last, which some leave out, are two
TOLERANCE = 3e-3  # twice what the check forgives
TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}
DIFFERENCES = {2, 4, 5}  # of the scores; in the book it is 3, so no weight comes again


@dataclass(frozen=True)
class Numbers:
    """A query of nine whole numbers, two keys, and two values, each with one number not 0."""

    query: list
    keys: list
    values: list


BOOK = Numbers(
    [int(number) for number in QUERY[0]],
    [[int(number) for number in key] for key in KEYS],
    [[int(number) for number in value] for value in VALUES],
)


def draw(chance):
    """Return numbers as fit for the task as the book's are, but with other weights.

    chance: a random.Random.
    """
    # Not 1: a mistake that divides by the largest score would go unseen.
    wanted = [(a, b) for a in range(2, 5) for b in range(-3, 0) if a - b in DIFFERENCES]
    scores, factor = chance.choice(wanted), chance.choice(list(TIMES))
    nameable = _told_apart(BOOK)
    while True:
        query = [0] * WIDTH
        query[0] = 1  # one odd number at least: else no key gives an odd product
        for place in (*chance.sample(range(1, WIDTH - 1), PLACES - 2), WIDTH - 1):
            query[place] = chance.choice([1, 1, 2])
        keys = [_key(chance, query, score) for score in scores]
        numbers = Numbers(query, keys, [[1, 0], [0, factor]])
        if nameable <= _told_apart(numbers):
            return numbers


def texts(numbers):
    """Return what the exercise and its solution say of these numbers, by field."""
    first, second = (
        sum(q * k for q, k in zip(numbers.query, key, strict=True)) // ROOT for key in numbers.keys
    )
    difference = first - second
    weights = [1 / (1 + math.exp(-difference)), 1 / (1 + math.exp(difference))]
    factor = numbers.values[1][1]
    places = [place for place, number in enumerate(numbers.query) if number]
    products = [rf"{numbers.query[i]} \cdot {_in_product(numbers.keys[0][i])}" for i in places]
    return {
        "query": _row(numbers.query),
        "key_0": _row(numbers.keys[0]),
        "key_1": _row(numbers.keys[1]),
        "value_1": _row(numbers.values[1]),
        "places": ", ".join(map(str, places[:-1])) + f" and {places[-1]}",
        "product": " + ".join(products),
        "low": str(second),
        "exp_low": f"{math.exp(second):.3f}",
        "difference": str(difference),
        "exp_difference": f"{math.exp(difference):.3f}",
        "times": TIMES[factor],
        "scores": str([first, second]),
        "weights": str([round(weight, 4) for weight in weights]),
        "output": str([round(weights[0], 4), round(factor * weights[1], 4)]),
        "numbers": _as_code(numbers),
    }


def _key(chance, query, score):
    """Return a key that has this score with the query."""
    while True:
        key = [chance.randint(-3, 3) for _ in query]
        if sum(q * k for q, k in zip(query, key, strict=True)) == ROOT * score:
            return key


def _told_apart(numbers):
    """Return which of the mistakes give another result than the right computation."""
    family = by_hand_with(numbers.query, numbers.keys, numbers.values)
    right = family.results(())
    results = [family.results((), (mistake,)) for mistake in family.deviations]
    return {
        index
        for index, result in enumerate(results)
        if result is not None and not same(result, right, TOLERANCE)
    }


def _row(numbers):
    """Return numbers as a table of the text shows them, with a real minus."""
    return ", ".join(map(str, numbers)).replace("-", "−")


def _in_product(number):
    return f"({number})" if number < 0 else str(number)


def _as_code(numbers):
    """Return the three parts of the numbers as a tuple, on lines of their own."""
    rows = [numbers.query, numbers.keys, numbers.values]
    return "(\n" + "".join(f"    {row},\n" for row in rows) + ")"
