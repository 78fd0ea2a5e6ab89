"""Ways to spoil the prose, so that a page loads, runs or hides something."""

from functools import partial

from tests.bad_notebooks.places import FIGURE, code


def prose(addition, notebook):
    notebook.cells[0].source += f"\n\n{addition}"


def image_in_a_caption(notebook):
    figure = code(notebook, FIGURE).metadata["mystnb"]["figure"]
    figure["caption"] = "![dot](https://example.org/dot.png)"


PROSE = {
    "image_of_another_host": ("![dot](https://example.org/dot.png)", "loads https://example.org"),
    "image_by_reference": ("![dot][1]\n\n[1]: //example.org/dot.png", "loads //example.org"),
    "image_that_is_attached": ("![dot](attachment:dot.png)", "loads attachment:dot.png"),
    "image_as_data": ("![dot](data:image/png;base64,aaaa)", "loads data:image/png"),
    "image_in_html": ('<img src="https://example.org/dot.png">', "holds HTML: <img"),
    "image_in_a_line": ('A dot <img src="https://example.org/dot.png"> here', "holds HTML: <img"),
    "script": ("<script>alert(1)</script>", "holds HTML: <script"),
    "frame": ('<iframe src="https://example.org"></iframe>', "holds HTML: <iframe"),
    "style": ("<style>p { display: none }</style>", "holds HTML: <style"),
    "comment": ("<!-- smuggled -->", "holds HTML: <!--"),
    "comment_in_a_line": ("Here <!-- smuggled --> it is", "holds HTML: <!--"),
    "event": (
        '<details ontoggle="alert(1)"><summary>a</summary></details>',
        "holds HTML: <details",
    ),
    "link_that_runs": ("[here](javascript:alert(1))", "links to javascript:"),
    "link_that_is_data": ("[here](data:text/html;base64,aaaa)", "links to data:"),
    "directive": ("```{image} https://example.org/dot.png\n```", "holds the directive {image}"),
    "directive_in_colons": (
        ":::{figure} https://example.org/dot.png\n:::",
        "holds the directive {figure}",
    ),
    "role": ("See {download}`https://example.org/dot.png`", "holds the role {download}"),
}
PROSE_WAYS = {}
for _name, (_addition, _answer) in PROSE.items():
    _way = partial(prose, _addition)
    _way.__name__ = f"prose_with_{_name}"
    PROSE_WAYS[_way] = _answer
PROSE_WAYS[image_in_a_caption] = "loads https://example.org"
