"""The one operation that removes bytes.

The tombstone is written first: from then on the record is gone for every reader, and a kill in
the middle leaves work for `repair`, never a record that half exists.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memoracle.model.change import Change
from memoracle.model.record import Record, Statement, Status, Weight
from memoracle.store import durable, quarantine, usage
from memoracle.store.contain import walk
from memoracle.store.line import DamagedLine, decode, salvage
from memoracle.store.store import Store

Unwanted = Callable[[bytes], bool]
_SHORTEST_TEXT = 4
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """Lines removed per file, and files that were left alone although they still hold the words."""

    removed: Mapping[str, int]
    remaining: tuple[str, ...]


def tombstone(record: Record, change: Change) -> Record:
    """What is left of an erased record: its id, and that it is gone."""
    return Record(
        id=record.id,
        version=record.version + 1,
        kind=record.kind,
        statement=Statement(text=""),
        change=change,
        created=record.created,
        status=Status.FORGOTTEN,
        weight=Weight(importance=0.0, confidence=0.0),
    )


def erase(store: Store, tombstones: Sequence[Record]) -> Erasure:
    """Write the tombstones, then take every byte of what they stand for out of the files.

    The caller holds the lock and throws the view's copy away.
    """
    ids = frozenset(record.id for record in tombstones)
    doomed = [version for record_id in sorted(ids) for version in store.versions(record_id)]
    spent: dict[str, dict[str, list[int]]] = {}
    for version in doomed:
        numbers = spent.setdefault(version.id, {}).setdefault(version.change.writer, [])
        numbers.append(version.change.sequence)
    store.append([replace(stone, extra={"erased": spent.get(stone.id, {})}) for stone in tombstones])
    return erase_again(store, ids, words_of(doomed))


def erase_again(store: Store, ids: frozenset[str], texts: Sequence[str]) -> Erasure:
    """Take out what is left, or has come back by a merge, of records that have a tombstone."""
    unwanted = line_filter(ids, texts)
    removed: dict[str, int] = {}
    for path in [*store.record_files(), os.path.join(store.layout["quarantine"], quarantine.FILE)]:
        if count := erase_lines(store.place(path), unwanted):
            removed[path] = count
    for path in walk(store.root, os.path.dirname(store.layout["usage"]), (".jsonl",)):
        content = durable.read(store.place(path))
        kept = usage.without(content, ids)
        if kept != content:
            durable.replace(store.place(path), kept)
            removed[path] = content.count(b"\n") - kept.count(b"\n")
    remaining = places_with(store.root, texts, skip=(store.layout["index"],))
    return Erasure(removed=removed, remaining=tuple(remaining))


def words_of(versions: Sequence[Record]) -> list[str]:
    """Everything these versions say, longest first."""
    said = {words for v in versions for words in (v.statement.text, v.statement.value) if words}
    return sorted(said, key=len, reverse=True)


def line_filter(ids: frozenset[str], texts: Sequence[str]) -> Unwanted:
    """A test for raw lines: whether a line belongs to an erased record or is damage that holds its words."""
    needles = [needle for text in texts for needle in spellings(text)]
    marks = [f'"{record_id}"'.encode() for record_id in ids]

    def unwanted(raw: bytes) -> bool:
        if not any(mark in raw for mark in marks) and not any(needle in raw for needle in needles):
            return False
        try:
            record = decode(raw.rstrip(b"\r")).record
        except DamagedLine:
            return not salvage(raw)  # damage that mentions it goes; whole neighbours inside stay
        return record.id in ids and bool(record.text or record.statement.value)

    return unwanted


def spellings(text: str) -> list[bytes]:
    """The ways a text can stand in a file: as it is, and as JSON writes it."""
    if len(text.strip()) < _SHORTEST_TEXT and not any(ord(ch) > 0x2E80 for ch in text):
        return []
    forms = {text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]}
    return sorted(form.encode("utf-8", "surrogatepass") for form in forms if form.strip())


def erase_lines(path: str, unwanted: Unwanted) -> int:
    """Take the unwanted lines out of a file; how many there were is returned."""
    content = durable.read(path)
    lines = content.split(b"\n")
    kept = [raw for raw in lines if not unwanted(raw)]
    if len(kept) != len(lines):
        durable.replace(path, b"\n".join(kept))
    return len(lines) - len(kept)


def places_with(root: str, texts: Sequence[str], *, skip: Sequence[str] = ()) -> list[str]:
    """Every file under the root that still holds one of these texts."""
    needles = [needle for text in texts for needle in spellings(text)]
    if not needles:
        return []
    longest = max(map(len, needles))
    places = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if os.path.relpath(os.path.join(folder, f), root) not in skip)
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not os.path.islink(path) and os.path.isfile(path) and _holds(path, needles, longest):
                places.append(os.path.relpath(path, root))
    return places


def _holds(path: str, needles: Sequence[bytes], longest: int) -> bool:
    try:
        with open(path, "rb") as file:
            before = b""
            while block := file.read(_BLOCK):
                window = before + block
                if any(needle in window for needle in needles):
                    return True
                before = window[-longest:]
    except OSError:
        return False
    return False
