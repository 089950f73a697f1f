"""Waiting for a kernel lock: freed by the kernel when its holder dies, however it dies. Never stolen."""

from __future__ import annotations

import fcntl
import os
import time

_FIRST_PAUSE, _LONGEST_PAUSE = 0.0005, 0.01


def wait_for_lock(handle: int, timeout: float, *, shared: bool = False) -> bool:
    """Lock an open file for ourselves alone, or to share it; False when it stays held for longer than `timeout`."""
    deadline = time.monotonic() + timeout
    pause = _FIRST_PAUSE
    while True:
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(pause * (0.5 + os.urandom(1)[0] / 512))  # those who wait do not march in step
            pause = min(pause * 2, _LONGEST_PAUSE)
        else:
            return True


def release(handle: int) -> None:
    """Give the lock back. A process forked meanwhile shares the handle; closing alone would leave it the lock."""
    try:
        fcntl.flock(handle, fcntl.LOCK_UN)
    except OSError:
        return  # the handle is about to be closed, which frees it as well
