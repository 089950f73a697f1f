"""An embedder that computes each text once.

Keeps vectors by a digest of model, kind and text, through two callables: where they lie is the caller's
business. Vectors are kept as float16, and fresh ones are rounded the same way before they are handed
out, so an index built from the cache equals one built without it.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from memoracle.embed.api import Kind
from memoracle.embed.rows import unit_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memoracle.embed.api import Embedder, Vectors

    Load: TypeAlias = Callable[[Sequence[bytes]], Mapping[bytes, bytes]]
    Save: TypeAlias = Callable[[Sequence[tuple[bytes, bytes]]], None]
    Progress: TypeAlias = Callable[[int, int], None]

_TEXTS_AT_ONCE = 256
_KEPT = np.dtype("<f2")


class Cached:
    """The same embedder as `inner`, remembering.

    `load` is asked for digests and answers with those it has; `save` gets pairs of digest and bytes after
    each batch, so work interrupted is not lost. `progress` hears how many of how many texts are done.
    """

    __slots__ = ("_inner", "_load", "_progress", "_save")

    def __init__(self, inner: Embedder, *, load: Load, save: Save, progress: Progress | None = None) -> None:
        self._inner = inner
        self._load = load
        self._save = save
        self._progress = progress

    @property
    def name(self) -> str:
        """The name of the embedder inside: a cache changes no vector's meaning."""
        return self._inner.name

    @property
    def dims(self) -> int:
        """The length of a vector."""
        return self._inner.dims

    def embed(self, texts: Sequence[str], kind: Kind = Kind.PASSAGE) -> Vectors:
        """One unit vector per text, in the order of `texts`; equal texts are computed once."""
        if not texts:
            return np.empty((0, self.dims), dtype=np.float32)
        digests = [digest(self.name, kind, text) for text in texts]
        kept = self._kept(digests)
        missing = {key: text for key, text in zip(digests, texts, strict=True) if key not in kept}
        self._report(len(texts) - len(missing), len(texts))
        # Neighbours in length share a batch, which the models inside turn into speed.
        todo = sorted(missing.items(), key=lambda item: len(item[1]))
        for start in range(0, len(todo), _TEXTS_AT_ONCE):
            batch = todo[start : start + _TEXTS_AT_ONCE]
            kept |= self._compute(batch, kind)
            self._report(len(texts) - len(todo) + start + len(batch), len(texts))
        rows = np.frombuffer(b"".join(kept[key] for key in digests), dtype=_KEPT)
        return unit_rows(rows.reshape(len(texts), self.dims))

    def _kept(self, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        """What the cache has, less whatever is not a vector of this length."""
        found = self._load(list(dict.fromkeys(digests)))
        size = self.dims * _KEPT.itemsize
        return {key: bytes(vector) for key, vector in found.items() if len(vector) == size}

    def _compute(self, batch: Sequence[tuple[bytes, str]], kind: Kind) -> dict[bytes, bytes]:
        rows = self._inner.embed([text for _, text in batch], kind).astype(_KEPT)
        fresh = {key: row.tobytes() for (key, _), row in zip(batch, rows, strict=True)}
        self._save(list(fresh.items()))
        return fresh

    def _report(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(done, total)


def digest(name: str, kind: Kind, text: str) -> bytes:
    """Sixteen bytes that stand for this text, of this kind, under the embedder `name`."""
    content = f"{name}\0{kind}\0{text}".encode("utf-8", "surrogatepass")
    return blake2b(content, digest_size=16).digest()
