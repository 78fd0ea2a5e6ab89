"""The students' edition holds no answer, and the instructors' edition holds them all."""

import sys
from pathlib import Path

import nbformat
import pytest
from coursebook import edition

import course as course_py
from tests.book import page_checks, reach_checks
from tests.book.conftest import FULL, look
from tests.book.visits import eventually, visit
from tools.pipeline.layout import HERE
from tools.secrecy.leaks import leaks_into_book, shown_secrets
from tools.secrecy.withheld import secrets, solved

PHONE = {"width": 390, "height": 844}
WITH_AN_ESSAY = "exercises/03_saturation/03_saturation.html"


@pytest.fixture(scope="session")
def for_instructors(book):
    """Return the folder of the instructors' edition, built as course.py builds it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(course_py, "PYTHON", Path(sys.executable))
        course_py.build_book(edition.FOLDER.as_posix())
    return HERE.root / edition.FOLDER / "_build" / "html"


def test_students_edition_shows_no_secret(book):
    assert leaks_into_book(HERE, book) == []


def test_instructors_edition_shows_every_secret(for_instructors):
    """So none is missing there, and none is overlooked by the search for leaks."""
    shown = [secret for secret in secrets(HERE) if secret.kind != "digest"]
    for stem in solved(HERE):
        page = for_instructors / "exercises" / stem / f"{stem}.html"
        kept = [secret for secret in shown if secret.stem == stem]
        assert len(shown_secrets("", page, kept)) == len(kept), stem


def test_instructors_edition_would_not_pass_for_the_students(for_instructors):
    problems = leaks_into_book(HERE, for_instructors)
    for stem in solved(HERE):
        beginning = f"searchindex.js: exercises/{stem}/{stem}.ipynb is found by words that only"
        assert any(problem.startswith(beginning) for problem in problems), stem


def test_editions_have_the_same_pages_in_folders_of_their_own(book, for_instructors):
    assert for_instructors.resolve() not in [book.resolve(), *book.resolve().parents]
    pages = [
        {path.relative_to(folder) for path in folder.glob("**/*.html")}
        for folder in (book, for_instructors)
    ]
    assert pages[0] == pages[1]


def test_instructors_edition_says_what_it_is(book, for_instructors):
    for page in ("intro.html", WITH_AN_ESSAY):
        text = (for_instructors / page).read_text("utf-8")
        assert "instructors’ edition</title>" in text or "instructors&#39; edition</title>" in text
        assert '<meta name="robots" content="noindex" />' in text
        assert edition.NAME not in (book / page).read_text("utf-8")


def test_unfolded_solutions_are_accessible(browser, for_instructors):
    """By every rule in the light, by those of colour in the dark, of layout on a phone."""
    page = (for_instructors / WITH_AN_ESSAY).as_uri()
    with visit(browser, page) as opened:
        look(opened)
        opened.page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
        assert opened.page.get_by_text("Solution: 2 points, 8 minutes").is_visible()
        assert opened.page.get_by_text("Rubric:", exact=True).is_visible()
        assert page_checks.problems(opened, page_checks.ALWAYS) == []
        assert page_checks.accessibility(opened) == []
        look(opened, scheme="dark")
        assert page_checks.colours(opened) == []
        look(opened, **PHONE)
        assert eventually(reach_checks.scrollers, opened) == []
        assert page_checks.sideways_scroll(opened) == []
        assert page_checks.laid_out(opened) == []
        if FULL:
            for scheme in ("light", "dark"):
                look(opened, **PHONE, scheme=scheme)
                assert page_checks.accessibility(opened) == []


@pytest.mark.parametrize(
    ("folder", "answer"),
    [
        ("_build/instructors/_build/html", True),
        ("_build/html", False),
        ("_build/instructors-old/_build/html", False),
        ("../_build/instructors/html", False),
    ],
)
def test_folder_decides_on_the_edition(tmp_path, folder, answer):
    root = tmp_path / "_build" / "instructors"  # even if the course itself stands in such a folder
    assert edition.is_for_instructors(root, root / folder) is answer


def cells(*ids):
    return nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell("text", id=name) for name in ids]
    )


def test_solution_of_another_exercise_is_refused():
    entry = {"minutes": 5, "tasks": {"a": {"points": 1}}}
    with pytest.raises(ValueError, match="cell b of the exercise is c in its solution"):
        list(edition.with_solutions(cells("a", "b"), cells("a", "c"), entry))
