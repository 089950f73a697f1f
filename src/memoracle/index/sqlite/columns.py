"""What ranking needs of every passage: fixed-size rows in blocks, so that all of them load at once.

Row r stands in block r >> 10 at place r & 1023. `before` and `after` are the rows of the
neighbours in the same run of talk (0: none). Written with the standard library alone; numpy
reads the same bytes as one array (`LAYOUT`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from struct import Struct
from typing import NamedTuple

from memoracle.index.sqlite.passages import SELECTED, found
from memoracle.model.hit import Passage, Source

BLOCK = 1024
LAYOUT = [
    ("before", "<i4"),
    ("after", "<i4"),
    ("session", "<i4"),
    ("day", "<i4"),
    ("length", "<u2"),
    ("flags", "<u2"),
    ("speaker", "<u2"),
    ("spare", "<u2"),
]
_ROW = Struct("<iiiiHHH2x")
SIZE = _ROW.size


class Column(NamedTuple):
    """The numbers of one passage."""

    before: int = 0
    after: int = 0
    session: int = 0
    day: int = 0
    length: int = 0
    flags: int = 0
    speaker: int = 0


def read_columns(connection: sqlite3.Connection, rows: Iterable[int]) -> dict[int, Column]:
    """The numbers of these passages."""
    found: dict[int, Column] = {}
    for block, wanted in _by_block(rows).items():
        data = _block(connection, block)
        found |= {row: Column(*_ROW.unpack_from(data, (row % BLOCK) * SIZE)) for row in wanted}
    return found


def write_columns(connection: sqlite3.Connection, columns: Mapping[int, Column]) -> None:
    """Put the numbers of these passages in place."""
    for block, wanted in _by_block(columns).items():
        data = bytearray(_block(connection, block))
        for row in wanted:
            _ROW.pack_into(data, (row % BLOCK) * SIZE, *columns[row])
        connection.execute("INSERT OR REPLACE INTO columns VALUES (?, ?)", (block, bytes(data)))


def _by_block(rows: Iterable[int]) -> dict[int, list[int]]:
    blocks: dict[int, list[int]] = {}
    for row in rows:
        blocks.setdefault(row // BLOCK, []).append(row)
    return blocks


def _block(connection: sqlite3.Connection, block: int) -> bytes:
    held = connection.execute("SELECT data FROM columns WHERE block = ?", (block,)).fetchone()
    return held[0] if held else bytes(BLOCK * SIZE)


# Neighbours: which passages stand beside each other in one run of talk.

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
        if not _same_run(known[before], known[after]):
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


def _same_run(before: Column, after: Column) -> bool:
    return not (before.day and after.day) or before.day == after.day


def _belong(before: Passage, after: Passage) -> bool:
    if before.source is Source.NOTE or before.at is None or after.at is None:
        return True
    return abs(after.at - before.at) <= _PAUSE
