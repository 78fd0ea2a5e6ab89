"""What the repository says of itself agrees: versions, workflows, paths in the tour."""

import re
import tomllib

import pytest
import yaml

from tools.pipeline.layout import HERE

ROOT = HERE.root
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
FORMS = sorted((ROOT / ".github").rglob("*.yml"))
MADE = ("_build", "work")  # by the commands of the course
IN_CODE = re.compile(r"`([\w./*-]+/[\w./*-]*|[\w*-]+\.(?:py|md|toml|yml))`")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def missing(text):
    """Return the paths that a text names in code and that are nowhere in the repository."""
    named = {name.rstrip("/") for name in IN_CODE.findall(text)}
    # A file may be named without its folder, once that has been named.
    return sorted(
        name
        for name in named
        if name.split("/")[0] not in MADE and not any(ROOT.glob(name)) and not _inside(name)
    )


def _inside(name):
    folders = ("casebook", "casebook/checks", "casebook/drawing", "_ext/coursebook", "tools")
    return any(any((ROOT / folder).glob(name)) for folder in folders)


def test_citation_and_changelog_name_the_version_of_the_package():
    assert yaml.safe_load(read("CITATION.cff"))["version"] == VERSION
    assert re.search(r"^## ([\d.]+)", read("CHANGELOG.md"), re.MULTILINE)[1] == VERSION


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_forms_and_workflows_can_be_read(path):
    assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict)


def test_workflows_call_commands_that_there_are():
    verbs, modules = set(), set()
    for path in (ROOT / ".github/workflows").glob("*.yml"):
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values():
            lines = "\n".join(step.get("run", "") for step in job["steps"])
            verbs.update(re.findall(r"course\.py (\w+)", lines))
            modules.update(re.findall(r"-m tools\.([\w.]+)", lines))
    assert verbs == {"book", "test"}
    assert modules == {"learner.colab", "gates.links"}
    assert all((ROOT / f"tools/{name.replace('.', '/')}.py").exists() for name in modules)


def test_published_book_is_the_one_for_students():
    assert "--instructors" not in read(".github/workflows/book.yml")


@pytest.mark.parametrize("name", ["docs/tour.md", "CONTRIBUTING.md", "README.md"])
def test_paths_that_are_named_exist(name):
    text = re.sub(r"NN(_topic)?", "02_attention_by_hand", read(name))
    assert missing(text) == []


def test_path_that_is_nowhere_is_named():
    assert missing("Read `tools/nowhere.py` and `lost.md`, then `tools/gates/links.py`.") == [
        "lost.md",
        "tools/nowhere.py",
    ]
