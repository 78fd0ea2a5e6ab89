"""The page on how a task is made: its example runs, and does what the page says of it."""

import re
import sys
import types

import pytest

from casebook import checks
from casebook.checks.engine.family import Case
from casebook.checks.engine.plain_words import BrokenCheck
from tools.pipeline.layout import HERE

PAGE = (HERE.root / "docs" / "a_task.md").read_text(encoding="utf-8")
CHECK, BANK = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SOLUTION = re.search(r"^task: local_mask\n---\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]


def run(source, name):
    """Return the module that a piece of the page makes."""
    module = types.ModuleType(name)
    exec(compile(source, f"<{name}>", "exec"), vars(module))
    return module


TASK, ANSWERS = run(CHECK, "local_mask"), run(BANK, "answers")
ENTRIES = [answer for answer in vars(ANSWERS).values() if hasattr(answer, "pieces")]


def said(capsys, answer, **options):
    TASK.check_local_mask(answer, **options)
    return capsys.readouterr().out


@pytest.mark.parametrize("answer", ENTRIES, ids=lambda answer: answer.__name__)
def test_the_bank_of_the_page_gets_what_it_says(answer, capsys):
    for seed in (0, 11):
        line = said(capsys, answer, seed=seed)
        if answer.pieces is None:
            assert line == "[ok] local_mask: right on every input tried.\n"
        else:
            assert line.startswith("[x] local_mask: ")
            assert all(piece in line for piece in answer.pieces), line
    kinds = [entry.pieces is None for entry in ENTRIES]
    assert kinds.count(True) == 3
    assert kinds.count(False) == 2


@pytest.mark.parametrize("mistake", TASK.MISTAKES, ids=lambda mistake: mistake.stage)
def test_each_mistake_of_the_page_is_called_by_its_name(mistake, capsys):
    for seed in (0, 11):
        answer = lambda *given: TASK.FAMILY.results(given, [mistake])[0]  # noqa: E731, B023
        assert said(capsys, answer, seed=seed) == f"[x] local_mask: {mistake.says}.\n"
    assert len(mistake.says) <= 80
    assert not mistake.says.endswith(".")


def test_two_mistakes_are_found_together(capsys):
    pair = TASK.MISTAKES[1:]
    line = said(capsys, lambda *given: TASK.FAMILY.results(given, pair)[0])
    assert line == "[x] local_mask: " + "; and ".join(mistake.says for mistake in pair) + ".\n"


def test_the_solution_of_the_page_is_right(capsys):
    solution = run("import numpy as np\n" + SOLUTION, "solution").local_mask
    assert said(capsys, solution).startswith("[ok]")


def test_the_sentences_that_the_page_quotes_are_said(capsys):
    def turned_round_if_alone(n_tokens, width):
        mask = ANSWERS.by_triangles(n_tokens, width)
        return ~mask if width == 1 else mask

    line = said(capsys, turned_round_if_alone)
    quoted = re.search(r'"(for a width of 1: [^"]+)"', PAGE)[1]
    assert line == f"[x] local_mask: {quoted}: True means may attend.\n"


def test_a_misspelt_stage_in_the_pages_example_is_refused():
    with pytest.raises(BrokenCheck, match="the family of local_mask, mistake 'not causal"):
        run(CHECK.replace('deviations(\n        "past"', 'deviations(\n        "pasd"'), "misspelt")
    with pytest.raises(BrokenCheck, match="'near' is given 2 arguments"):
        run(CHECK.replace("lambda apart, width: apart <= width", "lambda apart: apart <= 2"), "no")


def test_files_and_names_of_the_page_are_there():
    package = HERE.root / "casebook" / "checks"
    for name in re.findall(r"`((?:tasks|engine)/\w+\.py)`", PAGE):
        assert (package / name).exists(), name
    from casebook.checks.engine import family, verdict

    for name in ("Absent", "stages_of", "deviations", "Family"):
        assert name in PAGE
        assert hasattr(family, name)
    assert all(word in verdict.check.__code__.co_varnames for word in ("use",))
    assert [*Case.__dataclass_fields__] == ["label", "inputs"]


def test_the_page_can_be_followed_to_a_file_that_is_found(tmp_path, monkeypatch):
    """The example as a file of tasks/: its check is found by its name, as any other."""
    (tmp_path / "local_mask.py").write_text(CHECK, encoding="utf-8")
    monkeypatch.setattr(checks.tasks, "__path__", [*checks.tasks.__path__, str(tmp_path)])
    monkeypatch.setattr(checks, "TASKS", [*checks.TASKS, "local_mask"])
    try:
        assert checks.check_local_mask.__module__ == "casebook.checks.tasks.local_mask"
    finally:
        sys.modules.pop("casebook.checks.tasks.local_mask", None)
        vars(checks).pop("check_local_mask", None)
