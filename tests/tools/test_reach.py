"""Which files of the package a notebook's code reaches, and what of a module counts."""

import pytest

from tools.pipeline.layout import HERE, Course
from tools.pipeline.made_from import without_words
from tools.pipeline.reach import reached

FILES = {
    "__init__.py": '"""The package."""\n',
    "attention.py": "import casebook.types\n",
    "types.py": "",
    "late.py": "def draw():\n    from casebook.types import Array\n    return Array\n",
    "busy/__init__.py": "from casebook.types import Array\n\nprint(Array)\n",
    "busy/inner.py": "",
    "drawing/__init__.py": "",
    "drawing/figures/__init__.py": (
        "from casebook.drawing.figures.heads import two_heads as pair\n"
        "from casebook.drawing.figures.style import new_figure\n"
        '__all__ = ["new_figure", "pair"]\n'
    ),
    "drawing/figures/heads.py": "from casebook.drawing.figures.style import new_figure\n",
    "drawing/figures/style.py": "",
    "checks/__init__.py": (
        "import importlib\n\n"
        "from casebook.checks import tasks\n"
        "from casebook.checks.engine import when_done\n\n\n"
        "def __getattr__(name):\n"
        '    return getattr(importlib.import_module(f"{tasks.__name__}.{name[6:]}"), name)\n'
    ),
    "checks/engine.py": "",
    "checks/tasks/__init__.py": "",
    "checks/tasks/turn.py": "from casebook.checks.engine import judge\n",
    "checks/tasks/shift_by.py": "",
    "tables.py": 'def load(language):\n    return open(f"{language}/corpus_{language}.json")\n',
    "fixed.py": 'WORDS = "data/words.npz"\n',
    "plugins/__init__.py": "",
    "plugins/found.py": 'import importlib\n\nimportlib.import_module("casebook.plugins.other")\n',
    "plugins/other.py": "",
    "data/__init__.py": "",
    "data/corpus_english.json": "{}",
    "data/corpus_chinese.json": "{}",
    "data/words.npz": "",
}
CHECKS = ["checks/__init__.py", "checks/engine.py"]
STYLE, HEADS = "drawing/figures/style.py", "drawing/figures/heads.py"
FIGURES = ["drawing/figures/__init__.py", HEADS, STYLE]


@pytest.fixture
def package(tmp_path):
    """Return a course with a small package."""
    for name, text in FILES.items():
        path = tmp_path / "casebook" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return Course(tmp_path)


def names(course, *codes):
    return [
        path.relative_to(course.root / "casebook").as_posix() for path in reached(course, codes)
    ]


@pytest.mark.parametrize(
    ("code", "files"),
    [
        ("import numpy as np", []),
        ("from casebook.attention import softmax", ["attention.py", "types.py"]),
        ("import casebook.attention as a", ["attention.py", "types.py"]),
        ("from casebook import attention", ["attention.py", "types.py"]),
        ("from casebook.late import draw", ["late.py", "types.py"]),
        ("from casebook.busy.inner import x", ["busy/__init__.py", "busy/inner.py", "types.py"]),
        ("import casebook.busy as busy", ["busy/__init__.py", "types.py"]),
        ("from casebook.busy import inner", ["busy/__init__.py", "busy/inner.py", "types.py"]),
        ("from casebook.drawing import figures", []),
        ("from casebook.drawing import figures\nfigures.new_figure()", [STYLE]),
        ("from casebook.drawing import figures\nfigures.pair()", [HEADS, STYLE]),
        ("from casebook.drawing import figures as f\nf.pair", [HEADS, STYLE]),
        ("from casebook.drawing import figures\nfigures.style.INK", [STYLE]),
        ("from casebook.drawing import figures\ngetattr(figures, 'pair')", FIGURES),
        ("from casebook.drawing import figures\nfigures.unknown", FIGURES),
        ("from casebook.drawing.figures import pair", [HEADS, STYLE]),
        ("from casebook.drawing.figures import *", FIGURES),
        ("import casebook.drawing.figures", FIGURES),
        ("from casebook.checks import check_turn", [*CHECKS, "checks/tasks/turn.py"]),
        ("from casebook.checks import when_done", CHECKS),
        ("from casebook.tables import load", [
            "data/corpus_chinese.json", "data/corpus_english.json", "tables.py"]),
        ("from casebook.fixed import WORDS", ["data/words.npz", "fixed.py"]),
        ("from casebook.plugins.found import x", [
            "plugins/__init__.py", "plugins/found.py", "plugins/other.py"]),
        ("from casebook.nowhere import x", []),
    ],
)  # fmt: skip
def test_what_some_code_reaches(package, code, files):
    assert names(package, code) == files


def test_checks_that_nobody_can_name_count_all(package):
    wanted = sorted(name for name in FILES if name.startswith("checks/"))
    assert names(package, "from casebook.checks import check_gone") == wanted


@pytest.mark.parametrize(
    "code", ["%load_ext casebook", "import casebook", "import casebook as c\nc"]
)
def test_code_that_cannot_be_followed_reaches_the_whole_package(package, code):
    wanted = {name for name in FILES if name.endswith(".py")}
    assert wanted <= set(names(package, code))


def test_attribute_in_another_cell_counts(package):
    assert names(package, "from casebook.drawing import figures", "figures.pair()") == [
        HEADS,
        STYLE,
    ]


def test_each_data_file_of_the_course_is_found_by_the_module_that_reads_it():
    """The rule finds file names in strings: a loader that hides the name would not be seen."""
    reads = {
        "glove.txt": "data.tables",
        "glove_full_vocabulary.json": "data.tables",
        "attention_smollm2.npz": "data.tables",
        "attention_minilm.npz": "data.tables",
        "corpus_english.json": "retrieval.corpora",
        "corpus_chinese.json": "retrieval.corpora",
        "corpus_english_vectors.npz": "retrieval.corpora",
        "reader.npz": "training.checkpoint",
    }
    data = HERE.root / "casebook" / "data"
    assert {path.name for path in data.glob("*.*") if path.suffix not in (".py", ".md")} == set(
        reads
    )
    for file, module in reads.items():
        assert data / file in reached(HERE, [f"import casebook.{module} as it"])
    assert data / "glove.txt" not in reached(HERE, ["import casebook.retrieval.corpora as it"])


def test_the_course_itself_is_followed_finely():
    figure = "from casebook.drawing import figures\nfigures.encoding_heatmap(x)"
    found = {path.name for path in reached(HERE, [figure])}
    assert {"positional.py", "style.py", "svg.py"} <= found
    assert not {"heads.py", "training.py", "attention.py"} & found
    found = {path.name for path in reached(HERE, ["from casebook.checks import check_turn"])}
    assert {"verdict.py", "turn.py"} <= found and "top_k.py" not in found


CODE = '''
def double(x):
    return """

    kept: # """ + f"{x} # {{kept}}"
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def double", "# a comment\ndef double"),
        ("def double", '"""The module."""\n\n\ndef double'),
        ("(x):\n", '(x):\n    """Return twice x: 中文."""  # so\n'),
        ("(x):\n", "(x):  # a number\n\n"),
        ('{{kept}}"', '{{kept}}"  # 中文'),
    ],
)
def test_comments_docstrings_and_empty_lines_do_not_count(old, new):
    assert old in CODE
    assert without_words(CODE.replace(old, new)) == without_words(CODE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("double", "triple"),
        ("\n\n    kept", "\n    kept"),
        ("kept: #", "kept: "),
        ("# {{kept", "{{kept"),
        ("(x):\n", '(x):\n    said = "Return twice x."\n'),
        ("(x):\n", '(x):\n    print(\n        "Return twice x."\n    )\n'),
    ],
)
def test_everything_else_counts(old, new):
    assert old in CODE
    assert without_words(CODE.replace(old, new)) != without_words(CODE)
