"""`Memory`: one root's memory, for Python.

Every verb is a function of a `Root` in the room it belongs to; here it is a method of the same name.

    memory = memoracle.open_memory("~/memory")
    memory.remember("The cat is called Miso")

The parameters of each method are those of its function, and type checkers see them (`turns.verb`). What extensions
bring is found in the registry: their modules are named here for type checkers alone.
"""

from __future__ import annotations

import os
from threading import RLock
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar, overload
from weakref import WeakSet

from memoracle.registry import Methods, method

if TYPE_CHECKING:
    from collections.abc import Callable

    from memoracle.root import Root


# Verbs as methods, and turns: how an object offers functions of a `Root`, one thread at a time.

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


if TYPE_CHECKING:
    from memoracle.context import briefing, publish
    from memoracle.extensions.exchange import exporting, importing
    from memoracle.extensions.layouts import leaving
    from memoracle.extensions.notebook import buffer as working_buffer
    from memoracle.extensions.notebook import finished, writing
    from memoracle.extensions.seats.manners import minding
    from memoracle.extensions.seats.pages.verbs import Seats
    from memoracle.extensions.seats.scan import scanning
    from memoracle.extensions.sync import git as syncing
    from memoracle.hosts import ingesting
    from memoracle.index.api import Index
    from memoracle.learn import asking, flush, forget, policies, records, review, run
    from memoracle.model.record import Scope
    from memoracle.recall import answers, freshness, linked
    from memoracle.root import Root
    from memoracle.store.store import Store
    from memoracle.upkeep import backup as backups
    from memoracle.upkeep import health, inspecting, maintenance
else:
    review = Deferred("memoracle.learn.review")
    asking = Deferred("memoracle.learn.asking")
    flush = Deferred("memoracle.learn.flush")
    forget = Deferred("memoracle.learn.forget")
    run = Deferred("memoracle.learn.run")
    briefing = Deferred("memoracle.context.briefing")
    publish = Deferred("memoracle.context.publish")
    linked = Deferred("memoracle.recall.linked")
    backups = Deferred("memoracle.upkeep.backup")
    health = Deferred("memoracle.upkeep.health")
    inspecting = Deferred("memoracle.upkeep.inspecting")
    maintenance = Deferred("memoracle.upkeep.maintenance")
    ingesting = Deferred("memoracle.hosts.ingesting")
    policies = Deferred("memoracle.learn.policies")
    records = Deferred("memoracle.learn.records")
    answers = Deferred("memoracle.recall.answers")
    freshness = Deferred("memoracle.recall.freshness")
    # of extensions, by their names
    exporting = finished = importing = leaving = minding = scanning = syncing = working_buffer = writing = (
        Methods()
    )


class Memory:
    """One root's memory: keep things, find them again, tend them. Threads may share it: verbs take turns."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.turns = Turns(root.reopen)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the view and of the files."""
        with self.turns:
            self.root.close()

    @property
    def store(self) -> Store:
        """The files: the truth."""
        return self.root.store

    @property
    def index(self) -> Index:
        """The view over the files."""
        return self.root.index

    @property
    def seats(self) -> Seats:
        """The verbs of seats: pages, projects, hand-offs, questions across roots."""
        seats: type[Seats] = method("seats")
        return seats(self)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """What an extension of somebody else adds."""
            if name.startswith("_"):
                raise AttributeError(name)
            found = method(name)
            return found(self) if isinstance(found, type) else verb(lambda: found).__get__(self, Memory)

    def read_as(self, reader: Scope, *, public: bool = False) -> Self:
        """This memory for another reader from now on; see `Root.for_reader`."""
        with self.turns:
            self.root = self.root.for_reader(reader, public=public)
        return self

    def work_in(self, folder: str) -> Self:
        """This memory as it is told to somebody who works in a folder, from now on; see `Root.in_folder`."""
        with self.turns:
            self.root = self.root.in_folder(folder)
        return self

    # Keeping, and carrying in and out

    remember = verb(lambda: records.remember)
    remember_many = verb(lambda: records.remember_many)
    guard = verb(lambda: records.guard)
    ingest = verb(lambda: ingesting.ingest)
    embed = verb(lambda: freshness.embed)
    import_ = verb(lambda: importing.import_)
    export = verb(lambda: exporting.export)
    leave = verb(lambda: leaving.leave)
    sync = verb(lambda: syncing.sync)

    # Finding again

    recall = verb(lambda: answers.recall)
    search = verb(lambda: answers.search)
    list = verb(lambda: answers.list_records)
    show = verb(lambda: records.show)
    history = verb(lambda: records.history)
    why = verb(lambda: records.why)
    entity = verb(lambda: records.entity)

    # What an agent is told

    context = verb(lambda: briefing.context)
    recover = verb(lambda: briefing.recover)
    snapshot = verb(lambda: publish.snapshot)
    digest = verb(lambda: publish.digest)

    # Changing and forgetting

    edit = verb(lambda: records.edit)
    pin = verb(lambda: records.pin)
    archive = verb(lambda: records.archive)
    reactivate = restore = verb(lambda: records.reactivate)
    supersede = verb(lambda: records.supersede)
    undo = verb(lambda: records.undo)
    plan_withdraw = verb(lambda: forget.plan_withdraw)
    withdraw = verb(lambda: forget.withdraw)
    trash = verb(lambda: forget.trash)
    take_back = verb(lambda: forget.take_back)
    plan_forget = verb(lambda: forget.plan_forget)
    forget = verb(lambda: forget.forget)

    # Writing notes by hand

    note = verb(lambda: writing.note)
    close_day = verb(lambda: writing.close_day)
    duplicates = verb(lambda: writing.duplicates)
    tags = verb(lambda: writing.tags)
    add_tag = verb(lambda: writing.add_tag)
    buffer = verb(lambda: working_buffer.buffer)
    archive_hot = verb(lambda: finished.archive_hot)

    # Learning, and questions to the owner

    consolidate = verb(lambda: run.consolidate)
    flush = verb(lambda: flush.flush)
    flush_check = verb(lambda: flush.flush_check)
    pending = verb(lambda: asking.pending)
    inbox = verb(lambda: review.inbox)
    accept = verb(lambda: review.accept)
    reject = verb(lambda: review.reject)
    review = verb(lambda: review.review)

    # Links

    links = verb(lambda: linked.links)
    backlinks = verb(lambda: linked.backlinks)
    graph = verb(lambda: linked.graph)
    path = verb(lambda: linked.path)

    # Policy

    policy = verb(lambda: policies.policy)

    # Upkeep

    status = verb(lambda: maintenance.status)
    stats = verb(lambda: maintenance.stats)
    check = verb(lambda: maintenance.check)
    plan_repair = verb(lambda: maintenance.plan_repair)
    repair = verb(lambda: maintenance.repair)
    plan_fold = verb(lambda: maintenance.plan_fold)
    fold = verb(lambda: maintenance.fold)
    rebuild_index = verb(lambda: maintenance.rebuild_index)
    health = verb(lambda: health.health)
    probe = verb(lambda: health.probe)
    tend = verb(lambda: maintenance.tend)
    backup = verb(lambda: backups.backup)
    audit = verb(lambda: inspecting.audit)
    verify_audit = verb(lambda: inspecting.verify_audit)
    inspect = verb(lambda: inspecting.inspect)

    # Looking around, and manners

    scan_machine = verb(lambda: scanning.scan_machine)
    scan_project = verb(lambda: scanning.scan_project)
    scan_diff = verb(lambda: scanning.scan_diff)
    reply_language = verb(lambda: minding.reply_language)
    compact_advice = verb(lambda: minding.compact_advice)
    drift = verb(lambda: minding.drift)
