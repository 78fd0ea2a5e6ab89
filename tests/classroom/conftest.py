"""A class that was graded, once for all the tests that look at it."""

import pytest

from tests.classroom.cycle import run


def pytest_configure(config):
    """Keep quiet about what the class is meant to bring, and about nbgrader's own queries."""
    for expected in ("Non-unique cell id", "Object of type .* not in session"):
        config.addinivalue_line("filterwarnings", f"ignore:{expected}")


@pytest.fixture(scope="class")
def graded(request, tmp_path_factory):
    """Return the cycle of the assignment ``stem`` of the test class."""
    return run(request.cls.stem, tmp_path_factory.mktemp(request.cls.stem))
