"""Whether a flush is due, remembered per session: `state/flush.json`, this machine's own.

Cycles are counted by the hooks of a host that tells of its compactions, or named by the caller. Without either, fewer
tokens than called for the last flush mean that a compaction has happened since.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError
from memoracle.learn.flush import Fired, FlushCheck, Limits, check_flush, flush_threshold, is_over
from memoracle.store.volume import read_document, write_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memoracle.root import Root
    from memoracle.store.store import Store

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
) -> FlushCheck:
    """Whether a host at this many tokens should flush before it compacts; yes once per compaction cycle."""
    settings = root.settings
    limits = Limits(
        window=settings.context_window if window is None else window,
        reserve=settings.reserve_tokens if reserve is None else reserve,
        soft=settings.flush_soft_tokens if soft is None else soft,
    )
    size = 0
    if transcript:
        with suppress(OSError):
            size = os.stat(os.path.expanduser(transcript)).st_size
    return _check(root.store, tokens, limits, session=session or transcript, size=size, cycle=cycle)


def _check(
    store: Store, tokens: int, limits: Limits, *, session: str, size: int, cycle: int | None
) -> FlushCheck:
    """Whether to flush now; a yes is given once per cycle."""
    try:
        with _sessions(store) as held:
            kept = held.get(session, {})
            counted = cycle if cycle is not None else _number(kept, "cycle") if "cycle" in kept else None
            last = _fired(kept)
            if last is not None and counted is None and is_over(tokens, limits, last):
                last = None
                held[session] = {}
            answer = check_flush(tokens, limits, size=size, cycle=counted, last=last)
            if answer.flush:
                fired = {"fired_cycle": counted or 0, "tokens": tokens, "size": size}
                held[session] = (
                    {name: kept[name] for name in ("cycle",) if name in kept}
                    | fired
                    | {"by_size": tokens < answer.threshold}
                )
            return answer
    except MemoracleError as problem:
        # Nothing could be kept of a flush here, nor that it took place.
        return FlushCheck(flush=False, threshold=flush_threshold(limits), because=str(problem))


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
        held = (
            {name: one for name, one in before.items() if isinstance(one, dict)}
            if isinstance(before, dict)
            else {}
        )
        changed = {name: dict(one) for name, one in held.items()}
        yield changed
        if changed != held:
            newest = [*(name for name in changed if changed[name] == held.get(name))]
            newest += [name for name in changed if changed[name] != held.get(name)]
            write_document(
                store.volume, name, {"sessions": {name: changed[name] for name in newest[-_MOST_SESSIONS:]}}
            )


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
