"""The consolidation log: what each run was given, `state/runs.jsonl`, one line per act, in the order they happened.

With it runs can be replayed without some of what they were given (`forget --session`), as exactly as they went the
first time. This machine's own, like the watermarks. A line that cannot be read is passed over. The words of what is
forgotten leave it too. A memory that has one by its older name, `heard.jsonl`, goes on in that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memoracle.model.claim import Claim
from memoracle.model.ids import file_digest
from memoracle.model.value import from_plain, to_plain, value
from memoracle.store.inbox import says_one_of
from memoracle.store.volume import json_line, parsed_lines, read_document
from memoracle.times import moment_in

if TYPE_CHECKING:
    from memoracle.store.store import Store

_RUNS, _OLDER = "runs.jsonl", "heard.jsonl"


class RunAct(StrEnum):
    """What a run did with what is known."""

    MEET = "meet"
    """Claims and typed records met it; then it was compressed and summarised."""
    FLUSH = "flush"
    """Claims met it, and nothing else was done."""
    AGE = "age"
    """Age took some of it out of the active set."""


@value
class RunEntry:
    """One act of one run. `understood` is up to when typed records had been read before it.

    `after` is the running count of this machine's writer at that moment: it orders what happened at the same time.
    """

    operation: str
    at: datetime
    act: RunAct = RunAct.MEET
    after: int = 0
    understood: datetime | None = None
    claims: tuple[Claim, ...] = ()


def log_run(
    store: Store,
    act: RunAct,
    *,
    operation: str,
    at: datetime,
    understood: datetime | None = None,
    claims: Sequence[Claim] = (),
) -> None:
    """Write one down, durably, before what comes of it. The caller holds the lock."""
    entry = RunEntry(
        operation=operation,
        at=at,
        act=act,
        after=store.noted_count()[1],
        understood=understood,
        claims=tuple(claims),
    )
    store.volume.append({log_name(store): json_line(to_plain(entry))})


def log_name(store: Store) -> str:
    """The file of the log."""
    older = store.state_name(_OLDER)
    return older if store.volume.has(older) else store.state_name(_RUNS)


def read_run_log(store: Store) -> list[RunEntry]:
    """Every act that was logged, in order."""
    return [one for _, one in parsed_lines(store.volume.read(log_name(store)), _entry) if one]


def strike_claims(store: Store, is_gone: Callable[[Claim], bool]) -> int:
    """Take claims out of every entry; how many went is returned. The caller holds the lock."""
    gone = 0
    kept: list[bytes] = []
    content = store.volume.read(log_name(store))
    for raw, entry in parsed_lines(content, _entry):
        if entry is None or not any(map(is_gone, entry.claims)):
            kept.append(raw + b"\n")
            continue
        staying = tuple(claim for claim in entry.claims if not is_gone(claim))
        gone += len(entry.claims) - len(staying)
        kept.append(json_line(to_plain(entry) | {"claims": to_plain(staying)}))
    if gone:
        store.volume.replace(log_name(store), b"".join(kept), expected=file_digest(content))
    return gone


def strike_words(store: Store, texts: Sequence[str]) -> int:
    """Take claims out that say one of these texts: what is forgotten is not replayed."""

    def is_gone(claim: Claim) -> bool:
        return says_one_of([claim.draft.statement.text, claim.draft.statement.value], texts)

    return strike_claims(store, is_gone) if texts else 0


def _entry(plain: Any) -> RunEntry:
    return from_plain(RunEntry, plain)


# Where a consolidation stands: `state/consolidation.json`, replaced whole after each phase.
#
# This machine's own: the watermarks name transcripts where this machine keeps them. Losing the file means reading the
# transcripts again, and what was kept from them is recognised.

_SCHEMA = 1


def read_checkpoint(store: Store) -> dict[str, Any]:
    """What was written last; an absent or unreadable file is an empty one."""
    try:
        held = json.loads(store.volume.read(_name(store)) or b"{}")
    except ValueError:
        return {}
    return held if isinstance(held, dict) else {}


def write_checkpoint(store: Store, fields: Mapping[str, Any]) -> None:
    """Put a new state in place of the old one, durably."""
    kept = {name: item for name, item in fields.items() if name != "schema"}
    store.volume.replace(_name(store), json_line({**kept, "schema": _SCHEMA}))


def last_finished(store: Store) -> datetime | None:
    """When a consolidation of ours last came to its end.

    Where the file is a design's, its own program writes `last_success` too, and has learnt from no conversation.
    """
    name = "finished" if "consolidation" in store.layout else "last_success"
    return moment_in(read_checkpoint(store).get(name))


def drop_work(store: Store) -> int:
    """Forget what an interrupted run held: its sentences may be the ones that must not be kept. Nothing is lost.

    The watermarks have not moved, so the next run reads them again; how many lines changed is returned.
    """
    held = read_checkpoint(store)
    if not held.get("phase_data"):
        return 0
    write_checkpoint(store, held | {"current_phase": None, "phase_data": {}})
    return 1


def run_lock(store: Store) -> str:
    """The file whose lock a running consolidation holds."""
    return store.state_name("consolidation.lock")


def flush_lock(store: Store) -> str:
    """The file whose lock a running flush holds as well."""
    return store.state_name("flushing.lock")


def _name(store: Store) -> str:
    is_named = "consolidation" in store.layout
    return store.name("consolidation") if is_named else store.state_name("consolidation.json")


# What of this memory was told to be wrong: `state/alerts.json`, written by upkeep, read by what its owner looks at.

ALERTS, CRITICAL = "alerts.json", "critical"


def read_alerts(store: Store) -> dict[str, dict[str, Any]]:
    """What is wrong by the last run of upkeep, by the name of its check."""
    held = read_document(store.volume, store.state_name(ALERTS)).get("open")
    rows = held.items() if isinstance(held, dict) else ()
    return {str(name): row for name, row in rows if isinstance(row, dict)}


def critical_now(store: Store) -> str:
    """The names of the checks that are critical, and since when; empty when none is."""
    bad = {name: row for name, row in read_alerts(store).items() if row.get("grade") == CRITICAL}
    since = min((str(row.get("since", ""))[:10] for row in bad.values()), default="")
    return f"{', '.join(bad)} since {since}" if bad else ""


def critical_on(store: Store) -> Mapping[str, str]:
    """The days on which something was told to be critical, and what."""
    held = read_document(store.volume, store.state_name(ALERTS)).get("critical_on")
    return {str(day): str(what) for day, what in held.items()} if isinstance(held, dict) else {}
