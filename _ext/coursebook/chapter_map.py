"""The map of the chapters: a list in reading order, with lines that show what builds on what.

The lines are for the eye. Each entry says the same in words.
"""

import html

from coursebook.reading_times import minutes_of

# Pixels: between two lanes; from the top of a row to its dot; for the name of a part; of a bend.
LANE, DOT, PART, CURVE = 18, 21, 20, 26


def markup(chapters):
    """Return the map as HTML without blank lines, so that it can stand in Markdown."""
    lanes = lanes_of(chapters)
    width = LANE * (max(lanes.values()) + 1)
    roads = _roads(chapters, lanes)
    items, part = [], None
    for row, chapter in enumerate(chapters):
        y = DOT + PART * (chapter.part != part)
        lines = "".join(_line(road, row, y) for road in roads if road[0] <= row <= road[2])
        dot = f'<circle cx="{_x(lanes[chapter.docname])}" cy="{y}" r="6"/>'
        drawing = f'<svg aria-hidden="true" width="{width}" height="100%">{lines}{dot}</svg>'
        caption = f'<span class="map-part">{html.escape(chapter.part)}</span>'
        items.append(
            f"<li>{drawing}<div>{caption if chapter.part != part else ''}"
            f"{_link(chapter.docname, chapter.title)}"
            f"<span>{html.escape(chapter.question)}</span>"
            f'<span class="map-facts">{_facts(chapter, chapters)}</span></div></li>'
        )
        part = chapter.part
    style = f"--map-width: {width}px"
    return f'<ol class="chapter-map" role="list" style="{style}">{"".join(items)}</ol>'


def reduced(chapters):
    """Return, for each docname, the needs that no other need already brings along."""
    everything = {}
    for chapter in chapters:
        everything[chapter.docname] = set(chapter.needs).union(
            *(everything[need] for need in chapter.needs)
        )
    return {
        chapter.docname: [
            need
            for need in chapter.needs
            if not any(need in everything[other] for other in chapter.needs)
        ]
        for chapter in chapters
    }


def lanes_of(chapters):
    """Return the lane of each chapter: 0 for the longest road, others to its right.

    Two chapters share a lane only if neither's lines pass the other.
    """
    spine, spans = set(_longest_road(chapters)), _spans(chapters)
    lanes, taken = dict.fromkeys(spine, 0), []
    others = [chapter.docname for chapter in chapters if chapter.docname not in spine]
    for docname in sorted(others, key=lambda name: spans[name][1] - spans[name][0]):
        first, last = spans[docname]
        lane = 1
        while any(lane == other and first <= end and start <= last for other, start, end in taken):
            lane += 1
        taken.append((lane, first, last))
        lanes[docname] = lane
    return lanes


def _longest_road(chapters):
    """Return the docnames of the longest chain of chapters that build on each other."""
    needs, roads = reduced(chapters), {}
    for chapter in chapters:
        before = [roads[need] for need in needs[chapter.docname]]
        roads[chapter.docname] = [*max(before, key=len, default=[]), chapter.docname]
    return max(roads.values(), key=len)


def _spans(chapters):
    """Return the first and the last row that the lines of each chapter touch."""
    rows = {chapter.docname: row for row, chapter in enumerate(chapters)}
    spans = {name: [row, row] for name, row in rows.items()}
    for name, needs in reduced(chapters).items():
        for need in needs:
            spans[need][1] = max(spans[need][1], rows[name])
            spans[name][0] = min(spans[name][0], rows[need])
    return spans


def _roads(chapters, lanes):
    """Return each line as its first row and lane, its last row and lane."""
    rows = {chapter.docname: row for row, chapter in enumerate(chapters)}
    return [
        (rows[need], lanes[need], rows[name], lanes[name])
        for name, needs in reduced(chapters).items()
        for need in needs
    ]


def _line(road, row, y):
    """Return what is drawn of a line in one row: it leaves a dot, passes, or comes to one.

    y: where the dot of the row stands.
    """
    first, start, last, end = road
    lane = max(start, end)
    if row == first:
        return _bend(start, lane, y, CURVE) + _straight(lane, y + CURVE * (lane != start))
    if row == last:
        return _bend(end, lane, y, -y) if lane != end else _straight(lane, 0, y)
    return _straight(lane, 0)


def _bend(dot_lane, lane, y, height):
    if dot_lane == lane:
        return ""
    x, far, middle = _x(dot_lane), _x(lane), y + height / 2
    return f'<path d="M{x} {y}C{x} {middle:g} {far} {middle:g} {far} {y + height}"/>'


def _straight(lane, start, end="100%"):
    return f'<line x1="{_x(lane)}" x2="{_x(lane)}" y1="{start}" y2="{end}"/>'


def _x(lane):
    return LANE * lane + LANE // 2


def _facts(chapter, chapters):
    """Return in words how long a chapter takes, what it builds on, and its exercise."""
    numbers = {other.docname: other.number for other in chapters}
    facts = [f"about {minutes_of(chapter)} minutes"]
    if chapter.needs:
        links = [_link(need, numbers[need]) for need in chapter.needs]
        *most, last = links
        facts.append(f"builds on {', '.join(most)}{' and ' * bool(most)}{last}")
    if chapter.exercise:
        facts.append(_link(chapter.exercise, f"exercise {chapter.number}"))
    return " · ".join(facts)


def _link(docname, text):
    return f'<a href="{docname}.html">{html.escape(text)}</a>'
