"""Folding: versions that no longer stand move to the archive.

Old lines are appended to the archive and synced before the live file is replaced, so a kill
between the two leaves a line in both places, which is harmless: equal lines are one line.
"""

from __future__ import annotations

from collections.abc import Mapping

from memoracle.model.ids import file_digest, line_sum
from memoracle.model.record import Record, Status, is_foreign, newest
from memoracle.model.value import value
from memoracle.store.journal import plain, read_records
from memoracle.store.store import COLLECTIONS, Store


@value
class Fold:
    """What would leave one live file: these line numbers."""

    live: str
    archive: str
    lines: frozenset[int]


def fold(store: Store, *, dry_run: bool = False) -> list[Fold]:
    """Move the versions that no longer stand, and archived records. The caller holds the lock."""
    standing = _standing(store)
    files = store.journal.plain_files()
    pairs = [(store.layout[name], store.layout[f"archived_{name}"]) for name in COLLECTIONS]
    pairs = [(live, archive) for live, archive in pairs if live in files]
    folds = [move for live, archive in pairs if (move := _plan(store, live, archive, standing))]
    if not dry_run:
        for move in folds:
            _apply(store, move)
    return folds


def _standing(store: Store) -> dict[str, Record]:
    versions: dict[str, list[Record]] = {}
    for _, record in store.journal.all_versions():
        versions.setdefault(record.id, []).append(record)
    return {record_id: newest(held) for record_id, held in versions.items()}


def _plan(store: Store, live: str, archive: str, standing: Mapping[str, Record]) -> Fold | None:
    """The lines that can leave a live file: old versions, repetitions, and archived records."""
    reading = read_records(live, store.volume.read(live))
    adopted, as_adopted = store.adopted() is not None, store.journal.as_adopted(live)
    seen: set[str] = set()
    leaving = set()
    damaged = {piece.line for piece in reading.damage}
    for version in reading.versions:
        record = as_adopted(version.record)
        now = standing.get(record.id)
        if adopted and is_foreign(record) and now is not None and now.status is Status.ACTIVE:
            continue  # the program that wrote it still looks for it here
        stands = now == record and version.digest not in seen
        seen.add(version.digest)
        if (not stands or record.status is Status.ARCHIVED) and version.line not in damaged:
            leaving.add(version.line)
    return Fold(live=live, archive=archive, lines=frozenset(leaving)) if leaving else None


def _apply(store: Store, move: Fold) -> None:
    content = store.volume.read(move.live)
    lines = content.split(b"\n")
    ends_whole = lines[-1] == b""
    if ends_whole:
        lines.pop()
    held = {line_sum(raw) for raw in store.volume.read(move.archive).split(b"\n")}
    # A line moves without the form of the file it stood in: a mark before it, a return after it.
    leaving = [plain(raw) for number, raw in enumerate(lines, start=1) if number in move.lines]
    staying = [raw for number, raw in enumerate(lines, start=1) if number not in move.lines]
    moved = [raw for raw in dict.fromkeys(leaving) if line_sum(raw) not in held]
    if moved:
        store.volume.append({move.archive: b"\n".join(moved) + b"\n"})
    kept = b"\n".join(staying) + (b"\n" if staying and ends_whole else b"")
    store.volume.replace(move.live, kept, expected=file_digest(content))
