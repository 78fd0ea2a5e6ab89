"""A test may be slow on a busy machine: that is no fault."""

from hypothesis import settings

settings.register_profile("course", deadline=None)
settings.load_profile("course")
