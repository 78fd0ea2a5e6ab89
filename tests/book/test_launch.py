"""Binder and Colab: absent while no repository is named, right once it is."""

from types import SimpleNamespace

import jinja2
import pytest
import yaml

from tests.book.conftest import ROOT

from coursebook import launch, pages  # isort: skip

NOTEBOOK = "chapters/02_attention_by_hand"


@pytest.fixture
def header(tmp_path):
    """Return a function that gives the header of a page as written for a repository."""

    def written(address, branch="main", page=NOTEBOOK):
        config = {"repository": {"url": address, "branch": branch}}
        (tmp_path / "_config.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
        context = {"pagename": page, "sourcename": "x", "generate_toc_html": lambda: ""}
        context["pathto"] = lambda name, _: name
        launch.add_links(SimpleNamespace(srcdir=tmp_path), page, "", context, None)
        templates = jinja2.Environment(loader=jinja2.FileSystemLoader(pages.TEMPLATES))
        return templates.get_template("article-header-buttons.html").render(context)

    return written


def test_no_button_while_the_address_is_empty(header):
    for address in ("", None):
        assert "Binder" not in header(address) and "Colab" not in header(address)


def test_buttons_open_the_notebook_of_the_page(header):
    made = header("https://github.com/someone/course")
    file = "lab%2Ftree%2Fchapters%2F02_attention_by_hand.ipynb"
    binder = f"https://mybinder.org/v2/gh/someone/course/main?urlpath={file}"
    colab = f"https://colab.research.google.com/github/someone/course/blob/colab/{NOTEBOOK}.ipynb"
    assert f'href="{binder}">Binder</a>' in made
    assert f'href="{colab}">Colab</a>' in made


def test_branch_and_host_are_respected(header):
    made = header("https://gitlab.com/someone/course.git", branch="spring/term")
    assert "https://mybinder.org/v2/gl/someone%2Fcourse/spring%2Fterm?urlpath=" in made
    assert "Colab" not in made  # Colab opens files of one host only


def test_page_that_is_no_notebook_has_no_button(header):
    assert "Binder" not in header("https://github.com/someone/course", page="glossary")


@pytest.mark.parametrize(
    "address",
    ["github.com/someone/course", "https://example.org/a/b", "https://github.com/someone",
     "http://github.com/a/b"],
)  # fmt: skip
def test_address_of_another_form_is_refused(header, address):
    with pytest.raises(ValueError, match="repository url is .*: expected https://HOST/OWNER/NAME"):
        header(address)


def test_built_book_follows_its_configuration(book):
    known = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["repository"]
    page = (book / f"{NOTEBOOK}.html").read_text(encoding="utf-8")
    assert ("mybinder.org" in page) == bool(known["url"])


def test_binder_gets_the_pins_of_readers():
    binder = ROOT / ".binder"
    assert (binder / "requirements.txt").read_text().split() == ["-r", "../requirements.txt"]
    version = (binder / "runtime.txt").read_text().strip().removeprefix("python-")
    assert version in ("3.11", "3.12", "3.13")
