"""Colours as people see them: contrast, lightness, distance, and three deficiencies of sight.

Colours are (red, green, blue) from 0 to 1, as in sRGB.
"""

import numpy as np
from matplotlib.colors import to_rgba

from casebook.drawing.figures.style import relative_luminance

LEAST_CONTRAST = 4.5  # Web Content Accessibility Guidelines 2.2, criterion 1.4.3
# For linear light, at full strength. Source: Machado, Oliveira and Fernandes, "A
# Physiologically-based Model for Simulation of Color Vision Deficiency", 2009.
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": np.array([
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]),
    "deuteranopia": np.array([
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]),
    "tritanopia": np.array([
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]),
}  # fmt: skip
# From linear sRGB to XYZ, and the white of D65. Source: IEC 61966-2-1.
TO_XYZ = np.array([
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
])  # fmt: skip
WHITE = TO_XYZ.sum(axis=1)


def over(colour, page):
    """Return the colour seen where ``colour``, perhaps transparent, lies on ``page``."""
    *channels, alpha = to_rgba(colour)
    return np.array(channels) * alpha + np.array(to_rgba(page)[:3]) * (1 - alpha)


def contrast(one, other):
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted(relative_luminance(tuple(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def seen_with(deficiency, colour):
    """Return what a person with this deficiency sees instead of ``colour``."""
    light = DEFICIENCIES[deficiency] @ _linear(np.asarray(colour))
    return _encoded(np.clip(light, 0, 1))


def lab(colour):
    """Return lightness L* (0 to 100), a* and b* of a colour (CIE 1976)."""
    x, y, z = map(_cube_root, TO_XYZ @ _linear(np.asarray(colour)) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(one, other):
    """Return how far apart two colours look: 2.3 is just noticed (CIE 1976)."""
    return float(np.linalg.norm(lab(one) - lab(other)))


def _linear(channels):
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def _encoded(light):
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def _cube_root(share):
    return np.cbrt(share) if share > (6 / 29) ** 3 else share / (3 * (6 / 29) ** 2) + 4 / 29
