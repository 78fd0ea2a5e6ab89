"""What a figure draws, as text in rounded numbers.

Readers see the picture; nbval and people who review a change see this text. Every
drawn thing is in it: a changed coordinate, colour, word or order changes the text.
Noise in the last bits of a number does not.
"""

import math
import zlib
from itertools import groupby
from operator import itemgetter

import numpy as np
from matplotlib.collections import Collection, PathCollection, QuadMesh
from matplotlib.colors import to_hex, to_rgba
from matplotlib.image import AxesImage
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Rectangle, Wedge
from matplotlib.text import Annotation, Text
from matplotlib.ticker import AutoLocator, LogFormatter, LogLocator, ScalarFormatter

WRITTEN_OUT = 16  # so many numbers are written one by one; of more, a sample
SAMPLE = 6
# Rounding happens a little off the middle, where no number of ours lies by design.
_OFF_CENTRE = 3.7e-5


def describe(figure):
    """Return what a matplotlib figure draws, one line for each thing drawn."""
    width, height = figure.get_size_inches()
    lines = [f"figure {width:g} x {height:g} in"]
    lines += [f"  {line}" for line in _artist_lines(figure, skip=figure.axes)]
    for number, axes in enumerate(figure.axes):
        lines += _axes_lines(axes, f"axes {number}")
    return "\n".join(lines)


def numbers(values, scale=None, logarithmic=False):
    """Return numbers as text, rounded to four or five digits of the largest.

    values: array of any shape. Up to 16 numbers are written out; of more numbers the
        shape, the least, the largest, the mean, a few samples, and a check value
        that changes when any rounded number or the order changes.
    scale: the size to round against, the largest magnitude unless given or smaller.
    logarithmic: round each number by its own size.
    """
    values = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
    if values.size == 0:
        return f"none, shape {values.shape}"
    finite = np.abs(values[np.isfinite(values)])
    largest = max(finite.max(initial=0.0), scale or 0.0)
    units = np.full(values.shape, _unit(largest))
    if logarithmic:
        units = np.vectorize(_unit, otypes=[float])(np.abs(values))
    steps = np.floor(values / units + 0.5 + _OFF_CENTRE)
    words = [_word(*pair) for pair in zip(steps.flat, units.flat, strict=True)]
    if values.size <= WRITTEN_OUT:
        return _rows(words, values.shape)
    picked = np.linspace(0, values.size - 1, SAMPLE).astype(int)
    check = zlib.crc32(" ".join(words).encode())
    parts = [f"shape {values.shape}", f"samples {' '.join(words[i] for i in picked)}"]
    known = steps[np.isfinite(steps)]
    if not logarithmic and known.size:
        spread = (known.min(), known.max(), math.floor(known.mean() + 0.5 + _OFF_CENTRE))
        least, most, mean = (_word(step, _unit(largest)) for step in spread)
        parts.insert(1, f"min {least} max {most} mean {mean}")
    return ", ".join([*parts, f"check {check:08x}"])


def _unit(size):
    """Return the step to which numbers of this size are rounded."""
    if not (math.isfinite(size) and size > 0):
        return 1.0
    # A size of 1 and one of 0.9999999999999999 must be rounded alike.
    return 10.0 ** (math.floor(math.log10(size) + 1e-6) - 4)


def _word(steps, unit):
    """Return ``steps`` times ``unit`` as short text."""
    if not math.isfinite(steps):
        return str(steps)
    return f"{steps * unit:.6g}" if steps else "0"


def _rows(words, shape):
    if len(shape) < 2:
        return " ".join(words)
    length = shape[-1]
    return "; ".join(" ".join(words[i : i + length]) for i in range(0, len(words), length))


def _axes_lines(axes, name):
    """Return lines for one panel: its head, its own tick labels, and what it holds."""
    lines = [f"{name}: {_head(axes)}"]
    lines += [f"  {_ticks(axis)}" for axis in (axes.xaxis, axes.yaxis) if _has_own_ticks(axis)]
    frame = [axes.xaxis, axes.yaxis, axes.patch, *axes.spines.values(), *axes.child_axes]
    titles = [axes.title, axes._left_title, axes._right_title]
    lines += [f"  {line}" for line in _artist_lines(axes, skip=[*frame, *titles])]
    for number, child in enumerate(axes.child_axes):
        lines += [f"  {line}" for line in _axes_lines(child, f"inset {number}")]
    return lines


def _head(axes):
    """Return title, labels, limits and scales of one panel."""
    titles = [axes.get_title(place) for place in ("left", "center", "right")]
    words = [repr(title) for title in titles if title]
    for axis in (axes.xaxis, axes.yaxis):
        limits = numbers(axis.get_view_interval())
        words.append(f"{axis.axis_name} {axis.get_label_text()!r} {limits}")
        if axis.get_scale() != "linear":
            words.append(axis.get_scale())
    return ", ".join(words if axes.axison else [*words, "no frame"])


def _has_own_ticks(axis):
    usual = (AutoLocator, LogLocator), (ScalarFormatter, LogFormatter)
    return not (
        isinstance(axis.get_major_locator(), usual[0])
        and isinstance(axis.get_major_formatter(), usual[1])
    )


def _ticks(axis):
    labels = [label.get_text() for label in axis.get_ticklabels()]
    return f"{axis.axis_name} ticks {numbers(axis.get_ticklocs())} {labels}"


def _artist_lines(container, skip):
    """Return lines for the things drawn in a figure or panel, in order; alike neighbours share."""
    skipped = {id(artist) for artist in [container.patch, *skip]}
    artists = [
        artist
        for artist in container.get_children()
        if id(artist) not in skipped and artist.get_visible() and _says_something(artist)
    ]
    described = [_describe_artist(artist) for artist in artists]
    return [
        f"{look}: {'; '.join(data for _, data in alike)}"
        for look, alike in groupby(described, key=itemgetter(0))
    ]


def _says_something(artist):
    return not isinstance(artist, Text) or bool(artist.get_text())


def _describe_artist(artist):
    """Return how one thing looks, and the data it shows."""
    kinds = (
        (Line2D, _line), (Collection, _collection), (AxesImage, _image), (Patch, _patch),
        (Text, _text), (Legend, _legend), (object, _other),
    )  # fmt: skip
    look, data = next(describe for kind, describe in kinds if isinstance(artist, kind))(artist)
    words = [type(artist).__name__.lower()]
    if artist.get_label() and not artist.get_label().startswith("_"):
        words.append(repr(artist.get_label()))
    words += look
    if artist.get_zorder() != type(artist).zorder:
        words.append(f"zorder {artist.get_zorder():g}")
    if artist.get_alpha() is not None:
        words.append(f"alpha {numbers(artist.get_alpha())}")
    if _in_axes_coordinates(artist):
        words.append("in axes coordinates")
    return " ".join(words), ", ".join(data)


def _in_axes_coordinates(artist):
    axes, transform = artist.axes, artist.get_transform()
    if axes is None or transform.contains_branch(axes.transData):
        return False
    return transform.contains_branch(axes.transAxes)


def _line(line):
    look = [_colours([line.get_color()]), line.get_linestyle(), f"{line.get_linewidth():g}"]
    if line.get_marker() not in ("None", None, "", " "):
        face = _colours([line.get_markerfacecolor()])
        look.append(f"marker {line.get_marker()!r} {line.get_markersize():g} {face}")
    return look, [_points("", line.get_xydata(), line.axes)]


def _collection(collection):
    look, data = [], []
    if collection.get_array() is not None:
        look, data = _mapped(collection)
    else:
        look.append(f"fill {_colours(collection.get_facecolor())}")
    if len(collection.get_edgecolor()):
        widths = numbers(collection.get_linewidth())
        look.append(f"edge {_colours(collection.get_edgecolor())} {widths}")
    if isinstance(collection, QuadMesh):
        data.append(_points("corners", collection.get_coordinates(), collection.axes))
    elif isinstance(collection, PathCollection):
        look.append(f"sizes {numbers(collection.get_sizes())}")
        data.append(_points("at", collection.get_offsets(), collection.axes))
    else:
        data += [_points("path", p.vertices, collection.axes) for p in collection.get_paths()]
    for part in ("U", "V"):  # the arrows of quiver
        if hasattr(collection, part):
            data.append(f"{part} {numbers(getattr(collection, part))}")
    return look, data


def _mapped(artist):
    """Return the colour map and its limits, and the values shown with it."""
    look = [artist.get_cmap().name, numbers(artist.get_clim())]
    return look, [f"values {numbers(artist.get_array())}"]


def _image(image):
    look, data = _mapped(image)
    return look, [*data, f"extent {numbers(image.get_extent())}"]


def _patch(patch):
    look = [f"fill {_colours([patch.get_facecolor()])}" if patch.get_fill() else "no fill"]
    if patch.get_linewidth() and to_rgba(patch.get_edgecolor())[3]:
        edge = _colours([patch.get_edgecolor()])
        look.append(f"edge {edge} {patch.get_linewidth():g} {patch.get_linestyle()}")
    if isinstance(patch, FancyArrowPatch):
        look.append(type(patch.get_arrowstyle()).__name__)
        return look, [_arrow(patch)]
    if isinstance(patch, Wedge):
        degrees = numbers((patch.theta1, patch.theta2), 360)
        width = patch.r if patch.width is None else patch.width
        size = f"radius {numbers(patch.r)}, width {numbers(width)}, degrees {degrees}"
        return look, [_points("centre", patch.center, patch.axes), size]
    if isinstance(patch, Rectangle):
        return look, [_points("corners", patch.get_corners()[[0, 2]], patch.axes)]
    vertices = patch.get_patch_transform().transform(patch.get_path().vertices)
    return look, [_points("path", vertices, patch.axes)]


def _arrow(arrow):
    ends = getattr(arrow, "_posA_posB", None)
    if ends is None:
        return _points("path", arrow.get_path().vertices, arrow.axes)
    return _points("from and to", ends, arrow.axes)


def _text(text):
    look = [_colours([text.get_color()]), f"{text.get_fontsize():g} pt"]
    look += [text.get_ha(), text.get_va()]
    if text.get_rotation():
        look.append(f"turned {numbers(text.get_rotation(), 360)}")
    if not isinstance(text, Annotation):
        return look, [_points(repr(text.get_text()), text.get_position(), text.axes)]
    if text.arrow_patch is not None:
        arrow = text.arrow_patch
        style = type(arrow.get_arrowstyle()).__name__
        look.append(f"arrow {style} {_colours([arrow.get_edgecolor()])}")
    target = _points(f"{text.get_text()!r} points at", text.xy, text.axes)
    place = f"stands at {numbers(text.xyann)} in {text.anncoords}"
    return look, [f"{target} in {text.xycoords}", place]


def _legend(legend):
    entries = [legend.get_title(), *legend.get_texts()]
    return [], [repr(entry.get_text()) for entry in entries if entry.get_text()]


def _other(artist):
    return [], [repr(text.get_text()) for text in artist.findobj(Text) if text.get_text()]


def _points(name, points, axes):
    """Return x and y of points, each rounded against the extent of its axis."""
    points = np.asarray(points, dtype=float)
    (x_scale, x_log), (y_scale, y_log) = _scales(axes)
    x, y = numbers(points[..., 0], x_scale, x_log), numbers(points[..., 1], y_scale, y_log)
    return f"{name} x {x} y {y}".lstrip()


def _scales(axes):
    """Return (largest magnitude in view, whether logarithmic) of both axes."""
    if axes is None:
        return (None, False), (None, False)
    return tuple(
        (float(np.abs(axis.get_view_interval()).max()), axis.get_scale() == "log")
        for axis in (axes.xaxis, axes.yaxis)
    )


def _colours(colours):
    """Return colours as text: one if all are alike, else all in order."""
    words = [to_hex(colour, keep_alpha=to_rgba(colour)[3] != 1) for colour in colours]
    words = words[:1] if len(set(words)) == 1 else words
    if len(words) > WRITTEN_OUT:
        check = zlib.crc32(" ".join(words).encode())
        return f"{len(words)} colours from {words[0]} to {words[-1]}, check {check:08x}"
    return " ".join(words) or "none"
