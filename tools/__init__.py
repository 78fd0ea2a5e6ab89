"""The pipeline from text to book, and the gates that prove it; each module says how to call it."""

import sys

# jsonschema, which nbformat imports, would spend two seconds of every process compiling a
# grammar for a check that no notebook needs; it does without when the import fails.
sys.modules.setdefault("rfc3987_syntax", None)  # ty: ignore[no-matching-overload]
