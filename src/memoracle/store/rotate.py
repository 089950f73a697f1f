"""Moving the working buffer into the note of the day, so that a kill at any step loses and doubles nothing.

The caller holds the lock. First the move is noted in `….pending`, then the note is written, then the lines leave the
buffer, then the pending file goes. Whoever comes next finishes what was begun. A pending file of another program is
plain text; its lines go the same way, and the file goes to the trash.
"""

from __future__ import annotations

import json
from datetime import date, datetime, tzinfo
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.model.ids import file_digest
from memoracle.model.report import Done, Finding, Severity, Step
from memoracle.model.value import as_fields, replace, value
from memoracle.store.archive import copy_to
from memoracle.store.buffer import PENDING, fresh_buffer, leftovers, parse, read_buffer, without_body
from memoracle.store.chunks import split_lines
from memoracle.store.jot import fresh_daily, place_of_day, rewrite
from memoracle.store.notes import inserted, read_text
from memoracle.store.store import Store
from memoracle.times import day_in, write_time

TOPIC = "Working buffer"
_NO_NOTE = "none"


@value
class BufferMove:
    """A rotation that was begun: which lines go under which heading of which day.

    `before` and `after` are the digests of the note without and with them.
    """

    day: date
    heading: str
    body: str
    before: str = ""
    after: str = ""


def rotate(store: Store, *, now: datetime, zone: tzinfo) -> Done:
    """Move everything the buffer holds into the note of today; what was begun before is finished first."""
    done = recover(store, now=now, zone=zone)
    held = read_buffer(store)
    if not held.body.strip():
        return done
    local = now.astimezone(zone)
    move = BufferMove(day=local.date(), heading=f"{local:%H:%M} {TOPIC}", body=held.body)
    pending = held.path + PENDING
    _note(store, pending, _with_digests(store, move))
    try:
        path = _write(store, move)
    except MemoracleError:
        store.volume.remove(pending)  # nothing has moved: the buffer is as it was
        raise
    _take_out(store, move.body, now)
    store.volume.remove(pending)
    because = f"{len(split_lines(move.body))} lines of the working buffer"
    return Done(steps=(*done.steps, Step(act="rotate", target=path, because=because)), findings=done.findings)


def recover(store: Store, *, now: datetime, zone: tzinfo) -> Done:
    """Finish what interrupted rotations left; what cannot be finished is told, and stays."""
    steps: list[Step] = []
    findings: list[Finding] = []
    for pending in leftovers(store):
        try:
            steps.append(_recover(store, pending, now=now, zone=zone))
        except MemoracleError as problem:
            findings.append(_stuck(pending, str(problem)))
    return Done(steps=tuple(steps), findings=tuple(findings))


def discard(store: Store, *, now: datetime) -> str:
    """Move the buffer to the trash and begin it anew; where it stands now, empty when nothing was in it."""
    held = read_buffer(store)
    if not held.body.strip():
        return ""
    name = write_time(now)[:19].replace(":", "").replace("-", "")
    kept = copy_to(store, held.path, f"{store.layout['trash']}/working-buffer-{name}.md")
    _take_out(store, held.body, now)
    return kept


def _recover(store: Store, pending: str, *, now: datetime, zone: tzinfo) -> Step:
    raw = store.volume.read(pending).decode("utf-8", "replace")
    move, ours = _read_move(raw), True
    if move is None:
        body = parse(pending, raw).body
        move, ours = BufferMove(day=day_in(zone, now), heading=f"{TOPIC}, recovered", body=body), False
    path = place_of_day(store, move.day)
    if move.body.strip():
        if not _stands_there(store, path, move):
            _write(store, move)
        if read_buffer(store).text:
            _take_out(store, move.body, now)
    if not ours:
        copy_to(store, pending, f"{store.layout['trash']}/{pending.rpartition('/')[2].lstrip('.')}")
    store.volume.remove(pending)
    return Step(act="recover", target=path, because="a rotation was interrupted; its lines stand there now")


def _write(store: Store, move: BufferMove) -> str:
    path = place_of_day(store, move.day)
    rewrite(
        store,
        path,
        lambda present: inserted(present, store.guard.hide(move.body), heading=move.heading),
        fresh=fresh_daily(store.layout_name, move.day),
    )
    return path


def _stands_there(store: Store, path: str, move: BufferMove) -> bool:
    """True when the note was written already. One that somebody changed since is looked through."""
    text, digest = read_text(store.volume, path)
    if move.after and (digest or _NO_NOTE) in {move.before, move.after}:
        return digest == move.after
    lines, run = split_lines(text), split_lines(store.guard.hide(move.body))
    heading = next((at for at, line in enumerate(lines) if line.strip() == f"## {move.heading}"), len(lines))
    return any(lines[at : at + len(run)] == run for at in range(heading, len(lines) - len(run) + 1))


def _take_out(store: Store, body: str, now: datetime) -> None:
    """Take the lines out of the buffer; when its owner has changed them since, they stay."""

    def change(present: str) -> str:
        left = without_body(present, body, now)
        return present if left is None else left

    rewrite(store, store.layout["buffer"], change, fresh=fresh_buffer(now))


def _with_digests(store: Store, move: BufferMove) -> BufferMove:
    text, digest = read_text(store.volume, place_of_day(store, move.day))
    present = fresh_daily(store.layout_name, move.day) if digest is None else text
    after = file_digest(inserted(present, store.guard.hide(move.body), heading=move.heading).encode())
    return replace(move, before=digest or _NO_NOTE, after=after)


def _note(store: Store, pending: str, move: BufferMove) -> None:
    document = as_fields(move) | {"day": move.day.isoformat()}
    content = json.dumps(document, ensure_ascii=False, indent=1)
    store.volume.replace(pending, content.encode() + b"\n")


def _read_move(raw: str) -> BufferMove | None:
    """The move that a pending file of ours notes; None for another program's."""
    try:
        held: dict[str, Any] = json.loads(raw)
        return BufferMove(
            day=date.fromisoformat(held["day"]),
            heading=str(held["heading"]),
            body=str(held["body"]),
            before=str(held["before"]),
            after=str(held["after"]),
        )
    except (ValueError, TypeError, LookupError, RecursionError):
        return None


def _stuck(path: str, because: str) -> Finding:
    return Finding(
        code="rotation-stuck",
        severity=Severity.WARNING,
        path=path,
        message=f"a rotation of the working buffer was interrupted and could not be finished: {because}",
        hint="its lines stand in this file; mend what is in the way, then `memoracle recover`",
    )
