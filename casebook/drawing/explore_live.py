"""The live form of a slider: ipywidgets in a running kernel, drawing anew at each move.

Each function takes ``explore``, the :class:`casebook.drawing.explore.Explore` that is shown.
"""

import html
import sys

from casebook.drawing import explore_page, svg

_STEP_MS = 400


def view(explore):
    """Return the mime bundle of the widgets, or None where none can be shown."""
    if not _kernel_runs():
        return None
    try:
        box = widgets(explore)
    except ImportError:  # the stored HTML serves instead
        return None
    mime = "application/vnd.jupyter.widget-view+json"
    return {mime: box._repr_mimebundle_()[mime]}


def widgets(explore):
    """Return a box with the sliders and the frame, which follows them.

    The frame stands in an HTML widget: an Output widget would leak into nbval.
    Raises: ImportError if ipywidgets is not installed.
    """
    import ipywidgets  # not at the head: the book is built without

    sliders = {
        name: ipywidgets.SelectionSlider(
            options=[(explore_page.value_text(value), value) for value in values],
            value=explore.start[name],
            description=explore.labels[name],
            style={"description_width": "initial"},
            layout={"width": "min(100%, 480px)"},
        )
        for name, values in explore.choices.items()
    }
    stage, prefix = ipywidgets.HTML(), explore_page.id_prefix(explore)

    def show(change=None):
        try:
            frame = explore.frame(**{name: slider.value for name, slider in sliders.items()})
        except (TypeError, ValueError) as error:  # draw has changed its mind about what it returns
            stage.value = _sentence(str(error))
        else:
            failed = frame.drawing is None
            stage.value = (
                _sentence(frame.alt) if failed else svg.inline(frame.drawing, prefix, frame.alt)
            )

    for slider in sliders.values():
        slider.observe(show, "value")
    show()
    rows = [_row(sliders[name], name == explore.play) for name in sliders]
    return ipywidgets.VBox([*rows, stage])


def _sentence(words):
    return f'<p class="explore-error">{html.escape(words)}</p>'


def _row(slider, with_play):
    if not with_play:
        return slider
    import ipywidgets

    play = ipywidgets.Play(max=len(slider.options) - 1, value=slider.index, interval=_STEP_MS)
    ipywidgets.jslink((play, "value"), (slider, "index"))
    return ipywidgets.HBox([play, slider])


def _kernel_runs():
    """Say whether this is a notebook's kernel."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None
