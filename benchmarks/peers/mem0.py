"""mem0, open edition, without a language model: texts kept as they are, Qdrant on disk.

It takes no event time (that is for its platform), so dates go into the metadata.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks.packs import Asked, Said
from benchmarks.peers import PlainPeer, ranked, words_of
from benchmarks.subject import Answer
from benchmarks.vectors import SharedModel, open_vectors

_Memory = import_module("mem0").Memory
_USER = {"user_id": "bench"}


class _Model:
    """The shared model as mem0 wants its embedders."""

    def __init__(self, model: SharedModel) -> None:
        self._model = model

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        if memory_action == "search":
            return list(map(float, self._model.question(text)))
        return list(map(float, self._model.passages([text])[0]))

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text, memory_action) for text in texts]


class Mem0(PlainPeer):
    """One collection per memory."""

    def __init__(self) -> None:
        os.environ.setdefault("OPENAI_API_KEY", "none-is-used")
        self._model = open_vectors()

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Add the turns one by one, as its interface wants them."""
        dims = self._model.dims
        store = {"path": os.path.join(folder, "qdrant"), "on_disk": True, "embedding_model_dims": dims}
        memory = _Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": {"collection_name": "turns", **store}},
                "history_db_path": os.path.join(folder, "history.db"),
            }
        )
        memory.embedding_model = _Model(self._model)
        # Equal texts are one computation apart: warm the vectors in batches, as a local embedder would.
        self._model.passages([words_of(turn) for turn in turns])
        charged = self._model.take_charge()
        for turn in turns:
            memory.add(words_of(turn), infer=False, metadata={"turn": turn.id, "date": turn.date}, **_USER)
        self._model.take_charge()
        self._memory: Any = memory
        return charged

    def search(self, asked: Asked, k: int) -> Answer:
        """The best k."""
        found = self._memory.search(asked.text, filters=_USER, top_k=k, threshold=0.0)["results"]
        return ranked((hit["metadata"]["turn"] for hit in found), found[0]["score"] if found else 0.0)
