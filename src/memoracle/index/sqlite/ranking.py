"""The view as arrays: everything ranking needs of all passages at once, read once per generation.

numpy is imported here and nowhere on the way to a list.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memoracle.index.api import Passages
from memoracle.index.features import Flag
from memoracle.index.sqlite import connection as files
from memoracle.index.sqlite.passages import where
from memoracle.index.sqlite.postings import LAYOUT, known_terms, read_postings, read_tokens
from memoracle.model.search import Filters
from memoracle.model.value import value

if TYPE_CHECKING:
    from memoracle.index.api import Numbers, Rows

_EVERYTHING, _UNASKED = Filters(), Filters(unasked=True)


@value
class _Scan:
    """The sign bits of every chunk of a space, 64 dimensions after the other, and the passages they belong to.

    `order` sorts the chunks by their passages, `rows` are these, and `starts` where the chunks of each begin.
    """

    bits: NDArray[np.uint64]
    order: Rows
    rows: NDArray[np.uint32]
    starts: Rows


class RankingArrays:
    """Arrays of one view: those of all passages are kept until it changes, lists of terms for one question."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        vault: Callable[[], sqlite3.Connection],
        generation: Callable[[], int],
    ) -> None:
        self._connection = connection
        self._vault = vault
        self._generation = generation
        self._passages: Passages | None = None
        self._scans: dict[str, _Scan] = {}
        self._speakers: Mapping[str, int] | None = None
        self._spaces: Sequence[str] | None = None
        self._is_fixed = False
        self._postings: dict[int, tuple[Rows, Numbers]] = {}
        self._tokens: dict[int, NDArray[np.uint32]] = {}

    def fix(self, is_fixed: bool) -> None:
        """Begin or end a snapshot: while there is one, nothing can change and no list is read twice."""
        self._is_fixed = is_fixed
        self._postings.clear()
        self._tokens.clear()

    def passages(self) -> Passages:
        """The numbers of all passages."""
        generation = self._generation()
        if self._passages is None or self._passages.generation != generation:
            kept = _kept_of(self._connection, generation)
            self._passages = kept.passages if kept else _read_passages(self._connection, generation)
            self._scans = dict(kept.scans) if kept else {}
            self._speakers = self._spaces = None
        return self._passages

    def allowed(self, filters: Filters, now: datetime) -> NDArray[np.bool_]:
        """Which rows fit the filters."""
        passages = self.passages()
        if filters == _EVERYTHING:
            return passages.standing
        if filters == _UNASKED:
            # Without a look at every passage. Some more than the condition allows: those are left out when fetched.
            flags = passages.flags
            said = (flags & int(Flag.TURN) == 0) | (flags & int(Flag.OWNER) > 0)
            mask: NDArray[np.bool_] = passages.standing & said & (flags & int(Flag.SCAN) == 0)
            return mask
        condition, values = where(filters, now)
        rows = self._connection.execute(f"SELECT p.rowid FROM passages p WHERE {condition}", values)  # noqa: S608
        found = np.zeros(len(passages.flags), dtype=np.bool_)
        found[np.fromiter((row for (row,) in rows), dtype=np.int64)] = True
        return found

    def terms(self, terms: Sequence[str]) -> dict[str, tuple[int, int]]:
        """The number of each known term, and how many passages hold it."""
        return known_terms(self._connection, terms)

    def postings(self, term: int) -> tuple[Rows, Numbers]:
        """The rows that hold a term, ascending, and how often each does."""
        held = self._postings.get(term)
        if held is None:
            rows, counts = read_postings(self._connection, term)
            held = (
                np.frombuffer(rows, dtype="<u4").astype(np.int64),
                np.frombuffer(counts, dtype=np.uint8).astype(np.float32),
            )
            if self._is_fixed:
                self._postings[term] = held
        return held

    def tokens(self, rows: Sequence[int]) -> dict[int, NDArray[np.uint32]]:
        """The terms of these passages in order; 0 divides pieces."""
        held = self._tokens if self._is_fixed else {}
        if wanted := [row for row in rows if row not in held]:
            fresh = read_tokens(self._connection, wanted)
            held |= {row: np.frombuffer(ids, dtype="<u4") for row, ids in fresh.items()}
        return {row: held[row] for row in rows}

    def words(self, terms: Sequence[int]) -> dict[int, tuple[str, int]]:
        """The words behind term numbers, and how many passages hold each."""
        places = ", ".join(str(int(term)) for term in terms)
        query = f"SELECT id, term, passages FROM terms WHERE id IN ({places})"  # noqa: S608
        return {number: (word, passages) for number, word, passages in self._connection.execute(query)}

    def speakers(self) -> Mapping[str, int]:
        """Everybody who says something, and their numbers."""
        self.passages()
        if self._speakers is None:
            self._speakers = dict(self._connection.execute("SELECT name, id FROM speakers WHERE id < 65536"))
        return self._speakers

    def spaces(self) -> Sequence[str]:
        """The spaces that hold vectors."""
        self.passages()
        if self._spaces is None:
            self._spaces = files.spaces(self._connection)
        return self._spaces

    def nearness(self, space: str, question: Numbers) -> tuple[Numbers, float]:
        """Every passage's best cosine with the question, estimated from sign bits (-2: it has no vector).

        Beside it the background: how near any chunk of the store is to the question on average.
        """
        best = np.full(len(self.passages().flags), -2, dtype=np.float32)
        scan = self._scan(space)
        estimates = self._estimates(scan, question)
        if len(estimates):
            best[scan.rows] = np.maximum.reduceat(estimates[scan.order], scan.starts)
        return best, float(estimates.mean()) if len(estimates) else 0.0

    def _estimates(self, scan: _Scan, question: Numbers) -> Numbers:
        signs = np.zeros(len(scan.bits) * 8, dtype=np.uint8)
        packed = np.packbits(question > 0)
        signs[: len(packed)] = packed
        distance = np.zeros(scan.bits.shape[1], dtype=np.uint16)
        for bits, word in zip(scan.bits, signs.view(np.uint64), strict=True):
            distance += np.bitwise_count(bits ^ word)
        angles = np.arange(len(question) + 1, dtype=np.float32) * np.float32(np.pi / len(question))
        estimates: Numbers = np.cos(angles)[distance]
        return estimates

    def cosines(self, space: str, question: Numbers, rows: Sequence[int]) -> dict[int, float]:
        """The exact best cosine of these passages with the question."""
        return {row: float((held @ question).max()) for row, held in self.vectors(space, rows).items()}

    def vectors(self, space: str, rows: Sequence[int]) -> dict[int, Numbers]:
        """The vectors of these passages, one line for each chunk; nothing for those without any."""
        places = ", ".join(str(int(row)) for row in rows)
        held = self._connection.execute(
            f"SELECT passage, content FROM chunks WHERE space = ? AND passage IN ({places})",  # noqa: S608
            (space,),
        ).fetchall()
        kept = files.known_vectors(self._vault(), space, list({content for _, content in held}))
        chunks: dict[int, list[bytes]] = {}
        for row, content in held:
            if content in kept:
                chunks.setdefault(row, []).append(kept[content])
        return {
            row: np.frombuffer(b"".join(own), dtype="<f2").astype(np.float32).reshape(len(own), -1)
            for row, own in chunks.items()
        }

    def _scan(self, space: str) -> _Scan:
        self.passages()
        if space not in self._scans:
            owners, raw, _ = files.read_bits(self._connection, space)
            words = np.zeros((len(raw), (raw.shape[1] + 7) // 8 * 8), dtype=np.uint8)
            words[:, : raw.shape[1]] = raw
            order = np.argsort(owners, kind="stable")
            ordered = owners[order]
            starts = np.flatnonzero(np.diff(ordered, prepend=np.uint32(0)))
            bits = np.ascontiguousarray(words.view(np.uint64).T)
            self._scans[space] = _Scan(bits=bits, order=order, rows=ordered[starts], starts=starts)
        return self._scans[space]


# What a process has read for those it forks: numbers alone, and only of the very file and generation they ask.


@value
class _Kept:
    file: tuple[int, int, str]
    passages: Passages
    scans: Mapping[str, _Scan]


_kept: list[_Kept] = []


def keep_arrays(folder: str) -> bool:
    """Read the view in this folder as arrays for processes that are forked; False when these are kept already."""
    name = files.read_pointer(folder)
    if name is None:
        return False
    from urllib.parse import quote

    place = quote(os.path.join(folder, name))
    connection = sqlite3.connect(f"file:{place}?mode=ro", uri=True, isolation_level=None)
    with closing(connection):
        connection.execute("BEGIN")
        (generation,) = connection.execute(
            "SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'generation'"
        ).fetchone()
        file = _file_of(connection)
        if file is None or _kept_of(connection, generation):
            return False
        arrays = RankingArrays(connection, vault=lambda: connection, generation=lambda: generation)
        passages = arrays.passages()
        scans = {space: arrays._scan(space) for space in arrays.spaces()}  # noqa: SLF001 - its own module
        _kept[:] = [_Kept(file=file, passages=passages, scans=scans)]
    return True


def _kept_of(connection: sqlite3.Connection, generation: int) -> _Kept | None:
    fits = _kept and _kept[0].passages.generation == generation and _kept[0].file == _file_of(connection)
    return _kept[0] if fits else None


def _file_of(connection: sqlite3.Connection) -> tuple[int, int, str] | None:
    """Which file it is: a build has a name of its own, a copy another number. None for one that is not there."""
    path = connection.execute("PRAGMA database_list").fetchone()[2]
    try:
        held = os.stat(path)
    except OSError:  # in memory, or replaced by another build while it is read
        return None
    return held.st_dev, held.st_ino, os.path.basename(path)


def _by_people(flags: NDArray[np.uint16]) -> float:
    """The share of all turns that people said; 1 where nothing was said."""
    turns = flags[(flags & int(Flag.TURN)) > 0]
    return 1 - float(((turns & int(Flag.AGENT | Flag.TOOL)) > 0).mean()) if len(turns) else 1.0


def _read_passages(connection: sqlite3.Connection, generation: int) -> Passages:
    blocks = dict(connection.execute("SELECT block, data FROM columns").fetchall())
    (chunks,) = connection.execute("SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'chunks'").fetchone()
    last = max(blocks, default=-1)
    layout = np.dtype(LAYOUT)
    empty = bytes(1024 * layout.itemsize)
    table = np.frombuffer(
        b"".join(blocks.get(block, empty) for block in range(last + 1)) or empty, dtype=layout
    )
    # Each by itself: what is looked at for all passages at once should lie together.
    before, after, session, day, flags, speaker = (
        np.ascontiguousarray(table[name])
        for name in ("before", "after", "session", "day", "flags", "speaker")
    )
    both = int(Flag.LIVE | Flag.ACTIVE)
    standing = (flags & both) == both
    length = table["length"].astype(np.float32)
    present = length > 0
    return Passages(
        generation=generation,
        before=before,
        after=after,
        session=session,
        day=day,
        length=length,
        flags=flags,
        speaker=speaker,
        standing=standing,
        average=float(length[present].mean()) if present.any() else 1.0,
        count=int(present.sum()),
        session_length=np.bincount(session, weights=length).astype(np.float32),
        has_agents=bool(((flags & int(Flag.AGENT)) > 0).any()),
        by_people=_by_people(flags[present]),
        chunk_average=float(length.sum() / max(1, chunks)),
    )
