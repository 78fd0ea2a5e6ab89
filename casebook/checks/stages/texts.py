"""What the tasks of retrieval share: words, names of documents, dicts of weights."""

WORDS = ["a", "the", "oat", "boat", "boats", "tea", "6:40", "chess", "ice", "juice", "fish", "goat"]
NAMES = ["harbour", "zoo", "market", "attic", "mill", "bridge", "yard"]  # in no order of any kind


def length(vector, power=2):
    """Return the length of a vector, which is a dict of weights."""
    return sum(abs(weight) ** power for weight in vector.values()) ** (1 / power)


def part_of(part, whole):
    """Return part / whole; 0 if there is no whole."""
    return part / whole if whole else 0.0


def turned(table):
    """Return a dict of dicts with the two keys in the other order."""
    turned = {}
    for outer, row in table.items():
        for inner, value in row.items():
            turned.setdefault(inner, {})[outer] = value
    return turned
