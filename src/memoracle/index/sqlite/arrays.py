"""The view as arrays: everything ranking needs of all passages at once, read once per generation.

numpy is imported here and nowhere on the way to a quick answer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memoracle.index.features import Flag
from memoracle.index.sqlite import vectors
from memoracle.index.sqlite.columns import LAYOUT
from memoracle.index.sqlite.filters import where
from memoracle.index.sqlite.postings import known_terms, read_postings, read_tokens
from memoracle.model.query import Filters

Numbers = NDArray[np.float32]
Rows = NDArray[np.int64]

_RESCORED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Passages:
    """What is known of every passage; place r belongs to row r, place 0 to nobody."""

    generation: int
    before: NDArray[np.int32]
    after: NDArray[np.int32]
    session: NDArray[np.int32]
    day: NDArray[np.int32]
    length: Numbers
    flags: NDArray[np.uint16]
    first_person: Numbers
    standing: NDArray[np.bool_]
    average: float
    count: int


@dataclass(slots=True)
class Arrays:
    """Arrays of one view, kept until it changes."""

    connection: sqlite3.Connection
    vault: sqlite3.Connection
    _passages: Passages | None = None
    _bits: dict[str, tuple[NDArray[np.uint64], NDArray[np.bool_]]] = field(default_factory=dict)

    def passages(self) -> Passages:
        """The numbers of all passages."""
        (generation,) = self.connection.execute(
            "SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'generation'"
        ).fetchone()
        if self._passages is None or self._passages.generation != generation:
            self._passages = _read_passages(self.connection, generation)
            self._bits.clear()
        return self._passages

    def allowed(self, filters: Filters, now: datetime) -> NDArray[np.bool_]:
        """Which rows fit the filters."""
        passages = self.passages()
        if filters == Filters():
            return passages.standing
        condition, values = where(filters, now)
        rows = self.connection.execute(f"SELECT p.rowid FROM passages p WHERE {condition}", values)  # noqa: S608
        mask = np.zeros(len(passages.flags), dtype=np.bool_)
        mask[np.fromiter((row for (row,) in rows), dtype=np.int64)] = True
        return mask

    def terms(self, terms: Sequence[str]) -> dict[str, tuple[int, int]]:
        """The number of each known term, and how many passages hold it."""
        return known_terms(self.connection, terms)

    def postings(self, term: int) -> tuple[Rows, Numbers]:
        """The rows that hold a term, ascending, and how often each does."""
        rows, counts = read_postings(self.connection, term)
        return (
            np.frombuffer(rows, dtype="<u4").astype(np.int64),
            np.frombuffer(counts, dtype=np.uint8).astype(np.float32),
        )

    def tokens(self, rows: Sequence[int]) -> dict[int, NDArray[np.uint32]]:
        """The terms of these passages in order; 0 divides pieces."""
        return {
            row: np.frombuffer(ids, dtype="<u4") for row, ids in read_tokens(self.connection, rows).items()
        }

    def words(self, terms: Sequence[int]) -> dict[int, tuple[str, int]]:
        """The words behind term numbers, and how many passages hold each."""
        found = {}
        for term in terms:
            held = self.connection.execute(
                "SELECT term, passages FROM terms WHERE id = ?", (int(term),)
            ).fetchone()
            if held:
                found[int(term)] = (str(held[0]), int(held[1]))
        return found

    def spaces(self) -> list[str]:
        """The spaces that hold vectors."""
        return vectors.spaces(self.connection)

    def nearness(self, space: str, question: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
        """An estimate of every passage's cosine with the question, from sign bits; and who has a vector."""
        bits, present = self._bits_of(space, len(question))
        signs = np.packbits(question > 0)
        asked = np.zeros(bits.shape[1] * 8, dtype=np.uint8)
        asked[: len(signs)] = signs
        distance = np.zeros(len(bits), dtype=np.uint16)
        for column, word in enumerate(asked.view(np.uint64)):
            distance += np.bitwise_count(bits[:, column] ^ word)
        estimate = np.cos(np.pi / len(question) * distance.astype(np.float32))
        return np.where(present, estimate, np.float32(-1)), present

    def cosines(self, space: str, question: Numbers, rows: Sequence[int]) -> dict[int, float]:
        """The exact cosine of these passages with the question."""
        held = self.vectors(space, rows)
        if not held:
            return {}
        matrix = np.stack(list(held.values()))
        return dict(zip(held, (matrix @ question).tolist(), strict=True))

    def vectors(self, space: str, rows: Sequence[int]) -> dict[int, Numbers]:
        """The vectors of these passages, those that have one in this space."""
        places = ", ".join(str(int(row)) for row in rows)
        contents = dict(
            self.connection.execute(
                f"SELECT p.rowid, p.content FROM passages p JOIN embedded e ON e.passage = p.rowid "  # noqa: S608
                f"WHERE e.space = ? AND p.rowid IN ({places})",
                (space,),
            ).fetchall()
        )
        kept = vectors.known_vectors(self.vault, space, list(dict.fromkeys(contents.values())))
        return {
            row: np.frombuffer(kept[content], dtype="<f2").astype(np.float32)
            for row, content in contents.items()
            if content in kept
        }

    def _bits_of(self, space: str, dims: int) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        passages = self.passages()
        if space not in self._bits:
            raw = vectors.read_bits(self.connection, space, len(passages.flags) - 1, (dims + 7) // 8)
            words = np.zeros((len(passages.flags), (raw.shape[1] + 7) // 8 * 8), dtype=np.uint8)
            size = min(len(raw), len(words))
            words[:size, : raw.shape[1]] = raw[:size]
            packed = words.view(np.uint64)
            self._bits[space] = (packed, packed.any(axis=1))
        return self._bits[space]


def _read_passages(connection: sqlite3.Connection, generation: int) -> Passages:
    blocks = dict(connection.execute("SELECT block, data FROM columns").fetchall())
    last = max(blocks, default=-1)
    layout = np.dtype(LAYOUT)
    empty = bytes(1024 * layout.itemsize)
    table = np.frombuffer(
        b"".join(blocks.get(block, empty) for block in range(last + 1)) or empty, dtype=layout
    )
    flags = table["flags"]
    both = int(Flag.LIVE | Flag.ACTIVE)
    standing = (flags & both) == both
    length = table["length"].astype(np.float32)
    present = length > 0
    return Passages(
        generation=generation,
        before=table["before"],
        after=table["after"],
        session=table["session"],
        day=table["day"],
        length=length,
        flags=flags,
        first_person=table["first_person"].astype(np.float32) / 255,
        standing=standing,
        average=float(length[present].mean()) if present.any() else 1.0,
        count=int(present.sum()),
    )
