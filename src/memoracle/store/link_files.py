"""The files of links that a published design keeps: `_links/<source>.jsonl` and `_backlinks/<target>.jsonl`.

Derived, the same bytes for the same links: an edge keeps the moment it was first written. The caller holds the lock.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any
from unicodedata import normalize

from memoracle.errors import MemoracleError
from memoracle.model.link import Edge, LinksWritten
from memoracle.model.report import Done
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


# The address of a page or an entity as one file name. Pure.
#
# A slash becomes `__` and a colon `++`, as a published design has it; every character that could be mistaken for one
# of them is escaped with its code, so that two addresses never share a name. A name longer than a file system takes is
# cut and ends in a digest: what it stands for is written inside the file.

LONGEST = 200
_CUT = "%-"
_PLAIN = re.compile(r"[^\W_]|-")
_BESIDE = frozenset("_/")


def flat(address: str) -> str:
    """The file name of an address; another for every address."""
    pieces = [_written(address, at) for at in range(len(address))]
    if not pieces or not re.match(r"[^\W_]", pieces[0]):
        pieces.insert(0, f"p{_CUT}")
    name = "".join(pieces)
    if len(name.encode()) <= LONGEST:
        return name
    digest = blake2b(address.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
    room = LONGEST - len(_CUT) - len(digest)
    kept: list[str] = []
    for piece in pieces:
        room -= len(piece.encode())
        if room < 0:
            break
        kept.append(piece)
    return f"{''.join(kept)}{_CUT}{digest}"


def _written(address: str, at: int) -> str:
    ch = address[at]
    if ch == "/":
        return "__"
    if ch == ":":
        return "++"
    beside = {address[at - 1 : at] if at else "", address[at + 1 : at + 2]}
    if ch == "_":
        return "%5F" if beside & _BESIDE else ch
    if ch == ".":
        return "%2E" if "." in beside or at == 0 else ch
    if _PLAIN.fullmatch(ch) and normalize("NFKC", ch) == ch:
        return ch
    return "".join(f"%{byte:02X}" for byte in ch.encode("utf-8", "surrogatepass"))
