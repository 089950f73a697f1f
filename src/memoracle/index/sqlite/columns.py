"""What ranking needs of every passage: fixed-size rows in blocks, so that all of them load at once.

Row r stands in block r >> 10 at place r & 1023. `before` and `after` are the rows of the
neighbours in the same stretch of talk (0: none). Written with the standard library alone; numpy
reads the same bytes as one array (`LAYOUT`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from struct import Struct
from typing import NamedTuple

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
