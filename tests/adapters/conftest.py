"""What the tests of the adapters share: the real libraries, each imported when a test needs it, or skipped by name."""

import importlib

import pytest

from memoracle.errors import MissingLibrary


@pytest.fixture(scope="session")
def adapter():
    """Gives an adapter by its name."""

    def find(name):
        try:
            return importlib.import_module(f"memoracle.adapters.{name}")
        except MissingLibrary as problem:
            pytest.skip(f"{problem}: {problem.hint}")

    return find


@pytest.fixture
def warm(root, clock):
    """A memory that answers as it does by default, vectors and all."""
    from memoracle.compose import open_memory

    with open_memory(str(root), environment={}, clock=clock) as opened:
        yield opened
