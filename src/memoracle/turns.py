"""Verbs as methods, and turns: how an object offers functions of a `Root`, one thread at a time.

A memory has one connection to its view, and arrays that belong to it; two verbs inside at once would pull them from
under each other. So every method that `verb` makes holds the memory's re-entrant lock: threads may share a memory, and
each gets the answer it would have got alone. Reading in parallel takes a memory per thread.
"""

from __future__ import annotations

import os
from threading import RLock
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload
from weakref import WeakSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from memoracle.root import Root

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


class Turns:
    """One memory's lock. A process that was forked opens the files for itself before it goes on."""

    def __init__(self, reopen: Callable[[], None]) -> None:
        self._reopen = reopen
        self._lock = RLock()
        self._process = os.getpid()
        _EVERY.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()
        if self._process != os.getpid():
            self._process = os.getpid()
            try:
                self._reopen()
            except BaseException:
                self._lock.release()
                raise

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def renew(self) -> None:
        """In a child: the thread that held the lock may not have come along."""
        self._lock = RLock()


_EVERY: WeakSet[Turns] = WeakSet()


def _renew_all() -> None:
    for one in _EVERY:
        one.renew()


os.register_at_fork(after_in_child=_renew_all)


class HasTurns(Protocol):
    """What offers verbs: the root they work on, and the lock they hold meanwhile."""

    @property
    def root(self) -> Root: ...
    @property
    def turns(self) -> Turns: ...


class verb(Generic[_Given, _Answer]):  # noqa: N801 - it is used like a decorator
    """A function of a `Root` as a method: the same parameters without the root, so that type checkers see them.

    The function is looked up when it is first needed: start-up is a feature, and most processes use one verb.
    """

    def __init__(self, find: Callable[[], Callable[Concatenate[Root, _Given], _Answer]]) -> None:
        self._find = find

    @overload
    def __get__(self, holder: None, kind: type[Any]) -> Callable[Concatenate[Root, _Given], _Answer]: ...

    @overload
    def __get__(self, holder: HasTurns, kind: type[Any]) -> Callable[_Given, _Answer]: ...

    def __get__(self, holder: HasTurns | None, kind: type[Any]) -> Callable[..., _Answer]:
        function = self._find()
        if holder is None:
            return function

        def call(*given: _Given.args, **named: _Given.kwargs) -> _Answer:
            with holder.turns:
                return function(holder.root, *given, **named)

        call.__doc__ = function.__doc__
        return call


class Deferred:
    """A module that is imported when something of it is first asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        from importlib import import_module

        return getattr(import_module(self._name), name)
