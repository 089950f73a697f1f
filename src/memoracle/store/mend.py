"""Mending record files: damage is set aside, hand edits are adopted, litter is swept.

Everything here is called by a plan that its owner could read first. The caller holds the lock,
except for `keep_damage_safe`, which takes it only when nobody else has it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from memoracle.clock import system_clock
from memoracle.errors import StoreProblem
from memoracle.model.change import Change
from memoracle.model.report import Finding, Severity
from memoracle.store import durable, quarantine
from memoracle.store.gaps import read_gaps, write_gaps
from memoracle.store.journal import Damage, cleaned, read_records
from memoracle.store.line import decode_unsigned
from memoracle.store.store import Store

_GAPS = "gaps.json"


def set_aside(store: Store, damage: Iterable[Damage]) -> int:
    """Copy damaged bytes to the quarantine folder; how many pieces were new is returned."""
    path = store.place(f"{store.layout['quarantine']}/{quarantine.FILE}")
    return quarantine.set_aside(path, damage, system_clock())


def keep_damage_safe(store: Store) -> None:
    """Copy damage to quarantine when nobody is writing and the folder allows it; the source stays."""
    damage = [piece for path in store.record_files() for piece in store.damage_in(path)]
    if not damage:
        return
    try:
        with durable.locked(store.lock_path(), timeout=0):
            set_aside(store, damage)
    except StoreProblem:
        return  # the bytes are still where they were found


def clean_file(store: Store, path: str) -> None:
    """Set the damage of a record file aside and write the rest in clean form."""
    content = durable.read(store.place(path))
    # A line of a newer format is not damage: a newer program wrote it and will read it.
    damage = tuple(piece for piece in read_records(path, content).damage if piece.code != "newer-line")
    set_aside(store, damage)
    durable.replace(store.place(path), cleaned(content, damage))


def adopt_altered(store: Store, path: str, change: Change) -> None:
    """Turn lines that a person changed in place into new, signed versions."""
    adopted = []
    for piece in store.damage_in(path):
        if piece.code == "altered-line" and (record := decode_unsigned(piece.raw)):
            latest = max([record.version, *(version.version for version in store.versions(record.id))])
            adopted.append(replace(record, version=latest + 1, change=change))
    if adopted:
        store.append(adopted)
    clean_file(store, path)


def accepted_gaps(store: Store) -> dict[str, list[int]]:
    """The numbers of vanished lines that the owner has accepted as lost."""
    return read_gaps(store.state_path(_GAPS))


def accept_gaps(store: Store) -> None:
    """Stop reporting the lines that are missing now."""
    own, noted = store.noted_count()
    present: dict[str, set[int]] = {own: {0}} if own else {}
    for _, record in store.all_versions():
        present.setdefault(record.change.writer, set()).add(record.change.sequence)
    gaps = {}
    for writer, numbers in present.items():
        last = max(*numbers, noted if writer == own else 0)
        if writer and (gone := [number for number in range(1, last + 1) if number not in numbers]):
            gaps[writer] = gone
    write_gaps(store.state_path(_GAPS), gaps)


def litter(store: Store) -> list[str]:
    """Temporary files that a killed write left behind; only meaningful while nobody is writing."""
    return [
        os.path.relpath(os.path.join(folder, name), store.root)
        for folder, _, names in os.walk(store.root)
        for name in names
        if name.endswith(durable.TEMPORARY)
    ]


def sweep(store: Store, path: str) -> None:
    """Remove one such file."""
    if path.endswith(durable.TEMPORARY):
        durable.remove(store.place(path))


def links(store: Store) -> list[Finding]:
    """Links and devices where plain files belong; none of them is ever opened."""
    found = []
    for folder, folders, names in os.walk(store.root):
        for name in sorted(folders + names):
            path = os.path.join(folder, name)
            if os.path.islink(path) or not (os.path.isfile(path) or os.path.isdir(path)):
                says = "it is a link or a device; Memoracle does not open it"
                relative = os.path.relpath(path, store.root)
                found.append(Finding(code="link", severity=Severity.WARNING, path=relative, message=says))
        folders[:] = [f for f in folders if not os.path.islink(os.path.join(folder, f)) and f != ".git"]
    return found
