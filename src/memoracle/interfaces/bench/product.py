"""Memoracle itself as a subject: init, ingest a plain transcript, search. Nothing else is used."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from memoracle.interfaces.bench.packs import Asked, Said
from memoracle.interfaces.bench.subject import Answer
from memoracle.interfaces.bench.transcript import asked_at, ids_by_ref, write_transcript

NAME = "memoracle"


class Product:
    """A fresh root for every space, driven through the public door."""

    def __init__(self, open_root: Callable[[str], Any] | None = None, *, recipe: str | None = None) -> None:
        self._open_root = open_root or open_fresh_root
        self._recipe = {"recipe": recipe} if recipe else {}
        self._memory: Any = None
        self._turns: Sequence[Said] = ()
        self._ids: dict[str, str] = {}

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Make a root and ingest the transcript."""
        if self._memory is not None:
            self._memory.close()
        transcript = os.path.join(folder, "transcript.jsonl")
        write_transcript(transcript, turns)
        self._turns, self._ids = turns, ids_by_ref(turns)
        self._memory = self._open_root(os.path.join(folder, "root"))
        self._memory.ingest(transcript)
        return 0.0

    def search(self, asked: Asked, k: int) -> Answer:
        """What `search` finds, near misses after the hits."""
        return self._answer(self._search(asked, k))

    def pack(self, asked: Asked, k: int, budget: int) -> Answer | None:
        """The same with a context pack."""
        found = self._search(asked, k, budget=budget)
        packed = getattr(found, "pack", None)
        if packed is None:
            return None
        refs = tuple(self._ids[ref] for ref in packed.refs if ref in self._ids)
        return Answer(context=packed.text, packed=refs)

    def _search(self, asked: Asked, k: int, **options: Any) -> Any:
        now = asked_at(asked, self._turns)
        return self._memory.search(asked.text, limit=k, now=now, **self._recipe, **options)

    def _answer(self, found: Any) -> Answer:
        ranked = (*found.hits, *getattr(found, "near", ()))
        return Answer(
            # What is no turn of the transcript answers nothing and still takes its place.
            chunks=tuple((self._ids.get(hit.passage.ref, f"?{hit.passage.ref}"),) for hit in ranked),
            confidence=found.confidence,
            abstained=found.verdict == "not_in_memory_db",
        )


def open_fresh_root(root: str) -> Any:
    """A new memory at `root`."""
    from memoracle.compose import init, open_memory

    init(root)
    return open_memory(root)
