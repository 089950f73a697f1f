"""A flush: what is worth keeping in some transcripts, taken from them now and not at night.

The first four phases over these transcripts alone, from the watermarks that the nightly run has too. Both make the same
claims of the same turns, and a record is recognised by its key: read by one, by the other or by both, the result is the
same. A flush that is killed has moved no watermark. A nightly run that was interrupted stays as it is.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError
from memoracle.hosts.ingesting import transcripts_of
from memoracle.learn import phases as learn
from memoracle.learn.unit_of_work import (
    Act,
    alone,
    begin,
    do_phase,
    gathered,
    unit_of_work,
    watermarks_in,
)
from memoracle.model.report import Phase, Run
from memoracle.model.value import replace, value
from memoracle.store.run_log import read_checkpoint, write_checkpoint
from memoracle.store.volume import read_document, write_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memoracle.root import Root
    from memoracle.store.store import Store


_ACTS: Mapping[str, Act] = {
    "collect": learn.collect,
    "screen": learn.screen,
    "extract": learn.extract,
    "reconcile": learn.settle,
}


def flush(root: Root, paths: Sequence[str] = (), *, session: str = "") -> Run:
    """Take from transcripts what is worth keeping, now: these, those of a session, or all that are known."""
    root.reader.must_not_overhear()
    root.guard.must_be_ready()
    names = transcripts_of(root, paths, session)
    store, begun, shared = root.store, begin(root), unit_of_work(root)
    reports: list[Phase] = []
    with alone(store, briefly=True):
        while True:
            state = read_checkpoint(store)
            before = watermarks_in(state)
            unit = replace(shared, only=frozenset(names), watermarks=before, commit=shared.records.write)
            work = begun
            for name, act in _ACTS.items():
                work, report = do_phase(name, act, unit, work)
                reports.append(report)
            after = before | dict(work.watermarks)
            if after != before:
                write_checkpoint(store, state | {"watermarks": after})
            if work.is_all:
                return Run(operation=begun.operation, started=begun.started, phases=gathered(reports))


# When to save what is worth keeping before a host compacts its context, and when a host has to compact. Pure.

RESERVE_FLOOR = 20_000
FORCED_BYTES = 2_000_000


@value
class FlushLimits:
    """The numbers of a host's context."""

    window: int = 200_000
    reserve: int = 16_384
    soft: int = 4_000

    @property
    def threshold(self) -> int:
        """From how many tokens on a flush is due; 0 or less means never. Of two reserves the larger one counts."""
        return self.window - max(self.reserve, RESERVE_FLOOR) - self.soft


@value
class Fired:
    """The last flush of a session: in which cycle, at how many tokens, at how many bytes of transcript."""

    cycle: int = 0
    tokens: int = 0
    size: int = 0
    by_size: bool = False


@value
class _FlushCheck:
    """Whether to flush now, from how many tokens on, and why."""

    flush: bool
    threshold: int
    because: str


def check_flush(
    tokens: int, limits: FlushLimits, *, size: int = 0, cycle: int | None = None, last: Fired | None = None
) -> _FlushCheck:
    """Whether a flush is due; `last` is the flush before, of the same session."""
    threshold = limits.threshold
    is_full, is_large = tokens >= threshold, size >= FORCED_BYTES
    due = False
    if threshold <= 0:
        because = f"a threshold of {threshold} turns it off"
    elif not is_full and not is_large:
        because = f"{tokens} tokens are fewer than {threshold}"
    elif last is not None and not _is_new(tokens, size, cycle, last, threshold):
        because = "this cycle has had its flush"
    else:
        due = True
        because = f"the transcript has {size} bytes, {FORCED_BYTES} or more"
        if is_full:
            because = f"{tokens} tokens reach {threshold}"
    return _FlushCheck(flush=due, threshold=threshold, because=because)


def is_over(tokens: int, limits: FlushLimits, last: Fired) -> bool:
    """True when a compaction has happened since the last flush: the tokens are fewer than what called for it."""
    return not last.by_size and tokens < min(last.tokens, limits.threshold)


def _is_new(tokens: int, size: int, cycle: int | None, last: Fired, threshold: int) -> bool:
    if cycle is not None:
        return cycle != last.cycle
    # The transcript never shrinks: only its growth tells that time has passed.
    return last.by_size and (size - last.size >= FORCED_BYTES or tokens >= threshold > last.tokens)


# Whether a flush is due, remembered per session: `state/flush.json`, this machine's own.

FILE = "flush.json"
_MOST_SESSIONS = 500
_PATIENCE = 2.0


def flush_check(
    root: Root,
    tokens: int,
    *,
    window: int | None = None,
    reserve: int | None = None,
    soft: int | None = None,
    cycle: int | None = None,
    transcript: str = "",
    session: str = "",
) -> _FlushCheck:
    """Whether a host at this many tokens should flush before it compacts; yes once per compaction cycle."""
    settings = root.settings
    limits = FlushLimits(
        window=settings.context_window if window is None else window,
        reserve=settings.reserve_tokens if reserve is None else reserve,
        soft=settings.flush_soft_tokens if soft is None else soft,
    )
    size = 0
    if transcript:
        with suppress(OSError):
            size = os.stat(os.path.expanduser(transcript)).st_size
    session = session or transcript
    try:
        with _sessions(root.store) as held:
            kept = held.get(session, {})
            counted = _number(kept, "cycle") if cycle is None and "cycle" in kept else cycle
            last = _fired(kept)
            if last is not None and counted is None and is_over(tokens, limits, last):
                last = None
                held[session] = {}
            answer = check_flush(tokens, limits, size=size, cycle=counted, last=last)
            if answer.flush:
                begun = {"cycle": kept["cycle"]} if "cycle" in kept else {}
                fired = {"fired_cycle": counted or 0, "tokens": tokens, "size": size}
                held[session] = begun | fired | {"by_size": tokens < answer.threshold}
            return answer
    except MemoracleError as problem:
        # Nothing could be kept of a flush here, nor that it took place.
        return _FlushCheck(flush=False, threshold=limits.threshold, because=str(problem))


def begin_cycle(store: Store, session: str) -> None:
    """A compaction has happened: the next flush is another one."""
    with _sessions(store) as held:
        kept = held.get(session, {})
        held[session] = {**kept, "cycle": _number(kept, "cycle") + 1}


@contextmanager
def _sessions(store: Store) -> Iterator[dict[str, dict[str, Any]]]:
    """What is known of each session, to be changed in place; kept when it was."""
    name = store.state_name(FILE)
    with store.volume.locked(store.state_name("flush.lock"), timeout=_PATIENCE):
        before = read_document(store.volume, name).get("sessions")
        known = before if isinstance(before, dict) else {}
        held = {session: one for session, one in known.items() if isinstance(one, dict)}
        changed = {session: dict(one) for session, one in held.items()}
        yield changed
        if changed != held:
            newest = sorted(changed.items(), key=lambda one: one[1] != held.get(one[0]))
            write_document(store.volume, name, {"sessions": dict(newest[-_MOST_SESSIONS:])})


def _fired(kept: Mapping[str, Any]) -> Fired | None:
    if "fired_cycle" not in kept:
        return None
    return Fired(
        cycle=_number(kept, "fired_cycle"),
        tokens=_number(kept, "tokens"),
        size=_number(kept, "size"),
        by_size=kept.get("by_size") is True,
    )


def _number(kept: Mapping[str, Any], name: str) -> int:
    found = kept.get(name)
    return found if isinstance(found, int) else 0
