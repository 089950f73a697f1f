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

from memoracle.index.api import EmbeddedChunk, Pending
from memoracle.index.sqlite.passages import SELECTED, found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# The sign bits of a vector.


def signs_of(vector: bytes) -> bytes:
    """One bit per dimension of an f16 vector."""
    import numpy as np

    return np.packbits(np.frombuffer(vector, dtype="<f2") > 0).tobytes()


BLOCK = 1024
OWNER = 4
_AT_ONCE = 500
SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    space TEXT NOT NULL, content TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (content, space)
)
"""


def pending(connection: sqlite3.Connection, limit: int) -> list[Pending]:
    """Standing passages without a vector, newest first."""
    rows = connection.execute(
        f"SELECT {SELECTED}, p.rowid FROM unembedded u CROSS JOIN passages p ON p.rowid = u.passage "  # noqa: S608
        "WHERE p.live = 1 AND p.text != '' ORDER BY u.passage DESC LIMIT ?",
        (limit,),
    ).fetchall()
    passages = [(row[-1], found(row).passage) for row in rows]
    return [
        Pending(
            row=row,
            who=one.who,
            title=one.title,
            text=one.text,
            chunk_size=one.chunk_size,
            most=one.embedded_chunks,
        )
        for row, one in passages
    ]


def count_pending(connection: sqlite3.Connection) -> int:
    """How many standing passages have no vector."""
    (number,) = connection.execute(
        "SELECT count(*) FROM unembedded u CROSS JOIN passages p ON p.rowid = u.passage "
        "WHERE p.live = 1 AND p.text != ''"
    ).fetchone()
    return int(number)


def known_vectors(vault: sqlite3.Connection, space: str, contents: Sequence[str]) -> dict[str, bytes]:
    """The vectors (f16) that are kept for these contents."""
    held: dict[str, bytes] = {}
    for start in range(0, len(contents), _AT_ONCE):
        part = contents[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(part))
        query = f"SELECT content, vector FROM vectors WHERE space = ? AND content IN ({marks})"  # noqa: S608
        held |= dict(vault.execute(query, (space, *part)))
    return held


def keep_vectors(vault: sqlite3.Connection, space: str, chunks: Sequence[EmbeddedChunk]) -> None:
    """Keep vectors by content."""
    vault.execute("BEGIN IMMEDIATE")
    vault.executemany(
        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", [(space, s.content, s.vector) for s in chunks]
    )
    vault.execute("COMMIT")


def put_chunks(
    connection: sqlite3.Connection,
    space: str,
    passages: Mapping[int, Sequence[EmbeddedChunk]],
    signs: Mapping[str, bytes],
) -> None:
    """Give passages their vectors: `signs` holds the sign bits of each content."""
    alive = [row for row in passages if _is_there(connection, row)]
    (first,) = connection.execute(
        "SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'next_chunk'"
    ).fetchone()
    placed = [(row, chunk) for row in alive for chunk in passages[row]]
    numbered = list(enumerate(placed, start=first))
    connection.execute("UPDATE meta SET value = ? WHERE name = 'next_chunk'", (str(first + len(placed)),))
    connection.executemany(
        "INSERT INTO chunks VALUES (?, ?, ?, ?)",
        [(number, row, space, chunk.content) for number, (row, chunk) in numbered],
    )
    connection.executemany("DELETE FROM unembedded WHERE passage = ?", [(row,) for row in alive])
    _write_bits(
        connection,
        space,
        {number: row.to_bytes(OWNER, "little") + signs[chunk.content] for number, (row, chunk) in numbered},
    )


def remove_chunks(connection: sqlite3.Connection, passage: int) -> None:
    """Take a passage's vectors out of the scan."""
    held = connection.execute("SELECT id, space FROM chunks WHERE passage = ?", (passage,)).fetchall()
    for number, space in held:
        (data,) = connection.execute(
            "SELECT data FROM bits WHERE space = ? AND block = ?", (space, number // BLOCK)
        ).fetchone()
        width = len(data) // BLOCK
        _write_bits(connection, space, {number: bytes(width)})
    connection.execute("DELETE FROM chunks WHERE passage = ?", (passage,))
    connection.execute("DELETE FROM unembedded WHERE passage = ?", (passage,))


def prune(connection: sqlite3.Connection, vault: sqlite3.Connection) -> None:
    """Forget the vectors of words that no passage holds any more."""
    alive = {content for (content,) in connection.execute("SELECT DISTINCT content FROM chunks")}
    dead = {content for (content,) in vault.execute("SELECT DISTINCT content FROM vectors")} - alive
    vault.executemany("DELETE FROM vectors WHERE content = ?", [(content,) for content in dead])


def leave(connection: sqlite3.Connection) -> None:
    """Empty every space: all passages are without a vector again."""
    connection.execute("INSERT OR IGNORE INTO unembedded SELECT DISTINCT passage FROM chunks")
    connection.execute("DELETE FROM chunks")
    connection.execute("DELETE FROM bits")


def spaces(connection: sqlite3.Connection) -> list[str]:
    """The names of the spaces that hold vectors."""
    return [name for (name,) in connection.execute("SELECT DISTINCT space FROM bits ORDER BY space")]


def read_bits(
    connection: sqlite3.Connection, space: str
) -> tuple[NDArray[np.uint32], NDArray[np.uint8], NDArray[np.int64]]:
    """The owner and the sign bits of every chunk in a space, and the chunks' numbers."""
    import numpy as np

    blocks = connection.execute(
        "SELECT block, data FROM bits WHERE space = ? ORDER BY block", (space,)
    ).fetchall()
    width = len(blocks[0][1]) // BLOCK
    table = np.frombuffer(b"".join(data for _, data in blocks), dtype=np.uint8).reshape(-1, width)
    owners = np.ascontiguousarray(table[:, :OWNER]).view("<u4").ravel()
    numbers = np.concatenate([np.arange(block * BLOCK, (block + 1) * BLOCK) for block, _ in blocks])
    used = owners > 0
    return owners[used], np.ascontiguousarray(table[used, OWNER:]), numbers[used]


def _is_there(connection: sqlite3.Connection, row: int) -> bool:
    """True for a passage that was not removed while its vectors were computed."""
    return connection.execute("SELECT 1 FROM passages WHERE rowid = ?", (row,)).fetchone() is not None


def _write_bits(connection: sqlite3.Connection, space: str, rows: Mapping[int, bytes]) -> None:
    blocks: dict[int, list[int]] = {}
    for number in rows:
        blocks.setdefault(number // BLOCK, []).append(number)
    for block, numbers in blocks.items():
        width = len(rows[numbers[0]])
        held = connection.execute(
            "SELECT data FROM bits WHERE space = ? AND block = ?", (space, block)
        ).fetchone()
        data = bytearray(held[0] if held else bytes(BLOCK * width))
        for number in numbers:
            place = (number % BLOCK) * width
            data[place : place + width] = rows[number]
        connection.execute("INSERT OR REPLACE INTO bits VALUES (?, ?, ?)", (space, block, bytes(data)))
