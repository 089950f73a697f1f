"""What has grown old moves to the archive: conversations that were read to their end, daily notes, receipts.

A note's age is the day in its name, a conversation's the day in its name or of its last change; no copying
or restoring makes a note younger. Nothing is deleted, and nothing that was not read leaves its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from memoracle.errors import Conflict, MemoracleError
from memoracle.model.record import EVERLASTING, Law, Status
from memoracle.model.report import Done, Finding, Severity, Step
from memoracle.model.value import value
from memoracle.store.archive import followed, relink, retire, retire_session
from memoracle.store.layouts import NoteRole, resolve
from memoracle.store.notes import date_of, read_text
from memoracle.store.volume import PACKED
from memoracle.times import day_in, write_time

if TYPE_CHECKING:
    from memoracle.model.search import Passage, Standing
    from memoracle.store.store import Store

# What age does: records that ended, expired or faded leave the active set. Nothing is lost by it.

RETIRED_BELOW = 0.2
"""A belief less sure than this is put away."""


def plan_ageing(standing: Sequence[Standing], law: Law, now: datetime, *, most_active: int) -> list[Step]:
    """Who leaves the active set, and why; the weakest go first when there are too many."""
    active = [one for one in standing if one.passage.status is Status.ACTIVE]
    steps = [
        Step(act="archive", target=one.passage.ref, because=why)
        for one in active
        if (why := _why(one, law, now))
    ]
    gone = {step.target for step in steps}
    return steps + _over_the_cap([one for one in active if one.passage.ref not in gone], most_active)


def never_leaves(passage: Passage) -> bool:
    """True for what no age can take out of the live set."""
    return passage.pinned or passage.kind in EVERLASTING


def _why(one: Standing, law: Law, now: datetime) -> str:
    passage, validity = one.passage, one.passage.validity
    if validity.expires is not None and validity.expires <= now:
        return f"it expired on {write_time(validity.expires)[:10]}"
    if validity.until is not None and validity.until <= now:
        return f"it held until {write_time(validity.until)[:10]}"
    if never_leaves(passage):
        return ""
    if passage.kind == "belief" and passage.confidence < RETIRED_BELOW:
        return f"nobody is sure of it any more: confidence {passage.confidence:.2f}"
    if one.activation < law.archive_below:
        return f"it has faded: activation {one.activation:.3f} is below {law.archive_below:g}"
    return ""


def _over_the_cap(active: Sequence[Standing], most: int) -> list[Step]:
    too_many = len(active) - most
    if too_many <= 0:
        return []
    may_go = [one for one in active if not never_leaves(one.passage) and one.passage.importance < 1.0]
    weakest = sorted(may_go, key=lambda one: (one.activation, one.passage.importance, one.passage.ref))
    because = f"the weakest of more than {most:,} active records"
    return [Step(act="archive", target=one.passage.ref, because=because) for one in weakest[:too_many]]


Finished = Callable[[str], bool]
"""True for a registered conversation, named by its path, that was read to its end and learned from."""

_YEAR = 365
_DAILY_OF = {"v4": 30}


@value
class Retention:
    """After how many days conversations and daily notes leave their place."""

    sessions: int = 30
    daily: int = _YEAR


@value
class _Move:
    """One file that has grown old."""

    act: str
    source: str
    target: str
    because: str
    day: date | None = None


def daily_days(layout: str, chosen: int) -> int:
    """For how many days daily notes stay where they are: as chosen, or as the layout has it when 0 is."""
    return chosen or _DAILY_OF.get(layout, _YEAR)


def retain(
    store: Store,
    *,
    now: datetime,
    zone: tzinfo,
    retention: Retention,
    finished: Finished,
    dry_run: bool = False,
    between: Callable[[str], None] = lambda _: None,
    tend_all: bool = False,
) -> Done:
    """Move everything that is due, or only say what. The caller holds the lock.

    What stood in a directory before it was adopted stays until its owner agrees; `tend_all` takes that for given.
    `between` is told each target while its file stands in both places.
    """
    today = day_in(zone, now)
    moves = [
        *_sessions(store, today - timedelta(days=retention.sessions), finished),
        *_notes(store, today - timedelta(days=retention.daily), today - timedelta(days=_YEAR)),
        *_colder(store, today - timedelta(days=_YEAR)),
        *_receipts(store, today - timedelta(days=_YEAR)),
    ]
    adopted = store.adopted()
    if adopted is not None and not (tend_all or adopted.may_tend(now)):
        found = day_in(zone, adopted.at)
        moves = [move for move in moves if move.day is None or move.day > found]
    steps: list[Step] = []
    findings: list[Finding] = []
    for move in moves:
        try:
            target = move.target if dry_run else _carry_out(store, move, findings, between)
        except Conflict:
            continue  # its owner is writing it: it is not that old
        except MemoracleError as problem:
            says = f"it has grown old and could not be moved: {problem}"
            told = Finding(code="not-archived", severity=Severity.WARNING, path=move.source, message=says)
            findings.append(told)
            continue
        steps.append(Step(act=move.act, target=move.source, because=f"{move.because}; to {target}"))
    return Done(steps=tuple(steps), findings=tuple(findings))


def _carry_out(store: Store, move: _Move, findings: list[Finding], between: Callable[[str], None]) -> str:
    if move.act == "archive session":
        return retire_session(store, move.source, move.target, between=between)
    if move.act == "pack receipts":
        return retire(store, move.source, move.target, between=between)
    # The notes that may link to it: all live ones, and those in the archive that are not packed.
    notes = (*store.notes.files(), *store.volume.walk(store.layout["archive"], (".md",)))
    others = [path for path in notes if path != move.source]

    def follow(target: str) -> None:
        findings.extend(relink(store.volume, others, source=move.source, target=target))
        between(target)

    return retire(store, move.source, move.target, content=_moved_text(store, move), between=follow)


def _moved_text(store: Store, move: _Move) -> bytes | None:
    """The note with its own links adapted to the new place; None for one that is moved byte by byte."""
    try:
        text, _ = read_text(store.volume, move.source)
    except MemoracleError:
        return None
    changed = followed(
        text,
        source=move.source,
        target=move.target,
        exists=lambda path: os.path.lexists(os.path.join(store.root, path)),
    )
    return changed.encode() if changed != text else None


def _sessions(store: Store, before: date, finished: Finished) -> Iterable[_Move]:
    folder = store.layout["sessions"]
    known = store.sessions.by_path()
    by_copy = {one.copy: one.path for one in known.values() if one.copy}
    by_place = {os.path.realpath(path): path for path, one in known.items() if one.here}
    for source in store.volume.walk(folder, (".jsonl", PACKED)):
        path = by_copy.get(source) or by_place.get(store.place(source))
        day = date_of(source) or _changed_on(store.place(source))
        if day < before and path is not None and finished(path):
            name = os.path.basename(source)
            target = f"{store.layout['archive']}/sessions/{name}" + ("" if name.endswith(PACKED) else PACKED)
            because = f"it is of {day} and was read"
            yield _Move(act="archive session", source=source, target=target, because=because, day=day)


def _notes(store: Store, before: date, packed_before: date) -> Iterable[_Move]:
    for source in sorted(store.notes.files(NoteRole.DAILY)):
        day = date_of(source)
        if day is not None and day < before:
            folder = os.path.dirname(resolve(store.layout, "archived_daily", date=day.isoformat()))
            ending = PACKED if day < packed_before else ""
            target = f"{folder}/{os.path.basename(source)}{ending}"
            yield _Move(act="archive note", source=source, target=target, because=f"it is of {day}", day=day)


def _colder(store: Store, before: date) -> Iterable[_Move]:
    """Daily notes that were archived as they are and have become a year old."""
    fixed = store.layout["archived_daily"].partition("{")[0].rpartition("/")[0]
    for source in store.volume.walk(fixed, (".md",)):
        day = date_of(source)
        if day is not None and day < before:
            because = f"it is of {day}"
            yield _Move(act="pack note", source=source, target=source + PACKED, because=because, day=day)


def _receipts(store: Store, before: date) -> Iterable[_Move]:
    for source in store.volume.walk(os.path.dirname(store.layout["usage"]), (".jsonl",)):
        month = os.path.basename(source).removesuffix(".jsonl")
        if month < before.isoformat()[:7]:
            because = f"they are of {month}"
            yield _Move(act="pack receipts", source=source, target=source + PACKED, because=because)


def _changed_on(path: str) -> date:
    try:
        return datetime.fromtimestamp(os.stat(path, follow_symlinks=False).st_mtime, UTC).date()
    except OSError:
        return date.max
