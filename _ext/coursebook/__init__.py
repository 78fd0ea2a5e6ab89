"""What this book adds to Jupyter Book: maths, figures, cards, glossary and light pages.

Each module does one thing and has its own ``setup``.
"""

import importlib
import zlib
from pathlib import Path

MODULES = (
    "assets",
    "assignments",
    "callouts",
    "citations",
    "drawings",
    "edition",
    "equations",
    "finding",
    "gallery",
    "glossary",
    "language",
    "launch",
    "leftovers",
    "maths_font",
    "pages",
    "places",
    "reading_times",
    "story",
    "tables",
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
