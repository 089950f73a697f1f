"""Folding: versions that no longer stand move to the archive.

Old lines are appended to the archive and synced before the live file is replaced, so a kill
between the two leaves a line in both places, which is harmless: equal lines are one line.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memoracle.model.ids import line_sum
from memoracle.model.record import Record, Status
from memoracle.store import durable
from memoracle.store.journal import read_records
from memoracle.store.store import COLLECTIONS, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """What would leave one live file: these line numbers."""

    live: str
    archive: str
    lines: frozenset[int]


def fold(store: Store, *, dry_run: bool = False) -> list[Fold]:
    """Move the versions that no longer stand, and archived records. The caller holds the lock."""
    standing: dict[str, Record] = {}
    for _, record in store.all_versions():
        held = standing.get(record.id)
        if held is None or held.precedence < record.precedence:
            standing[record.id] = record
    pairs = [(store.layout[name], store.layout[f"archived_{name}"]) for name in COLLECTIONS]
    folds = plan_fold(store.root, pairs, standing)
    if not dry_run:
        for one in folds:
            apply_fold(store.root, one)
    return folds


def plan_fold(root: str, pairs: Sequence[tuple[str, str]], standing: Mapping[str, Record]) -> list[Fold]:
    """The lines that can leave each live file: old versions, repetitions, and archived records."""
    folds = []
    for live, archive in pairs:
        reading = read_records(live, durable.read(os.path.join(root, live)))
        seen: set[str] = set()
        leaving = set()
        damaged = {piece.line for piece in reading.damage}
        for version in reading.versions:
            record = version.record
            stands = standing[record.id] == record and version.digest not in seen
            seen.add(version.digest)
            is_cold = record.status is Status.ARCHIVED
            if (not stands or is_cold) and version.line not in damaged:
                leaving.add(version.line)
        if leaving:
            folds.append(Fold(live=live, archive=archive, lines=frozenset(leaving)))
    return folds


def apply_fold(root: str, move: Fold) -> None:
    """Move the lines of one fold. The caller holds the lock."""
    live, archive = os.path.join(root, move.live), os.path.join(root, move.archive)
    lines = durable.read(live).split(b"\n")
    ends_whole = lines[-1] == b""
    if ends_whole:
        lines.pop()
    held = {line_sum(raw) for raw in durable.read(archive).split(b"\n")}
    leaving = [raw for number, raw in enumerate(lines, start=1) if number in move.lines]
    staying = [raw for number, raw in enumerate(lines, start=1) if number not in move.lines]
    moved = [raw for raw in dict.fromkeys(leaving) if line_sum(raw) not in held]
    if moved:
        durable.append(archive, b"\n".join(moved) + b"\n")
    kept = b"\n".join(staying) + (b"\n" if staying and ends_whole else b"")
    durable.replace(live, kept)
