"""Peers that need no package: BM25, SQLite FTS5, and the hybrid that OpenClaw merges.

BM25, the floor: stemmed words and Chinese pairs, the speaker before the text; no file, no model.
FTS5 with its default tokenizer: the words of a question, any of them, ranked by its own BM25.
The hybrid: 0.7 cosine + 0.3 BM25, over the best four times k of each; the words' score b counts as b / (1 + b).
Recency and diversity, which OpenClaw applies afterwards, are left out: on old conversations they only cost.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import pairwise
from math import log

from benchmarks.packs import Asked, Said
from benchmarks.peers import PlainPeer, ranked, words_of
from benchmarks.subject import Answer

_PIECES = re.compile("[a-z0-9]+|[\u3400-\u9fff]+")
STOPS = frozenset(
    """a an the and or but if of to in on for with at by from as is are was were be been being do does did has
    have had i you he she it we they me him her us them my your his its our their this that these those what
    which who whom when where why how not no so""".split()
)
_K1, _B = 1.2, 0.75


class Bm25(PlainPeer):
    """Postings in memory."""

    def build(self, turns: Sequence[Said], folder: str) -> float:  # noqa: ARG002
        """Count the terms of every turn."""
        self._ids = [turn.id for turn in turns]
        counted = [Counter(terms(words_of(turn))) for turn in turns]
        lengths = [sum(count.values()) for count in counted]
        mean = sum(lengths) / len(lengths)
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, (count, length) in enumerate(zip(counted, lengths, strict=True)):
            for term, times in count.items():
                weight = times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * length / mean))
                self._postings[term].append((place, weight))
        return 0.0

    def search(self, asked: Asked, k: int) -> Answer:
        """The best k turns; the score of the first is all the confidence there is."""
        scores = self.scores(asked.text)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:k]
        return ranked((self._ids[place] for place in best), scores[best[0]] if best else 0.0)

    def scores(self, question: str) -> dict[int, float]:
        """The score of every turn that shares a term with the question, by its place."""
        scores: defaultdict[int, float] = defaultdict(float)
        for term in terms(question):
            postings = self._postings.get(term, ())
            rarity = log(1 + (len(self._ids) - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, weight in postings:
                scores[place] += rarity * weight
        return scores


def terms(text: str) -> list[str]:
    """Stems of words that say something, and pairs of Chinese characters."""
    found: list[str] = []
    for piece in _PIECES.findall(text.lower()):
        if not piece.isascii():
            found += map("".join, pairwise(piece)) if len(piece) > 1 else [piece]
        elif piece not in STOPS:
            found.append(_stem(piece))
    return found


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    from memoracle.text import terms as stemmed

    return stemmed(word)[0]


_SPOKEN = re.compile(r"\w+")


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
        wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(_SPOKEN.findall(asked.text)))
        rows = self._database.execute(
            "select id, -rank from turn where turn match ? order by rank limit ?", (wanted or '""', k)
        ).fetchall()
        return ranked((row[0] for row in rows), rows[0][1] if rows else 0.0)


_VECTOR, _WORDS = 0.7, 0.3
_POOL = 4


class Hybrid(PlainPeer):
    """Both legs in memory."""

    def __init__(self) -> None:
        from benchmarks.vectors import open_vectors  # numpy would weigh on the two peers above

        self._model = open_vectors()
        self._words = Bm25()

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Embed and count."""
        import numpy as np

        self._ids = [turn.id for turn in turns]
        self._words.build(turns, folder)
        self._vectors = self._model.passages([words_of(turn) for turn in turns])
        np.save(f"{folder}/vectors.npy", self._vectors)
        return self._model.take_charge()

    def search(self, asked: Asked, k: int) -> Answer:
        """The best k of the union."""
        import numpy as np

        cosines = self._vectors @ self._model.question(asked.text)
        words = self._words.scores(asked.text)
        near = np.argsort(-cosines, kind="stable")[: k * _POOL].tolist()
        spoken = nlargest(k * _POOL, words, key=words.__getitem__)
        scores = dict.fromkeys([*near, *spoken], 0.0)
        for place in scores:
            if place in words:
                scores[place] += _WORDS * words[place] / (1 + words[place])
            scores[place] += _VECTOR * float(cosines[place])
        best = sorted(scores, key=lambda place: (-scores[place], place))[:k]
        return ranked((self._ids[place] for place in best), scores[best[0]] if best else 0.0)
