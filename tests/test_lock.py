"""Waiting for a kernel lock."""

import os
import threading
import time

import pytest

from memoracle.lock import release, wait_for_lock
from support.processes import start

HOLD = """
import os, sys, time
from memoracle.lock import wait_for_lock
handle = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
assert wait_for_lock(handle, 5)
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def opened(tmp_path):
    """Opens the same file again and again, each time with a handle of its own."""
    handles = []

    def again():
        handles.append(os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT))
        return handles[-1]

    yield again
    for handle in handles:
        os.close(handle)


def test_a_free_lock_is_had_at_once(opened):
    """Even by one who cannot wait."""
    assert wait_for_lock(opened(), 0)


def test_a_held_lock_is_not_had(opened):
    """The wait ends when its time is over, and not before."""
    wait_for_lock(opened(), 0)
    begun = time.monotonic()
    assert (wait_for_lock(opened(), 0.1), 0.1 <= time.monotonic() - begun < 1) == (False, True)


def test_whoever_waits_gets_it_when_it_is_given_back(opened):
    """Within a moment."""
    first = opened()
    wait_for_lock(first, 0)
    timer = threading.Timer(0.1, release, [first])
    timer.start()
    begun = time.monotonic()
    assert (wait_for_lock(opened(), 10), time.monotonic() - begun < 2) == (True, True)
    timer.join()


def test_a_dead_holder_holds_nothing(opened, tmp_path):
    """However it died."""
    holder = start(HOLD, tmp_path / "lock")
    try:
        assert holder.stdout.readline() == "held\n"
        assert not wait_for_lock(opened(), 0)
    finally:
        holder.kill()
        holder.communicate()
    assert wait_for_lock(opened(), 1)


def test_a_child_that_inherited_the_handle_holds_nothing(opened):
    """Giving back frees the lock although the handle lives on in another process."""
    first = opened()
    wait_for_lock(first, 0)
    kept = os.dup(first)  # shares the lock, as a forked process does
    try:
        release(first)
        assert wait_for_lock(opened(), 0)
    finally:
        os.close(kept)


def test_giving_back_a_closed_handle_is_no_error(tmp_path):
    """It was freed when it was closed."""
    handle = os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT)
    os.close(handle)
    assert release(handle) is None
