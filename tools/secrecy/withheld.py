"""What only a solution may hold, line by line.

That is what stands between the marks of a solution or of hidden tests, the model answers of
the essays, and the outputs that only the solution gives. A line that learners are shown
anyway, in the exercise itself or as code and output of a chapter, is no secret; a sentence
of a model answer is one even then.
"""

import functools
import re
from dataclasses import dataclass

import nbformat

from tools.secrecy.published_words import everything, flat

BLOCK = re.compile(r"### BEGIN (SOLUTION|HIDDEN TESTS)\n(.*?)### END \1", re.DOTALL)
SHORTEST_LINE = 9  # characters without white space; "return x" may stand anywhere
SHORTEST_PROSE = 20
SENTENCE_END = re.compile(r"(?<=[.:;?!])\s+")
SET_APART = re.compile(r"\$\$.*?\$\$|\$.*?\$|`[^`]*`|[*_]{1,2}|\[|\]\([^)]*\)", re.DOTALL)
CURVE = re.compile(r'\bd="([^"]{40,})"')  # of a drawing
NEEDS_AN_ANSWER = "when_done("  # how a cell of an exercise calls what the learner wrote


@dataclass(frozen=True)
class Secret:
    """One line that only the solution of an assignment may hold.

    kind: "solution", "hidden test", "model answer", "output", or "digest" of a drawing,
        which notebooks hold beside it and pages do not show.
    """

    stem: str
    cell: str
    kind: str
    text: str

    @functools.cached_property
    def flat(self):
        """The text as it is compared."""
        return flat(self.text)


def solved(course):
    """Return the stems of the assignments whose solution is stored."""
    stems = [name.split("/")[1] for name in course.written() if name.startswith("solutions/")]
    return [stem for stem in stems if course.notebook(f"solutions/{stem}").exists()]


def secrets(course):
    """Return all the secrets of the course, in reading order."""
    taught = flat(_taught(course))
    return [
        secret
        for stem in solved(course)
        for secret in _of_one(stem, read_solution(course, stem), taught)
    ]


def read_solution(course, stem):
    """Return the stored solution of the assignment ``stem``."""
    return nbformat.read(course.notebook(f"solutions/{stem}"), as_version=4)


def _of_one(stem, solution, taught):
    shown = flat(_shown(solution))
    found = {}
    for secret in hidden(stem, solution):
        public = secret.flat in shown or (secret.kind != "model answer" and secret.flat in taught)
        if not public:
            found.setdefault(secret.flat, secret)
    return list(found.values())


def hidden(stem, solution):
    """Yield each line that the exercise does not take over, whether it is secret or not."""
    for cell in solution.cells:
        if is_model_answer(cell):
            for words in _prose(cell.source):
                yield Secret(stem, cell.id, "model answer", words)
        if cell.cell_type == "code":
            for kind, line in _hidden_code(cell.source):
                yield Secret(stem, cell.id, kind, line)
            for kind, line in _hidden_output(cell):
                yield Secret(stem, cell.id, kind, line)


def is_model_answer(cell):
    """Tell whether a cell of a solution answers an essay."""
    return cell.cell_type == "markdown" and bool(cell.metadata.get("nbgrader", {}).get("solution"))


def _prose(text):
    """Return the runs of plain words in Markdown: sentences, cut where maths or code stand."""
    runs = [run for part in SENTENCE_END.split(text) for run in SET_APART.split(part)]
    return [" ".join(run.split()) for run in runs if len(flat(run)) >= SHORTEST_PROSE]


def _hidden_code(source):
    """Yield kind and text of each line between the marks."""
    for mark, block in BLOCK.findall(source):
        kind = "solution" if mark == "SOLUTION" else "hidden test"
        for line in _long_enough(block):
            yield kind, line


def _hidden_output(cell):
    """Yield kind and text of what a cell shows only to those who solved the task.

    Of a drawing that is each of its longer curves.
    """
    if NEEDS_AN_ANSWER not in cell.source and not cell.metadata.get("nbgrader", {}).get("grade"):
        return
    for output in cell.outputs:
        data = output.get("data", {})
        drawing = data.get("image/svg+xml", "")
        for line in _long_enough(output.get("text", "") + "\n" + data.get("text/plain", "")):
            yield "digest" if drawing else "output", line
        for curve in CURVE.findall(drawing):
            yield "output", curve


def _long_enough(text):
    return [line.strip() for line in text.splitlines() if len(flat(line)) >= SHORTEST_LINE]


def _shown(solution):
    """Return all that the exercise takes over from the solution: sources and metadata."""
    cells = [cell for cell in solution.cells if not is_model_answer(cell)]
    return "\n".join(BLOCK.sub("", cell.source) + everything(cell.metadata) for cell in cells)


def _taught(course):
    """Return the code and the outputs of all chapters: what they teach is no secret."""
    parts = []
    for name in course.written():
        if name.startswith("chapters/") and course.notebook(name).exists():
            notebook = nbformat.read(course.notebook(name), as_version=4)
            code = [cell for cell in notebook.cells if cell.cell_type == "code"]
            parts += [cell.source + "\n" + everything(cell.outputs) for cell in code]
    return "\n".join(parts)
