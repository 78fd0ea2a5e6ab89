"""What only a solution may hold must not stand anywhere that a learner can look.

``python -m tools.secrecy.leaks [folder]`` looks through exercises/ and, if one is named, through
the folder of a built book: pages, search index, sources, inventory. How a text was set does not
count: white space, entities, highlighting and typographer's quotes are taken out first.
"""

import argparse
import json
import re
import sys
from pathlib import Path

from sphinx.search.en import SearchEnglish

from tools.pipeline.layout import HERE, CourseError
from tools.secrecy.published_words import everything, flat_text
from tools.secrecy.withheld import read_solution, secrets, solved

PICTURES = (".png", ".woff", ".woff2", ".ttf", ".mo", ".pickle")  # and other files without words
WORD = re.compile(r"\w+")
SHORTEST_WORD = 4  # of a solution; shorter ones are everywhere


def leaks(course):
    """Return a sentence for each secret of a solution that its exercise shows."""
    kept = secrets(course)
    found = unguarded(course, kept)
    for stem in solved(course):
        own = [secret for secret in kept if secret.stem == stem]
        for path in _files(course.root / "exercises" / stem):
            found += shown_secrets(course.relative(path), path, own)
    return found


def unguarded(course, kept):
    """Return a sentence for each answer of which no line is secret: a leak would go unseen."""
    return [
        f"solutions/{stem}: each line of the answer to {cell.id} stands in the course anyway"
        for stem in solved(course)
        for cell in read_solution(course, stem).cells
        if cell.metadata.get("nbgrader", {}).get("solution")
        and not any((secret.stem, secret.cell) == (stem, cell.id) for secret in kept)
    ]


def leaks_into_book(course, folder):
    """Return a sentence for each secret that the book built in ``folder`` shows, in any file.

    Raises: CourseError if there is no book in the folder.
    """
    folder = Path(folder)
    if not (folder / "searchindex.js").exists():
        raise CourseError(f"{folder}: there is no book here; build it with 'course.py book'")
    kept = secrets(course)
    found = []
    for path in _files(folder):
        found += shown_secrets(path.relative_to(folder).as_posix(), path, kept)
    return found + _indexed_secrets(course, folder, kept)


def shown_secrets(name, path, kept):
    """Return a sentence for each of the secrets ``kept`` that the file at ``path`` shows."""
    text = flat_text(path)
    return [
        f"{name}: shows what only the solution may hold: {secret.text!r}"
        for secret in kept
        if secret.flat in text
    ]


def _indexed_secrets(course, folder, kept):
    """Return a sentence for each exercise that the search knows by words of a solution.

    The index holds no lines, only the stem of each word with the pages that have it. The page
    of an exercise may have the words of its notebook.
    """
    hidden = _stems("\n".join(secret.text for secret in kept), SHORTEST_WORD)
    found = []
    for name, words in sorted(words_by_page(folder).items()):
        if not name.startswith("exercises/"):
            continue
        notebook = json.loads((course.root / name).read_text("utf-8"))
        leaked = sorted((words & hidden) - _stems(everything(notebook)))
        if leaked:
            few = ", ".join(leaked[:5])
            found.append(
                f"searchindex.js: {name} is found by words that only a solution uses: {few}"
            )
    return found


def words_by_page(folder):
    """Return the words, as stems, by which the search of a built book finds each source file."""
    script = (folder / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(script[script.index("{") : script.rindex("}") + 1])
    found = {name: set() for name in index["filenames"]}
    for words in (index["terms"], index["titleterms"]):
        for word, pages in words.items():
            for number in [pages] if isinstance(pages, int) else pages:
                found[index["filenames"][number]].add(word)
    return found


def _stems(text, shortest=1):
    stem = SearchEnglish({}).stem
    return {stem(word) for word in set(WORD.findall(text.lower())) if len(word) >= shortest}


def _files(folder):
    """Return the files in a folder that can hold words."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [
        path
        for path in found
        if path.suffix not in PICTURES and ".ipynb_checkpoints" not in path.parts
    ]


def main(arguments=None):
    """Return the exit code: 1 if anything shows what it must not."""
    parser = argparse.ArgumentParser(prog="python -m tools.secrecy.leaks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", nargs="?", help="a built book, such as _build/html")
    folder = parser.parse_args(arguments).folder
    try:
        found = leaks(HERE) + (leaks_into_book(HERE, folder) if folder else [])
    except CourseError as problem:
        found = [str(problem)]
    for problem in found:
        print(problem)
    print(f"{len(secrets(HERE))} lines to keep: {len(found) or 'no'} leak{'s' * (len(found) != 1)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
