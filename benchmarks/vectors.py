"""One cache of vectors for everybody, paid for by everybody; and one model for every peer that embeds.

The folder that `MEMORACLE_BENCH_MINILM` names is that model, all-MiniLM-L6-v2 as most peers ship it; without one
they get the model of the package, and `shared_name` says which it was.

Packs repeat their turns over many memories, and several subjects embed the same ones: without a cache a run
takes hours. Every vector is kept with the seconds of CPU it took, and whoever finds it there is charged
those seconds, so that an indexing time is what it would have been without the cache. Fresh vectors count
their CPU seconds as well, whatever else the machine was doing. Questions are always computed.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from hashlib import blake2b
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import numpy as np

from memoracle.inference.api import Embedder, EmbeddingKind
from memoracle.inference.bundled import open_embedder
from memoracle.inference.folder import open_folder

if TYPE_CHECKING:
    from memoracle.inference.api import Vectors

MODEL_VARIABLE = "MEMORACLE_BENCH_MINILM"
CACHE_VARIABLE = "MEMORACLE_BENCH_CACHE"


def shared_places() -> dict[str, str]:
    """The variables that tell a worker; a folder in them already is kept."""
    usual = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    cache = os.environ.get(CACHE_VARIABLE) or os.path.join(usual, "memoracle", "bench")
    weights = os.environ.get(MODEL_VARIABLE)
    return {CACHE_VARIABLE: cache} | ({MODEL_VARIABLE: weights} if weights else {})


FILE = "vectors.sqlite"
_AT_ONCE = 64


class Charged:
    """The same embedder as `inner`; `take_charge` says what to add to measured times."""

    def __init__(self, inner: Embedder, folder: str) -> None:
        self._inner = inner
        self._saved = 0.0
        os.makedirs(folder, exist_ok=True)
        self._kept = sqlite3.connect(os.path.join(folder, FILE), timeout=60)
        self._kept.execute("create table if not exists vector(key blob primary key, vector blob, cost real)")

    @property
    def name(self) -> str:
        """The name of the embedder inside."""
        return self._inner.name

    @property
    def dims(self) -> int:
        """The length of a vector."""
        return self._inner.dims

    def embed(self, texts: Sequence[str], kind: EmbeddingKind = EmbeddingKind.PASSAGE) -> Vectors:
        """One unit vector per text; passages come from the cache where it has them."""
        if kind is EmbeddingKind.QUERY:
            return self._inner.embed(texts, kind)
        keys = [self._key(text) for text in texts]
        found = {key: row for key in dict.fromkeys(keys) if (row := self._look_up(key))}
        self._saved += sum(cost for _, cost in found.values())
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        todo = sorted(missing.items(), key=lambda item: len(item[1]))
        for start in range(0, len(todo), _AT_ONCE):
            found |= self._compute(todo[start : start + _AT_ONCE])
        rows = np.frombuffer(b"".join(found[key][0] for key in keys), dtype="<f4")
        return rows.reshape(len(texts), self.dims).astype(np.float32)

    def take_charge(self) -> float:
        """The seconds to add to the time a caller measured itself; told once."""
        saved, self._saved = self._saved, 0.0
        return saved

    def _look_up(self, key: bytes) -> tuple[bytes, float] | None:
        row: tuple[bytes, float] | None = self._kept.execute(
            "select vector, cost from vector where key = ?", (key,)
        ).fetchone()
        return row

    def _compute(self, batch: Sequence[tuple[bytes, str]]) -> dict[bytes, tuple[bytes, float]]:
        clock, started = perf_counter(), process_time()
        rows = self._inner.embed([text for _, text in batch], EmbeddingKind.PASSAGE).astype("<f4")
        # Neighbours in length share a batch, so equal shares of its time are fair enough.
        spent = process_time() - started
        cost = spent / len(batch)
        self._saved += spent - (perf_counter() - clock)
        fresh = {key: (row.tobytes(), cost) for (key, _), row in zip(batch, rows, strict=True)}
        with self._kept:
            self._kept.executemany(
                "insert or ignore into vector values (?, ?, ?)", [(key, *row) for key, row in fresh.items()]
            )
        return fresh

    def _key(self, text: str) -> bytes:
        return blake2b(f"{self.name}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


class SharedModel:
    """Passages and questions into vectors."""

    def __init__(self, model: Charged) -> None:
        self._model = model
        self.dims = model.dims
        self.take_charge = model.take_charge

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text."""
        return self._model.embed(texts)

    def question(self, text: str) -> Vectors:
        """The vector of a question, computed now."""
        vector: Vectors = self._model.embed([text], EmbeddingKind.QUERY)[0]
        return vector


def open_vectors() -> SharedModel:
    """The shared model, where the runner says that weights and cache are."""
    return SharedModel(Charged(_shared(), os.environ[CACHE_VARIABLE]))


def shared_name() -> str:
    """The model that peers embed with."""
    return _shared().name.partition("@")[0]


def _shared() -> Embedder:
    folder = os.environ.get(MODEL_VARIABLE)
    return open_folder(folder) if folder else open_embedder()
