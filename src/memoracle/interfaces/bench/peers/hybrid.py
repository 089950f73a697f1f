"""The hybrid of the seeds and of OpenClaw: 0.7 cosine + 0.3 BM25, over the best four times k of each.

The words' score b counts as b / (1 + b). Recency and diversity, which OpenClaw applies afterwards, are left
out: on old conversations they only cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest

import numpy as np

from memoracle.interfaces.bench.packs import Asked, Said
from memoracle.interfaces.bench.peers.base import PlainPeer, ranked, words_of
from memoracle.interfaces.bench.peers.bm25 import Bm25
from memoracle.interfaces.bench.peers.vectors import open_vectors
from memoracle.interfaces.bench.subject import Answer

_VECTOR, _WORDS = 0.7, 0.3
_POOL = 4


class Hybrid(PlainPeer):
    """Both legs in memory."""

    def __init__(self) -> None:
        self._model = open_vectors()
        self._words = Bm25()

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Embed and count."""
        self._ids = [turn.id for turn in turns]
        self._words.build(turns, folder)
        self._vectors = self._model.passages([words_of(turn) for turn in turns])
        np.save(f"{folder}/vectors.npy", self._vectors)
        return self._model.take_charge()

    def search(self, asked: Asked, k: int) -> Answer:
        """The best k of the union."""
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


def open_subject() -> Hybrid:
    """The peer."""
    return Hybrid()
