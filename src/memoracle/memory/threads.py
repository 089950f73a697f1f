"""One memory, many threads: verbs take turns.

A memory has one connection to its view, and arrays that belong to it; two verbs inside at once would pull them from
under each other. So every public method holds the memory's re-entrant lock: threads may share a memory, and each gets
the answer it would have got alone. Reading in parallel takes a memory per thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from threading import RLock
from types import FunctionType
from typing import Any, TypeVar
from weakref import WeakSet

_Class = TypeVar("_Class", bound=type)


class Shared:
    """What threads of one process may use together. A process that was forked opens the files for itself."""

    def __init__(self) -> None:
        self._turn = RLock()
        self._process = os.getpid()
        _SHARED.add(self)

    def _reopen(self) -> None:
        """Open again what must not be carried over a fork."""
        raise NotImplementedError


_SHARED: WeakSet[Shared] = WeakSet()


def take_turns(kind: _Class) -> _Class:
    """Have every public method of a class wait until no other thread is inside one."""
    for base in reversed(kind.__mro__):
        for name, method in vars(base).items():
            if isinstance(method, FunctionType) and (not name.startswith("_") or name == "__exit__"):
                setattr(kind, name, _in_turn(method))
    return kind


def _in_turn(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(self: Any, *given: Any, **named: Any) -> Any:
        with self._turn:
            if self._process != os.getpid():
                self._process = os.getpid()
                self._reopen()
            return method(self, *given, **named)

    return call


def _renew_locks() -> None:
    """In a child: the thread that held a lock may not have come along."""
    for one in _SHARED:
        one._turn = RLock()  # noqa: SLF001


os.register_at_fork(after_in_child=_renew_locks)
