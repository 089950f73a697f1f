"""Derived documents at the places of a layout: written when they change, withdrawn when they are empty of reason.

The caller holds the lock. `state/projected.json` knows what memory wrote. What somebody else wrote at such a place
is kept in the archive before it is replaced, and is never withdrawn; in an adopted directory it stands as it is until
the owner agrees that upkeep tends it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from memoracle.errors import MemoracleError
from memoracle.model.ids import file_digest
from memoracle.model.link import Edge, LinksWritten
from memoracle.model.report import Done, Finding, Severity, Step
from memoracle.store.layouts import resolve
from memoracle.store.volume import Volume, parsed_lines, read_document, write_document
from memoracle.times import write_time

if TYPE_CHECKING:
    from memoracle.store.store import Store

_FILE = "projected.json"
ORIGINALS = "originals"


def put_documents(
    store: Store, group: str, documents: Mapping[str, bytes], *, dry_run: bool = False, is_part: bool = False
) -> Done:
    """Make these the documents of a group, by relative path; those it had before and no longer has go.

    A part of a group says nothing of the others. It follows a page that somebody wrote, as the design's own program has
    it, and so does not wait for anybody's word.
    """
    volume, name = store.volume, store.state_name(_FILE)
    book = read_document(volume, name)
    noted = book.get(group)
    held: dict[str, Sequence[str]] = dict(noted) if isinstance(noted, dict) else {}
    adopted = store.adopted()
    waits = adopted is not None and not is_part and not adopted.may_tend(store.now())

    def is_ours(path: str) -> bool:
        return _digest_at(volume, path) in held.get(path, ())

    def save() -> None:
        if not dry_run and held != book.get(group, {}):
            book[group] = dict(sorted(held.items()))
            write_document(volume, name, book)

    changed = {
        path: content
        for path, content in sorted(documents.items())
        if _digest_at(volume, path) != file_digest(content)
        and not (waits and volume.has(path) and not is_ours(path))
    }
    for path, content in changed.items():
        # What it holds and what is to replace it: a kill may come between noting a content and writing it.
        held[path] = [*([_digest_at(volume, path)] if is_ours(path) else []), file_digest(content)]
    save()
    steps: list[Step] = []
    findings: list[Finding] = []
    for path, content in changed.items():
        try:
            if not dry_run:
                present = volume.read(path)
                if present and not is_ours(path):
                    from memoracle.store.archive import copy_to

                    copy_to(store, path, f"{store.layout['archive']}/{ORIGINALS}/{path}")
                volume.replace(path, content, expected=file_digest(present))
            steps.append(Step(act="write", target=path, because="what it is derived from has changed"))
        except MemoracleError as problem:
            says = f"it could not be brought up to date: {problem}"
            findings.append(Finding(code="not-projected", severity=Severity.WARNING, path=path, message=says))
    for path in sorted(held.keys() - documents.keys()) if not is_part else ():
        if not dry_run:
            if is_ours(path):
                volume.remove(path)
            del held[path]
        steps.append(Step(act="withdraw", target=path, because="nothing is left that it is derived from"))
    save()
    return Done(steps=tuple(steps), findings=tuple(findings))


def _digest_at(volume: Volume, path: str) -> str:
    """The digest of what stands there; none where it cannot be read, and writing says what is wrong."""
    try:
        return file_digest(volume.read(path))
    except MemoracleError:
        return ""


def projected_paths(store: Store) -> list[str]:
    """Every derived document that memory wrote."""
    held = read_document(store.volume, store.state_name(_FILE))
    return sorted(path for group in held.values() if isinstance(group, dict) for path in group)


# The files of links that a published design keeps: `_links/<source>.jsonl` and `_backlinks/<target>.jsonl`.
#
# Derived, the same bytes for the same links: an edge keeps the moment it was first written.

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


def put_links_of(store: Store, source: str, edges: Sequence[Edge], *, now: datetime) -> Done:
    """The file of one page's links, and its lines among what links back; lines of others stay as they are."""
    own = resolve(store.layout, "links", flat=flat(source))
    before = _known(store, own)
    stamped = [(edge, before.get((edge.target, edge.type.value), "") or write_time(now)) for edge in edges]
    documents = {own: _lines(stamped)} if stamped or before else {}
    for target in {edge.target for edge in edges} | {target for target, _ in before}:
        place = resolve(store.layout, "backlinks", flat=flat(target))
        others = [
            line
            for line, held in parsed_lines(store.volume.read(place), lambda held: held.get("from"))
            if held != source
        ]
        documents[place] = b"".join(one + b"\n" for one in others) + _lines(
            [one for one in stamped if one[0].target == target]
        )
    gone = [path for path, content in documents.items() if not content and store.volume.has(path)]
    done = put_documents(store, GROUP, {p: c for p, c in documents.items() if c}, is_part=True)
    for path in gone:
        store.volume.remove(path)
    return done


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
    for _, held in parsed_lines(
        content, lambda held: (held["to"], held["type"], held.get("extracted_at", ""))
    ):
        if held:
            known[str(held[0]), str(held[1])] = str(held[2])
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
