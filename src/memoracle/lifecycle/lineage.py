"""Why a record is there: what it came from, what it replaced, what replaced it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from memoracle.model.record import Record, newest
from memoracle.model.value import value


class Standing(Protocol):
    """Where a line stands."""

    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...


@value
class Ancestor:
    """A record in the lineage of another: its words, its place, and how they hang together."""

    id: str
    relation: str
    text: str
    cite: str


@value
class Lineage:
    """A record, the place it stands at, and the records it hangs together with, oldest first."""

    record: Record
    cite: str
    versions: int
    related: tuple[Ancestor, ...]


def trace_lineage(
    record_id: str,
    versions_of: Callable[[str], Sequence[Record]],
    place_of: Callable[[Record], Standing | None],
) -> Lineage:
    """Follow what a record replaced, cites and was replaced by, as far as it goes."""
    versions = versions_of(record_id)
    record = newest(versions)
    related: dict[str, tuple[Record, Ancestor]] = {}
    waiting = [(source, "source") for source in record.sources]
    waiting += [(one, "replaced") for one in record.validity.supersedes]
    if record.validity.superseded_by:
        waiting.append((record.validity.superseded_by, "replaced by"))
    while waiting:
        other_id, relation = waiting.pop(0)
        if other_id in related or other_id == record_id or not (others := versions_of(other_id)):
            continue
        other = newest(others)
        cite = _cite(place_of(other))
        related[other_id] = other, Ancestor(id=other_id, relation=relation, text=other.text, cite=cite)
        if relation == "replaced":
            waiting += [(one, "replaced") for one in other.validity.supersedes]
        if relation == "replaced by" and other.validity.superseded_by:
            waiting.append((other.validity.superseded_by, "replaced by"))
    return Lineage(
        record=record,
        cite=_cite(place_of(record)),
        versions=len(versions),
        related=tuple(one for _, one in sorted(related.values(), key=lambda pair: pair[0].created)),
    )


def _cite(place: Standing | None) -> str:
    return f"{place.path}#L{place.line}" if place else ""
