"""The code that the course builds up, chapter by chapter."""
