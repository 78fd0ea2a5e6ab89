"""Another cohort gets other numbers, in a private place, and nothing in it is left false."""

import re

import jupytext
import nbformat
import pytest

from casebook.checks import check_attention_by_hand
from casebook.checks.engine.verdict import CheckFailed
from tools.cohort import make as cohort
from tools.cohort import pencil
from tools.cohort.gates import quoted_numbers, table_problems, variant_problems
from tools.cohort.variants import HIDDEN_SEED, TABLE, Chance, Variants, draw, filled, read_variants
from tools.pipeline.layout import HERE, Course, CourseError
from tools.pipeline.notation import MYST
from tools.secrecy.withheld import BLOCK, read_solution, solved

SALT = "0123456789abcdef" * 2
BY_HAND = "02_attention_by_hand"
BOOKS_ANSWER = [2, -1], [0.9526, 0.0474], [0.9526, 0.0949]


def variant_text(stem, name="autumn", salt=SALT):
    """Return source and variant of an assignment of this course, with no numbers read."""
    source = HERE.source(f"solutions/{stem}").read_text("utf-8")
    chance, variants = Chance(name, salt), read_variants(HERE, stem)
    return source, variants.first_text(source, variants.new_values(chance), chance)


def hidden_seeds(text):
    return [
        int(seed)
        for kind, block in BLOCK.findall(text)
        if kind == "HIDDEN TESTS"
        for seed in HIDDEN_SEED.findall(block)
    ]


def test_table_fits_the_course():
    assert table_problems(HERE) == []


def test_variant_of_a_real_assignment(tmp_path):
    """The one that is run here: with a task by pencil, a figure and printed numbers."""
    folder = tmp_path / "private"
    cohort.make(HERE, "autumn", folder, salt=SALT, wanted=["02"], say=lambda words: None)
    variant = Course(folder)
    assert solved(variant) == [BY_HAND]
    assert (folder / "nbgrader_config.py").exists() and (folder / "instructor").is_dir()

    new, old = read_solution(variant, BY_HAND), read_solution(HERE, BY_HAND)
    check = next(cell for cell in new.cells if cell.id == "check_attention_by_hand")
    with pytest.raises(CheckFailed, match=r"^\[x\] attention_by_hand: scores\[\d\] is not q"):
        names = {"check_attention_by_hand": check_attention_by_hand}
        exec(check.source, names | {"attention_by_hand": lambda: BOOKS_ANSWER})

    exercise = variant.notebook(f"exercises/{BY_HAND}").read_text("utf-8")
    seeds = hidden_seeds(variant.source(f"solutions/{BY_HAND}").read_text("utf-8"))
    assert len(seeds) == 4 and not any(str(seed) in exercise for seed in seeds)

    same_again = variant_problems(variant, [variant])
    assert f"{BY_HAND}: check_stable_softmax: its hidden tests are those of before" in same_again
    assert [cell.id for cell in new.cells][:1] == [cell.id for cell in old.cells][:1]

    stored = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(CourseError, match="is not empty"):
        cohort.make(HERE, "autumn", folder)
    with pytest.raises(CourseError, match="holds the cohort 'autumn'"):
        cohort.make(HERE, "spring", folder, replace=True)
    assert stored == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("stem", solved(HERE))
def test_every_assignment_varies(stem):
    """Text, visible seeds and hidden seeds are others, and the cells are as many."""
    source, variant = variant_text(stem)
    old, new = (jupytext.reads(text, fmt=MYST).cells for text in (source, variant))
    assert len(old) == len(new)
    assert sum(a.source != b.source for a, b in zip(old, new, strict=True)) > 2
    seeds = hidden_seeds(variant)
    assert len(set(seeds)) == len(seeds) == len(hidden_seeds(source))
    assert min(seeds) > 2**32 and not set(seeds) & set(hidden_seeds(source))


def test_name_and_salt_decide_alone():
    assert variant_text(BY_HAND) == variant_text(BY_HAND)
    texts = [variant_text(BY_HAND, *way)[1] for way in (("spring", SALT), ("autumn", SALT[::-1]))]
    every = [hidden_seeds(text) for text in (*texts, variant_text(BY_HAND)[1])]
    assert len({seed for seeds in every for seed in seeds}) == sum(map(len, every))


@pytest.mark.parametrize("seed", range(20))
def test_numbers_by_pencil_are_fit_for_a_pencil(seed):
    numbers = pencil.draw(Chance("a", SALT).dice(seed))
    said = pencil.texts(numbers)
    assert said["weights"] != pencil.texts(pencil.BOOK)["weights"]
    scores, weights, output = (eval(said[name]) for name in ("scores", "weights", "output"))
    products = [sum(q * k for q, k in zip(numbers.query, key, strict=True)) for key in numbers.keys]
    assert [3 * score for score in scores] == products
    assert eval(said["product"].replace(r"\cdot", "*")) == products[0]
    assert sum(weights) == pytest.approx(1)
    assert output[1] == pytest.approx(numbers.values[1][1] * weights[1], abs=3e-4)


# What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("course/private", "lies in the course, which is public"),
        ("course", "lies in the course, which is public"),
        ("repository/deep/down", "which git keeps: choose a private folder"),
        ("full", "is not empty: choose another folder, or say --replace"),
    ],
)
def test_no_variant_in_a_public_or_full_place(course, tmp_path, place, sentence):
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine", "utf-8")
    with pytest.raises(CourseError, match=sentence):
        cohort.make(course, "autumn", tmp_path / place)
    assert (tmp_path / "full" / "thesis.txt").read_text("utf-8") == "mine"


def test_only_a_variant_is_replaced(course, tmp_path):
    (tmp_path / "full").mkdir()
    with pytest.raises(CourseError, match=r"holds no cohort.yml: only an earlier variant"):
        cohort.make(course, "autumn", tmp_path / "full", replace=True)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"salt": "abc"}, "salt is 'abc': expected at least 32 hexadecimal digits"),
        ({"wanted": ["03"]}, "there is no assignment '03': choose from 02_tiny"),
    ],
)
def test_bad_options_are_named(course, tmp_path, options, sentence):
    with pytest.raises(CourseError, match=sentence):
        cohort.make(course, "autumn", tmp_path / "private", **options)
    assert not (tmp_path / "private").exists()


def with_table(course, text):
    (course.root / TABLE).write_text("02_tiny:\n" + text, "utf-8")
    return table_problems(course)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("  draws: {}", "'draws' is none of"),
        ("  text: ['no such words']", "stands 0 times in the source, not once: 'no such words'"),
        ("  text: ['well_hidden']", "stands 2 times in the source, not once: 'well_hidden'"),
        ("  text: ['double({{n}})']", "nothing gives a value to the field {{n}}"),
        ("  read: {n: 'triple: (.*)'}", "no output gives n: 'triple: (.*)'"),
    ],
)
def test_table_that_does_not_fit_is_named(course, entry, sentence):
    (problem,) = with_table(course, entry)
    assert sentence in problem


def test_number_that_would_be_left_false_is_named(course):
    """A text that quotes an output is read or kept; one that is in the code cannot go wrong."""
    path = course.source("solutions/02_tiny")
    text = path.read_text("utf-8").replace("Then this says", "Then 1,234.5 says in 16 % of 17")
    path.write_text(text, "utf-8")
    solution = course.notebook("solutions/02_tiny")
    told = solution.read_text("utf-8").replace("[ok] double: 4", "[ok] double: 4 0.2 1234.49 17.2")
    solution.write_text(told, "utf-8")
    problems = with_table(course, "  draw: {}")
    assert [re.search("text says ([^,]+),", problem).group(1) for problem in problems] == [
        "1234.5",
        "17",
    ]
    assert with_table(course, "  keep: [1234.5, 17]") == []
    covered = "  read: {n: '0.2 ([0-9.]+)'}\n  text: ['Then {{n:,.1f}} says']\n  keep: [17]"
    assert with_table(course, covered) == []


def test_number_in_the_code_is_no_quotation():
    executed = nbformat.v4.new_notebook(cells=[code_cell("print(x[17])", "17 2.5")])
    text = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("It is 17, or 2.5.")])
    assert quoted_numbers(text, executed) == ["2.5"]


def code_cell(source, said):
    outputs = [nbformat.v4.new_output("stream", name="stdout", text=said)]
    return nbformat.v4.new_code_cell(source, outputs=outputs, execution_count=1)


def test_the_course_itself_is_no_variant(built):
    assert variant_problems(built, [built]) == [
        "02_tiny: check_double: its hidden tests are those of before",
        "02_tiny: prints all that was printed before",
    ]


@pytest.mark.parametrize(
    ("kind", "old", "new", "sentence"),
    [
        ("solutions", "[ok] double: 4", "[x] double: wrong", "02_tiny: check_double does not say"),
        ("exercises", "[ ] double", "[ok] double", "02_tiny: exercise: check_double does not say"),
        (
            "exercises",
            "not attempted yet",
            "well_hidden = 2 * x",
            "exercises/02_tiny/02_tiny.ipynb",
        ),
    ],
)
def test_variant_that_went_wrong_is_named(course, kind, old, new, sentence):
    path = course.notebook(f"{kind}/02_tiny")
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    assert any(problem.startswith(sentence) for problem in variant_problems(course, []))


def test_changed_cell_that_prints_the_same_numbers_is_named(course, tmp_path):
    other = Course(tmp_path / "other")
    notebook = read_solution(course, "02_tiny")
    for place, source in ((course, "print(1.5)"), (other, "print(3 / 2)")):
        notebook.cells[-1:] = [code_cell(source, "1.5")]
        place.notebook("solutions/02_tiny").parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, place.notebook("solutions/02_tiny"))
    sentence = "prints the numbers of before, '1.5'"
    assert not any(sentence in problem for problem in variant_problems(course, [course]))
    assert any(sentence in problem for problem in variant_problems(course, [other]))


# Values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule",
    [
        {"was": 3, "from": 2, "to": 4},
        {"was": "a", "choose": ["a", "b"]},
        {"was": [[1.0, 2], [2, 1]], "among": [1, 2]},
    ],
)
def test_drawn_value_is_never_the_old_one(rule):
    for seed in range(50):
        value = draw(rule, Chance("a", SALT).dice(seed))
        assert value != rule["was"]
        if "among" in rule:
            assert type(value[0][0]) is float and type(value[1][1]) is int
            assert all(len(set(row)) > 1 for row in value)


def test_fields_are_filled_in_their_form():
    values = {"words": ["I", "愛"], "share": 0.666, "rows": [[1, 2.0]], "text": "a b"}
    text = "{{words}} {{words:joined}} {{share:.2f}} {{rows}} {{text}} $e^{{{text}}}$"
    assert filled(text, values) == '["I", "愛"] I / 愛 0.67 [[1, 2.0]] a b $e^{a b}$'


def test_hidden_seed_does_not_follow_from_what_learners_see():
    """One that knows name and visible seeds, but not the salt, is no wiser."""
    source = "default_rng(0)\n### BEGIN HIDDEN TESTS\ncheck(f, seed=11)\n### END HIDDEN TESTS\n"
    variants = Variants("02", {})
    texts = [variants.first_text(source, {}, Chance("a", f"{n:032x}")) for n in range(200)]
    assert len({hidden_seeds(text)[0] for text in texts}) == 200
    assert all(1000 <= int(re.search(r"rng\((\d+)", text).group(1)) < 10_000 for text in texts)


def test_solution_keeps_its_literal_seeds():
    block = "### BEGIN SOLUTION\nreturn f(seed=3)\n### END SOLUTION\n"
    assert Variants("02", {}).first_text(block, {}, Chance("a", SALT)) == block
