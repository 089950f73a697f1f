"""Memoracle itself as a subject: init, ingest a plain transcript, search. Nothing else is used."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memoracle.embed.api import Embedder
from memoracle.embed.script import Space
from memoracle.interfaces.bench.packs import Asked, Said
from memoracle.interfaces.bench.places import CACHE_VARIABLE
from memoracle.interfaces.bench.subject import Answer
from memoracle.interfaces.bench.transcript import asked_at, ids_by_ref, write_transcript
from memoracle.settings import Settings

NAME = "memoracle"


class Product:
    """A fresh root for every space, driven through the public door."""

    def __init__(
        self,
        open_root: Callable[[str], Any],
        *,
        recipe: str | None = None,
        take_charge: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._open_root = open_root
        self._take_charge = take_charge
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
        return self._take_charge()

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


def open_product(recipe: str | None) -> Product:
    """The product as it is composed, with the vectors of passages that were embedded in an earlier store."""
    from memoracle import compose
    from memoracle.interfaces.bench.charged import Charged

    opened: dict[Space, Charged] = {}

    def embedders() -> Mapping[Space, Embedder]:
        if not opened:
            cache = os.environ[CACHE_VARIABLE]
            bundled = compose.embedders_of(Settings())
            opened.update({space: Charged(model, cache) for space, model in bundled.items()})
        return opened

    def open_root(root: str) -> Any:
        compose.init(root)
        return compose.open_memory(root, embedders=embedders)

    return Product(
        open_root, recipe=recipe, take_charge=lambda: sum(model.take_charge() for model in opened.values())
    )
