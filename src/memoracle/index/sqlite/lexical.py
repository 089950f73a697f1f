"""Search by words and by exact names. User text is always literal: no operator ever reaches FTS5."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime

from memoracle.index.api import Found
from memoracle.index.sqlite.filters import where
from memoracle.index.sqlite.rows import SELECTED, fold, many
from memoracle.model.query import Filters


def search_words(
    connection: sqlite3.Connection, terms: Sequence[str], filters: Filters, limit: int, now: datetime
) -> list[Found]:
    """The passages that hold any of these terms, by BM25, best first; greater scores are better."""
    if not terms:
        return []
    condition, values = where(filters, now)
    match = " OR ".join(_quoted(term) for term in terms)
    rows = connection.execute(
        f"SELECT {SELECTED}, -bm25(words) AS score FROM words JOIN passages p ON p.rowid = words.rowid "  # noqa: S608
        f"WHERE words MATCH ? AND {condition} ORDER BY score DESC, p.path, p.first_line LIMIT ?",
        (match, *values, limit),
    )
    return many(rows)


def search_names(
    connection: sqlite3.Connection, names: Sequence[str], filters: Filters, limit: int, now: datetime
) -> list[Found]:
    """The passages that answer to one of these exact names, in the order of the names."""
    condition, values = where(filters, now)
    hits: list[Found] = []
    for name in dict.fromkeys(map(fold, names)):
        rows = connection.execute(
            f"SELECT {SELECTED}, 1.0 FROM names n JOIN passages p ON p.rowid = n.passage "  # noqa: S608
            f"WHERE n.name = ? AND {condition} ORDER BY p.importance DESC, p.at DESC, p.ref LIMIT ?",
            (name, *values, limit),
        )
        hits += many(rows)
    return hits[:limit]


def frequencies(connection: sqlite3.Connection, terms: Iterable[str]) -> tuple[dict[str, int], int]:
    """In how many passages each term stands, and how many passages there are."""
    counts = {}
    for term in terms:
        row = connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
        counts[term] = row[0] if row else 0
    (total,) = connection.execute("SELECT count(*) FROM passages").fetchone()
    return counts, total


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
