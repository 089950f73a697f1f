"""txtai: an embeddings database with content, vectors and BM25 in equal parts."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import numpy as np

from benchmarks.packs import Asked, Said
from benchmarks.peers import PlainPeer, ranked, words_of
from benchmarks.subject import Answer
from benchmarks.vectors import open_vectors

_Embeddings = import_module("txtai").Embeddings


class Txtai(PlainPeer):
    """One index per memory."""

    def __init__(self) -> None:
        self._model = open_vectors()
        self._is_asking = False

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Index and save."""
        self._is_asking = False
        # It takes a plain function only, and calls anything else.
        self._index = _Embeddings(
            method="external",
            transform=lambda texts: self._transform(texts),  # noqa: PLW0108
            content=True,
            hybrid=True,
            backend="numpy",
        )
        self._index.index(
            (turn.id, {"text": words_of(turn), "date": turn.date, "session": turn.session}, None)
            for turn in turns
        )
        self._index.save(f"{folder}/index")
        return self._model.take_charge()

    def search(self, asked: Asked, k: int) -> Answer:
        """The best k."""
        self._is_asking = True
        found = self._index.search(asked.text, k)
        return ranked((hit["id"] for hit in found), found[0]["score"] if found else 0.0)

    def _transform(self, texts: list[str]) -> object:
        if self._is_asking:
            return np.stack([self._model.question(text) for text in texts])
        return self._model.passages(texts)
