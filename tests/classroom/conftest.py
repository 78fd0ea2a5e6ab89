"""A class that was graded, once for all the tests that look at it."""

from functools import cache

import nbgrader.api
import pytest

from tests.classroom.cycle import run


def pytest_configure(config):
    """Keep quiet about what the class is meant to bring, and about nbgrader's own queries."""
    for expected in ("Non-unique cell id", "Object of type .* not in session"):
        config.addinivalue_line("filterwarnings", f"ignore:{expected}")


@pytest.fixture(scope="session", autouse=True)
def asked_once():
    """Keep the answer of the program that nbgrader asks at each new gradebook, always the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nbgrader.api, "get_alembic_version", cache(nbgrader.api.get_alembic_version))
        yield


@pytest.fixture(scope="class")
def graded(request, tmp_path_factory):
    """Return the cycle of the test class's ``intake``."""
    return run(request.cls.intake, tmp_path_factory.mktemp(request.cls.__name__))
