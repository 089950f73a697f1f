"""A consolidation that dies anywhere: the next one ends as if nothing had happened."""

import os
import shutil

import pytest

from learn.known import histories, inbox, known, pages
from memoracle.compose import open_memory
from memoracle.learn.unit_of_work import PHASES
from memoracle.store.disk import DiskVolume
from support.files import PLAIN, copy_root

pytestmark = pytest.mark.long

SURROUNDINGS = PLAIN | {"TZ": "UTC"}
DEAD = 9


def opened(root, clock):
    return open_memory(str(root), environment=SURROUNDINGS, clock=clock)


def dies(root, clock, prepare):
    """Consolidate in a process of its own that `prepare` may let die; True when it died."""
    child = os.fork()
    if child == 0:
        status = 77
        try:
            prepare()
            with opened(root, clock) as memory:
                memory.consolidate(watch=prepare.watch if hasattr(prepare, "watch") else None)
            status = 0
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in {0, DEAD}
    return status == DEAD


def outcome(root, clock):
    """What is known after a consolidation that nobody disturbs."""
    with opened(root, clock) as memory:
        memory.consolidate()
        return known(memory), histories(memory), pages(root), inbox(root)


@pytest.fixture
def undisturbed(life, tmp_path):
    root, _, clock = life
    twin = tmp_path / "twin"
    copy_root(root, twin)
    return outcome(twin, clock)


@pytest.mark.seed("S2.070", "F-43")
@pytest.mark.parametrize("phase", PHASES)
def test_killed_as_a_phase_begins(life, undisturbed, phase):
    """Each phase is committed before the next begins, and is taken up there."""
    root, _, clock = life

    class AtPhase:
        def __call__(self):
            pass

        @staticmethod
        def watch(name, _number, _total):
            if name == phase:
                os._exit(DEAD)

    assert dies(root, clock, AtPhase())
    assert outcome(root, clock) == undisturbed


@pytest.mark.seed("S2.070", "F-43")
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_killed_at_every_write(life, undisturbed, tmp_path, after):
    """Before or after any file is written, from the first to the last."""
    root, _, clock = life
    points = 0
    while True:
        victim = tmp_path / f"victim-{points}"
        copy_root(root, victim)

        def prepare(left=points):
            counter = [left]
            for name in ("replace", "append", "remove"):
                setattr(DiskVolume, name, _mortal(getattr(DiskVolume, name), counter, after=after))

        died = dies(victim, clock, prepare)
        assert outcome(victim, clock) == undisturbed, f"killed at write {points}"
        shutil.rmtree(victim)
        if not died:
            break
        points += 1
    assert points > len(PHASES)


def _mortal(write, left, *, after):
    def wrapped(*arguments, **named):
        left[0] -= 1
        if left[0] < 0 and not after:
            os._exit(DEAD)
        done = write(*arguments, **named)
        if left[0] < 0:
            os._exit(DEAD)
        return done

    return wrapped
