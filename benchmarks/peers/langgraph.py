"""LangGraph's store in memory, with its vector index over the words of a turn; LangMem searches the same store."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks.packs import Asked, Said
from benchmarks.peers import PlainPeer, ranked, words_of
from benchmarks.subject import Answer
from benchmarks.vectors import open_vectors

_Store: Any = import_module("langgraph.store.memory").InMemoryStore
_PLACE = ("bench", "turns")


class LangGraph(PlainPeer):
    """One store per memory; nothing goes to disk."""

    def __init__(self) -> None:
        self._model = open_vectors()
        self._is_asking = False

    def build(self, turns: Sequence[Said], folder: str) -> float:  # noqa: ARG002
        """Put the turns."""
        self._is_asking = False
        self._store = _Store(index={"dims": self._model.dims, "embed": self._embed, "fields": ["text"]})
        # One batch may not hold equal texts: warm the vectors together, then put one by one.
        self._model.passages([words_of(turn) for turn in turns])
        charged = self._model.take_charge()
        for turn in turns:
            self._store.put(_PLACE, turn.id, {"text": words_of(turn), "date": turn.date})
        self._model.take_charge()
        return charged

    def search(self, asked: Asked, k: int) -> Answer:
        """The nearest k."""
        self._is_asking = True
        found = self._store.search(_PLACE, query=asked.text, limit=k)
        return ranked((item.key for item in found), found[0].score if found else 0.0)

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self._is_asking:
            return [self._model.question(text).tolist() for text in texts]
        return [row.tolist() for row in self._model.passages(texts)]
