"""A memory with some days of conversation that nobody has consolidated yet."""

import pytest

from memoracle.compose import init, open_memory
from support.clock import FrozenClock
from support.files import PLAIN
from support.life import BEGIN, write_day

DAYS = 9


@pytest.fixture
def life(tmp_path):
    """A root, the transcripts of nine days beside it, and a clock on the morning of the tenth."""
    from datetime import timedelta

    root, folder = tmp_path / "memory", tmp_path / "chats"
    folder.mkdir()
    for number in range(DAYS):
        write_day(folder, number)
    init(str(root), environment={})
    clock = FrozenClock(BEGIN + timedelta(days=DAYS, hours=3))
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        memory.ingest(str(folder), embed=False)
    return root, folder, clock


@pytest.fixture
def opened(life):
    """The memory of that life."""
    root, _, clock = life
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        yield memory
