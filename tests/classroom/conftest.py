"""A class that was graded, once for all the tests that look at it."""

import pytest

from tests.classroom.cycle import run


@pytest.fixture(scope="class")
def graded(request, tmp_path_factory):
    """Return the cycle of the assignment ``stem`` of the test class."""
    return run(request.cls.stem, tmp_path_factory.mktemp(request.cls.stem))
