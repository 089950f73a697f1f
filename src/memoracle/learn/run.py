"""One consolidation: ten named phases, each committed before the next begins.

After every phase the checkpoint is replaced as a whole: the phase that comes next, and what it needs.
Versions that a phase decided on are written there before they go to the files, and writing them
again changes nothing. So a run that is killed anywhere is taken up where it stood, counts from the same
moment, and ends as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, InvalidTime, VersionConflict
from memoracle.learn import phases as learn
from memoracle.learn import tidy_phases as tidy
from memoracle.learn.policies import privacy_lines_lost
from memoracle.learn.review import obey
from memoracle.learn.unit_of_work import (
    PHASES,
    Act,
    UnitOfWork,
    Work,
    alone,
    begin,
    do_phase,
    gathered,
    unit_of_work,
    watermarks_in,
)
from memoracle.model.ids import file_digest
from memoracle.model.manifest import Role
from memoracle.model.report import Phase, Run
from memoracle.model.value import from_plain, replace, to_plain
from memoracle.store.line import decode, encode
from memoracle.store.run_log import last_finished, read_checkpoint, write_checkpoint
from memoracle.times import read_time, write_time

if TYPE_CHECKING:
    from memoracle.model.record import Record
    from memoracle.root import Root


_ACTS: Mapping[str, Act] = {
    "collect": learn.collect,
    "screen": learn.screen,
    "extract": learn.extract,
    "reconcile": learn.reconcile,
    "age": tidy.age,
    "index": tidy.index,
    "hot": tidy.hot,
    "digest": tidy.digest,
    "retain": tidy.retain,
    "health": tidy.health,
}
_HANDED_ON = frozenset({"collect", "screen", "extract", "reconcile"})
"""Phases that pass their work to the next one; the others begin from the files."""

Watch = Callable[[str, int, int], None]
"""Told of each phase as it begins: its name, its number, how many there are."""


def phase_named(name: str) -> str:
    """A phase by its name or its number, from 1."""
    if name in PHASES:
        return name
    if name.isdecimal() and 1 <= int(name) <= len(PHASES):
        return PHASES[int(name) - 1]
    listed = ", ".join(f"{number} {one}" for number, one in enumerate(PHASES, start=1))
    raise BadInput(f"no phase is called `{name}`", f"one of: {listed}")


class Consolidation:
    """Runs the phases over one store."""

    def __init__(self, root: Root, watch: Watch | None = None) -> None:
        self._root = root
        self._store = root.store
        self._unit = unit_of_work(root)
        self._watch = watch or (lambda *_: None)
        self._state: dict[str, Any] = {}
        self._durations: dict[str, float] = {}

    def run(self, *, force: bool = False) -> Run:
        """Every phase, or what an interrupted run left; nothing when nothing is new and nobody insists."""
        with alone(self._store):
            self._state = read_checkpoint(self._store)
            work, phase = self._held()
            resumed = phase if work else ""
            if work is None:
                last = last_finished(self._store)
                if not force and last and self._state.get("seen") == self._looks():
                    why = f"nothing is new since {last:%Y-%m-%d %H:%M} UTC"
                    return Run(operation="", started=self._root.clock(), skipped=why)
                work, phase = begin(self._root), PHASES[0]
                self._state["last_run"] = write_time(work.started)
                self._note(work, phase)
            try:
                reports: list[Phase] = []
                following = phase
                while following:
                    work, report = self._do(work, following)
                    reports.append(report)
                    following = self._hand_on(work, following)
            except BaseException:
                self._save(retry_count=int(self._state.get("retry_count", 0)) + 1)
                raise
            done = gathered(reports)
            self._save(
                last_success=write_time(work.started),
                finished=write_time(work.started),
                current_phase=None,
                phase_data={},
                retry_count=0,
                durations={phase.name: phase.seconds for phase in done},
                seen=self._looks(),
            )
            return Run(operation=work.operation, started=work.started, phases=done, resumed=resumed)

    def run_phase(self, name: str) -> Run:
        """One phase alone. It never counts as a whole run."""
        phase = phase_named(name)
        with alone(self._store):
            self._state = read_checkpoint(self._store)
            held, reached = self._held()
            takes_up = phase in _HANDED_ON and held is not None and reached == phase
            work = held if takes_up and held is not None else begin(self._root)
            following, report = self._do(work, phase)
            if phase in _HANDED_ON and (held is None or takes_up):
                self._hand_on(following, phase)
            return Run(operation=work.operation, started=work.started, phases=(report,))

    def plan(self) -> Run:
        """What a run would do, phase by phase; nothing is written."""
        self._state = read_checkpoint(self._store)
        work, phase = self._held()
        if work is None:
            work, phase = begin(self._root), PHASES[0]
        unit = replace(self._so_far(), dry_run=True)
        done = []
        for name in PHASES[PHASES.index(phase) :]:
            outcome = _ACTS[name](unit, work)
            work = outcome.work
            done.append(outcome.report(name))
        return Run(operation=work.operation, started=work.started, phases=tuple(done), dry_run=True)

    def _do(self, work: Work, phase: str) -> tuple[Work, Phase]:
        self._watch(phase, PHASES.index(phase) + 1, len(PHASES))
        records = self._unit.records
        records.refresh()
        if work.planned:  # decided by a run that was killed: it may or may not have reached the files
            with suppress(VersionConflict):
                records.write([decode(line.encode()).record for line in work.planned])
            self._unit.view.disturb()
            work = replace(work, planned=())
        unit = replace(self._so_far(), commit=lambda records: self._commit(work, phase, records))
        following, report = do_phase(phase, _ACTS[phase], unit, work)
        self._durations[phase] = self._durations.get(phase, 0.0) + report.seconds
        return following, report

    def _commit(self, work: Work, phase: str, records: Sequence[Record]) -> int:
        """Write decided versions down, then into the files."""
        if not records:
            return 0
        lines = tuple(encode(record).decode().rstrip("\n") for record in records)
        self._note(replace(work, planned=lines), phase)
        self._unit.view.disturb()
        try:
            return self._unit.records.write(records)
        except VersionConflict:
            self._note(work, phase)
            raise

    def _hand_on(self, work: Work, phase: str) -> str:
        """Commit a phase that is done; the name of the next one, empty after the last."""
        at = PHASES.index(phase) + 1
        following = PHASES[at] if at < len(PHASES) else ""
        if phase == "reconcile":
            self._state["watermarks"] = watermarks_in(self._state) | dict(work.watermarks)
            self._state["understood"] = write_time(work.started)
            if not work.is_all:
                following = "collect"
            work = Work(operation=work.operation, started=work.started)
        if following:
            self._note(work, following)
        if (
            phase == "reconcile"
        ):  # the records are written and the phase is done: what was asked can be answered
            obey(self._root)
            self._unit.view.disturb()
        return following

    # The checkpoint

    def _so_far(self) -> UnitOfWork:
        """What a phase works with, as the runs before it left it."""
        understood = self._state.get("understood")
        return replace(
            self._unit,
            watermarks=watermarks_in(self._state),
            understood=read_time(understood) if isinstance(understood, str) else None,
            durations=self._durations,
        )

    def _held(self) -> tuple[Work | None, str]:
        """The work of a run that did not end, and the phase it stopped in."""
        phase, data = self._state.get("current_phase"), self._state.get("phase_data")
        if phase not in PHASES or not isinstance(data, dict):
            return None, ""
        try:
            return from_plain(Work, data), str(phase)
        except (TypeError, ValueError, LookupError, AttributeError, InvalidTime):
            return None, ""  # written by another version: the watermarks did not move, so nothing is lost

    def _note(self, work: Work, phase: str) -> None:
        self._save(current_phase=phase, phase_data=to_plain(work))

    def _save(self, **fields: Any) -> None:
        self._state |= fields
        write_checkpoint(self._store, self._state)

    def _looks(self) -> str:
        """How all files of truth look, and the day it is: the same looks and the same day mean no work."""
        states = [
            (one.path, one.size, one.modified, one.inode)
            for one in self._store.manifest()
            if one.role not in {Role.USAGE, Role.FACTS}  # neither teaches anything
        ]
        day = self._root.clock().astimezone(self._root.zone).date().isoformat()
        return file_digest(repr((day, states)).encode())


def consolidate(
    root: Root,
    *,
    force: bool = False,
    phase: str | None = None,
    dry_run: bool = False,
    watch: Watch | None = None,
) -> Run:
    """Make what was said into what is known and keep it in order: ten phases, resumed where one was killed."""
    consolidation = Consolidation(root, watch)
    if dry_run:
        return consolidation.plan()
    root.guard.must_be_ready()
    done = consolidation.run_phase(phase) if phase else consolidation.run(force=force)
    privacy_lines_lost(root)
    if done.phases:
        root.log("consolidate", about=[one.name for one in done.phases], operation=done.operation)
        with root.store.writing():
            root.store.audit.rotate(root.clock())
    return done
