"""MemPalace: verbatim drawers in Chroma, its own hybrid ranking of vector candidates.

Every turn is a drawer in one wing, its session the room. The shared model stands in
for its own, which is MiniLM as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks.packs import Asked, Said
from benchmarks.peers import PlainPeer, moment_of, ranked, words_of
from benchmarks.subject import Answer
from benchmarks.vectors import open_vectors

_embedding: Any = import_module("mempalace.embedding")
_palace: Any = import_module("mempalace.palace")
_searcher: Any = import_module("mempalace.searcher")
_Function: Any = import_module("chromadb").EmbeddingFunction
_AT_ONCE = 500


class MemPalace(PlainPeer):
    """One palace per memory."""

    def __init__(self) -> None:
        self._model = model = open_vectors()

        class Shared(_Function):  # type: ignore[misc]
            def __init__(self) -> None:
                pass

            @staticmethod
            def name() -> str:
                return "default"

            def get_config(self) -> dict[str, Any]:
                return {}

            def __call__(self, input: list[str]) -> list[Any]:  # noqa: A002 - the name is Chroma's
                return list(model.passages(input))

            def embed_query(self, input: list[str]) -> list[Any]:  # noqa: A002
                return [model.question(text) for text in input]

        function = Shared()
        _embedding.get_embedding_function = lambda *_, **__: function

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """File the turns."""
        self._folder = folder
        # The palace before this one has been deleted; a client that is still open would write into it.
        _palace._DEFAULT_BACKEND._drain_clients()  # noqa: SLF001
        drawers = _palace.get_collection(folder, create=True)
        for start in range(0, len(turns), _AT_ONCE):
            part = turns[start : start + _AT_ONCE]
            drawers.upsert(
                ids=[turn.id for turn in part],
                documents=[words_of(turn) for turn in part],
                metadatas=[
                    {
                        "wing": "bench",
                        "room": turn.session,
                        "source_file": turn.id,
                        "filed_at": moment_of(turn).isoformat(),
                    }
                    for turn in part
                ],
            )
        return self._model.take_charge()

    def search(self, asked: Asked, k: int) -> Answer:
        """The best k drawers."""
        found = _searcher.search_memories(asked.text, self._folder, n_results=k)
        if "error" in found:
            raise RuntimeError(found["error"])
        hits = found["results"]
        return ranked((hit["source_file"] for hit in hits), hits[0].get("similarity") if hits else 0.0)
