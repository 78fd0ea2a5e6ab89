"""What must hold of every stored notebook: rules on its form and on its outputs."""

import re

from tools.gates.prose import prose_problems

LONGEST_CELL = 20
MOST_CODE_CELLS_IN_A_ROW = 2
ALLOWED_TYPES = ("image/svg+xml", "text/html", "text/plain")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b", re.IGNORECASE)
PATH = re.compile(r"(?<![\w/.:<])/(?:home|Users|root|tmp|work|usr|var|private)/\S+|\b[A-Z]:\\\S+")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
HEADING = re.compile(r"^(#{1,6})\s+\S")
FENCE = re.compile(r"^\s*(```|~~~)")
HINT = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
HINTS = ["Hint 1", "Hint 2", "Hint 3"]


def output_problems(notebook):
    """Return a sentence for each output that must not be stored."""
    problems = []
    for where, cell in _code_cells(notebook):
        for output in cell.outputs:
            problems += [f"{where}: {problem}" for problem in _problems_of_output(output)]
    if notebook.metadata.get("widgets"):
        problems.append("metadata: holds the state of widgets")
    return problems


def never_compared(notebook):
    """Return a sentence for each part of the notebook of which nbval would compare nothing."""
    code = list(_code_cells(notebook))
    if not code:
        return ["has no code cell"]
    if not any(cell.outputs for _, cell in code):
        return ["no cell has a stored output"]
    return [f"{where}: was never run" for where, cell in code if cell.execution_count is None]


def order_problems(notebook):
    """Return a sentence for each cell that was not run in its turn, from top to bottom."""
    return [
        f"{where}: was run as number {cell.execution_count}, not {expected}"
        for expected, (where, cell) in enumerate(_code_cells(notebook), 1)
        if cell.execution_count not in (None, expected)
    ] + [
        f"{where}: its output is numbered {output.execution_count}, the cell {cell.execution_count}"
        for where, cell in _code_cells(notebook)
        for output in cell.outputs
        if output.get("execution_count", cell.execution_count) != cell.execution_count
    ]


def refused_pictures(notebook):
    """Return a sentence for each bitmap: nbval cannot tell a changed one from the same."""
    return [
        f"{where}: holds {mime}; figures are drawings (image/svg+xml) here"
        for where, cell in _code_cells(notebook)
        for output in cell.outputs
        for mime in output.get("data", {})
        if mime.startswith("image/") and mime != "image/svg+xml"
    ]


def form_problems(notebook):
    """Return a sentence for each rule of form that the notebook breaks."""
    return [
        *_long_cells(notebook),
        *_code_in_a_row(notebook),
        *_heading_problems(notebook),
        *_figures_without_words(notebook),
        *prose_problems(notebook),
        *_task_problems(notebook),
    ]


def _problems_of_output(output):
    if output.output_type == "error":
        yield f"stores the error {output.ename}: {output.evalue}"
        return
    if output.output_type == "stream":
        if output.name == "stderr":
            yield f"wrote to stderr: {output.text.strip().splitlines()[0]}"
        yield from _machine_traces(output.text)
        return
    data = output.get("data", {})
    for mime in data:
        if mime not in ALLOWED_TYPES:
            yield f"holds {mime}; allowed are {', '.join(ALLOWED_TYPES)}"
    if "image/svg+xml" in data and "text/plain" not in data:
        yield "is a figure without a digest in text/plain"
    for mime in ("text/plain", "text/html"):
        yield from _machine_traces(data.get(mime, ""))


def _machine_traces(text):
    control = CONTROL.search(text)
    if control:
        yield f"holds the control character {control.group()!r}: not every page takes it alike"
    for what, pattern in (("memory address", ADDRESS), ("path of this machine", PATH)):
        found = pattern.search(text)
        if found:
            yield f"shows a {what}: {found.group()}"


def _long_cells(notebook):
    for where, cell in _code_cells(notebook):
        n_lines = len(cell.source.splitlines())
        if n_lines > LONGEST_CELL:
            yield f"{where}: has {n_lines} lines; at most {LONGEST_CELL}"


def _code_in_a_row(notebook):
    in_a_row = 0
    for index, cell in enumerate(notebook.cells):
        in_a_row = in_a_row + 1 if cell.cell_type == "code" else 0
        if in_a_row > MOST_CODE_CELLS_IN_A_ROW:
            yield f"cell {index} ({cell.id}): is code cell {in_a_row} in a row; at most 2"


def _heading_problems(notebook):
    headings = list(_headings(notebook))
    titles = [text for level, text in headings if level == 1]
    if len(titles) != 1:
        yield f"has {len(titles)} headings of level 1; exactly one is the title"
    previous = 0
    for level, text in headings:
        if level > previous + 1:
            yield f"heading '{text}' has level {level} after level {previous}"
        previous = level


def _headings(notebook):
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        in_fence = False
        for line in cell.source.splitlines():
            if FENCE.match(line):
                in_fence = not in_fence
            match = HEADING.match(line)
            if match and not in_fence:
                yield len(match.group(1)), line.lstrip("# ")


def _figures_without_words(notebook):
    for where, cell in _code_cells(notebook):
        if not any("image/svg+xml" in output.get("data", {}) for output in cell.outputs):
            continue
        mystnb = cell.metadata.get("mystnb", {})
        alt = str(mystnb.get("image", {}).get("alt", "")).strip()
        caption = str(mystnb.get("figure", {}).get("caption", "")).strip()
        if len(alt.split()) < 3:
            yield f"{where}: its figure has no alt text that says what it shows"
        if not caption:
            yield f"{where}: its figure has no caption"


def _task_problems(notebook):
    """Yield what is wrong with the text that leads to each answer: its heading and its hints.

    An essay needs no hints: a person reads it.
    """
    number, text = 0, ""
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader", {})
        if not grading.get("solution"):
            text += f"\n{cell.source}" if cell.cell_type == "markdown" else ""
            continue
        number += 1
        where = f"task {grading['grade_id']}"
        heading = re.search(rf"^## Task {number}: \S", text, re.MULTILINE)
        if not heading:
            yield f"{where}: no heading '## Task {number}: ...' leads to it"
        own = text[heading.start() :] if heading else text  # what is before belongs to the last one
        hints = [(title.strip(), bool(words.strip())) for title, words in HINT.findall(own)]
        if not grading["grade"] and hints != [(title, True) for title in HINTS]:
            found = ", ".join(title if full else f"{title} (empty)" for title, full in hints)
            yield f"{where}: has {found or 'no hints'} before it, not {', '.join(HINTS)}"
        text = ""


def _code_cells(notebook):
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            yield f"cell {index} ({cell.id})", cell
