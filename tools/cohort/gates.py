"""What must hold of the table of variants, and of a variant once it has run."""

import re

import jupytext
import nbformat

from tools.cohort.variants import BLANK, TABLE, printed, read_variants
from tools.pipeline.layout import CourseError
from tools.pipeline.notation import MYST
from tools.secrecy.leaks import leaks
from tools.secrecy.published_words import everything
from tools.secrecy.withheld import BLOCK, read_solution, solved

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")
DECIMAL = re.compile(r"\d\.\d")
CHECK_LINE = re.compile(r"^\[(ok|x| )\] ", re.MULTILINE)


def table_problems(course):
    """Return a sentence for each thing in the table that does not fit the course as it stands.

    Nothing is run: the outputs stored in the solutions are those that the text quotes.
    """
    found = []
    for stem in solved(course):
        try:
            variants, solution = read_variants(course, stem), read_solution(course, stem)
            rest = _without_passages(course, variants, solution)
        except CourseError as problem:
            found.append(str(problem))
            continue
        for number in quoted_numbers(jupytext.reads(rest, fmt=MYST), solution):
            if number not in variants.kept:
                found.append(
                    f"{TABLE}: {stem}: the text says {number}, as an output does, and would "
                    "be wrong in a variant: 'read' it, or 'keep' it"
                )
    return found


def _without_passages(course, variants, solution):
    """Return the source with each passage of the table blanked where it has fields."""
    source = course.source(f"solutions/{variants.stem}").read_text("utf-8")
    values = variants.old_values() | variants.read_values(solution)
    blanks = dict.fromkeys(values, BLANK)
    for passage in variants.passages:
        source = variants.replaced(source, passage, values, blanks)
    return source


def quoted_numbers(notebook, executed):
    """Return the numbers that the text of ``notebook`` has from the outputs of ``executed``.

    A number counts if it has two digits or a decimal point, equals a printed number as far as
    it goes, and stands in no cell's code. Numbers in words ("two thirds") are not seen.
    """
    sources = [cell.source for cell in executed.cells if cell.cell_type == "code"]
    in_code = {float(number) for number in _numbers("\n".join(sources))}
    outputs = {float(number) for number in _numbers(printed(executed))}
    found = []
    for cell in notebook.cells:
        text = cell.source if cell.cell_type == "markdown" else everything(cell.metadata)
        for number in _numbers(text):
            digits = len(number.partition(".")[2])
            from_output = any(round(output, digits) == float(number) for output in outputs)
            if len(number) > 1 and from_output and float(number) not in in_code:
                found.append(number)
    return list(dict.fromkeys(found))


def variant_problems(variant, references):
    """Return a sentence for each thing that is wrong with an executed variant.

    variant: the Course in the private folder. references: the Courses whose answers must not
        fit it, such as the public one.
    """
    found = leaks(variant)
    for stem in solved(variant):
        new = read_solution(variant, stem)
        exercise = nbformat.read(variant.notebook(f"exercises/{stem}"), as_version=4)
        found += [f"{stem}: {problem}" for problem in _wrong_verdicts(new, "ok")]
        found += [f"{stem}: exercise: {problem}" for problem in _wrong_verdicts(exercise, " ")]
        for reference in references:
            if reference.notebook(f"solutions/{stem}").exists():
                old = read_solution(reference, stem)
                found += [f"{stem}: {problem}" for problem in _same_as_before(new, old)]
    return found


def _wrong_verdicts(notebook, mark):
    """Yield a sentence for each check that does not end with this mark each time it is called."""
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader", {})
        if not grading.get("grade") or cell.cell_type != "code":
            continue
        said = "".join(output.get("text", "") for output in cell.outputs)
        marks = CHECK_LINE.findall(said)
        if not marks or set(marks) != {mark}:
            yield f"{cell.id} does not say [{mark}] but {said.strip() or 'nothing'!r}"


def _same_as_before(new, old):
    """Yield a sentence for each check, and each changed cell, that asks or prints as before."""
    n_other_outputs = 0
    for cell, twin in _pairs(new, old):
        said, before = (printed(nbformat.v4.new_notebook(cells=[one])) for one in (cell, twin))
        n_other_outputs += said != before
        changed = cell.source != twin.source
        if not changed and BLOCK.search(cell.source) and cell.metadata["nbgrader"]["locked"]:
            yield f"{cell.id}: its hidden tests are those of before"
        if changed and said == before and DECIMAL.search(said):
            yield f"{cell.id}: prints the numbers of before, {said.splitlines()[0]!r}"
    if not n_other_outputs:
        yield "prints all that was printed before"


def _pairs(new, old):
    """Yield each code cell with the one that stood in its place before."""
    before = {cell.id: cell for cell in old.cells}
    for number, cell in enumerate(new.cells):
        in_place = old.cells[number] if number < len(old.cells) else None
        twin = before.get(cell.id, in_place)
        if cell.cell_type == "code" and twin is not None and twin.cell_type == "code":
            yield cell, twin


def _numbers(text):
    return [number.replace(",", "") for number in NUMBER.findall(text)]
