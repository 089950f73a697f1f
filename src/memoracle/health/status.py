"""What a memory holds, in a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from memoracle.health.ground import size_below
from memoracle.health.report import read_health
from memoracle.index.api import Index
from memoracle.model.ledger import Use
from memoracle.model.record import Status
from memoracle.model.standing import Standing
from memoracle.model.value import field, value
from memoracle.store.store import Store

_BANDS = (("critical", 0.9), ("high", 0.7), ("medium", 0.4), ("low", 0.0))


Moments = tuple[datetime | None, datetime]


@value
class JobState:
    """When a job last succeeded, and when it is due next."""

    last_success: datetime | None
    next_due: datetime


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
    asking: Use
    health: str = ""
    jobs: Mapping[str, JobState] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@value
class Stats:
    """Counts of the standing records."""

    total: int
    active: int
    archive: int
    by_kind: Mapping[str, int]
    by_importance: Mapping[str, int]
    by_kind_percent: Mapping[str, float] = field(default_factory=dict)
    last_consolidation: datetime | None = None
    next_consolidation: datetime | None = None


def summarise(
    store: Store, index: Index, *, warnings: Sequence[str], asking: Use, tended: Mapping[str, Moments]
) -> Summary:
    """The state of one memory; `tended` says of each job when it last succeeded and when it is due next."""
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
        disk_bytes=size_below(store.root),
        asking=asking,
        health=str(read_health(store).get("status", "")),
        jobs={name: JobState(last_success=last, next_due=coming) for name, (last, coming) in tended.items()},
        warnings=tuple(warnings),
    )


def count_by_status(seen: Sequence[Standing]) -> dict[str, int]:
    """How many of these records there are of each status."""
    statuses = (Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED)
    return {status.value: sum(one.passage.status is status for one in seen) for status in statuses}


def stats(seen: Sequence[Standing]) -> Stats:
    """How many of these records there are, by kind and by importance."""
    counted = count_by_status(seen)
    active, archived = counted["active"], counted["archived"]
    bands = dict.fromkeys((name for name, _ in _BANDS), 0)
    by_kind: dict[str, int] = {}
    for passage in sorted((one.passage for one in seen), key=lambda one: one.kind):
        if passage.status is Status.ACTIVE:
            bands[next(name for name, least in _BANDS if passage.importance >= least)] += 1
            by_kind[passage.kind] = by_kind.get(passage.kind, 0) + 1
    return Stats(
        total=active + archived,
        active=active,
        archive=archived,
        by_kind=by_kind,
        by_importance=bands,
        by_kind_percent={name: round(100 * number / max(1, active), 1) for name, number in by_kind.items()},
    )
