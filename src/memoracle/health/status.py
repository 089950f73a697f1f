"""What a memory holds, in a glance."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime

from memoracle.index.api import Index
from memoracle.model.query import Filters
from memoracle.model.value import value
from memoracle.store.store import Store

_BANDS = (("critical", 0.9), ("high", 0.7), ("medium", 0.4), ("low", 0.0))


@value
class Summary:
    """The state of one memory."""

    root: str
    layout: str
    active: int
    archived: int
    superseded: int
    notes: int
    turns: int
    without_vector: int
    findings: int
    view: str
    disk_bytes: int
    warnings: tuple[str, ...] = ()


@value
class Stats:
    """Counts of the standing records."""

    total: int
    active: int
    archive: int
    by_kind: Mapping[str, int]
    by_importance: Mapping[str, int]


def summarise(store: Store, index: Index, *, warnings: Sequence[str]) -> Summary:
    """The state of one memory."""
    counts = index.counts()
    return Summary(
        root=store.root,
        layout=store.layout_name,
        active=counts.get("status:active", 0),
        archived=counts.get("status:archived", 0),
        superseded=counts.get("status:superseded", 0),
        notes=counts.get("notes", 0),
        turns=counts.get("turns", 0),
        without_vector=index.count_pending(),
        findings=len(index.findings()),
        view="whole" if index.is_whole() else "being rebuilt",
        disk_bytes=_size_on_disk(store.root),
        warnings=tuple(warnings),
    )


def stats(index: Index, *, now: datetime) -> Stats:
    """How many records there are, by kind and by importance."""
    counts = index.counts()
    active, archived = counts.get("status:active", 0), counts.get("status:archived", 0)
    bands = dict.fromkeys((name for name, _ in _BANDS), 0)
    for found in index.list_records(Filters(), 10_000_000, now):
        bands[next(name for name, least in _BANDS if found.passage.importance >= least)] += 1
    return Stats(
        total=active + archived,
        active=active,
        archive=archived,
        by_kind={n.removeprefix("kind:"): c for n, c in sorted(counts.items()) if n.startswith("kind:")},
        by_importance=bands,
    )


def _size_on_disk(folder: str) -> int:
    return sum(
        os.lstat(os.path.join(where, name)).st_size for where, _, names in os.walk(folder) for name in names
    )
