"""Our own inverted index: where each term stands, in blobs that numpy reads as they are.

A posting's key is `term << 20 | block`; a block is 16,384 rows. Adding a passage appends to one
short blob per term, so the index is incremental; taking a passage out removes it exactly, and a
term that no passage holds any more is forgotten with it.
"""

from __future__ import annotations

import math
import re
import sqlite3
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain, islice
from struct import Struct
from typing import NamedTuple

from memoracle.index.api import Candidate
from memoracle.index.sqlite.passages import SELECTED, fold, found, where
from memoracle.model.search import TOOL, EvidenceSource, Filters, Passage

# What ranking needs of every passage: fixed-size rows in blocks, so that all of them load at once.

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


def write_columns(connection: sqlite3.Connection, columns: Mapping[int, Sequence[int]]) -> None:
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
    """Tie new passages of a file to each other, and to what stood at the end of their session.

    What a tool gave stands between what was said before and after it; talk goes on across it as if it were not there.
    """
    last: dict[tuple[str, bool], tuple[int, Passage | None]] = {}
    ties: list[tuple[int, int]] = []
    heirs: list[tuple[int, int]] = []
    tools: set[int] = set()
    for row, passage in zip(rows, passages, strict=True):
        is_tool = passage.kind == TOOL
        tools |= {row} if is_tool else set()
        for of_talk in (False, True):
            end = (passage.session, of_talk)
            if end not in last:
                last[end] = _end_of(connection, path, passage.session, rows[0], of_talk=of_talk)
            before, said = last[end]
            if before and said is not None and _belong(said, passage):
                heirs += [(before, row)] if of_talk else []
                ties += [] if of_talk and is_tool else [(before, row)]
                tools |= {before} if said.kind == TOOL else set()
            if not (of_talk and is_tool):
                last[end] = (row, passage)
    known = {
        row: [*column]
        for row, column in read_columns(connection, {row for tie in ties + heirs for row in tie}).items()
    }
    for before, after in heirs:  # some hosts date only the first turn; a tool's day would outlive it
        known[after][_DAY] = known[after][_DAY] or known[before][_DAY]
    for before, after in ties:
        first, second = known[before], known[after]
        if first[_DAY] and second[_DAY] not in {0, first[_DAY]}:
            continue
        is_talk = before not in tools and after not in tools
        if is_talk or before in tools:
            first[_AFTER] = after
        if is_talk or after in tools:
            second[_BEFORE] = before
    write_columns(connection, known)


_BEFORE, _AFTER, _DAY = map(Column._fields.index, ("before", "after", "day"))


def unlink(connection: sqlite3.Connection, rows: Sequence[int]) -> None:
    """Close the gaps that removed passages leave."""
    known = read_columns(connection, rows)
    around = {row for column in known.values() for row in (column.before, column.after) if row}
    known |= read_columns(connection, around - known.keys())
    for row in rows:
        column = known[row]
        # What a tool gave knows its neighbours in talk, and they do not know it.
        if column.before in known and known[column.before].after == row:
            known[column.before] = known[column.before]._replace(after=column.after)
        if column.after in known and known[column.after].before == row:
            known[column.after] = known[column.after]._replace(before=column.before)
    write_columns(connection, {row: column for row, column in known.items() if row in around})


def _end_of(
    connection: sqlite3.Connection, path: str, session: str, before_row: int, *, of_talk: bool
) -> tuple[int, Passage | None]:
    """The last passage, or the last that is no tool's, of a session that was read before these; and its row."""
    held = connection.execute(
        f"SELECT {SELECTED}, p.rowid FROM passages p WHERE p.path = ? AND p.session = ? AND p.rowid < ? "  # noqa: S608
        "AND p.kind != ? ORDER BY p.ordinal DESC LIMIT 1",
        (path, session, before_row, TOOL if of_talk else ""),
    ).fetchone()
    return (int(held[-1]), found(held).passage) if held else (0, None)


def _belong(before: Passage, after: Passage) -> bool:
    if before.source is EvidenceSource.NOTE or before.at is None or after.at is None:
        return True
    return abs(after.at - before.at) <= _PAUSE


ROWS_PER_BLOCK = 16_384
_SHIFT = 20
_BLOCK_MASK = (1 << _SHIFT) - 1
_AT_ONCE = 500
_MOST_TERMS = 65_535
BREAK = 0
"""Stands between the pieces of a passage among its tokens."""


def add(
    connection: sqlite3.Connection,
    passages: Mapping[int, Sequence[Sequence[str]]],
    files: Sequence[int] | None = None,
) -> dict[int, int]:
    """Index passages, each given as the terms of its pieces; how many terms each has is returned.

    Their rows ascend, and are higher than all that were added before. `files` says how many of them each of several
    files has: their terms are numbered as if the files came one by one.
    """
    said = iter(passages.values())
    groups = [
        set(chain.from_iterable(chain.from_iterable(islice(said, count))))
        for count in files or (len(passages),)
    ]
    ids, fresh = _ids_of(connection, groups)
    number = ids.__getitem__
    tokens: list[int] = []
    ends = []
    for pieces in passages.values():
        begun = len(tokens)
        for piece in pieces:
            if len(tokens) > begun:
                tokens.append(BREAK)
            tokens.extend(map(number, piece))
        ends.append(len(tokens))
    packed = array("I", tokens).tobytes()
    starts = [0, *ends]
    connection.executemany(
        "INSERT INTO tokens VALUES (?, ?)",
        [(row, packed[4 * begin : 4 * end]) for row, begin, end in zip(passages, starts, ends, strict=False)],
    )
    # As `remove` will count them. What says nothing, as a record that was withdrawn, weighs on no average.
    saying = sum(begin < end for begin, end in zip(starts, ends, strict=False))
    _count_chunks(connection, saying + tokens.count(BREAK))
    gather = _gather_many if len(passages) >= _MANY else _gather
    lengths, frequencies, lists = gather(list(passages), tokens, ends)
    _append(connection, lists, min(passages, default=0))
    connection.executemany(
        "INSERT INTO terms VALUES (?, ?, ?)",
        [(term, fresh[term], n) for n, term in frequencies if term in fresh],
    )
    connection.executemany(
        "UPDATE terms SET passages = passages + ? WHERE id = ?",
        [one for one in frequencies if one[1] not in fresh],
    )
    return dict(zip(passages, lengths, strict=True))


_MANY = 1024
"""So many passages are worth the time in which numpy is imported."""
_Lists = list[tuple[int, bytes, bytes]]
_Gathered = tuple[list[int], list[tuple[int, int]], _Lists]
"""The length of each passage, (in how many it stands, term), and (key, rows, counts), keys ascending."""


def _gather(passages: Sequence[int], tokens: Sequence[int], ends: Sequence[int]) -> _Gathered:
    gathered: dict[int, tuple[array[int], array[int]]] = {}
    lengths = []
    frequencies: Counter[int] = Counter()
    begin = 0
    for row, end in zip(passages, ends, strict=True):
        counts = Counter(tokens[begin:end])
        begin = end
        counts.pop(BREAK, None)
        lengths.append(min(counts.total(), _MOST_TERMS))
        frequencies.update(counts.keys())
        block = row // ROWS_PER_BLOCK
        for term, count in counts.items():
            rows, times = gathered.setdefault(term << _SHIFT | block, (array("I"), array("B")))
            rows.append(row)
            times.append(min(count, 255))
    lists = [(key, rows.tobytes(), times.tobytes()) for key, (rows, times) in sorted(gathered.items())]
    return lengths, [(n, term) for term, n in frequencies.items()], lists


def _gather_many(passages: Sequence[int], tokens: Sequence[int], ends: Sequence[int]) -> _Gathered:
    """The same for many passages: sorted at once instead of word by word."""
    import numpy as np

    every = np.array(tokens, dtype=np.uint64)
    said = every != BREAK
    owners = np.repeat(np.array(passages, dtype=np.uint64), np.diff(ends, prepend=0))[said]
    lengths = np.diff(np.concatenate(([0], np.cumsum(said)))[ends], prepend=0)
    pairs, counts = np.unique(every[said] << np.uint64(32) | owners, return_counts=True)
    terms, rows = pairs >> np.uint64(32), pairs & np.uint64(0xFFFFFFFF)
    keys, first = np.unique(terms << np.uint64(_SHIFT) | rows // np.uint64(ROWS_PER_BLOCK), return_index=True)
    packed, times = rows.astype("<u4").tobytes(), np.minimum(counts, 255).astype(np.uint8).tobytes()
    edges = [*first.tolist(), len(pairs)]
    lists = [
        (key, packed[4 * begin : 4 * end], times[begin:end])
        for key, begin, end in zip(keys.tolist(), edges, edges[1:], strict=False)
    ]
    known, held = np.unique(terms, return_counts=True)
    frequencies = list(zip(held.tolist(), known.tolist(), strict=True))
    return np.minimum(lengths, _MOST_TERMS).tolist(), frequencies, lists


def remove(connection: sqlite3.Connection, passages: Sequence[int]) -> None:
    """Take passages out of every list they stand in; each list is written once for all of them."""
    leaving: dict[int, list[int]] = {}
    frequencies: Counter[int] = Counter()
    chunks = 0
    for row in passages:
        held = connection.execute("SELECT ids FROM tokens WHERE passage = ?", (row,)).fetchone()
        if held is None:
            continue
        tokens = array("I", held[0])
        chunks += bool(tokens) + tokens.count(BREAK)
        terms = set(tokens) - {BREAK}
        frequencies.update(terms)
        for term in terms:
            leaving.setdefault(term << _SHIFT | row // ROWS_PER_BLOCK, []).append(row)
    for key, gone in leaving.items():
        query = "SELECT rows, counts FROM postings WHERE key = ?"
        packed, times = connection.execute(query, (key,)).fetchone()
        rows, counts = array("I", packed), bytearray(times)
        for row in gone:
            place = bisect_left(rows, row)
            del rows[place], counts[place]
        if rows:
            kept = (rows.tobytes(), bytes(counts), key)
            connection.execute("UPDATE postings SET rows = ?, counts = ? WHERE key = ?", kept)
        else:
            connection.execute("DELETE FROM postings WHERE key = ?", (key,))
    changed = [(number, term) for term, number in frequencies.items()]
    connection.executemany("UPDATE terms SET passages = passages - ? WHERE id = ?", changed)
    every = [(term,) for term in frequencies]
    connection.executemany("DELETE FROM terms WHERE id = ? AND passages = 0", every)
    _count_chunks(connection, -chunks)
    connection.executemany("DELETE FROM tokens WHERE passage = ?", [(row,) for row in passages])


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


def _count_chunks(connection: sqlite3.Connection, more: int) -> None:
    connection.execute("UPDATE meta SET value = CAST(value AS INTEGER) + ? WHERE name = 'chunks'", (more,))


def _ids_of(
    connection: sqlite3.Connection, groups: Iterable[set[str]]
) -> tuple[dict[str, int], dict[int, str]]:
    """The number of each term, and the terms that are new, by the number they get."""
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM terms").fetchone()
    # Into an empty table everything is new.
    known = known_terms(connection, sorted(set().union(*groups))) if last else {}
    ids = {term: number for term, (number, _) in known.items()}
    fresh: dict[int, str] = {}
    for group in groups:
        named = dict(enumerate(sorted(group - ids.keys()), start=last + len(fresh) + 1))
        fresh |= named
        ids |= zip(named.values(), named, strict=True)
    return ids, fresh


def _append(connection: sqlite3.Connection, lists: _Lists, first_row: int) -> None:
    """Add to the lists; only those of a block that older rows share can be there already."""
    shared = [one for one in lists if (one[0] & _BLOCK_MASK) * ROWS_PER_BLOCK < first_row]
    fresh = [one for one in lists if (one[0] & _BLOCK_MASK) * ROWS_PER_BLOCK >= first_row]
    connection.executemany(
        "INSERT INTO postings VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET "
        "rows = CAST(rows || excluded.rows AS BLOB), counts = CAST(counts || excluded.counts AS BLOB)",
        shared,
    )
    connection.executemany("INSERT INTO postings VALUES (?, ?, ?)", fresh)


# Search by words and by exact names. A question's words are looked up one by one: nothing is a query language.

_SATURATION = 1.2
_LEXICAL_AT_ONCE = 400


def search_words(
    connection: sqlite3.Connection,
    terms: Sequence[str],
    filters: Filters,
    limit: int,
    now: datetime,
    *,
    only: Callable[[str], bool] = bool,
) -> list[Candidate]:
    """The passages that hold any of these terms, best first: BM25 without length.

    Standard library only. The caller names rare terms: a common one costs its whole list.
    """
    (total,) = connection.execute("SELECT count(*) FROM passages").fetchone()
    scores: dict[int, float] = {}
    for term, frequency in known_terms(connection, terms).values():
        idf = math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
        rows, counts = read_postings(connection, term)
        for row, count in zip(array("I", rows), counts, strict=True):
            scores[row] = scores.get(row, 0.0) + idf * count / (count + _SATURATION)
    ranked = sorted(scores, key=lambda row: (-scores[row], row))
    hits: list[Candidate] = []
    for start in range(0, len(ranked), _LEXICAL_AT_ONCE):
        for number, held in fetch(connection, ranked[start : start + _LEXICAL_AT_ONCE], filters, now):
            hit = found(held, scores[number])
            if only(hit.passage.text):
                hits.append(hit)
            if len(hits) >= limit:
                return hits
    return hits


def search_names(
    connection: sqlite3.Connection, names: Sequence[str], filters: Filters, limit: int, now: datetime
) -> list[Candidate]:
    """The passages that answer to one of these exact names, in the order of the names."""
    return [hit for _, hit in named(connection, names, filters, limit, now)]


_TURN_ID = re.compile("[0-9a-f]{24}")


def named(
    connection: sqlite3.Connection, names: Sequence[str], filters: Filters, limit: int, now: datetime
) -> list[tuple[int, Candidate]]:
    """The same, each with its row."""
    condition, values = where(filters, now)
    hits: dict[int, Candidate] = {}
    for name in dict.fromkeys(map(fold, names)):
        rows = connection.execute(
            f"SELECT {SELECTED}, p.rowid FROM names n CROSS JOIN passages p ON p.rowid = n.passage "  # noqa: S608
            f"WHERE n.name = ? AND {condition} ORDER BY p.importance DESC, p.at DESC, p.ref LIMIT ?",
            (name, *values, limit),
        )
        for row in rows:
            hits.setdefault(row[-1], found(row, 1.0))
    for ref in filter(_TURN_ID.fullmatch, names):  # a turn has no other name
        query = f"SELECT {SELECTED}, p.rowid FROM passages p WHERE p.ref = ? AND {condition}"  # noqa: S608
        for row in connection.execute(query, (ref, *values)):
            hits.setdefault(row[-1], found(row, 1.0))
    return list(hits.items())[:limit]


def fetch(
    connection: sqlite3.Connection, rows: Sequence[int], filters: Filters, now: datetime
) -> list[tuple[int, tuple[object, ...]]]:
    """The passages of these rows that fit the filters, in the order of the rows."""
    condition, values = where(filters, now)
    held = {
        row[-1]: row
        for start in range(0, len(rows), _LEXICAL_AT_ONCE)
        for row in connection.execute(
            f"SELECT {SELECTED}, p.rowid FROM passages p NOT INDEXED WHERE p.rowid IN "  # noqa: S608
            f"({', '.join(str(int(row)) for row in rows[start : start + _LEXICAL_AT_ONCE])}) AND {condition}",
            values,
        )
    }
    return [(row, held[row]) for row in rows if row in held]


def frequencies(connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
    """In how many passages each term stands."""
    counts = dict.fromkeys(terms, 0)
    return counts | {term: passages for term, (_, passages) in known_terms(connection, counts).items()}
