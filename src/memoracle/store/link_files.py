"""The files of links that a published design keeps: `_links/<source>.jsonl` and `_backlinks/<target>.jsonl`.

Derived, the same bytes for the same links: an edge keeps the moment it was first written. The caller holds the lock.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.model.link import Edge, LinksWritten
from memoracle.model.report import Done
from memoracle.store.flat import flat
from memoracle.store.layouts import resolve
from memoracle.store.projected import put_documents
from memoracle.store.store import Store
from memoracle.times import write_time

GROUP = "links"


def put_links(
    store: Store,
    edges: Mapping[str, Sequence[Edge]],
    *,
    source: str = "",
    now: datetime,
    dry_run: bool = False,
) -> tuple[LinksWritten, Done]:
    """Make the files say what links where; what came and went is counted, of one source or of all."""
    outgoing = {one: list(own) for one, own in edges.items() if own}
    if "links" not in store.layout:
        total = outgoing.get(source, []) if source else [edge for own in outgoing.values() for edge in own]
        return LinksWritten(source=source, edges_total=len(total), targets_added=0, targets_removed=0), Done()
    before: dict[str, dict[tuple[str, str], str]] = {}
    documents: dict[str, bytes] = {}
    incoming: dict[str, list[tuple[Edge, str]]] = {}
    for one, own in outgoing.items():
        place = resolve(store.layout, "links", flat=flat(one))
        before[one] = _known(store, place)
        stamped = [
            (edge, before[one].get((edge.target, edge.type.value), "") or write_time(now)) for edge in own
        ]
        documents[place] = _lines(stamped)
        for edge, at in stamped:
            incoming.setdefault(edge.target, []).append((edge, at))
    for target, held in incoming.items():
        documents[resolve(store.layout, "backlinks", flat=flat(target))] = _lines(held)
    if source and source not in before:
        before[source] = _known(store, resolve(store.layout, "links", flat=flat(source)))
    chosen = [source] if source else sorted(before)
    was = {(one, target) for one in chosen for target, _ in before.get(one, {})}
    now_there = {(one, edge.target) for one in chosen for edge in outgoing.get(one, ())}
    done = put_documents(store, GROUP, documents, dry_run=dry_run)
    written = LinksWritten(
        source=source,
        edges_total=sum(len(outgoing.get(one, ())) for one in chosen),
        targets_added=len(now_there - was),
        targets_removed=len(was - now_there),
        paths=tuple(step.target for step in done.steps),
    )
    return written, done


def edge_fields(edge: Edge, extracted_at: str) -> dict[str, Any]:
    """An edge as a line of such a file."""
    return {
        "from": edge.source,
        "to": edge.target,
        "type": edge.type.value,
        "snippet": edge.snippet,
        "extracted_at": extracted_at,
    }


def _lines(edges: Iterable[tuple[Edge, str]]) -> bytes:
    ordered = sorted(edges, key=lambda one: (one[0].source, one[0].target, one[0].type))
    return b"".join(
        json.dumps(edge_fields(edge, at), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        for edge, at in ordered
    )


def _known(store: Store, place: str) -> dict[tuple[str, str], str]:
    """The edges that a file has now, with the moments they were written; a line that is none counts for nothing."""
    try:
        content = store.volume.read(place)
    except MemoracleError:
        return {}
    known = {}
    for line in content.splitlines():
        try:
            held = json.loads(line)
            known[str(held["to"]), str(held["type"])] = str(held.get("extracted_at", ""))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
    return known
