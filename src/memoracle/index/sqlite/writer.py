"""Files in, rows out. Everything here runs inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from typing import Any

from memoracle.clock import write_time
from memoracle.index.api import Progress
from memoracle.index.sqlite.rows import (
    COLUMNS,
    INSERT,
    indexed,
    passage_names,
    passage_row,
    record_names,
    record_row,
)
from memoracle.model.ids import file_digest
from memoracle.model.manifest import FileState, Loaded, Role

_CHUNK = 5000
_TEXT = {name: COLUMNS.index(name) for name in ("who", "title", "text", "tags")}


def apply(connection: sqlite3.Connection, state: FileState, loaded: Loaded, progress: Progress) -> None:
    """Take in what a file says, and remember how far it was read."""
    if loaded.whole:
        connection.execute("DELETE FROM findings WHERE path = ?", (loaded.path,))
    if loaded.role is Role.RECORDS:
        _apply_records(connection, loaded, progress)
    elif loaded.role is Role.USAGE:
        _apply_uses(connection, loaded)
    else:
        _apply_passages(connection, loaded)
    connection.executemany(
        "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?)",
        [(f.path, f.line, f.code, f.severity.value, f.message, f.hint) for f in loaded.findings],
    )
    _remember(connection, state, loaded)


def drop(connection: sqlite3.Connection, path: str) -> None:
    """Forget a file that is gone."""
    touched = {
        ref for (ref,) in connection.execute("SELECT DISTINCT ref FROM passages WHERE path = ?", (path,))
    }
    _remove(
        connection,
        [row for (row,) in connection.execute("SELECT rowid FROM passages WHERE path = ?", (path,))],
    )
    _settle(connection, touched)
    for table in ("files", "uses", "findings"):
        connection.execute(f"DELETE FROM {table} WHERE path = ?", (path,))  # noqa: S608


def _apply_records(connection: sqlite3.Connection, loaded: Loaded, progress: Progress) -> None:
    held: dict[str, list[tuple[int, int]]] = {}
    if loaded.whole:
        rows = connection.execute(
            "SELECT digest, rowid, first_line FROM passages WHERE path = ?", (loaded.path,)
        )
        for digest, row, line in rows:
            held.setdefault(digest, []).append((row, line))
    fresh, moved = [], []
    for version in loaded.versions:
        places = held.get(version.digest)
        if not places:
            fresh.append(version)
            continue
        row, line = places.pop()
        if line != version.line:
            moved.append((version.line, version.line, row))
    connection.executemany("UPDATE passages SET first_line = ?, last_line = ? WHERE rowid = ?", moved)
    gone = [row for places in held.values() for row, _ in places]
    _settle(connection, _remove(connection, gone))
    done = 0
    remaining = iter(fresh)
    while batch := list(islice(remaining, _CHUNK)):
        if done:
            # Readers see the view fill while it is rebuilt: each batch is committed on its own.
            connection.execute("COMMIT")
            connection.execute("BEGIN IMMEDIATE")
        names = [record_names(version.record) for version in batch]
        _insert(connection, [record_row(loaded.path, version) for version in batch], names)
        _settle(connection, {version.record.id for version in batch})
        done += len(batch)
        progress(done, len(fresh))


def _apply_passages(connection: sqlite3.Connection, loaded: Loaded) -> None:
    rows = connection.execute("SELECT rowid FROM passages WHERE path = ?", (loaded.path,))
    _remove(connection, [row for (row,) in rows])
    fresh = [passage_row(passage, file_digest(passage.text.encode())) for passage in loaded.passages]
    _insert(connection, fresh, [passage_names(passage) for passage in loaded.passages])


def _apply_uses(connection: sqlite3.Connection, loaded: Loaded) -> None:
    connection.execute("DELETE FROM uses WHERE path = ?", (loaded.path,))
    connection.executemany(
        "INSERT INTO uses VALUES (?, ?, ?, ?)",
        [(loaded.path, use.line, use.ref, write_time(use.at)) for use in loaded.uses],
    )


def _insert(
    connection: sqlite3.Connection, rows: Sequence[tuple[Any, ...]], names: Sequence[set[str]]
) -> None:
    (last,) = connection.execute("SELECT coalesce(max(rowid), 0) FROM passages").fetchone()
    numbered = list(enumerate(rows, start=last + 1))
    connection.executemany(
        INSERT.replace("(path,", "(rowid, path,", 1).replace("VALUES (", "VALUES (?, ", 1),
        [(rowid, *row) for rowid, row in numbered],
    )
    connection.executemany(
        "INSERT INTO words (rowid, terms) VALUES (?, ?)",
        [(rowid, indexed(*(row[_TEXT[name]] for name in _TEXT))) for rowid, row in numbered],
    )
    connection.executemany(
        "INSERT INTO names VALUES (?, ?)",
        [(name, rowid) for (rowid, _), own in zip(numbered, names, strict=True) for name in own],
    )


def _remove(connection: sqlite3.Connection, rows: Iterable[int]) -> set[str]:
    """Take passages out; the refs they belonged to are returned."""
    touched = set()
    for row in rows:
        ref, *words = connection.execute(
            "SELECT ref, who, title, text, tags FROM passages WHERE rowid = ?", (row,)
        ).fetchone()
        touched.add(ref)
        # A word index without content has to be told what it is to forget.
        connection.execute(
            "INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)", (row, indexed(*words))
        )
        connection.execute("DELETE FROM names WHERE passage = ?", (row,))
        connection.execute("DELETE FROM passages WHERE rowid = ?", (row,))
    return touched


def _settle(connection: sqlite3.Connection, refs: Iterable[str]) -> None:
    """Decide which version of each record stands, and until when the others were known."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS touched (ref TEXT PRIMARY KEY)")
    connection.execute("DELETE FROM touched")
    connection.executemany("INSERT OR IGNORE INTO touched VALUES (?)", [(ref,) for ref in refs])
    rows = connection.execute(
        "SELECT p.ref, p.rowid, p.digest, p.status, p.changed_at, p.live, p.known_until "
        "FROM touched t JOIN passages p ON p.ref = t.ref AND p.source = 'record' "
        "ORDER BY p.ref, p.status = 'forgotten', p.version, p.changed_at, p.writer, p.digest, "
        "p.path, p.first_line"
    ).fetchall()
    updates = []
    for _, group in groupby(rows, key=lambda row: row[0]):
        updates += _standing(list(group))
    connection.executemany("UPDATE passages SET live = ?, known_until = ? WHERE rowid = ?", updates)


def _standing(versions: list[Any]) -> list[tuple[int, str | None, int]]:
    """The `live` and `known_until` of each version of one record, where they differ from what is stored."""
    erased = versions[-1][3] == "forgotten"
    seen: set[str] = set()
    chain = []
    for version in versions:
        chain.append((version, version[2] in seen))
        seen.add(version[2])
    wanted: list[tuple[Any, int, str | None]] = []
    until: str | None = None
    standing = True
    for version, repeated in reversed(chain):
        if erased or repeated:
            wanted.append((version, -1, None))
            continue
        wanted.append((version, 1 if standing else 0, until))
        standing, until = False, version[4]
    return [
        (live, known_until, version[1])
        for version, live, known_until in wanted
        if (version[5], version[6]) != (live, known_until)
    ]


def _remember(connection: sqlite3.Connection, state: FileState, loaded: Loaded) -> None:
    mark = loaded.mark
    connection.execute(
        "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            state.path,
            state.role.value,
            state.size,
            state.modified,
            state.changed,
            state.inode,
            mark.size if mark else None,
            mark.lines if mark else None,
            mark.digest if mark else None,
        ),
    )
