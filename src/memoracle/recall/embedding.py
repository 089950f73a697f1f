"""Passages into vectors, batch by batch; what was computed before is found by content.

An embedder that cannot be used is no failure here: recall then works by words alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from memoracle.embed.api import Embedder, Kind
from memoracle.embed.script import Space, space_of
from memoracle.index.api import Pending, Progress
from memoracle.text import pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Embedders = Callable[[], Mapping[Space, Embedder]]
_BATCH = 512


class Room(Protocol):
    """The side of a view that keeps vectors."""

    def pending(self, limit: int) -> list[Pending]: ...
    def count_pending(self) -> int: ...
    def known_vectors(self, space: str, contents: Sequence[str]) -> dict[str, bytes]: ...
    def keep_vectors(self, space: str, vectors: Mapping[int, bytes], contents: Mapping[int, str]) -> bool: ...


def embed_pending(index: Room, embedders: Embedders, *, progress: Progress, most: int | None = None) -> int:
    """Give every standing passage its vector, or `most` of them; how many got one is returned."""
    total = index.count_pending()
    if not total or not (models := embedders()):
        return 0
    done = 0
    while done < (most or total) and (batch := index.pending(min(_BATCH, most or _BATCH))):
        by_space: dict[Space, list[Pending]] = {}
        for item in batch:
            by_space.setdefault(_space(item, models), []).append(item)
        for space, items in by_space.items():
            vectors = _vectors(items, models[space], index)
            contents = {item.row: item.content for item in items}
            if not index.keep_vectors(models[space].name, vectors, contents):
                return done
        done += len(batch)
        progress(done, max(total, done))
    return done


def _space(item: Pending, models: Mapping[Space, Embedder]) -> Space:
    space = space_of(item.text)
    return space if space in models else next(iter(models))


def _vectors(items: Sequence[Pending], model: Embedder, index: Room) -> dict[int, bytes]:
    known = index.known_vectors(model.name, list({item.content for item in items}))
    fresh = [item for item in items if item.content not in known]
    if fresh:
        texts = [texts_of(item) for item in fresh]
        rows = model.embed([text for many in texts for text in many], Kind.PASSAGE)
        start = 0
        for item, many in zip(fresh, texts, strict=True):
            known[item.content] = _mean(rows[start : start + len(many)])
            start += len(many)
    return {item.row: known[item.content] for item in items}


def texts_of(item: Pending) -> list[str]:
    """What is embedded for a passage: its pieces, each with its speaker or title before it."""
    before = item.who or item.title
    return [f"{before}: {piece}" if before else piece for piece in pieces(item.text)]


def _mean(rows: NDArray[np.float32]) -> bytes:
    import numpy as np

    middle = rows.mean(axis=0)
    return (middle / (np.linalg.norm(middle) or 1.0)).astype("<f2").tobytes()
