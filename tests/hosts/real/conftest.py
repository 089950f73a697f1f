"""Real hosts where they are installed: `python3 dev.py hosts` puts them into `.hosts`, MEMORACLE_HOSTS names another place."""

import os
from pathlib import Path

import pytest

from .model import ScriptedModel
from .programs import HostHome

_HERE = Path(__file__).resolve().parents[3] / ".hosts"
# At import: while a test runs, nothing of the person's own is in the environment.
MODULES = Path(os.environ.get("MEMORACLE_HOSTS") or _HERE).resolve() / "node_modules"


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def node_modules():
    """Where npm put the hosts; a test needs `has(program)` besides."""
    return MODULES


@pytest.fixture
def has(node_modules):
    """Skips by name what is not installed."""

    def look(*programs):
        for one in programs:
            if not (node_modules / ".bin" / one.binary).exists():
                pytest.skip(f"{one.package} is not installed: python3 dev.py hosts")

    return look


@pytest.fixture
def fake_model():
    with ScriptedModel() as model:
        yield model


@pytest.fixture
def host_home(tmp_path, fake_model, node_modules):
    """A scratch home for hosts, their projects and a memory."""
    return HostHome(tmp_path, fake_model, node_modules)
