"""Chroma: a persistent collection in cosine space, embedded with the shared model.

Its own embedder downloads MiniLM and pads every text to 256 tokens; here it is given vectors of
unpadded texts, so its indexing is several times faster than out of the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from benchmarks.packs import Asked, Said
from benchmarks.peers import PlainPeer, ranked, words_of
from benchmarks.subject import Answer
from benchmarks.vectors import open_vectors

_chromadb = import_module("chromadb")
_AT_ONCE = 2000


class Chroma(PlainPeer):
    """One collection per memory."""

    def __init__(self) -> None:
        self._model = open_vectors()

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Add the turns with their dates."""
        client = _chromadb.PersistentClient(
            path=folder, settings=_chromadb.Settings(anonymized_telemetry=False)
        )
        self._turns = client.create_collection(
            "turns", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )
        for start in range(0, len(turns), _AT_ONCE):
            part = turns[start : start + _AT_ONCE]
            texts = [words_of(turn) for turn in part]
            self._turns.add(
                ids=[turn.id for turn in part],
                documents=texts,
                embeddings=self._model.passages(texts),
                metadatas=[{"date": turn.date, "session": turn.session} for turn in part],
            )
        return self._model.take_charge()

    def search(self, asked: Asked, k: int) -> Answer:
        """The nearest k."""
        vector = self._model.question(asked.text)
        found = self._turns.query(query_embeddings=[vector], n_results=k, include=["distances"])
        distances = (found["distances"] or [[]])[0]
        return ranked(found["ids"][0], 1 - distances[0] if distances else 0.0)
