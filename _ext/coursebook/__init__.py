"""What this book adds to Jupyter Book: maths, figures, cards, glossary and light pages.

Each module does one thing and has its own ``setup``.
"""

import importlib
import zlib
from pathlib import Path

MODULES = (
    "assets",
    "assignments",
    "drawings",
    "edition",
    "equations",
    "gallery",
    "glossary",
    "launch",
    "leftovers",
    "markup",
    "maths_font",
    "pages",
    "places",
    "reading_times",
    "search",
    "story",
    "terms",
)


def setup(app):
    """Register every module with Sphinx; return what Sphinx asks of an extension."""
    for name in MODULES:
        importlib.import_module(f"coursebook.{name}").setup(app)
    return {
        "version": "1",
        "env_version": fingerprint(),
        "parallel_read_safe": True,
        "parallel_write_safe": False,
    }


def fingerprint():
    """Return a number that changes with this extension, so that Sphinx reads all pages anew."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return zlib.crc32(b"".join(source.read_bytes() for source in sources))
