"""Ways to spoil a drawing or a slider: see tests/bad_notebooks/spoil.py.

What is smuggled in stays out of sight of a reader of the code, but not of a browser, a screen
reader or whoever searches the page.
"""

import json
import re
from functools import partial
from urllib.parse import quote

from tests.bad_notebooks.places import FIGURE, SLIDER, data


def changed_drawing(notebook):
    """Move one corner of the curve by two points; the digest stays right."""
    bundle = data(notebook, FIGURE)
    bundle["image/svg+xml"] = moved(bundle["image/svg+xml"])


def drawing_within_tolerance(notebook):
    """Move it by less than another processor's rounding may: this must pass."""
    bundle = data(notebook, FIGURE)
    bundle["image/svg+xml"] = moved(bundle["image/svg+xml"], by=0.02)


def changed_frame(notebook):
    """Move the curve of a frame that is not shown at first; its digest stays right."""
    bundle = data(notebook, SLIDER)
    bundle["text/html"] = moved(bundle["text/html"])


def frame_within_tolerance(notebook):
    """Move it by less than another processor's rounding may: this must pass."""
    bundle = data(notebook, SLIDER)
    bundle["text/html"] = moved(bundle["text/html"], by=0.02)


def changed_frame_text(notebook):
    bundle = data(notebook, SLIDER)
    head, mark, tail = bundle["text/html"].rpartition("rises to 27")
    bundle["text/html"] = head + mark.replace("27", "28") + tail


def redrawn(change, notebook):
    """Change the text of the stored drawing."""
    bundle = data(notebook, FIGURE)
    bundle["image/svg+xml"] = change(bundle["image/svg+xml"])


def put(old, new, text):
    """Return the text with the first ``old`` in it replaced."""
    assert old in text
    return text.replace(old, new, 1)


def text_behind_an_element(notebook):
    redrawn(partial(put, "</text>", "</text>smuggled"), notebook)


def blank_behind_an_element(notebook):
    redrawn(partial(put, "</text>", "</text> "), notebook)


def comment_in_the_drawing(notebook):
    redrawn(partial(put, "</text>", "</text><!-- smuggled -->"), notebook)


def instruction_in_the_drawing(notebook):
    redrawn(partial(put, "</text>", "</text><?smuggled now?>"), notebook)


def instruction_before_the_drawing(notebook):
    redrawn(lambda text: f"<?smuggled now?>{text}", notebook)


def doctype_before_the_drawing(notebook):
    redrawn(lambda text: f"<!DOCTYPE svg>{text}", notebook)


def characters_written_otherwise(notebook):
    redrawn(partial(put, ">x<", "><![CDATA[x]]><"), notebook)


def element_of_another_language(notebook):
    redrawn(partial(put, "<path ", '<path xmlns="urn:other" '), notebook)


def attribute_of_another_language(notebook):
    redrawn(partial(put, "<path ", '<path xmlns:o="urn:other" o:d="smuggled" '), notebook)


def title_in_the_drawing(notebook):
    redrawn(partial(put, "<path ", "<title>smuggled</title><path "), notebook)


def style_in_the_drawing(notebook):
    redrawn(partial(put, "<path ", "<style>path{stroke:red}</style><path "), notebook)


def hidden_element(notebook):
    redrawn(partial(put, "<path ", '<path display="none" '), notebook)


def clipped_by_another_host(notebook):
    redrawn(partial(put, 'clip-path="url(#', 'clip-path="url(https://example.org/a.svg#'), notebook)


def one_id_twice(notebook):
    """Give another element the id that a reference names: a browser takes the first of them."""

    def change(text):
        first, *_, last = re.findall(r' id="([^"]+)"', text)
        return text.replace(f' id="{last}"', f' id="{first}"')

    redrawn(change, notebook)


def slid(change, notebook):
    """Change what the slider's data hold, written as the page writes them."""
    bundle = data(notebook, SLIDER)
    head, middle, tail = re.fullmatch(
        r"(.*<script[^>]*>)(.*)(</script>.*)", bundle["text/html"], re.DOTALL
    ).groups()
    held = json.loads(middle)
    held = change(held) or held
    text = (
        held
        if isinstance(held, str)
        else json.dumps(held, ensure_ascii=False, separators=(",", ":"))
    )
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    bundle["text/html"] = head + text + tail


def paged(change, notebook):
    """Change the HTML around the slider's data."""
    bundle = data(notebook, SLIDER)
    bundle["text/html"] = change(bundle["text/html"])


def text_behind_a_part_of_a_frame(notebook):
    slid(lambda held: held["parts"].append(held["parts"].pop() + "smuggled"), notebook)


def text_behind_an_element_of_a_frame(notebook):
    def change(held):
        number = next(i for i, part in enumerate(held["parts"]) if "/><" in part)
        held["parts"][number] = held["parts"][number].replace("/><", "/>smuggled<", 1)

    slid(change, notebook)


def comment_in_a_frame(notebook):
    slid(lambda held: held["parts"].append(held["parts"].pop() + "<!-- smuggled -->"), notebook)


def unused_part(notebook):
    slid(lambda held: held["parts"].append("<text>smuggled</text>"), notebook)


def unused_alternative_text(notebook):
    slid(lambda held: held["alts"].append("smuggled"), notebook)


def unused_frame(notebook):
    slid(lambda held: held["frames"].append(held["frames"][0]), notebook)


def further_data_in_the_slider(notebook):
    slid(lambda held: held.update(note="smuggled"), notebook)


def data_said_twice(notebook):
    """Say the texts twice: the reader of JSON takes the second."""

    def change(held):
        text = json.dumps(held, ensure_ascii=False, separators=(",", ":"))
        return put('"alts":', '"alts":["smuggled"],"alts":', text)

    slid(change, notebook)


def run_of_parts_that_are_not_there(notebook):
    slid(lambda held: held["frames"][0].extend([len(held["parts"]), 3]), notebook)


def empty_run_of_parts(notebook):
    slid(lambda held: held["frames"][0].extend([99, 0]), notebook)


def text_in_the_page_of_the_slider(notebook):
    paged(partial(put, "</label>", "</label>smuggled"), notebook)


def comment_in_the_page_of_the_slider(notebook):
    paged(partial(put, "</label>", "</label><!-- smuggled -->"), notebook)


def attribute_in_the_page_of_the_slider(notebook):
    paged(
        partial(put, '<div class="explore"', '<div class="explore" data-note="smuggled"'), notebook
    )


def text_in_the_starting_frame(notebook):
    end = quote("</text>", safe=" =:/,;()'")
    paged(partial(put, end, f"{end}smuggled"), notebook)


def moved(text, by=2.0):
    """Return the SVG or HTML with the last corner of the last drawn curve moved up."""
    paths = list(re.finditer(r'd=(\\?["\'])(M[^"\'\\]*L[^"\'\\]*)\1', text))
    curve = max(paths, key=lambda match: (len(match.group(2).split("L")), match.start()))
    last = list(re.finditer(r"\d+(?:\.\d+)?", curve.group(2)))[-1]
    start = curve.start(2) + last.start()
    end = curve.start(2) + last.end()
    return f"{text[:start]}{float(last.group()) - by:.2f}{text[end:]}"


DRAWN_OTHERWISE = (
    changed_drawing,
    text_behind_an_element,
    blank_behind_an_element,
    comment_in_the_drawing,
    instruction_in_the_drawing,
    instruction_before_the_drawing,
    doctype_before_the_drawing,
    characters_written_otherwise,
    element_of_another_language,
    attribute_of_another_language,
    title_in_the_drawing,
    style_in_the_drawing,
    hidden_element,
    clipped_by_another_host,
    one_id_twice,
)
MOVED_OTHERWISE = (
    changed_frame_text,
    text_behind_a_part_of_a_frame,
    text_behind_an_element_of_a_frame,
    comment_in_a_frame,
    unused_part,
    unused_alternative_text,
    unused_frame,
    further_data_in_the_slider,
    data_said_twice,
    run_of_parts_that_are_not_there,
    empty_run_of_parts,
    text_in_the_page_of_the_slider,
    comment_in_the_page_of_the_slider,
    attribute_in_the_page_of_the_slider,
    text_in_the_starting_frame,
)
