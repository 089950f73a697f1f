"""SQLite FTS5 with its default tokenizer: the words of a question, any of them, ranked by its own BM25."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence

from memoracle.interfaces.bench.packs import Asked, Said
from memoracle.interfaces.bench.peers.base import PlainPeer, ranked, words_of
from memoracle.interfaces.bench.subject import Answer

_WORDS = re.compile(r"\w+")


class Fts5(PlainPeer):
    """One table in one file."""

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Fill the table."""
        self._database = sqlite3.connect(os.path.join(folder, "fts.db"))
        self._database.execute("create virtual table turn using fts5(id unindexed, words)")
        with self._database:
            rows = [(turn.id, words_of(turn)) for turn in turns]
            self._database.executemany("insert into turn values (?, ?)", rows)
        return 0.0

    def search(self, asked: Asked, k: int) -> Answer:
        """The best k turns."""
        wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(_WORDS.findall(asked.text)))
        rows = self._database.execute(
            "select id, -rank from turn where turn match ? order by rank limit ?", (wanted or '""', k)
        ).fetchall()
        return ranked((row[0] for row in rows), rows[0][1] if rows else 0.0)


def open_subject() -> Fts5:
    """The peer."""
    return Fts5()
