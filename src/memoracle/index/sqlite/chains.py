"""Neighbours: which passages stand beside each other in one stretch of talk.

Turns of one session belong to a stretch while they are said on the same day and within three
hours of each other; pieces of a note always do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import timedelta

from memoracle.index.sqlite.columns import Column, read_columns, write_columns
from memoracle.index.sqlite.rows import SELECTED, found
from memoracle.model.hit import Passage, Source

_PAUSE = timedelta(hours=3)
_MOST_SPEAKERS = 65_536


def sessions_of(connection: sqlite3.Connection, passages: Iterable[Passage]) -> dict[str, int]:
    """The number of each session named by these passages."""
    return _numbers(connection, "sessions", {passage.session or passage.path for passage in passages})


def speakers_of(connection: sqlite3.Connection, passages: Iterable[Passage]) -> dict[str, int]:
    """The number of each speaker named by these passages; 0 for nobody, and past the last that fits."""
    numbers = _numbers(connection, "speakers", {passage.who for passage in passages if passage.who})
    return {"": 0} | {name: number if number < _MOST_SPEAKERS else 0 for name, number in numbers.items()}


def _numbers(connection: sqlite3.Connection, table: str, names: set[str]) -> dict[str, int]:
    numbers = {}
    for name in sorted(names):
        held = connection.execute(f"SELECT id FROM {table} WHERE name = ?", (name,)).fetchone()  # noqa: S608
        if held is None:
            added = connection.execute(f"INSERT INTO {table} (name) VALUES (?)", (name,))  # noqa: S608
            held = (added.lastrowid,)
        numbers[name] = int(held[0] or 0)
    return numbers


def link(connection: sqlite3.Connection, path: str, rows: Sequence[int], passages: Sequence[Passage]) -> None:
    """Tie new passages of a file to each other, and to what stood at the end of their session."""
    if not rows:
        return
    last: dict[str, tuple[int, Passage | None]] = {}
    ties: list[tuple[int, int]] = []
    for row, passage in zip(rows, passages, strict=True):
        if passage.session not in last:
            last[passage.session] = _end_of(connection, path, passage.session, rows[0])
        before, said = last[passage.session]
        if before and (said is None or _belong(said, passage)):
            ties.append((before, row))
        last[passage.session] = (row, passage)
    known = read_columns(connection, {row for tie in ties for row in tie})
    for before, after in ties:
        if not known[after].day:  # some hosts date only the first turn
            known[after] = known[after]._replace(day=known[before].day)
        if not _same_stretch(known[before], known[after]):
            continue
        known[before] = known[before]._replace(after=after)
        known[after] = known[after]._replace(before=before)
    write_columns(connection, known)


def unlink(connection: sqlite3.Connection, rows: Sequence[int]) -> None:
    """Close the gaps that removed passages leave."""
    known = read_columns(connection, rows)
    around = {row for column in known.values() for row in (column.before, column.after) if row}
    known |= read_columns(connection, around - known.keys())
    for row in rows:
        column = known[row]
        if column.before in known:
            known[column.before] = known[column.before]._replace(after=column.after)
        if column.after in known:
            known[column.after] = known[column.after]._replace(before=column.before)
    write_columns(connection, {row: column for row, column in known.items() if row in around})


def _end_of(
    connection: sqlite3.Connection, path: str, session: str, before_row: int
) -> tuple[int, Passage | None]:
    """The last passage of a session that was read before these, and its row."""
    held = connection.execute(
        f"SELECT {SELECTED}, p.rowid FROM passages p WHERE p.path = ? AND p.session = ? AND p.rowid < ? "  # noqa: S608
        "ORDER BY p.ordinal DESC LIMIT 1",
        (path, session, before_row),
    ).fetchone()
    return (int(held[-1]), found(held).passage) if held else (0, None)


def _same_stretch(before: Column, after: Column) -> bool:
    return not (before.day and after.day) or before.day == after.day


def _belong(before: Passage, after: Passage) -> bool:
    if before.source is Source.NOTE or before.at is None or after.at is None:
        return True
    return abs(after.at - before.at) <= _PAUSE
