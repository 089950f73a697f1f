"""Lines taken out of the record files one by one, and what stands in their place.

Beside `erase`, which takes whole records out: here some versions of records that stay go. What comes in their place
is appended first, so a kill leaves a history that is too long, never one that is too short. The running counts of the
lines that went stand in one tombstone of their own, so that no check takes them for lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memoracle.model.ids import file_digest
from memoracle.model.record import Change, Kind, Record, Statement, Status, Weight
from memoracle.model.value import replace
from memoracle.store.line import readable
from memoracle.store.store import Store

_Line = tuple[str, int, str, int]


def rewrite(
    store: Store, added: Sequence[Record], removed: Sequence[Record], *, stone_id: str, change: Change
) -> dict[str, int]:
    """Append versions, then take others out; how many lines went from each file. The caller holds the lock."""
    spent: dict[str, list[int]] = {}
    for one in removed:
        if one.change.writer:
            spent.setdefault(one.change.writer, []).append(one.change.sequence)
    stones = [_stone(stone_id, change, spent)] if spent else []
    if added or stones:
        store.append([*added, *stones])
    return take_lines(store, removed)


def take_lines(store: Store, removed: Iterable[Record]) -> dict[str, int]:
    """Take these very versions out of the record files."""
    doomed = {_named(one) for one in removed}
    taken: dict[str, int] = {}
    if not doomed:
        return taken
    for path in store.journal.plain_files():
        content = store.volume.read(path)
        kept = [
            own for raw in content.split(b"\n") for own in (_staying(raw, doomed) if raw.strip() else [raw])
        ]
        after = b"\n".join(kept)
        if after != content:
            store.volume.replace(path, after, expected=file_digest(content))
            taken[path] = content.count(b"\n") - after.count(b"\n")
    return taken


def _staying(raw: bytes, doomed: set[_Line]) -> list[bytes]:
    found = list(readable(raw))
    if not any(_named(record) in doomed for _, record in found):
        return [raw]
    return [own for own, record in found if _named(record) not in doomed]


def _named(record: Record) -> _Line:
    return record.id, record.version, record.change.writer, record.change.sequence


def _stone(stone_id: str, change: Change, spent: dict[str, list[int]]) -> Record:
    told = {writer: sorted(numbers) for writer, numbers in sorted(spent.items())}
    empty = Record(
        id=stone_id,
        version=1,
        kind=Kind.FACT,
        statement=Statement(text=""),
        change=change,
        created=change.at,
        status=Status.FORGOTTEN,
        weight=Weight(importance=0.0, confidence=0.0),
    )
    return replace(empty, extra={"erased": told})
