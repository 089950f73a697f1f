"""One writer at a time; the kernel frees what a dead holder held; nobody's lock is stolen."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from memoracle.errors import RootLocked
from memoracle.store import durable
from support.processes import PYTHON, surroundings
from support.stores import a_store, keep, texts

HOLDER = """
import sys, time
from memoracle.store import durable
with durable.locked(sys.argv[1], timeout=5):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(root):
    """Another process that holds the root's lock."""
    lock = str(root / a_store(root).lock_name())
    process = subprocess.Popen(
        [PYTHON, "-c", HOLDER, lock],
        stdout=subprocess.PIPE,
        env=surroundings(PYTHONPATH=os.pathsep.join(sys.path)),
    )
    assert process.stdout.readline() == b"held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_killed_holder_frees_the_lock_at_once(root, holder):
    """After SIGKILL the next writer goes on within a second; no file has to be removed by hand."""
    store = a_store(root)
    holder.kill()
    holder.wait()
    begun = time.monotonic()

    keep(store, "written after the death of the holder")

    assert time.monotonic() - begun < 1
    assert texts(store) == ["written after the death of the holder"]


def test_a_stopped_holder_is_named_and_never_robbed(root, holder):
    """Behind a frozen process a writer gives up in time, says who holds the lock, and takes nothing."""
    store = a_store(root, lock_timeout=0.3)
    holder.send_signal(signal.SIGSTOP)
    begun = time.monotonic()

    with pytest.raises(RootLocked, match=str(holder.pid)):
        keep(store, "too early")

    assert 0.3 <= time.monotonic() - begun < 3
    assert texts(store) == []
    holder.send_signal(signal.SIGCONT)
    with pytest.raises(RootLocked):
        keep(store, "still too early")


@pytest.mark.seed("C-24")
def test_readers_never_wait_for_a_writer(root, memory, holder):
    """Reading, searching, listing, checking work while somebody holds the lock for ever."""
    begun = time.monotonic()

    assert memory.search("anything").hits == ()
    assert memory.list() == []
    assert memory.check().ok

    assert time.monotonic() - begun < 2


def test_threads_of_one_process_exclude_each_other(root):
    """The lock holds between threads as it does between processes."""
    store = a_store(root)
    threads = [threading.Thread(target=keep, args=(store, f"from thread {number}")) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert texts(store) == [f"from thread {number}" for number in range(8)]


def test_a_child_forked_inside_does_not_keep_the_lock(root):
    """A process that inherits the handle does not hold the lock after its parent let go."""
    lock = str(root / a_store(root).lock_name())
    with durable.locked(lock, timeout=0):
        child = os.fork()
        if child == 0:
            time.sleep(30)
            os._exit(0)
    try:
        held = durable.is_locked(lock)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert not held
