"""What the phases of a run share (unit of work), and what each of them hands to the next."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memoracle.errors import AlreadyRunning, RootLocked, VersionConflict
from memoracle.learn.record_sets import StoredRecordSet
from memoracle.learn.tagging import Heard
from memoracle.model.claim import Claim, Fragment
from memoracle.model.ids import OPERATION_PREFIX
from memoracle.model.record import Change, Record, Status
from memoracle.model.report import Phase
from memoracle.model.value import field, replace, value
from memoracle.store.run_log import flush_lock, run_lock

if TYPE_CHECKING:
    from memoracle.model.report import Finding, Step
    from memoracle.model.search import Standing
    from memoracle.root import Root
    from memoracle.store.store import Store

PHASES = ("collect", "screen", "extract", "reconcile", "age", "index", "hot", "digest", "retain", "health")
"""In the order in which they run."""
_A_FLUSH = 60.0
_TRIES = 3


@contextmanager
def alone(store: Store, *, briefly: bool = False) -> Iterator[None]:
    """Nobody else consolidates this root meanwhile. A flush is brief and is waited for; a whole run is not.

    A flush begins by itself when a session ends: nobody who asks for a run should be told of it.
    """
    name, sign, volume = run_lock(store), flush_lock(store), store.volume
    with ExitStack() as held:
        try:
            if briefly:
                held.enter_context(volume.locked(sign, timeout=_A_FLUSH))
            held.enter_context(volume.locked(name, timeout=0.0))
        except RootLocked:
            # Twice: a flush may have ended between the lock and its sign.
            patience = _A_FLUSH if not briefly and volume.is_locked(sign) else 0.0
            try:
                held.enter_context(volume.locked(name, timeout=patience))
            except RootLocked:
                raise AlreadyRunning("consolidate") from None
        yield


class _RunView:
    """The view during a run: brought level with the files when the run has changed any since the last time."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._is_level = False
        self._held: tuple[tuple[datetime, object] | None, Sequence[Standing]] = (None, ())

    def ensure(self) -> None:
        """The view says what the files say."""
        if not self._is_level:
            self._root.view.catch_up()
            self._is_level = True

    def disturb(self) -> None:
        """Files have changed."""
        self._is_level = False

    def standing(self, now: datetime) -> Sequence[Standing]:
        """Every standing record with its activation then, worked out once for as long as no record changes."""
        self.ensure()
        root, looks = self._root, (now, self._root.store.journal.states())
        if self._held[0] != looks:
            self._held = (looks, root.view.ask(lambda: root.index.standing(root.decay, now)))
        return self._held[1]

    def archived(self, ids: Sequence[str]) -> None:
        """These have just been archived, and nothing else has changed; their activation stays what it was."""
        self.ensure()
        looks, known = self._held
        gone = set(ids)
        if looks and gone:
            after = [
                replace(one, passage=replace(one.passage, status=Status.ARCHIVED))
                if one.passage.ref in gone
                else one
                for one in known
            ]
            self._held = ((looks[0], self._root.store.journal.states()), after)


@value
class UnitOfWork:
    """Everything a phase may use. `commit` writes versions; without it nothing reaches a file."""

    root: Root
    records: StoredRecordSet
    view: _RunView
    commit: Callable[[Sequence[Record]], int] = len
    watermarks: Mapping[str, Any] = field(default_factory=dict)
    understood: datetime | None = None
    """Up to when the records that people typed have been read for what they say."""
    durations: Mapping[str, float] = field(default_factory=dict)
    """How long the phases of this run took so far."""
    dry_run: bool = False
    only: frozenset[str] | None = None
    """The transcripts to read; all of them when nobody names any."""

    def change(self, work: Work) -> Change:
        """What every version that a run writes has in common."""
        return Change(at=work.started, verb="consolidate", by=self.root.actor, operation=work.operation)


def unit_of_work(root: Root) -> UnitOfWork:
    """What the phases of a run over one root work with."""
    return UnitOfWork(root=root, records=StoredRecordSet(root.store), view=_RunView(root))


@value
class PhaseOutcome:
    """What a phase did, and the work it hands on."""

    work: Work
    counts: Mapping[str, int] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()

    def report(self, phase: str, seconds: float = 0.0) -> Phase:
        """As the run reports it."""
        counts = {name: number for name, number in self.counts.items() if number}
        return Phase(
            name=phase, counts=counts, steps=self.steps, findings=self.findings, seconds=round(seconds, 3)
        )


@value
class Work:
    """A run under way.

    `started` is the run's one "now": a run that is resumed counts from the same moment. `planned` holds
    record lines that are decided and may or may not have reached the files; writing them twice is once.
    `decided` names fragments that waited for a model and wait no longer once their claims are in the files, `doubted`
    claims that the model did not find in their sentences.
    """

    operation: str
    started: datetime
    fragments: tuple[Fragment, ...] = ()
    heard: Mapping[str, Heard] = field(default_factory=dict)
    """What the tagger heard in fragments, by their ids."""
    claims: tuple[Claim, ...] = ()
    decided: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    planned: tuple[str, ...] = ()
    watermarks: Mapping[str, Any] = field(default_factory=dict)
    is_all: bool = True


Act = Callable[[UnitOfWork, Work], PhaseOutcome]


def watermarks_in(checkpoint: Mapping[str, Any]) -> dict[str, Any]:
    """How far every transcript was read when a checkpoint was written."""
    held = checkpoint.get("watermarks")
    return dict(held) if isinstance(held, dict) else {}


def do_phase(name: str, act: Act, unit: UnitOfWork, work: Work) -> tuple[Work, Phase]:
    """One phase; when somebody changed a record between the decision and its writing, it is decided again."""
    started = time.monotonic()
    for _ in range(_TRIES):
        unit.records.refresh()
        try:
            outcome = act(unit, work)
        except VersionConflict:
            continue
        return outcome.work, outcome.report(name, time.monotonic() - started)
    raise RootLocked(unit.root.store.root, holder="other writers", waited=0.0)


def begin(root: Root) -> Work:
    """A new run, from this moment on."""
    now = root.clock()
    return Work(operation=root.ids.next(OPERATION_PREFIX, now), started=now)


def gathered(reports: Sequence[Phase]) -> tuple[Phase, ...]:
    """One report per phase, in the order of the phases: a long history is collected in several rounds."""
    merged: dict[str, Phase] = {}
    for one in reports:
        if (held := merged.get(one.name)) is None:
            merged[one.name] = one
            continue
        merged[one.name] = replace(
            held,
            counts=dict(Counter(held.counts) + Counter(one.counts)),
            steps=held.steps + one.steps,
            findings=held.findings + one.findings,
            seconds=round(held.seconds + one.seconds, 3),
        )
    return tuple(merged[name] for name in PHASES if name in merged)
