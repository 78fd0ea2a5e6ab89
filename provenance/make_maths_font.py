"""Make the font of the formulas, _ext/coursebook/fonts/maths.woff, from TeX Gyre Pagella Math.

    python -m provenance.make_maths_font texgyrepagella-math.otf

The file comes from the Debian package fonts-texgyre-math (version 20180621) or from
https://www.gust.org.pl/projects/e-foundry/tg-math. What is kept: Latin and Greek, upright
and slanted, bold capitals and digits, and the signs below, each in all sizes it grows to.
"""

import argparse
import string
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

TARGET = Path(__file__).parents[1] / "_ext" / "coursebook" / "fonts" / "maths.woff"
NAME = "Course Maths"  # its licence asks that a changed font be called something else
LATIN = {*map(ord, string.printable.strip()), 0xA0}
GREEK = {*range(0x391, 0x3A2), *range(0x3A3, 0x3AA), *range(0x3B1, 0x3CA), 0x3D1, 0x3D5, 0x3F5}
SLANTED = {*range(0x1D434, 0x1D455), *range(0x1D456, 0x1D468), 0x210E, *range(0x1D6E2, 0x1D71C)}
BOLD = {*range(0x1D400, 0x1D434), *range(0x1D7CE, 0x1D7D8)}
SIGNS = set(map(ord, " ¯·×±÷¬‖…′″⋯⋮⋱←→↦⇒∀∂∃∅∇∈∉∏∑−∓∗∘∙√∝∞∠∧∨∩∪∫∼≈≠≡≤≥≪≫⊂⊆⊕⊗⊙⊤⊥⋅⌈⌉⌊⌋⟨⟩"
                     "ℓℝℕℤ∣∥ˆ˜˙¨⏞⏟⏜⏝"))  # fmt: skip
COPYRIGHT, LICENCE, LICENCE_ADDRESS = 0, 13, 14  # numbers of entries in a font's table of names


def make(source, target=TARGET):
    """Write the part of the font ``source`` that formulas need to ``target``.

    Raises: ValueError if ``source`` lacks a character, or cannot set formulas.
    """
    font = TTFont(source)
    wanted = LATIN | GREEK | SLANTED | BOLD | SIGNS
    if "MATH" not in font:
        raise ValueError(f"{source} has no table MATH: expected a font for formulas")
    if absent := wanted - set(font.getBestCmap() or ()):
        raise ValueError(f"{source} lacks {''.join(map(chr, sorted(absent)))!r}")
    if "FFTM" in font:
        del font["FFTM"]  # the time at which it was made
    kept = [COPYRIGHT, LICENCE, LICENCE_ADDRESS]
    options = subset.Options(layout_features=[], hinting=False, notdef_outline=True, name_IDs=kept)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted)
    cutter.subset(font)
    for number in (1, 4, 6):  # family, full name, PostScript name
        font["name"].setName(NAME.replace(" ", "" if number == 6 else " "), number, 3, 1, 0x409)
    font.recalcTimestamp = False
    font.flavor = "woff"
    font.save(target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="the file texgyrepagella-math.otf")
    make(parser.parse_args().source)
    print(f"{TARGET.name}: {TARGET.stat().st_size / 1000:.0f} kB")
