"""What the instructor's guide says of the weeks and the assignments.

Made from _toc.yml and instructor/manifest.yml while the page is read, so that it cannot
fall behind them. The rubrics, which give away the essays, stand in the instructors'
edition alone.
"""

import re
from pathlib import Path

import yaml

from coursebook.edition import is_for_instructors
from coursebook.manifest import escaped, points_of, read_manifest

PAGE = "instructor/guide"
TIMETABLE = "<!-- the timetable stands here when the book is built -->"
ASSIGNMENTS = "<!-- the assignments stand here when the book is built -->"


def setup(app):
    """Fill the guide when its source is read."""
    app.connect("source-read", fill_in)


def fill_in(app, docname, source):
    """Put timetable and assignments into the guide."""
    if docname != PAGE:
        return
    root = Path(app.srcdir)
    app.env.note_dependency(str(root / "_toc.yml"))
    listed = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    rubrics = is_for_instructors(root, Path(app.outdir))
    source[0] = filled(source[0], listed, read_manifest(app), rubrics)


def filled(text, listed, entries, rubrics):
    """Return the guide's text with both parts in their places.

    listed: what _toc.yml says. entries: what the manifest says. rubrics: whether to show them.
    Raises: ValueError if the text lacks a place.
    """
    for place in (TIMETABLE, ASSIGNMENTS):
        if text.count(place) != 1:
            raise ValueError(f"{PAGE}.md: expected this line once: {place}")
    text = text.replace(TIMETABLE, "\n".join(timetable(listed, entries)))
    return text.replace(ASSIGNMENTS, "\n".join(assignments(entries, rubrics)))


def timetable(listed, entries):
    """Return the lines of a table: a chapter a week, and what is due the week after."""
    chapters = [
        chapter
        for part in listed["parts"]
        for chapter in part["chapters"]
        if chapter["file"].startswith("chapters/")
    ]
    lines = ["| week | read | do | minutes | points |", "| --: | :-- | :-- | --: | --: |"]
    for week, chapter in enumerate(chapters, start=1):
        cells = [str(week), _link(chapter)]
        exercises = chapter.get("sections", [])
        works = [entries[section["file"].split("/")[1]] for section in exercises]
        cells.append(", ".join(map(_link, exercises)))
        cells.append(", ".join(str(work["minutes"]) for work in works))
        cells.append(", ".join(str(points_of(work)) for work in works))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def assignments(entries, rubrics):
    """Return the lines on each assignment: its tasks in a table, and rubrics if asked for."""
    lines = []
    for stem, entry in entries.items():
        number, about = stem.split("_")[0], f"{points_of(entry)} points, {entry['minutes']} minutes"
        lines += [f"### Exercise {number}: {escaped(entry['title'])}", "", f"{about}.", ""]
        lines += ["| task | concept | confusions | minutes | points |"]
        lines += ["| :-- | :-- | :-- | --: | --: |"]
        for name, task in entry["tasks"].items():
            # The numbers in brackets belong to a list that is not in the book.
            confusions = re.sub(r" \(\d+\)", "", task["misconception"])
            words = [f"`{name}`", escaped(task["concept"]), escaped(confusions)]
            lines.append(f"| {' | '.join(words)} | {task['minutes']} | {task['points']} |")
        lines.append("")
        for name, task in entry["tasks"].items():
            if rubrics and "rubric" in task:
                lines += [f"Rubric of `{name}`:", ""]
                lines += [*(f"- {escaped(line)}" for line in task["rubric"]), ""]
    return lines


def _link(listed):
    return f"[{escaped(listed['title'])}](../{listed['file']}.ipynb)"
