"""Memories for worker threads: each is used by one call at a time.

A few read side by side, one writes. A call that finds none free waits, and can be cancelled while it waits; once it
runs, it runs to its end, so that no write is left half done.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from memoracle.interfaces.mcp.tool import Lane

if TYPE_CHECKING:
    from memoracle.memory import Memory

READERS = 3
_Result = TypeVar("_Result")


class Lanes:
    """The memories of one server. The one used last is taken first: it is warm."""

    def __init__(self, opened: Callable[[], Memory]) -> None:
        self._open = opened
        self._idle: dict[Lane, list[Memory]] = {Lane.READ: [], Lane.WRITE: []}
        self._lock = Lock()
        self._is_closed = False

    def use(self, lane: Lane, work: Callable[[Memory], _Result]) -> _Result:
        """What `work` gives with a memory of this lane; called on a worker thread."""
        with self._lock:
            memory = self._idle[lane].pop() if self._idle[lane] else None
        if memory is None:
            memory = self._open()
        try:
            return work(memory)
        finally:
            with self._lock:
                keep = not self._is_closed
                if keep:
                    self._idle[lane].append(memory)
            if not keep:
                memory.close()

    def close(self) -> None:
        """Let go of every memory that is not in use; the others follow when their call ends."""
        with self._lock:
            self._is_closed = True
            idle = [memory for lane in self._idle.values() for memory in lane]
            self._idle = {lane: [] for lane in self._idle}
        for memory in idle:
            memory.close()
