"""What one phase of a consolidation hands to the next, as it is written down between them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memoracle.learn.asking import Asking, asking_of
from memoracle.learn.record_sets import Books
from memoracle.model.claim import Claim, Fragment
from memoracle.model.record import Record, Status
from memoracle.model.report import Phase
from memoracle.model.value import field, replace, value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo

    from memoracle.guard.guard import PolicyGuard
    from memoracle.index.api import Index
    from memoracle.model.record import Law
    from memoracle.model.report import Finding, Step
    from memoracle.model.search import Standing
    from memoracle.recall.freshness import Freshness
    from memoracle.root import Root
    from memoracle.settings import Settings
    from memoracle.store.store import Store


# What the phases of a consolidation work with, and what each of them gives back.


class Level:
    """Brings the view level with the files, when the run has changed any since the last time."""

    def __init__(self, upkeep: Freshness) -> None:
        self._upkeep = upkeep
        self._is_level = False

    def ensure(self) -> None:
        """The view says what the files say."""
        if not self._is_level:
            self._upkeep.catch_up()
            self._is_level = True

    def disturb(self) -> None:
        """Files have changed."""
        self._is_level = False


class Alive:
    """Every standing record with its activation, worked out once for as long as no record changes."""

    def __init__(self, store: Store, index: Index, upkeep: Freshness, law: Law) -> None:
        self._store = store
        self._index = index
        self._upkeep = upkeep
        self._law = law
        self._held: tuple[object, Sequence[Standing]] = (None, ())

    def at(self, now: datetime) -> Sequence[Standing]:
        """As they stand at that moment; the caller has brought the view level."""
        looks = (now, self._store.journal.states())
        if self._held[0] != looks:
            self._held = (looks, self._upkeep.ask(lambda: self._index.standing(self._law, now)))
        return self._held[1]

    def left(self, ids: Sequence[str]) -> None:
        """These have just been archived, and nothing else has changed; their activation stays what it was."""
        looks, known = self._held
        gone = set(ids)
        if isinstance(looks, tuple) and gone:
            after = [
                replace(one, passage=replace(one.passage, status=Status.ARCHIVED))
                if one.passage.ref in gone
                else one
                for one in known
            ]
            self._held = ((looks[0], self._store.journal.states()), after)


@value
class Bench:
    """Everything a phase may use. `commit` writes versions; without it nothing reaches a file."""

    root: Root
    store: Store
    index: Index
    upkeep: Freshness
    books: Books
    level: Level
    alive: Alive
    settings: Settings
    law: Law
    zone: tzinfo
    actor: str
    guard: PolicyGuard
    asking: Asking
    commit: Callable[[Sequence[Record]], int] = len
    watermarks: Mapping[str, Any] = field(default_factory=dict)
    understood: datetime | None = None
    """Up to when the records that people typed have been read for what they say."""
    durations: Mapping[str, float] = field(default_factory=dict)
    """How long the phases of this run took so far."""
    dry_run: bool = False
    only: frozenset[str] | None = None
    """The transcripts to read; all of them when nobody names any."""


@value
class Outcome:
    """What a phase did, and the work it hands on."""

    work: Work
    counts: Mapping[str, int] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()

    def report(self, phase: str) -> Phase:
        """As the run reports it."""
        counts = {name: number for name, number in self.counts.items() if number}
        return Phase(name=phase, counts=counts, steps=self.steps, findings=self.findings)


def bench_of(root: Root) -> Bench:
    """What the phases of a run over one root work with."""
    return Bench(
        root=root,
        store=root.store,
        index=root.index,
        upkeep=root.view,
        books=Books(root.store),
        level=Level(root.view),
        alive=Alive(root.store, root.index, root.view, root.decay),
        settings=root.settings,
        law=root.decay,
        zone=root.zone,
        actor=root.actor,
        guard=root.guard,
        asking=asking_of(root),
    )


@value
class Work:
    """A run under way.

    `started` is the run's one "now": a run that is resumed counts from the same moment. `planned` holds
    record lines that are decided and may or may not have reached the files; writing them twice is once.
    `decided` names fragments that waited for a model and wait no longer once their claims are in the files.
    """

    operation: str
    started: datetime
    fragments: tuple[Fragment, ...] = ()
    claims: tuple[Claim, ...] = ()
    decided: tuple[str, ...] = ()
    planned: tuple[str, ...] = ()
    watermarks: Mapping[str, Any] = field(default_factory=dict)
    is_all: bool = True
