"""Erased records leave what memory itself generated: lines of blocks that name them, and derived documents.

The owner's own text stays. Derived documents are taken away whole and come back with the next upkeep.
"""

from __future__ import annotations

from collections.abc import Iterable

from memoracle.model.hit import cited_in, short_id
from memoracle.model.ids import file_digest
from memoracle.store.generated import strike
from memoracle.store.packed import PACKED, content_of, pack, unpack
from memoracle.store.projected import projected_paths
from memoracle.store.store import Store

_MARK = b"memoracle:begin"


def retract(store: Store, ids: Iterable[str]) -> dict[str, int]:
    """Take these records out of everything generated; how many lines went from each file. Holds the lock."""
    marks = frozenset(map(short_id, ids))
    removed: dict[str, int] = {}
    for path in _notes(store):
        raw = store.volume.read(path)
        content = unpack(path, raw) if path.endswith(PACKED) and raw else raw
        if _MARK not in content:
            continue
        struck = strike(content.decode("utf-8", "surrogateescape"), marks).encode("utf-8", "surrogateescape")
        if struck != content:
            after = pack(struck) if path.endswith(PACKED) else struck
            store.volume.replace(path, after, expected=file_digest(raw))
            removed[path] = content.count(b"\n") - struck.count(b"\n")
    for path in projected_paths(store):
        lines = store.volume.read(path).split(b"\n")
        if not path.endswith(".md"):
            store.volume.remove(path)
            removed |= {path: len(lines)} if lines != [b""] else {}
            continue
        kept = [line for line in lines if marks.isdisjoint(cited_in(line.decode("utf-8", "replace")))]
        if kept != lines:
            store.volume.replace(path, b"\n".join(kept))
            removed[path] = len(lines) - len(kept)
    return removed


def cited_by(store: Store, ids: Iterable[str]) -> list[str]:
    """The generated blocks and documents that name one of these records; nothing is written."""
    marks = frozenset(map(short_id, ids))
    if not marks:
        return []
    found = [
        path
        for path in _notes(store)
        if _MARK in (content := content_of(store.volume, path))
        and not marks.isdisjoint(cited_in(content.decode("utf-8", "replace")))
    ]
    return [*found, *(path for path in projected_paths(store) if store.volume.has(path))]


def _notes(store: Store) -> list[str]:
    """Every note that may hold a block: the live ones, and daily notes in the archive."""
    cold = store.layout["archived_daily"].partition("{")[0].rpartition("/")[0]
    return [*store.notes.files(), *store.volume.walk(cold, (".md", f".md{PACKED}"))]
