"""The floor: BM25 over stemmed words and Chinese pairs, the speaker before the text. No store, no model."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import log

from memoracle.interfaces.bench.packs import Asked, Said
from memoracle.interfaces.bench.peers.base import PlainPeer, ranked, words_of
from memoracle.interfaces.bench.subject import Answer

_PIECES = re.compile("[a-z0-9]+|[\u3400-\u9fff]+")
_STOPS = frozenset(
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
        elif piece not in _STOPS:
            found.append(_stem(piece))
    return found


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    from memoracle.text import terms as stemmed

    return stemmed(word)[0]


def open_subject() -> Bm25:
    """The peer."""
    return Bm25()
