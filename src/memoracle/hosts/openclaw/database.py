"""OpenClaw's transcripts of the database era: `agents/<agent>/agent/openclaw-agent.sqlite`.

The same entries as in the files, one per row of `transcript_events`; longer ones are packed (`event_zstd`: one frame of
Zstandard without a dictionary, its length beside it). The database belongs to a running
host: it is opened read-only; when nothing waits in its write-ahead log it is opened as immutable, which
takes no lock and makes no file beside it. A log without its shared memory (a copy, a crashed host) is
read from a temporary copy, because SQLite would otherwise create that file next to it. What kind of
session it was is asked of whichever tables this version has.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from memoracle.hosts.branches import Branches, BranchState, Reading, Watermark, digest
from memoracle.hosts.lines import Broken, parse
from memoracle.hosts.openclaw.transcript import OpenClawReader, kind_of
from memoracle.hosts.plain import Notes
from memoracle.model.claim import SessionKind, Turn

_PATIENCE = 2.0
_KIND_TABLES = ("session_windows", "sessions", "session_entries", "session_nodes")
_COUNTED_SESSIONS = ("session_id", "current_session_id")
_ZSTD = b"\x28\xb5\x2f\xfd"
_LARGEST_EVENT = 64 << 20  # the host itself packs nothing above 4 MiB


def read_database(path: Path, state: BranchState, watermark: Watermark | None) -> Reading:
    """The turns behind `watermark`, whose `offset` is the last row that was read."""
    try:
        return _read(path, state, watermark, calm=True)
    except sqlite3.Error:
        # The host may have written while the file was taken for immutable; ask properly, once.
        try:
            return _read(path, state, watermark, calm=False)
        except sqlite3.Error as error:
            notes = Notes(str(path))
            notes.add(Broken("unreadable-database", f"could not be read: {error}"))
            return Reading(watermark=watermark, findings=notes.all())


def _read(path: Path, state: BranchState, watermark: Watermark | None, *, calm: bool) -> Reading:
    notes = Notes(str(path))
    with opened(path, calm=calm) as database:
        if not _columns(database, "transcript_events"):
            notes.add(Broken("unknown-shape", "the database holds no transcripts"))
            return Reading(watermark=watermark, findings=notes.all())
        order = _row_name(database)
        rows, mark = _row(database, "ORDER BY rowid DESC LIMIT 1") if order else (0, "")
        after = None  # the row to go on from; none when the database is another one or has lost that row
        if watermark is not None and order:
            known = _row(database, "WHERE rowid = ?", watermark.offset)
            is_same = bool(known[1]) and known == (watermark.offset, watermark.tail)
            after = watermark.offset if is_same else None
        turns: list[Turn] = []
        withdrawn: list[str] = []
        kinds = _kinds(database)
        query = "SELECT DISTINCT session_id FROM transcript_events WHERE {} ORDER BY session_id"
        changed = query.format("1" if after is None else "rowid > ?")
        for (session,) in database.execute(changed, () if after is None else (after,)).fetchall():
            if not isinstance(session, str):
                continue
            memo = {"session": session, "kind": kinds.get(session, SessionKind.INTERACTIVE).value}
            columns = f"{order or 'seq'}, {_event(database)}"
            query = f"SELECT {columns} FROM transcript_events WHERE session_id = ? ORDER BY seq"  # noqa: S608
            events, reader = database.execute(query, (session,)), OpenClawReader(str(path), memo)
            fresh, gone = _session(events, reader, after, notes)
            turns += fresh
            withdrawn += gone
    return Reading(
        turns=tuple(turns),
        findings=notes.all(),
        withdrawn=tuple(withdrawn),
        whole=after is None,
        watermark=Watermark(
            path=str(path),
            shape="openclaw-db",
            **state._asdict(),
            offset=rows,
            tail=mark,
        ),
    )


@contextmanager
def opened(path: Path, *, calm: bool) -> Iterator[sqlite3.Connection]:
    """The database, read only; a log without its index is read in a copy."""
    log, shared = Path(f"{path}-wal"), Path(f"{path}-shm")
    waiting = log.exists() and log.stat().st_size > 0
    if waiting and not shared.exists():
        with tempfile.TemporaryDirectory(prefix="memoracle-") as folder:
            copy = Path(folder, path.name)
            shutil.copyfile(path, copy)
            shutil.copyfile(log, f"{copy}-wal")
            with closing(_connect(copy, "mode=ro")) as database:
                yield database
        return
    is_calm = calm and not waiting and not Path(f"{path}-journal").exists()
    options = "mode=ro&immutable=1" if is_calm else "mode=ro"
    with closing(_connect(path, options)) as database:
        yield database


def _connect(path: Path, options: str) -> sqlite3.Connection:
    database = sqlite3.connect(
        f"file:{quote(str(path.resolve()))}?{options}", uri=True, timeout=_PATIENCE, isolation_level=None
    )
    database.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return database


def _columns(database: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in database.execute(f"PRAGMA table_info({table})")}


def _row_name(database: sqlite3.Connection) -> str | None:
    """`rowid`, or None for a table made without it, which is then read whole each time."""
    try:
        database.execute("SELECT rowid FROM transcript_events LIMIT 1").fetchall()
    except sqlite3.OperationalError:
        return None
    return "rowid"


def _row(database: sqlite3.Connection, which: str, *values: int) -> tuple[int, str]:
    """The number of a row and a digest of what identifies it; none is 0."""
    query = f"SELECT rowid, session_id, seq FROM transcript_events {which}"  # noqa: S608
    row = database.execute(query, values).fetchone()
    return (0, "") if row is None else (row[0], digest(repr(row).encode()))


def _event(database: sqlite3.Connection) -> str:
    """The columns of an event: its text, and what it is packed in where this version packs."""
    return (
        "event_json, event_zstd"
        if "event_zstd" in _columns(database, "transcript_events")
        else "event_json, NULL"
    )


def _bytes_of(event: object, packed: object) -> bytes | None:
    """An event as it was written; None when nobody can unpack it. A copy of ours holds packed ones unpacked."""
    if isinstance(event, str):
        return event.encode("utf-8", "replace")
    if not isinstance(packed, bytes):
        return None
    if not packed.startswith(_ZSTD):
        return packed
    from memoracle.zstd import unpack

    try:
        return unpack(packed, _LARGEST_EVENT)
    except ValueError:
        return None


def rows_before(path: Path, row: int, most: int) -> list[bytes]:
    """The events before a row, the last ones first."""
    with opened(path, calm=False) as database:
        columns = _event(database)
        query = f"SELECT {columns} FROM transcript_events WHERE rowid < ? ORDER BY rowid DESC LIMIT ?"  # noqa: S608
        return [raw for found in database.execute(query, (row, most)) if (raw := _bytes_of(*found))]


def holds(path: Path, session: str) -> bool:
    """True when a session, by its id or its key, has been written into this database."""
    try:
        with opened(path, calm=False) as database:
            return any(
                database.execute(f"SELECT 1 FROM {table} WHERE {name} = ? LIMIT 1", (session,)).fetchone()  # noqa: S608
                for table in ("transcript_events", *_KIND_TABLES)
                for name in ("session_id", "session_key")
                if name in _columns(database, table)
            )
    except (OSError, sqlite3.Error):
        return False


def _session(
    events: Iterable[tuple[int, object, object]], reader: OpenClawReader, after: int | None, notes: Notes
) -> tuple[list[Turn], list[str]]:
    """The turns of one session that are new behind row `after`, and the ids that it has abandoned."""
    branches = Branches()
    earlier: set[str] | None = None
    for row, event, packed in events:
        if after is not None and earlier is None and row > after:
            earlier = {turn.id for turn in branches.live()}
        raw = _bytes_of(event, packed)
        entry, broken = (None, _PACKED) if raw is None else parse(raw)
        if broken is not None:
            notes.add(broken, row)
        for step in (reader.steps(entry, row, notes.add) if entry is not None else None) or ():
            branches.grow(step)
    live = branches.live()
    known = earlier or set()
    return [turn for turn in live if turn.id not in known], sorted(known - {turn.id for turn in live})


_PACKED = Broken("packed-event", "the event is stored compressed, and cannot be unpacked")


def _kinds(database: sqlite3.Connection) -> dict[str, SessionKind]:
    """The kind of each session, from the tables that this version of the host has."""
    kinds: dict[str, SessionKind] = {}
    for table in _KIND_TABLES:
        columns = _columns(database, table)
        session = next((name for name in _COUNTED_SESSIONS if name in columns), None)
        if session is None or "session_key" not in columns:
            continue
        chat = "chat_type" if "chat_type" in columns else "''"
        spawned = "spawned_by" if "spawned_by" in columns else "NULL"
        query = f"SELECT {session}, session_key, {chat}, {spawned} FROM {table}"  # noqa: S608
        for name, key, chat_type, spawned_by in database.execute(query):
            if isinstance(name, str) and isinstance(key, str):
                found = kind_of(key, chat=str(chat_type or ""), spawned=bool(spawned_by))
                if kinds.get(name) in {None, SessionKind.INTERACTIVE}:
                    kinds[name] = found
    return kinds
