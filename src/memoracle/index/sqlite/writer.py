"""Files in, rows out. Everything here runs inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby, islice
from typing import Any

from memoracle.index.api import Progress
from memoracle.index.features import Flag, day_of, flags_of
from memoracle.index.sqlite import postings
from memoracle.index.sqlite.connection import remove_chunks
from memoracle.index.sqlite.links import drop_page, drop_record_links, put_page, put_record_links
from memoracle.index.sqlite.passages import (
    FINDABLE,
    INSERT,
    Row,
    passage_names,
    passage_of,
    passage_row,
    record_names,
    record_row,
    words_of,
)
from memoracle.index.sqlite.postings import (
    Column,
    link,
    read_columns,
    sessions_of,
    speakers_of,
    unlink,
    write_columns,
)
from memoracle.model.manifest import FileState, Loaded, Role
from memoracle.model.search import EvidenceSource, Passage
from memoracle.times import write_time

_CHUNK = postings.ROWS_PER_BLOCK
_LIVE, _ACTIVE = int(Flag.LIVE), int(Flag.ACTIVE)


def apply(connection: sqlite3.Connection, state: FileState, loaded: Loaded, progress: Progress) -> None:
    """Take in what a file says, and remember how far it was read."""
    if loaded.absent:
        return _remember(connection, state, loaded)
    if loaded.whole:
        connection.execute("DELETE FROM findings WHERE path = ?", (loaded.path,))
    if loaded.role is Role.RECORDS:
        _apply_records(connection, loaded, progress)
    elif loaded.role is Role.USAGE:
        _apply_uses(connection, loaded)
    else:
        _apply_passages(connection, loaded, progress)
        if loaded.role in {Role.NOTE, Role.FACTS}:
            put_page(connection, loaded)
    _tell(connection, loaded)
    return _remember(connection, state, loaded)


def apply_together(connection: sqlite3.Connection, files: Sequence[tuple[FileState, Loaded]]) -> None:
    """Take in several whole notes, or transcripts, at once: the lists of common words are written once for all."""
    touched: set[str] = set()
    for _, loaded in files:
        connection.execute("DELETE FROM findings WHERE path = ?", (loaded.path,))
        rows = connection.execute("SELECT rowid FROM passages WHERE path = ?", (loaded.path,)).fetchall()
        touched |= _remove(connection, [row for (row,) in rows]) if rows else set()
    every = [passage for _, loaded in files for passage in loaded.passages]
    rows_of = [passage_row(one, place) for _, loaded in files for place, one in enumerate(loaded.passages)]
    are_notes = files[0][1].role is Role.NOTE
    sizes = None if are_notes else [len(loaded.passages) for _, loaded in files]
    numbers = _insert(connection, every, rows_of, [passage_names(passage) for passage in every], sizes)
    start = 0
    for state, loaded in files:
        own = numbers[start : start + len(loaded.passages)]
        start += len(own)
        link(connection, loaded.path, own, loaded.passages)
        if are_notes:
            put_page(connection, loaded)
        _tell(connection, loaded)
        _remember(connection, state, loaded)
    _settle(connection, touched | {passage.ref for passage in every})


def drop(connection: sqlite3.Connection, path: str) -> None:
    """Forget a file that is gone."""
    rows = connection.execute("SELECT rowid FROM passages WHERE path = ?", (path,)).fetchall()
    _settle(connection, _remove(connection, [row for (row,) in rows]))
    drop_page(connection, path)
    for table in ("files", "uses", "findings"):
        connection.execute(f"DELETE FROM {table} WHERE path = ?", (path,))  # noqa: S608


def prune(connection: sqlite3.Connection, kind: str, before: datetime) -> int:
    """Let go of the passages of a kind from before a moment; how many went."""
    query = "SELECT rowid, path FROM passages WHERE kind = ? AND source != 'record' AND at < ?"
    gone = connection.execute(query, (kind, write_time(before))).fetchall()
    _settle(connection, _remove(connection, [row for row, _ in gone]))
    # The others are counted anew, as they would be in a view that had never held these.
    connection.executemany(
        "UPDATE passages SET ordinal = o.place FROM (SELECT rowid AS number, row_number() OVER (ORDER BY ordinal) - 1 "
        "AS place FROM passages WHERE path = ?) o WHERE passages.rowid = o.number",
        sorted({(path,) for _, path in gone}),
    )
    return len(gone)


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
    # Of equal lines the first stands, so where lines moved it is decided again.
    number = Counter(version.digest for version in loaded.versions) if moved else {}
    repeated = {version.record.id for version in loaded.versions if number.get(version.digest, 1) > 1}
    _settle(connection, _remove(connection, gone) | repeated)
    for batch in _batches(connection, fresh, progress):
        passages = [passage_of(loaded.path, version) for version in batch]
        rows_of = [record_row(loaded.path, version) for version in batch]
        names = [record_names(version.record) for version in batch]
        put_record_links(connection, _insert(connection, passages, rows_of, names), batch)
        _settle(connection, {version.record.id for version in batch})


def _apply_passages(connection: sqlite3.Connection, loaded: Loaded, progress: Progress) -> None:
    """Pieces of a note, turns of a conversation: all anew, or those that were added."""
    touched: set[str] = set()
    ordinal = 0
    if loaded.whole:
        rows = connection.execute("SELECT rowid FROM passages WHERE path = ?", (loaded.path,)).fetchall()
        touched = _remove(connection, [row for (row,) in rows])
    else:
        withdrawn = [
            row
            for ref in loaded.withdrawn
            for (row,) in connection.execute(
                "SELECT rowid FROM passages WHERE path = ? AND ref = ?", (loaded.path, ref)
            ).fetchall()
        ]
        touched = _remove(connection, withdrawn)
        (last,) = connection.execute(
            "SELECT coalesce(max(ordinal), -1) FROM passages WHERE path = ?", (loaded.path,)
        ).fetchone()
        ordinal = last + 1
    for batch in _batches(connection, loaded.passages, progress):
        rows_of = [passage_row(passage, ordinal + place) for place, passage in enumerate(batch)]
        names = [passage_names(passage) for passage in batch]
        link(connection, loaded.path, _insert(connection, batch, rows_of, names), batch)
        ordinal += len(batch)
        touched |= {passage.ref for passage in batch}
    _settle(connection, touched)


def publish(connection: sqlite3.Connection) -> None:
    """Let readers see the view fill while it is built: each batch is a generation of its own."""
    connection.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'generation'")
    connection.execute("COMMIT")
    connection.execute("BEGIN IMMEDIATE")


def _batches(connection: sqlite3.Connection, items: Sequence[Any], progress: Progress) -> Iterator[list[Any]]:
    done = 0
    remaining = iter(items)
    while batch := list(islice(remaining, _CHUNK)):
        if done:
            publish(connection)
        yield batch
        done += len(batch)
        progress(done, len(items))


def _apply_uses(connection: sqlite3.Connection, loaded: Loaded) -> None:
    if loaded.whole:
        connection.execute("DELETE FROM uses WHERE path = ?", (loaded.path,))
    connection.executemany(
        "INSERT INTO uses VALUES (?, ?, ?, ?)",
        [(loaded.path, use.line, use.ref, write_time(use.at)) for use in loaded.uses],
    )


def _insert(
    connection: sqlite3.Connection,
    passages: Sequence[Passage],
    rows: Sequence[Row],
    names: Sequence[set[str]],
    files: Sequence[int] | None = None,
) -> list[int]:
    """Write passages, their names, terms and columns; their new row numbers are returned.

    `files` says how many passages each of several files has: sessions, speakers and terms are numbered file by file.
    """
    (first,) = connection.execute(
        "SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'next_row'"
    ).fetchone()
    numbers = list(range(first, first + len(rows)))
    # A number is never used twice: what refers to a passage that is gone must not meet another.
    connection.execute("UPDATE meta SET value = ? WHERE name = 'next_row'", (str(first + len(rows)),))
    connection.executemany(INSERT, [(number, *row) for number, row in zip(numbers, rows, strict=True)])
    connection.executemany(
        "INSERT INTO names VALUES (?, ?)",
        [(name, number) for number, own in zip(numbers, names, strict=True) for name in own],
    )
    lengths = postings.add(
        connection,
        {number: words_of(passage) for number, passage in zip(numbers, passages, strict=True)},
        files,
    )
    connection.executemany("INSERT INTO unembedded VALUES (?)", [(number,) for number in numbers])
    sessions: dict[str, int] = {}
    speakers: dict[str, int] = {}
    remaining = iter(passages)
    for own in (list(islice(remaining, count)) for count in files or (len(passages),)):
        sessions |= sessions_of(connection, own)
        speakers |= speakers_of(connection, own)
    columns = {
        number: Column(
            session=sessions[passage.session or passage.path]
            if passage.source is not EvidenceSource.RECORD
            else 0,
            day=day_of(passage.at),
            length=lengths[number],
            flags=flags_of(passage),
            speaker=speakers[passage.who],
        )
        for number, passage in zip(numbers, passages, strict=True)
    }
    write_columns(connection, columns)
    return numbers


def _remove(connection: sqlite3.Connection, rows: Sequence[int]) -> set[str]:
    """Take passages out; the refs they belonged to are returned."""
    touched = set()
    unlink(connection, rows)
    postings.remove(connection, rows)
    for row in rows:
        (ref,) = connection.execute("SELECT ref FROM passages WHERE rowid = ?", (row,)).fetchone()
        touched.add(ref)
        remove_chunks(connection, row)
        drop_record_links(connection, row)
        for table, column in (("names", "passage"), ("passages", "rowid")):
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (row,))  # noqa: S608
    write_columns(connection, dict.fromkeys(rows, Column()))
    return touched


def _settle(connection: sqlite3.Connection, refs: Iterable[str]) -> None:
    """Decide which version of each record, which copy of each turn stands."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS touched (ref TEXT PRIMARY KEY)")
    connection.execute("DELETE FROM touched")
    connection.executemany("INSERT OR IGNORE INTO touched VALUES (?)", [(ref,) for ref in refs])
    rows = connection.execute(
        "SELECT p.ref, p.rowid, p.digest, p.status, p.changed_at, p.live, p.known_until, p.source, p.known_from, "  # noqa: S608
        f"{FINDABLE} FROM touched t CROSS JOIN passages p ON p.ref = t.ref "
        "ORDER BY p.ref, p.status = 'forgotten', p.version, p.changed_at, p.writer, p.text, p.status, p.digest, "
        "p.path, p.first_line"
    ).fetchall()
    updates = []
    flags = {}
    for _, group in groupby(rows, key=lambda row: row[0]):
        versions = list(group)
        decide = _standing if versions[0][7] == EvidenceSource.RECORD else _first_copy
        for version, live, until in decide(versions):
            flags[version[1]] = (_LIVE if live == 1 else 0) | (_ACTIVE if version[9] else 0)
            if (version[5], version[6]) != (live, until):
                updates.append((live, until, version[1]))
    connection.executemany("UPDATE passages SET live = ?, known_until = ? WHERE rowid = ?", updates)
    known = read_columns(connection, flags)
    keep = ~(_LIVE | _ACTIVE)
    write_columns(
        connection,
        {
            row: column._replace(flags=column.flags & keep | flags[row])
            for row, column in known.items()
            if column.flags & ~keep != flags[row]
        },
    )


def _standing(versions: list[Any]) -> list[tuple[Any, int, str | None]]:
    """The `live` and `known_until` of each version of one record."""
    erased = versions[-1][3] == "forgotten"
    # What was withdrawn is no answer about the past either: no version of it is found until it is brought back.
    withdrawn = versions[-1][3] == "withdrawn"
    seen: set[str] = set()
    chain = []
    for version in versions:
        chain.append((version, version[2] in seen))
        seen.add(version[2])
    wanted: list[tuple[Any, int, str | None]] = []
    until: str | None = None
    standing = True
    for version, repeated in reversed(chain):
        if erased or repeated or (withdrawn and not standing):
            wanted.append((version, -1, None))
            continue
        wanted.append((version, 1 if standing else 0, until))
        # A later version may tell of something that could be known earlier: from then on this one is out of date.
        standing, until = False, min(until or version[8], version[8])
    return wanted


def _first_copy(copies: list[Any]) -> list[tuple[Any, int, str | None]]:
    """A turn that several transcripts hold counts once."""
    return [(copy, 1 if place == 0 else -1, None) for place, copy in enumerate(copies)]


def _tell(connection: sqlite3.Connection, loaded: Loaded) -> None:
    connection.executemany(
        "INSERT OR IGNORE INTO findings VALUES (?, ?, ?, ?, ?, ?)",
        [(f.path, f.line, f.code, f.severity.value, f.message, f.hint) for f in loaded.findings],
    )


def _remember(connection: sqlite3.Connection, state: FileState, loaded: Loaded) -> None:
    mark = loaded.mark
    connection.execute(
        "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
            mark.memo if mark else None,
        ),
    )
