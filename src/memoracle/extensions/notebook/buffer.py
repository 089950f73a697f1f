"""The working buffer: written before a reply, moved into the note of the day when it is full.

What is added is on disk when `buffer` returns, whatever else goes wrong. Text passes the guard first. Every act but
`show` finishes what an interrupted rotation left.

A kill at any step of a rotation loses and doubles nothing (a write-ahead record): first the move is noted in
`….pending`, then the note is written, then the lines leave the buffer, then the pending file goes. Whoever comes next
finishes what was begun. A pending file of another program is plain text; its lines go the same way, and the file goes
to the trash.
"""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, MemoracleError
from memoracle.extensions.notebook.editing import bullet, guarded, rewrite
from memoracle.model.ids import file_digest
from memoracle.model.report import Done, Finding, Severity, Step
from memoracle.model.value import as_fields, replace, value
from memoracle.store.archive import copy_to
from memoracle.store.chunks import split_lines
from memoracle.store.daily import (
    HEADER_LINES,
    MOMENT,
    PENDING,
    STALE_AFTER,
    WorkingBuffer,
    fresh_daily,
    leftovers,
    parse,
    place_of_day,
    read_buffer,
)
from memoracle.store.notes import inserted, read_text
from memoracle.times import day_in, write_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.root import Root
    from memoracle.store.store import Store

TITLE = "# Working Buffer"
_ACTS = ("show", "add", "rotate", "clear")
_TOPIC = "Working buffer"
_NO_NOTE = "none"


@value
class Buffered:
    """The working buffer after an act, and what the act did: `line` of what was added, `steps` it took."""

    act: str
    path: str
    line: int | None = None
    lines: int = 0
    items: int = 0
    entries: tuple[str, ...] = ()
    stale: bool = False
    steps: tuple[Step, ...] = ()
    warnings: tuple[str, ...] = ()


@value
class _Move:
    """A rotation that was begun: which lines go under which heading of which day.

    `before` and `after` are the digests of the note without and with them.
    """

    day: date
    heading: str
    body: str
    before: str = ""
    after: str = ""


def buffer(root: Root, act: str = "show", text: str = "", *, defer: bool = False) -> Buffered:
    """The working buffer: `show`, `add`, `rotate` or `clear`. What is added is on disk when this returns."""
    if act not in _ACTS:
        raise BadInput(f"`{act}` is nothing a buffer can do", f"one of: {', '.join(_ACTS)}")
    if act == "show":
        return _shown(root, act)
    now = root.clock()
    if act == "add":
        return _add(root, text, now, defer=defer)
    with root.store.writing():
        if act == "rotate":
            done = rotate(root.store, now=now, zone=root.zone)
        else:
            done = recover(root.store, now=now, zone=root.zone)
            if kept := discard(root.store, now=now):
                done = Done(
                    steps=(
                        *done.steps,
                        Step(act="clear", target=kept, because="it was moved to the trash"),
                    ),
                    findings=done.findings,
                )
        return _shown(root, act, steps=done.steps, warnings=[finding.message for finding in done.findings])


def _add(root: Root, text: str, now: datetime, *, defer: bool) -> Buffered:
    item = bullet(guarded(root.guard, {"text": text})["text"])
    told = list(root.guard.warnings(text))
    steps: tuple[Step, ...] = ()
    with root.store.writing():
        try:
            done = recover(root.store, now=now, zone=root.zone)
            if not defer and _would_be_full(root, item):
                done = rotate(root.store, now=now, zone=root.zone)
            steps = done.steps
            told += [finding.message for finding in done.findings]
        except MemoracleError as problem:
            told.append(f"the buffer is full and could not be moved into the note of today: {problem}")
        line = _append(root.store, item, now=now)
        return _shown(root, "add", line=line, steps=steps, warnings=told)


def _would_be_full(root: Root, item: str) -> bool:
    held = read_buffer(root.store)
    if not held.body.strip():
        return False  # a single item may be as long as it is
    fence = "" if held.text.endswith("\n") else "\n"
    would_be = parse(held.path, f"{held.text}{fence}{item}\n")
    return is_full(would_be, lines=root.settings.buffer_lines, items=root.settings.buffer_items)


def is_full(held: WorkingBuffer, *, lines: int, items: int) -> bool:
    """True when it has more lines or more items than it should; at a limit is fine."""
    return held.lines > lines or held.items > items


def _shown(
    root: Root, act: str, *, line: int | None = None, steps: Sequence[Step] = (), warnings: Sequence[str] = ()
) -> Buffered:
    held = read_buffer(root.store)
    return Buffered(
        act=act,
        path=held.path,
        line=line,
        lines=held.lines,
        items=held.items,
        entries=tuple(root.guard.hide(text) for _, text in held.entries),
        stale=held.is_stale(root.clock()),
        steps=tuple(steps),
        warnings=tuple(warnings),
    )


def _append(store: Store, item: str, *, now: datetime) -> int:
    """Put an item at the end; the number of its first line. It is durable when this returns."""
    path = store.layout["buffer"]
    first = 0

    def change(present: str) -> str:
        nonlocal first
        held = _touched(present, now)
        before = held if held.endswith("\n") else held + "\n"
        first = before.count("\n") + 1
        return before + item.strip("\n") + "\n"

    rewrite(store, path, change, fresh=_fresh(now))
    return first


def _fresh(now: datetime) -> str:
    """The four lines a buffer begins with."""
    return f"{TITLE}\ncreated: {write_time(now)}\nlast_active: {write_time(now)}\n\n"


def _touched(text: str, now: datetime) -> str:
    """The text with the moment of its last use in the header; a buffer without one gets it under its own title."""
    lines = text.removeprefix("\ufeff").split("\n")
    for at, line in enumerate(lines[:HEADER_LINES]):
        if (found := MOMENT.match(line)) and found[1].casefold() == "last_active":
            lines[at] = f"last_active: {write_time(now)}"
            return "\n".join(lines)
    title = lines.pop(0).rstrip("\r") if lines[0].startswith("# ") else TITLE
    kept = "\n".join(lines).lstrip("\r\n")
    return _fresh(now).replace(TITLE, title, 1) + kept


def rotate(store: Store, *, now: datetime, zone: tzinfo) -> Done:
    """Move everything the buffer holds into the note of today; what was begun before is finished first."""
    done = recover(store, now=now, zone=zone)
    held = read_buffer(store)
    if not held.body.strip():
        return done
    local = now.astimezone(zone)
    move = _Move(day=local.date(), heading=f"{local:%H:%M} {_TOPIC}", body=held.body)
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


def rotate_when_due(
    store: Store, *, most: int, now: datetime, zone: tzinfo, stale: bool = False, dry_run: bool = False
) -> Done:
    """Rotate a buffer of more lines than that, or with `stale` any that waits; one that is in use is left alone."""
    held = read_buffer(store)
    is_busy = held.active is not None and timedelta(0) <= now - held.active <= STALE_AFTER
    if is_busy or not held.body.strip() or not (held.lines > most or (stale and held.is_stale(now))):
        return Done()
    if dry_run:
        because = f"its {held.lines} lines move into the note of today"
        return Done(steps=(Step(act="rotate", target=held.path, because=because),))
    return rotate(store, now=now, zone=zone)


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
        move, ours = _Move(day=day_in(zone, now), heading=f"{_TOPIC}, recovered", body=body), False
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


def _write(store: Store, move: _Move) -> str:
    path = place_of_day(store, move.day)
    rewrite(
        store,
        path,
        lambda present: inserted(present, store.guard.hide(move.body), heading=move.heading),
        fresh=fresh_daily(store.layout_name, move.day),
    )
    return path


def _stands_there(store: Store, path: str, move: _Move) -> bool:
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
        held = parse("", present)
        if held.body == body:
            title = present.removeprefix("\ufeff").partition("\n")[0].rstrip("\r")
            return _fresh(now).replace(TITLE, title if title.startswith("# ") else TITLE, 1)
        lines, run = split_lines(present), split_lines(body)
        for at in range(len(lines) - len(run) + 1):
            if lines[at : at + len(run)] == run:
                left = "\n".join([*lines[:at], *lines[at + len(run) :]])
                return left.removesuffix("\n") + "\n"
        return present

    rewrite(store, store.layout["buffer"], change, fresh=_fresh(now))


def _with_digests(store: Store, move: _Move) -> _Move:
    text, digest = read_text(store.volume, place_of_day(store, move.day))
    present = fresh_daily(store.layout_name, move.day) if digest is None else text
    after = file_digest(inserted(present, store.guard.hide(move.body), heading=move.heading).encode())
    return replace(move, before=digest or _NO_NOTE, after=after)


def _note(store: Store, pending: str, move: _Move) -> None:
    document = as_fields(move) | {"day": move.day.isoformat()}
    content = json.dumps(document, ensure_ascii=False, indent=1)
    store.volume.replace(pending, content.encode() + b"\n")


def _read_move(raw: str) -> _Move | None:
    """The move that a pending file of ours notes; None for another program's."""
    try:
        held: dict[str, Any] = json.loads(raw)
        return _Move(
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
