"""Whose file is it, and does it get where it belongs without a loss?"""

import json
import zipfile

import pytest

from tools.grading.__main__ import main
from tools.grading.classroom import Classroom
from tools.grading.collect import LARGEST, collect
from tools.grading.names import number_of_copy, student_of
from tools.pipeline.layout import HERE, CourseError

STEM = "02_attention_by_hand"
OTHER = "03_saturation"

STUDENTS = {
    # Moodle, with a folder for each student and without
    "Lovelace Ada_12345_assignsubmission_file_/02_attention_by_hand.ipynb": "Lovelace-Ada_12345",
    "Ada Lovelace_12345_assignsubmission_file_02_attention_by_hand.ipynb": "Ada-Lovelace_12345",
    "all/O'Neil Zoë_7_assignsubmission_file_/my work.ipynb": "O-Neil-Zoë_7",
    "王小明_8_assignsubmission_file_/02_attention_by_hand (1).ipynb": "王小明_8",
    # Canvas: on time, handed in again, late
    "lovelaceada_123_456_02_attention_by_hand.ipynb": "lovelaceada_123",
    "lovelaceada_123_456_02_attention_by_hand-2.ipynb": "lovelaceada_123",
    "lovelaceada_LATE_123_456_02_attention_by_hand-1.ipynb": "lovelaceada_123",
    "submissions/lovelaceada_123_456_renamed.ipynb": "lovelaceada_123",
    # Blackboard
    "Homework 2_s123_attempt_2026-10-05-12-30-00_02_attention_by_hand.ipynb": "s123",
    "gradebook_X_HW_s123_attempt_2026-10-05-12-30-00_work.ipynb": "s123",
    # people
    "ada/02_attention_by_hand.ipynb": "ada",
    "class/ada/02_attention_by_hand/02_attention_by_hand.ipynb": "ada",
    "ada/02_attention_by_hand/02_attention_by_hand-Copy1.ipynb": "ada",
    "ada/02_attention_by_hand (2).ipynb": "ada",
    "ada/homework.ipynb": "ada",
    "02_attention_by_hand_ada.ipynb": "ada",
    "02_attention_by_hand_s-12.ipynb": "s-12",
    "02_attention_by_hand_ada (1).ipynb": "ada",
    "ada_02_attention_by_hand.ipynb": "ada",
    "ada@example.org/02_attention_by_hand.ipynb": "ada@example.org",
    # nobody
    "02_attention_by_hand.ipynb": None,
    "02_attention_by_hand (1).ipynb": None,
    "02_attention_by_hand/02_attention_by_hand.ipynb": None,
    "../02_attention_by_hand.ipynb": None,
}


@pytest.mark.parametrize("path", STUDENTS)
def test_the_student_is_found_in_the_name(path):
    assert student_of(path, STEM) == STUDENTS[path]


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("a.ipynb", 0),
        ("a-2.ipynb", 2),
        ("a (3).ipynb", 3),
        ("a-Copy1.ipynb", 1),
        ("a copy.ipynb", 1),
    ],
)
def test_copies_are_numbered(path, number):
    assert number_of_copy(path) == number


@pytest.fixture
def classroom(tmp_path):
    """Return an empty classroom; its manifest is that of the course."""
    for stem in (STEM, OTHER):
        (tmp_path / "solutions" / stem).mkdir(parents=True)
        (tmp_path / "solutions" / stem / f"{stem}.ipynb").write_text("{}", "utf-8")
    return Classroom(tmp_path)


def notebook(stem=STEM, says=""):
    """Return the bytes of a notebook with cells of the assignment."""
    tasks = HERE.manifest()[stem]["tasks"]
    cells = [{"metadata": {"nbgrader": {"grade_id": task}}, "source": says} for task in tasks]
    return json.dumps({"cells": cells}).encode()


def packed(folder, files):
    path = folder / "class.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_a_zip_and_a_folder_give_the_same(classroom, tmp_path):
    files = {f"{name}/{STEM}.ipynb": notebook(says=name) for name in ("ada", "bo")}
    collect(classroom, STEM, [packed(tmp_path, files)])
    for name, content in files.items():
        (tmp_path / "plain" / name).parent.mkdir(parents=True)
        (tmp_path / "plain" / name).write_bytes(content)
    report = collect(classroom, STEM, [tmp_path / "plain"])
    assert report.same == ["ada", "bo"]
    for name in ("ada", "bo"):
        assert classroom.submitted(name, STEM).read_bytes() == files[f"{name}/{STEM}.ipynb"]


def test_a_notebook_is_known_by_its_cells(classroom, tmp_path):
    files = {"ada/homework.ipynb": notebook(), f"bo/{STEM}.ipynb": notebook(OTHER)}
    report = collect(classroom, STEM, [packed(tmp_path, files)])
    assert report.new == ["ada"]
    assert report.left == [f"bo/{STEM}.ipynb: is the assignment {OTHER}"]


def test_a_damaged_file_is_kept_as_it_is(classroom, tmp_path):
    report = collect(classroom, STEM, [packed(tmp_path, {f"ada/{STEM}.ipynb": b"\xff{"})])
    assert report.new == ["ada"]
    assert classroom.submitted("ada", STEM).read_bytes() == b"\xff{"


def test_handing_in_again_keeps_both(classroom, tmp_path):
    first, second, third = (notebook(says=f"version {number}") for number in (1, 2, 3))
    made = classroom.autograded("ada", STEM)
    assert collect(classroom, STEM, [packed(tmp_path, {f"ada/{STEM}.ipynb": first})]).new == ["ada"]
    made.parent.mkdir(parents=True)
    made.write_text("marked", "utf-8")
    for content in (second, third):
        report = collect(classroom, STEM, [packed(tmp_path, {f"ada/{STEM}.ipynb": content})])
        assert report.again == ["ada"]
        assert not made.exists()  # its mark is out of date
    kept = sorted((classroom.folder / "earlier" / "ada" / STEM).iterdir())
    assert [path.read_bytes() for path in kept] == [first, second]
    assert classroom.submitted("ada", STEM).read_bytes() == third


def test_of_several_files_of_one_student_the_highest_number_counts(classroom, tmp_path):
    files = {f"ada_1_9{n}_{STEM}-{n}.ipynb": notebook(says=str(n)) for n in (10, 9, 2)}
    report = collect(classroom, STEM, [packed(tmp_path, files)])
    assert classroom.submitted("ada_1", STEM).read_bytes() == notebook(says="10")
    assert len(report.left) == 2
    assert all("handed in again; kept in earlier/" in line for line in report.left)
    assert len(list((classroom.folder / "earlier").rglob("*.ipynb"))) == 2


def test_what_cannot_be_placed_is_named(classroom, tmp_path):
    files = {
        "ada/essay.docx": b"words",
        "ada/other.ipynb": b'{"cells": []}',
        f"{STEM}.ipynb": notebook(),
        "__MACOSX/ada/._x.ipynb": b"junk",
        f"huge/{STEM}.ipynb": b" " * (LARGEST + 1),
    }
    report = collect(classroom, STEM, [packed(tmp_path, files)])
    assert sorted(report.left) == [
        f"{STEM}.ipynb: says nowhere whose it is",
        "ada/essay.docx: is no notebook (.ipynb)",
        f"ada/other.ipynb: holds no cell of {STEM}, nor its name",
        f"huge/{STEM}.ipynb: has {LARGEST + 1} bytes; a notebook here has at most {LARGEST}",
    ]
    assert not (classroom.folder / "submitted").exists()


def test_a_damaged_file_in_a_zip_leaves_the_others(classroom, tmp_path):
    content = notebook(says="a text to be damaged")
    path = packed(tmp_path, {f"ada/{STEM}.ipynb": content, f"bo/{STEM}.ipynb": notebook()})
    path.write_bytes(path.read_bytes().replace(b"to be damaged", b"now damaged !", 1))
    report = collect(classroom, STEM, [path])
    assert report.new == ["bo"]
    assert len(report.left) == 1
    assert f"ada/{STEM}.ipynb: cannot be read" in report.left[0]


@pytest.mark.parametrize(
    ("place", "sentence"),
    [("nothing.zip", "is not there"), ("text.zip", "is no zip file, no folder and no notebook")],
)
def test_a_wrong_place_gets_one_sentence(classroom, tmp_path, place, sentence):
    (tmp_path / "text.zip").write_text("no archive", "utf-8")
    with pytest.raises(CourseError, match=sentence):
        collect(classroom, STEM, [tmp_path / place])


def test_the_commands_refuse_with_one_sentence(classroom, capsys):
    folder = ["--folder", str(classroom.folder)]
    assert main([*folder, "run", "12"]) == 1
    assert main([*folder, "run", "02"]) == 1
    assert main([*folder, "export", "marks.csv"]) == 1
    assert main([*folder, "collect", "02", "no.zip"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"there is no assignment '12': choose from {STEM}, {OTHER}",
        *["there is no gradebook yet: release the assignment first"] * 2,
        "no.zip: is not there; expected a zip file, a folder or a notebook",
    ]


def test_collecting_nothing_is_a_failure(classroom, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    arguments = ["--folder", str(tmp_path), "collect", "02", str(tmp_path / "empty")]
    assert main(arguments) == 1
    assert capsys.readouterr().out == "0 new, 0 handed in again, 0 as before\n"
