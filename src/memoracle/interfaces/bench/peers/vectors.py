"""all-MiniLM-L6-v2 for every peer that embeds: Memoracle's own weights and arithmetic.

The packs repeat their turns over many stores, and several peers embed the same ones. Vectors are kept in a
cache, each with the seconds it took, and those seconds are charged to whoever uses it: a peer's indexing
time is what it would have been without the cache. Questions are always computed.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from hashlib import blake2b
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from memoracle.embed.minilm import NAME, open_minilm

if TYPE_CHECKING:
    from memoracle.embed.api import Vectors

MODEL_VARIABLE = "MEMORACLE_BENCH_MINILM"
CACHE_VARIABLE = "MEMORACLE_BENCH_CACHE"
DIMS = 384
_AT_ONCE = 64


class SharedMiniLM:
    """Texts into vectors; `take_charge` says what the cache has saved since it was last asked."""

    def __init__(self, cache_dir: str, folder: str | None = None) -> None:
        os.makedirs(cache_dir, exist_ok=True)
        self._model = open_minilm(folder, cache_dir=cache_dir)
        self._kept = sqlite3.connect(os.path.join(cache_dir, "minilm.sqlite"), timeout=60)
        self._kept.execute("create table if not exists vector(key blob primary key, vector blob, cost real)")
        self._saved = 0.0

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, from the cache where it has them."""
        keys = [_key(text) for text in texts]
        found = {key: row for key in dict.fromkeys(keys) if (row := self._look_up(key))}
        # A text that comes twice in one call would be computed once by any peer as well; no charge for that.
        self._saved += sum(cost for _, cost in found.values())
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        todo = sorted(missing.items(), key=lambda item: len(item[1]))
        for start in range(0, len(todo), _AT_ONCE):
            found |= self._compute(todo[start : start + _AT_ONCE])
        rows = np.frombuffer(b"".join(found[key][0] for key in keys), dtype="<f4")
        return rows.reshape(len(texts), DIMS).astype(np.float32)

    def question(self, text: str) -> Vectors:
        """The vector of a question, computed now."""
        vector: Vectors = self._model.embed([text])[0]
        return vector

    def take_charge(self) -> float:
        """The seconds that cached vectors would have cost, counted once."""
        saved, self._saved = self._saved, 0.0
        return saved

    def _look_up(self, key: bytes) -> tuple[bytes, float] | None:
        row: tuple[bytes, float] | None = self._kept.execute(
            "select vector, cost from vector where key = ?", (key,)
        ).fetchone()
        return row

    def _compute(self, batch: Sequence[tuple[bytes, str]]) -> dict[bytes, tuple[bytes, float]]:
        started = perf_counter()
        rows = self._model.embed([text for _, text in batch]).astype("<f4")
        spent = perf_counter() - started
        # Neighbours in length share a batch, so equal shares are fair enough.
        fresh = {key: (row.tobytes(), spent / len(batch)) for (key, _), row in zip(batch, rows, strict=True)}
        with self._kept:
            self._kept.executemany(
                "insert or ignore into vector values (?, ?, ?)", [(key, *row) for key, row in fresh.items()]
            )
        return fresh


def open_vectors() -> SharedMiniLM:
    """The shared model, where the runner says that weights and cache are."""
    return SharedMiniLM(os.environ[CACHE_VARIABLE], os.environ.get(MODEL_VARIABLE))


def _key(text: str) -> bytes:
    return blake2b(f"{NAME}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
