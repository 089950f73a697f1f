"""Our own inverted index: where each term stands, in blobs that numpy reads as they are.

A posting's key is `term << 20 | block`; a block is 16,384 rows. Adding a passage appends to one
short blob per term, so the index is incremental; taking a passage out removes it exactly, and a
term that no passage holds any more is forgotten with it.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

ROWS_PER_BLOCK = 16_384
_SHIFT = 20
_BLOCK_MASK = (1 << _SHIFT) - 1
_AT_ONCE = 500
BREAK = 0
"""Stands between the pieces of a passage among its tokens."""


def add(connection: sqlite3.Connection, passages: Mapping[int, Sequence[Sequence[str]]]) -> dict[int, int]:
    """Index passages, each given as the terms of its pieces; how many terms each has is returned."""
    ids = _ids_of(connection, {term for pieces in passages.values() for piece in pieces for term in piece})
    gathered: dict[int, tuple[array[int], array[int]]] = {}
    lengths = {}
    forward = []
    frequencies: Counter[int] = Counter()
    stretches = 0
    for row, pieces in passages.items():
        tokens = array("I")
        for piece in pieces:
            if tokens:
                tokens.append(BREAK)
            tokens.extend([ids[term] for term in piece])
        forward.append((row, tokens.tobytes()))
        stretches += 1 + tokens.count(BREAK)  # as `remove` will count them
        counts = Counter(tokens)
        counts.pop(BREAK, None)
        lengths[row] = min(sum(counts.values()), 65_535)
        frequencies.update(counts.keys())
        block = row // ROWS_PER_BLOCK
        for term, count in counts.items():
            rows, times = gathered.setdefault(term << _SHIFT | block, (array("I"), array("B")))
            rows.append(row)
            times.append(min(count, 255))
    connection.executemany("INSERT INTO tokens VALUES (?, ?)", forward)
    _count_stretches(connection, stretches)
    _append(connection, gathered, min(passages, default=0))
    connection.executemany(
        "UPDATE terms SET passages = passages + ? WHERE id = ?",
        [(n, term) for term, n in frequencies.items()],
    )
    return lengths


def remove(connection: sqlite3.Connection, row: int) -> None:
    """Take a passage out of every list it stands in."""
    held = connection.execute("SELECT ids FROM tokens WHERE passage = ?", (row,)).fetchone()
    if held is None:
        return
    for term in set(array("I", held[0])) - {BREAK}:
        key = term << _SHIFT | row // ROWS_PER_BLOCK
        rows, counts = connection.execute(
            "SELECT rows, counts FROM postings WHERE key = ?", (key,)
        ).fetchone()
        place = array("I", rows).index(row)
        rows, counts = rows[: place * 4] + rows[place * 4 + 4 :], counts[:place] + counts[place + 1 :]
        if rows:
            connection.execute("UPDATE postings SET rows = ?, counts = ? WHERE key = ?", (rows, counts, key))
        else:
            connection.execute("DELETE FROM postings WHERE key = ?", (key,))
        connection.execute("UPDATE terms SET passages = passages - 1 WHERE id = ?", (term,))
        connection.execute("DELETE FROM terms WHERE id = ? AND passages = 0", (term,))
    _count_stretches(connection, -1 - array("I", held[0]).count(BREAK))
    connection.execute("DELETE FROM tokens WHERE passage = ?", (row,))


def known_terms(connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, tuple[int, int]]:
    """The id of each term that some passage holds, and how many hold it."""
    every = list(dict.fromkeys(terms))
    held: dict[str, tuple[int, int]] = {}
    for start in range(0, len(every), _AT_ONCE):
        part = every[start : start + _AT_ONCE]
        query = f"SELECT term, id, passages FROM terms WHERE term IN ({', '.join('?' * len(part))})"  # noqa: S608
        held |= {term: (number, passages) for term, number, passages in connection.execute(query, part)}
    return {term: held[term] for term in every if term in held}


def read_postings(connection: sqlite3.Connection, term: int) -> tuple[bytes, bytes]:
    """The rows (uint32) that hold a term, ascending within each block, and how often (uint8)."""
    lowest = term << _SHIFT
    blobs = connection.execute(
        "SELECT rows, counts FROM postings WHERE key BETWEEN ? AND ? ORDER BY key",
        (lowest, lowest | (1 << _SHIFT) - 1),
    ).fetchall()
    return b"".join(rows for rows, _ in blobs), b"".join(counts for _, counts in blobs)


def read_tokens(connection: sqlite3.Connection, rows: Sequence[int]) -> dict[int, bytes]:
    """The terms of these passages in order (uint32), pieces divided by `BREAK`."""
    places = ", ".join(str(int(row)) for row in rows)
    held = connection.execute(f"SELECT passage, ids FROM tokens WHERE passage IN ({places})")  # noqa: S608
    return dict.fromkeys(rows, b"") | dict(held)


def _count_stretches(connection: sqlite3.Connection, more: int) -> None:
    connection.execute("UPDATE meta SET value = CAST(value AS INTEGER) + ? WHERE name = 'stretches'", (more,))


def _ids_of(connection: sqlite3.Connection, terms: set[str]) -> dict[str, int]:
    """The number of each term; new ones get one."""
    ids: dict[str, int] = {}
    every = sorted(terms)
    for start in range(0, len(every), _AT_ONCE):
        part = every[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(part))
        ids |= dict(connection.execute(f"SELECT term, id FROM terms WHERE term IN ({marks})", part))  # noqa: S608
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM terms").fetchone()
    fresh = {term: number for number, term in enumerate((t for t in every if t not in ids), start=last + 1)}
    connection.executemany(
        "INSERT INTO terms VALUES (?, ?, 0)", [(number, term) for term, number in fresh.items()]
    )
    return ids | fresh


def _append(
    connection: sqlite3.Connection, gathered: Mapping[int, tuple[array[int], array[int]]], first_row: int
) -> None:
    """Add to the lists; only those of a block that older rows share can be there already."""
    merged = []
    for key in sorted(gathered):
        rows, counts = gathered[key]
        before: tuple[bytes, bytes] = (b"", b"")
        if (key & _BLOCK_MASK) * ROWS_PER_BLOCK < first_row:
            held = connection.execute("SELECT rows, counts FROM postings WHERE key = ?", (key,)).fetchone()
            before = held or before
        merged.append((key, before[0] + rows.tobytes(), before[1] + counts.tobytes()))
    connection.executemany("INSERT OR REPLACE INTO postings VALUES (?, ?, ?)", merged)
