"""Mending record files: damage is set aside, hand edits are adopted, litter is swept.

Everything here is called by a plan that its owner could read first. The caller holds the lock,
except for `keep_damage_safe`, which takes it only when nobody else has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from memoracle.errors import MemoracleError
from memoracle.model.ids import file_digest
from memoracle.model.record import Change, Record, Status, newest
from memoracle.model.report import Finding, Severity
from memoracle.model.value import replace
from memoracle.store import journal
from memoracle.store.erase import erased_ids, erased_numbers, line_filter
from memoracle.store.journal import Damage, cleaned, read_records
from memoracle.store.layouts import is_text
from memoracle.store.line import decode_unsigned
from memoracle.store.volume import TEMPORARY
from memoracle.times import system_clock

if TYPE_CHECKING:
    from memoracle.store.store import Store

_GAPS = "gaps.json"


def set_aside(store: Store, damage: Iterable[Damage]) -> int:
    """Copy damaged bytes to the quarantine folder; how many pieces were new is returned.

    What a newer program wrote is not damage, and what was erased is not kept here either.
    """
    pieces = [piece for piece in damage if piece.code != "newer-line"]
    if not pieces:
        return 0
    keep = line_filter(erased_ids(store), ())
    name = f"{store.layout['quarantine']}/{journal.QUARANTINE}"
    kept = [piece for piece in pieces if keep(piece.raw)]
    return journal.set_aside(store.volume, name, kept, system_clock())


def keep_damage_safe(store: Store) -> None:
    """Copy damage to quarantine when nobody is writing and the folder allows it; the source stays."""
    try:
        damage = [piece for path in store.journal.plain_files() for piece in store.journal.damage_in(path)]
        if damage:
            with store.volume.locked(store.lock_name(), timeout=0):
                set_aside(store, damage)
    except MemoracleError:
        return  # the bytes are still where they were found


def clean_file(store: Store, path: str) -> None:
    """Set the damage of a record file aside and write the rest in clean form."""
    content = store.volume.read(path)
    # A line of a newer format is not damage: a newer program wrote it and will read it.
    damage = tuple(piece for piece in read_records(path, content).damage if piece.code != "newer-line")
    set_aside(store, damage)
    kept = cleaned(content, damage)
    if kept != content:
        store.volume.replace(path, kept, expected=file_digest(content))


def adopt_altered(store: Store, path: str, change: Change) -> None:
    """Turn lines that a person changed in place into new, signed versions."""
    adopted: dict[str, list[Record]] = {}
    for piece in read_records(path, store.volume.read(path)).damage:
        if piece.code == "altered-line" and (record := decode_unsigned(piece.raw)):
            earlier = adopted.setdefault(record.id, [])
            known = [record, *store.journal.versions(record.id), *earlier]
            latest = max(version.version for version in known)
            if newest([*store.journal.versions(record.id), record]).status is not Status.FORGOTTEN:
                earlier.append(replace(record, version=latest + 1, change=change))
    if fresh := [record for versions in adopted.values() for record in versions]:
        store.append(fresh)
    clean_file(store, path)


# Numbers of vanished lines that the owner has accepted as lost, in `state/gaps.json`.
#
# Numbers are kept as spans, first and last: one forged line may claim any number, and a gap may be wide.

Span = tuple[int, int]


def spans_missing(present: Iterable[int], last: int, accepted: Iterable[Span] = ()) -> list[Span]:
    """The stretches of 1 to `last` that are neither present nor accepted."""
    missing = []
    reached = 0
    for first, end in sorted([*((number, number) for number in present), *accepted, (last + 1, last + 1)]):
        if first > reached + 1:
            missing.append((reached + 1, min(first - 1, last)))
        reached = max(reached, end)
        if reached >= last:
            break
    return missing


def width(spans: Iterable[Span]) -> int:
    """How many numbers the spans hold."""
    return sum(last - first + 1 for first, last in spans)


def missing_numbers(
    versions: Iterable[Record], noted: tuple[str, int], accepted: Mapping[str, list[Span]]
) -> dict[str, list[Span]]:
    """The running counts of each writer that no line carries: lines that vanished whole."""
    own, last_noted = noted
    present: dict[str, set[int]] = {own: set()} if own else {}
    known: dict[str, set[int]] = {}
    for record in versions:
        present.setdefault(record.change.writer, set()).add(record.change.sequence)
        if record.status is Status.FORGOTTEN:
            for writer, numbers in erased_numbers(record).items():
                known.setdefault(writer, set()).update(numbers)
    missing = {}
    for writer, numbers in sorted(present.items()):
        last = max([*numbers, last_noted if writer == own else 0])
        if len(numbers) == last and min(numbers, default=1) == 1:
            continue  # every number is there once: the usual case, and there may be a million of them
        seen = numbers | known.get(writer, set())
        if writer and (spans := spans_missing(seen, last, accepted.get(writer, ()))):
            missing[writer] = spans
    return missing


def accepted_gaps(store: Store) -> dict[str, list[Span]]:
    """The numbers of vanished lines that the owner has accepted as lost, by writer; an unreadable file accepts none."""
    try:
        kept = json.loads(store.volume.read(store.state_name(_GAPS)) or b"{}")
        return {
            str(writer): [(int(first), int(last)) for first, last in held] for writer, held in kept.items()
        }
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def accept_gaps(store: Store) -> None:
    """Stop reporting the lines that are missing now."""
    versions = (record for _, record in store.journal.all_versions())
    gaps = missing_numbers(versions, store.noted_count(), {})
    store.volume.replace(store.state_name(_GAPS), json.dumps(gaps).encode() + b"\n")


def litter(store: Store) -> list[str]:
    """Temporary files that a killed write left behind; only meaningful while nobody is writing."""
    return list(store.volume.walk("", (TEMPORARY,), hidden=True))


def sweep(store: Store, path: str) -> None:
    """Remove one such file."""
    if path.endswith(TEMPORARY):
        store.volume.remove(path)


def links(store: Store) -> list[Finding]:
    """Links and devices where plain files belong, and notes whose name nobody can cite; none is ever opened."""
    says = "it is a link or a device; Memoracle does not open it"
    hint = "what should be read stands here itself, or `memoracle import` copies it"
    found = [
        Finding(code="link", severity=Severity.WARNING, path=name, message=says, hint=hint)
        for name in store.volume.strange()
    ]
    says, hint = "its name is no text; it is not read as a note", "give it a name in UTF-8"
    return found + [
        Finding(code="odd-name", severity=Severity.WARNING, path=name, message=says, hint=hint)
        for name in store.volume.walk("", (".md",))
        if not is_text(name)
    ]
