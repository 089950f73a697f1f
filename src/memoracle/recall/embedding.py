"""Passages into vectors, batch by batch; what was computed before is found by content.

An embedder that cannot be used is no failure here: recall then works by words alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from memoracle.index.api import Catalogue, EmbeddedChunk, Pending, Progress
from memoracle.inference.api import Embedder, Kind
from memoracle.inference.script import Space, space_of
from memoracle.model.ids import file_digest
from memoracle.text import chunks

Embedders = Callable[[], Mapping[Space, Embedder]]
_BATCH = 512


def embed_pending(index: Catalogue, embedders: Embedders, *, progress: Progress) -> int:
    """Give every standing passage its vectors; how many got theirs is returned."""
    total = index.count_pending()
    if not total or not (models := embedders()):
        return 0
    done = 0
    while batch := index.pending(_BATCH):
        by_space: dict[Space, list[Pending]] = {}
        for item in batch:
            by_space.setdefault(_space(item, models), []).append(item)
        for space, items in by_space.items():
            if not index.keep_vectors(models[space].name, _chunks(items, models[space], index)):
                return done  # another process is at it
        done += len(batch)
        progress(done, max(total, done))
    return done


def recover(index: Catalogue, embedders: Embedders) -> int:
    """Give a view that was built anew the vectors that are still kept; nothing is computed."""
    if not index.keeps_vectors() or not (models := embedders()):
        return 0
    done = 0
    waiting = index.pending(index.count_pending())
    for start in range(0, len(waiting), _BATCH):
        for space, model in models.items():
            batch = [item for item in waiting[start : start + _BATCH] if _space(item, models) is space]
            contents = {item.row: [_content(text) for text in texts_of(item)] for item in batch}
            known = index.known_vectors(model.name, list({one for many in contents.values() for one in many}))
            kept = {
                row: [EmbeddedChunk(content=content, vector=known[content]) for content in many]
                for row, many in contents.items()
                if all(content in known for content in many)
            }
            if kept and index.keep_vectors(model.name, kept):
                done += len(kept)
    return done


def texts_of(item: Pending) -> list[str]:
    """What is embedded for a passage: its first chunks, in English with the speaker or title before each."""
    before = (item.who or item.title) if space_of(item.text) is Space.ENGLISH else ""
    parts = chunks(item.text, size=item.chunk_size, most=item.most)
    return [f"{before}: {part}" if before else part for part in parts]


def _space(item: Pending, models: Mapping[Space, Embedder]) -> Space:
    space = space_of(item.text)
    return space if space in models else next(iter(models))


def _chunks(items: Sequence[Pending], model: Embedder, index: Catalogue) -> dict[int, list[EmbeddedChunk]]:
    texts = {item.row: texts_of(item) for item in items}
    contents = {text: _content(text) for many in texts.values() for text in many}
    known = index.known_vectors(model.name, list(contents.values()))
    fresh = [text for text, content in contents.items() if content not in known]
    if fresh:
        vectors = model.embed(fresh, Kind.PASSAGE).astype("<f2")
        known |= {contents[text]: vector.tobytes() for text, vector in zip(fresh, vectors, strict=True)}
    return {
        row: [EmbeddedChunk(content=contents[text], vector=known[contents[text]]) for text in many]
        for row, many in texts.items()
    }


def _content(text: str) -> str:
    return file_digest(text.encode("utf-8", "replace"))
