"""A flush: what is worth keeping in some transcripts, taken from them now and not at night.

The first four phases over these transcripts alone, from the watermarks that the nightly run has too. Both make the same
claims of the same turns, and a record is recognised by its key: read by one, by the other or by both, the result is the
same. A flush that is killed has moved no watermark. A nightly run that was interrupted stays as it is.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from memoracle.consolidation import learn
from memoracle.consolidation.alone import alone
from memoracle.consolidation.books import Outdated
from memoracle.consolidation.run import Act, gathered
from memoracle.consolidation.tools import Bench, bench_of
from memoracle.errors import RootLocked, VersionConflict
from memoracle.ingest.ingesting import transcripts_of
from memoracle.lifecycle.work import Work
from memoracle.model.ids import OPERATION_PREFIX
from memoracle.model.run import Phase, Run
from memoracle.model.value import replace
from memoracle.store.checkpoint import read_checkpoint, write_checkpoint

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memoracle.model.record import Record
    from memoracle.root import Root

_ACTS: Mapping[str, Act] = {
    "collect": learn.collect,
    "screen": learn.screen,
    "extract": learn.extract,
    "reconcile": learn.settle,
}
_TRIES = 3


def flush(root: Root, paths: Sequence[str] = (), *, session: str = "") -> Run:
    """Take from transcripts what is worth keeping, now: these, those of a session, or all that are known."""
    root.reader.must_not_overhear()
    root.guard.must_be_ready()
    names = transcripts_of(root, paths, session)
    now = root.clock()
    begun = Work(operation=root.ids.next(OPERATION_PREFIX, now), started=now)
    return flush_transcripts(bench_of(root), names, begun)


def flush_transcripts(bench: Bench, names: Collection[str], begun: Work) -> Run:
    """Read these transcripts to their ends; `begun` names the run."""
    reports: list[Phase] = []
    with alone(bench.store, briefly=True):
        while True:
            state = read_checkpoint(bench.store)
            before = _watermarks(state)
            desk = replace(
                bench,
                only=frozenset(names),
                watermarks=before,
                commit=lambda records: _write(bench, records),
            )
            work = begun
            for name in _ACTS:
                work, report = _do(desk, work, name)
                reports.append(report)
            after = before | dict(work.watermarks)
            if after != before:
                kept = {name: item for name, item in state.items() if name != "schema"}
                write_checkpoint(bench.store, kept | {"watermarks": after})
            if work.is_all:
                return Run(operation=begun.operation, started=begun.started, phases=gathered(reports))


def _do(bench: Bench, work: Work, name: str) -> tuple[Work, Phase]:
    started = time.monotonic()
    for _ in range(_TRIES):
        bench.books.refresh()
        try:
            outcome = _ACTS[name](bench, work)
        except VersionConflict:
            continue  # somebody changed a record between the decision and its writing: decide again
        seconds = round(time.monotonic() - started, 3)
        return outcome.work, replace(outcome.report(name), seconds=seconds)
    raise RootLocked(bench.store.root, holder="other writers", waited=0.0)


def _write(bench: Bench, records: Sequence[Record]) -> int:
    written = bench.books.write(records) if records else 0
    if isinstance(written, Outdated):
        raise VersionConflict(written.ids[0], expected=0, found=0)
    return written


def _watermarks(state: Mapping[str, Any]) -> dict[str, Any]:
    held = state.get("watermarks")
    return dict(held) if isinstance(held, dict) else {}
