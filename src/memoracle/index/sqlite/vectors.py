"""Vectors: kept by content, scanned as sign bits, rescored exactly.

The vectors themselves stand in a file of their own, by the digest of the words they stand for, so
that a rebuilt view finds them again. The view holds their sign bits in blocks: all of them are
scanned with numpy, the best are rescored with the vectors. A space is named after its model and
its dimensions; vectors of two models never meet.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memoracle.index.api import Pending
from memoracle.index.sqlite.columns import BLOCK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    space TEXT NOT NULL, content TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (space, content)
) WITHOUT ROWID
"""


def pending(connection: sqlite3.Connection, limit: int) -> list[Pending]:
    """Standing passages without a vector, newest first."""
    rows = connection.execute(
        "SELECT p.rowid, p.content, p.who, p.title, p.text FROM passages p "
        "LEFT JOIN embedded e ON e.passage = p.rowid "
        "WHERE e.passage IS NULL AND p.live = 1 AND p.text != '' ORDER BY p.rowid DESC LIMIT ?",
        (limit,),
    )
    return [Pending(row=r[0], content=r[1], who=r[2], title=r[3], text=r[4]) for r in rows]


def count_pending(connection: sqlite3.Connection) -> int:
    """How many standing passages have no vector."""
    (standing,) = connection.execute("SELECT count(*) FROM passages WHERE live = 1 AND text != ''").fetchone()
    (done,) = connection.execute(
        "SELECT count(*) FROM embedded e JOIN passages p ON p.rowid = e.passage WHERE p.live = 1"
    ).fetchone()
    return int(standing - done)


def known_vectors(vault: sqlite3.Connection, space: str, contents: Sequence[str]) -> dict[str, bytes]:
    """The vectors (f16) that are kept for these contents."""
    found = {}
    for content in contents:
        held = vault.execute(
            "SELECT vector FROM vectors WHERE space = ? AND content = ?", (space, content)
        ).fetchone()
        if held:
            found[content] = held[0]
    return found


def keep_vectors(vault: sqlite3.Connection, space: str, vectors: Mapping[str, bytes]) -> None:
    """Keep vectors by content."""
    vault.executemany(
        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
        [(space, content, v) for content, v in vectors.items()],
    )


def put_bits(connection: sqlite3.Connection, space: str, bits: Mapping[int, bytes]) -> None:
    """Put the sign bits of these passages in place, and note that they have a vector."""
    blocks: dict[int, list[int]] = {}
    for row in bits:
        blocks.setdefault(row // BLOCK, []).append(row)
    for block, rows in blocks.items():
        width = len(bits[rows[0]])
        held = connection.execute(
            "SELECT data FROM bits WHERE space = ? AND block = ?", (space, block)
        ).fetchone()
        data = bytearray(held[0] if held else bytes(BLOCK * width))
        for row in rows:
            place = (row % BLOCK) * width
            data[place : place + width] = bits[row]
        connection.execute("INSERT OR REPLACE INTO bits VALUES (?, ?, ?)", (space, block, bytes(data)))
    connection.executemany("INSERT OR REPLACE INTO embedded VALUES (?, ?)", [(row, space) for row in bits])


def prune(connection: sqlite3.Connection, vault: sqlite3.Connection) -> None:
    """Forget the vectors of words that no passage holds any more."""
    alive = {content for (content,) in connection.execute("SELECT DISTINCT content FROM passages")}
    dead = {content for (content,) in vault.execute("SELECT DISTINCT content FROM vectors")} - alive
    vault.executemany("DELETE FROM vectors WHERE content = ?", [(content,) for content in dead])


def spaces(connection: sqlite3.Connection) -> list[str]:
    """The names of the spaces that hold vectors."""
    return [name for (name,) in connection.execute("SELECT DISTINCT space FROM bits ORDER BY space")]


def read_bits(connection: sqlite3.Connection, space: str, rows: int, width: int) -> NDArray[np.uint8]:
    """The sign bits of all passages, one row each; passages without a vector have zeros."""
    import numpy as np

    whole = np.zeros(((rows // BLOCK + 1) * BLOCK, width), dtype=np.uint8)
    for block, data in connection.execute("SELECT block, data FROM bits WHERE space = ?", (space,)):
        whole[block * BLOCK : (block + 1) * BLOCK] = np.frombuffer(data, dtype=np.uint8).reshape(BLOCK, width)
    return whole
