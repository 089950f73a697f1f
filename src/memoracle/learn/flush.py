"""A flush: what is worth keeping in some transcripts, taken from them now and not at night.

The first four phases over these transcripts alone, from the watermarks that the nightly run has too. Both make the same
claims of the same turns, and a record is recognised by its key: read by one, by the other or by both, the result is the
same. A flush that is killed has moved no watermark. A nightly run that was interrupted stays as it is.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from memoracle.errors import RootLocked, VersionConflict
from memoracle.hosts.ingesting import transcripts_of
from memoracle.learn import phases as learn
from memoracle.learn.record_sets import Outdated
from memoracle.learn.run import Act, alone, gathered
from memoracle.learn.unit_of_work import Bench, Work, bench_of
from memoracle.model.ids import OPERATION_PREFIX
from memoracle.model.report import Phase, Run
from memoracle.model.value import replace, value
from memoracle.store.run_log import read_checkpoint, write_checkpoint

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


# When to save what is worth keeping before a host compacts its context, and when a host has to compact. Pure.

RESERVE_FLOOR = 20_000
FORCED_BYTES = 2_000_000


@value
class Limits:
    """The numbers of a host's context."""

    window: int = 200_000
    reserve: int = 16_384
    soft: int = 4_000
    floor: int = RESERVE_FLOOR
    forced_bytes: int = FORCED_BYTES


@value
class Fired:
    """The last flush of a session: in which cycle, at how many tokens, at how many bytes of transcript."""

    cycle: int = 0
    tokens: int = 0
    size: int = 0
    by_size: bool = False


@value
class FlushCheck:
    """Whether to flush now, from how many tokens on, and why."""

    flush: bool
    threshold: int
    because: str


def effective_reserve(reserve: int, floor: int = RESERVE_FLOOR) -> int:
    """What is kept free: of a host's two numbers the larger one."""
    return max(reserve, floor)


def flush_threshold(limits: Limits) -> int:
    """From how many tokens on a flush is due; 0 or less means never."""
    return limits.window - effective_reserve(limits.reserve, limits.floor) - limits.soft


def check_flush(
    tokens: int, limits: Limits, *, size: int = 0, cycle: int | None = None, last: Fired | None = None
) -> FlushCheck:
    """Whether a flush is due; `last` is the flush before, of the same session."""
    threshold = flush_threshold(limits)

    def answer(flush: bool, because: str) -> FlushCheck:
        return FlushCheck(flush=flush, threshold=threshold, because=because)

    if threshold <= 0:
        return answer(False, f"a threshold of {threshold} turns it off")
    is_full, is_large = tokens >= threshold, size >= limits.forced_bytes
    if not is_full and not is_large:
        return answer(False, f"{tokens} tokens are fewer than {threshold}")
    if last is not None and not _is_new(tokens, size, cycle, last, limits):
        return answer(False, "this cycle has had its flush")
    if is_full:
        return answer(True, f"{tokens} tokens reach {threshold}")
    return answer(True, f"the transcript has {size} bytes, {limits.forced_bytes} or more")


def is_over(tokens: int, limits: Limits, last: Fired) -> bool:
    """True when a compaction has happened since the last flush: the tokens are fewer than what called for it."""
    return not last.by_size and tokens < min(last.tokens, flush_threshold(limits))


def _is_new(tokens: int, size: int, cycle: int | None, last: Fired, limits: Limits) -> bool:
    if cycle is not None:
        return cycle != last.cycle
    if last.by_size:
        # The transcript never shrinks: only its growth tells that time has passed.
        return size - last.size >= limits.forced_bytes or tokens >= flush_threshold(limits) > last.tokens
    return False
