"""What most tests need: a root, a clock that stands still, and the memory that lives there."""

import gc
import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

from support.clock import FrozenClock
from support.files import PLAIN

for library in ("OPENBLAS", "MKL", "OMP"):  # as an opened memory does, before anything imports numpy
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
pytest_plugins = ["seed_plugin", "support.weights"]

_QUIET = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("quick", max_examples=50, **_QUIET)
settings.register_profile("long", max_examples=1000, **_QUIET)
settings.load_profile("long" if os.environ.get("MEMORACLE_PROPERTIES") == "long" else "quick")

_IN_MEMORY, _ROOM = "/dev/shm", 4 << 30


def pytest_configure():
    """Files of tests lie in memory where there is room: most of them wait for a disk that nobody pulls the plug of.

    What disks do to a memory is tried on one (`tests/faults`). `--basetemp` and PYTEST_DEBUG_TEMPROOT say otherwise.
    """
    gc.disable()  # collecting makes a million objects, all of which stay
    if os.path.isdir(_IN_MEMORY) and _is_fit(_IN_MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", _IN_MEMORY)


def _is_fit(folder):
    """True when there is room, and programs may stand there: some tests write some."""
    return shutil.disk_usage(folder).free >= _ROOM and not os.statvfs(folder).f_flag & os.ST_NOEXEC


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _nobodys_environment(monkeypatch, tmp_path_factory):
    """No test sees the memory or the settings of the person who runs it."""
    for name in [
        name for name in os.environ if name.startswith("MEMORACLE_") and name != "MEMORACLE_PROPERTIES"
    ]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MEMORACLE_RESIDENT_MINUTES", "0")  # what a test starts ends with it
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "own-state"))
    monkeypatch.setenv(
        "MEMORACLE_ROOTS", str(tmp_path_factory.getbasetemp() / f"roots-{os.urandom(6).hex()}.json")
    )


@pytest.fixture
def clock():
    return FrozenClock()


@pytest.fixture
def root(tmp_path):
    from memoracle.compose import init

    place = tmp_path / "memory"
    init(str(place), environment={})
    return place


@pytest.fixture
def memory(root, clock):
    """Answers by words alone, the plainest recipe; `recall/test_recipes.py` asks the others."""
    from memoracle.compose import open_memory

    with open_memory(str(root), environment=PLAIN, clock=clock) as opened:
        yield opened
