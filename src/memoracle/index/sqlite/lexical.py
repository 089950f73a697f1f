"""Search by words and by exact names. A question's words are looked up one by one: nothing is a query language."""

from __future__ import annotations

import math
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from memoracle.index.api import Found
from memoracle.index.sqlite.filters import where
from memoracle.index.sqlite.postings import known_terms, read_postings
from memoracle.index.sqlite.rows import SELECTED, fold, found
from memoracle.model.query import Filters

_SATURATION = 1.2
_AT_ONCE = 400


def search_words(
    connection: sqlite3.Connection,
    terms: Sequence[str],
    filters: Filters,
    limit: int,
    now: datetime,
    only: Callable[[str], bool],
) -> list[Found]:
    """The passages that hold any of these terms, best first: BM25 without length, for quick answers.

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
    hits: list[Found] = []
    for start in range(0, len(ranked), _AT_ONCE):
        for number, held in fetch(connection, ranked[start : start + _AT_ONCE], filters, now):
            hit = found(held, scores[number])
            if only(hit.passage.text):
                hits.append(hit)
            if len(hits) >= limit:
                return hits
    return hits


def search_names(
    connection: sqlite3.Connection, names: Sequence[str], filters: Filters, limit: int, now: datetime
) -> list[Found]:
    """The passages that answer to one of these exact names, in the order of the names."""
    return [hit for _, hit in named(connection, names, filters, limit, now)]


def named(
    connection: sqlite3.Connection, names: Sequence[str], filters: Filters, limit: int, now: datetime
) -> list[tuple[int, Found]]:
    """The same, each with its row."""
    condition, values = where(filters, now)
    hits: dict[int, Found] = {}
    for name in dict.fromkeys(map(fold, names)):
        rows = connection.execute(
            f"SELECT {SELECTED}, p.rowid FROM names n CROSS JOIN passages p ON p.rowid = n.passage "  # noqa: S608
            f"WHERE n.name = ? AND {condition} ORDER BY p.importance DESC, p.at DESC, p.ref LIMIT ?",
            (name, *values, limit),
        )
        for row in rows:
            hits.setdefault(row[-1], found(row, 1.0))
    return list(hits.items())[:limit]


def fetch(
    connection: sqlite3.Connection, rows: Sequence[int], filters: Filters, now: datetime
) -> list[tuple[int, tuple[object, ...]]]:
    """The passages of these rows that fit the filters, in the order of the rows."""
    condition, values = where(filters, now)
    held = {
        row[-1]: row
        for start in range(0, len(rows), _AT_ONCE)
        for row in connection.execute(
            f"SELECT {SELECTED}, p.rowid FROM passages p NOT INDEXED WHERE p.rowid IN "  # noqa: S608
            f"({', '.join(str(int(row)) for row in rows[start : start + _AT_ONCE])}) AND {condition}",
            values,
        )
    }
    return [(row, held[row]) for row in rows if row in held]


def frequencies(connection: sqlite3.Connection, terms: Iterable[str]) -> tuple[dict[str, int], int]:
    """In how many passages each term stands, and how many passages there are."""
    counts = dict.fromkeys(terms, 0)
    counts |= {term: passages for term, (_, passages) in known_terms(connection, counts).items()}
    (total,) = connection.execute("SELECT count(*) FROM passages").fetchone()
    return counts, total
