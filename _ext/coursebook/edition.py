"""The instructors' edition: under each task its solution, folded, with points and rubric.

It is made from the same sources as the students' edition, while the pages are read. What is
built into another folder than _build/instructors is always the students' edition.
"""

from pathlib import Path

import nbformat

from coursebook.manifest import escaped, points_of, read_manifest

FOLDER = Path("_build", "instructors")
NAME = "instructors' edition"
WARNING = (
    "> **Careful.** This is the instructors' edition. It holds the answers: "
    "keep it off any page that learners can open. This assignment has {points} points "
    "and takes about {minutes} minutes."
)
MARKS = ("### BEGIN SOLUTION", "### END SOLUTION")


def setup(app):
    """Add the solutions if the instructors' edition is being built."""
    if is_for_instructors(Path(app.srcdir), Path(app.outdir)):
        app.connect("config-inited", name_edition)
        app.connect("source-read", add_solutions)
        app.connect("html-page-context", keep_from_search_engines, priority=950)


def is_for_instructors(source_folder, output_folder):
    """Tell whether the pages go into the folder of the instructors' edition."""
    kept_apart = (source_folder / FOLDER).resolve()
    return kept_apart in output_folder.resolve().parents


def name_edition(app, config):
    """Write the edition's name into the title of the book."""
    config.html_title = f"{config.html_title}, {NAME}"


def keep_from_search_engines(app, pagename, templatename, context, doctree):
    """Ask search engines to leave a page of this edition alone."""
    context["metatags"] = context.get("metatags", "") + '\n<meta name="robots" content="noindex" />'


def add_solutions(app, docname, source):
    """Put into the page of an exercise what its solution and the manifest say."""
    kind, _, rest = docname.partition("/")
    if kind != "exercises":
        return
    stem = rest.split("/")[0]
    solution = Path(app.srcdir) / f"solutions/{stem}/{stem}.ipynb"
    app.env.note_dependency(str(solution))
    exercise = nbformat.reads(source[0], as_version=4)
    entry = read_manifest(app)[stem]
    exercise.cells = list(with_solutions(exercise, nbformat.read(solution, as_version=4), entry))
    source[0] = nbformat.writes(exercise)


def with_solutions(exercise, solution, entry):
    """Yield the cells of the exercise, each with what follows it in this edition.

    Raises: ValueError if the cells of exercise and solution do not belong together.
    """
    answers = {}
    for number, (cell, solved) in enumerate(zip(exercise.cells, solution.cells, strict=True)):
        if cell.id != solved.id:
            raise ValueError(f"cell {cell.id} of the exercise is {solved.id} in its solution")
        yield cell
        grading = solved.metadata.get("nbgrader")
        if number == 0:
            yield _text(
                WARNING.format(points=points_of(entry), minutes=entry["minutes"]),
                f"edition-{number}",
            )
        elif grading and grading["solution"] and not grading["grade"]:
            answers[solved.id] = solved
        elif grading and grading["solution"]:
            yield from _folded(_essay(solved, entry["tasks"][solved.id]), solved.id)
        elif grading:
            task = solved.id.removeprefix("check_")
            yield from _folded(_answer(answers[task], solved, entry["tasks"][task]), task)
        elif cell.cell_type == "code" and cell.outputs != solved.outputs:
            yield from _folded(_outcome(solved), solved.id)


def _folded(parts, name):
    """Yield the cells of a folded part: its summary, what is in it, its end."""
    summary, *cells = parts
    opening = f"<details><summary>{summary}</summary>"
    for number, cell in enumerate([_text(opening), *cells, _text("</details>")]):
        cell.id = f"edition-{name}-{number}"[:64]
        yield cell


def _answer(answer, check, task):
    """Return what is folded under a task that is code: what it is for, the code, the test."""
    return [
        _summary("Solution", task),
        _text(_purpose(task)),
        _code("\n".join(line for line in answer.source.splitlines() if line.strip() not in MARKS)),
        _text("The check with its hidden tests, and what it says to this solution:"),
        _code(check.source, check.outputs),
    ]


def _essay(answer, task):
    """Return what is folded under an essay: what it is for, the model answer, the rubric."""
    rubric = "\n".join(f"- {line}" for line in task.get("rubric", ()))
    return [
        _summary("Model answer and rubric", task),
        _text(_purpose(task)),
        _text("**Model answer:**"),
        _text(answer.source),
        _text(f"**Rubric:**\n\n{rubric}"),
    ]


def _outcome(solved):
    """Return what is folded under a cell that shows more once the answer is there."""
    cell = _code(solved.source, solved.outputs)
    settings = solved.metadata.get("mystnb", {})
    # Without a number: figures must be called alike in both editions.
    cell.metadata["mystnb"] = {key: part for key, part in settings.items() if key != "figure"}
    cell.metadata["tags"] = ["remove-input"]
    caption = settings.get("figure", {}).get("caption")
    return ["With the solution", cell, *([_text(caption)] if caption else [])]


def _summary(what, task):
    plural = "s" * (task["points"] != 1)
    return f"{what}: {task['points']} point{plural}, {task['minutes']} minutes"


def _purpose(task):
    concept, misconception = (escaped(task[key]) for key in ("concept", "misconception"))
    return f"**Concept:** {concept}.\n\n**Mistakes it is for:** {misconception}."


def _text(source, name="text"):
    return nbformat.v4.new_markdown_cell(source, id=name)


def _code(source, outputs=()):
    return nbformat.v4.new_code_cell(source, id="code", outputs=list(outputs), execution_count=1)
