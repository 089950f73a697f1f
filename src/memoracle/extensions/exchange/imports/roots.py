"""Whole directories: the five designs as their users have them, and other roots of Memoracle.

Record files give their standing records, in any of the shapes that were ever written; what stands in an archive stays
archived. Notes stay notes; MEMORY.md and USER.md are read piece by piece.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.extensions.exchange import carried
from memoracle.extensions.exchange.imports.item import (
    Holding,
    ImportedItem,
    gathered,
    lost,
    passed_over,
    piece_of,
    sheet_of,
    text_at,
)
from memoracle.extensions.exchange.imports.memory_file import (
    carries,
    cut,
    pieces_in,
    read_memory_file,
    returning_blocks,
    without,
)
from memoracle.model.record import Anchor, Channel, Record, Status, is_foreign, newest
from memoracle.model.report import Finding
from memoracle.model.value import replace
from memoracle.registry import needed
from memoracle.store.adopted import anchors_in, scored_at, written_at
from memoracle.store.disk import DiskVolume, walk
from memoracle.store.generated import owners_text
from memoracle.store.journal import read_records
from memoracle.store.layouts import NoteRole, layout_named, list_notes, note_homes
from memoracle.store.notes import date_of
from memoracle.store.volume import content_of
from memoracle.times import system_clock

# Clawseat's records: one JSON document each, under `projects/`, `shared/`, or flat in the root of an old directory.

_DERIVED = frozenset({"index.json", "health.json", "activation-metadata.json", "config.json"})
_NOT_RECORDS = frozenset({"dev_env.json"})


def read_pages(root: str) -> Holding:
    """Every record that stands in a file of its own, and the reflections of projects."""
    pieces: list[ImportedItem] = []
    findings: list[Finding] = []
    for place in _documents(root):
        text, told = text_at(f"{root}/{place}", place)
        findings += told
        try:
            document: Any = json.loads(text)
        except (ValueError, RecursionError):
            findings.append(lost(place, None, "it is not a JSON document"))
            continue
        for one in document if isinstance(document, list) else [document]:
            _take(one, place, None, pieces, findings)
    for place in walk(root, "projects", ("reflections.jsonl",)):
        text, told = text_at(f"{root}/{place}", place)
        findings += told
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                try:
                    _take(json.loads(line), place, number, pieces, findings)
                except (ValueError, RecursionError):
                    findings.append(lost(place, number, "it is not JSON"))
    if any(walk(root, "machine", (".json",))):
        findings.append(passed_over("machine", "what scanners saw of a machine is seen anew here"))
    return Holding(pieces=tuple(pieces), findings=tuple(findings))


def record_in(fields: Any) -> Record:
    """The record of a JSON object in an older shape, or of one that left through `export`; raises ValueError."""
    if not isinstance(fields, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - every bad value of a line is a ValueError
    if fields.get("seat") and fields.get("issue_id") and "detail" in fields:
        fields = _journal_entry(fields)
    inside = {name: said for name, said in fields.items() if name != carried.NAME}
    record = needed("upgrade_line")(inside)
    return carried.restore(fields.get(carried.NAME), text=record.text) or record


def _documents(root: str) -> Iterator[str]:
    for place in walk(root, "", (".json",)):
        steps = place.split("/")
        flat = len(steps) == 1 and place not in _DERIVED
        kept = steps[0] in {"projects", "shared", "learnings"} and not any(
            s.startswith("_") for s in steps[:-1]
        )
        if (flat or kept) and steps[-1] not in _NOT_RECORDS:
            yield place


def _take(
    fields: Any, place: str, line: int | None, pieces: list[ImportedItem], findings: list[Finding]
) -> None:
    try:
        pieces.append(piece_of(record_in(fields), place=place, line=line))
    except ValueError as problem:
        findings.append(lost(place, line, f"it is not a record: {problem}"))


def _journal_entry(fields: dict[str, Any]) -> dict[str, Any]:
    """An entry of a seat's journal in the words of a record."""
    reason = fields.get("reason") or ""
    detail = fields["detail"]
    body = f"{detail}\n\n{reason}" if reason and reason != detail else detail
    kept = {name: said for name, said in fields.items() if name not in {"issue_id", "detail", "reason"}}
    return kept | {"schema_version": 1, "id": fields["issue_id"], "author": fields["seat"], "body": body}


_COLLECTIONS = ("facts", "beliefs", "summaries")
_STAY = {Status.FORGOTTEN, Status.RETRACTED, Status.QUARANTINED, Status.WITHDRAWN}
_USERS = ("USER.md",)
_ELSEWHERE = {
    "SOUL.md": "a personality is its owner's alone",
    "AGENTS.md": "instructions for agents are no memory; `memoracle install` has its own",
    "sessions": "conversations come in through `memoracle ingest`",
    "memory/.dreams": "state of a machine",
}
_BY_SIDE = "activation-metadata.json"
_SCORES = "state/consolidation.json"


def read_root(root: str, layout: str) -> Holding:
    """All of a directory in this layout."""
    table = layout_named(layout)
    live = [table[name] for name in _COLLECTIONS]
    archived = [table[f"archived_{name}"] for name in _COLLECTIONS]
    held = [_records(root, live, archived), _notes(root, layout)]
    held += [_archived_notes(root, os.path.dirname(table["archived_daily"].partition("{")[0] + "x"))]
    if layout == "clawseat":
        held.append(read_pages(root))
    held += [
        read_memory_file(f"{root}/{name}", name, channel=Channel.AGENT, tags=("user",))
        for name in _USERS
        if layout in {"openclaw", "v4"} and os.path.isfile(f"{root}/{name}")
    ]
    left = [
        passed_over(name, because)
        for name, because in _ELSEWHERE.items()
        if os.path.exists(f"{root}/{name}") and not os.path.islink(f"{root}/{name}")
    ]
    found = gathered([*held, Holding(findings=tuple(left))])
    if layout == "native":
        return found
    # Agents write the notes of these designs; nobody can tell which lines their owner typed.
    return replace(
        found,
        sheets=tuple(
            one if one.seat else replace(one, channel=Channel.DOCUMENT.value) for one in found.sheets
        ),
    )


def read_lines(path: str, place: str) -> Holding:
    """One file of record lines, ours or in an older shape."""
    return _records(os.path.dirname(path), [os.path.basename(path)], [], shown=place)


def _records(root: str, live: Sequence[str], archived: Sequence[str], *, shown: str = "") -> Holding:
    histories: dict[str, list[tuple[Record, str, int]]] = {}
    findings: list[Finding] = []
    for place in (*live, *archived):
        try:
            content = content_of(DiskVolume(root), place)
        except (MemoracleError, OSError) as problem:
            findings.append(lost(place, None, f"the file cannot be read: {problem}"))
            continue
        reading = read_records(place, content)
        findings += [lost(shown or place, bad.line, bad.says) for bad in reading.damage]
        for version in reading.versions:
            record = _returned(version.record)
            histories.setdefault(version.record.id, []).append((record, place, version.line))
    weights, now = _activations(root), system_clock()
    scored = scored_at(_document(root, _SCORES), now)
    pieces = []
    stays = 0
    for versions in histories.values():
        standing = newest(record for record, _, _ in versions)
        stays += len({record.version for record, _, _ in versions}) - 1
        place, line = next((at, number) for record, at, number in versions if record == standing)
        if standing.status in _STAY:
            if standing.status is not Status.FORGOTTEN:
                findings.append(lost(shown or place, line, f"the record is {standing.status}"))
            continue
        # A line in an older shape says nothing of its standing; the file it is in does.
        cold = not standing.change.operation and all(at in archived for _, at, _ in versions)
        status = Status.ARCHIVED if cold and standing.status is Status.ACTIVE else standing.status
        piece = piece_of(standing, place=shown or place, line=line, status=status)
        at = scored or written_at(DiskVolume(root), place, now)
        pieces.append(_alive(piece, weights.get(standing.id) or _own(standing, at)))
    if stays:
        findings.append(passed_over(shown or live[0], f"{stays} earlier versions stay in the history there"))
    return Holding(pieces=tuple(pieces), findings=tuple(findings))


def _returned(record: Record) -> Record:
    """A record that left through `export`, as itself; any other as it was read."""
    if carried.NAME not in record.extra:
        return record
    return carried.restore(record.extra[carried.NAME], text=record.text) or record


def _activations(root: str) -> Mapping[str, Anchor]:
    """How alive each record was, where a design keeps that beside the records."""
    written = written_at(DiskVolume(root), _BY_SIDE, system_clock())
    return dict(anchors_in(_document(root, _BY_SIDE), written))


def _document(root: str, name: str) -> Any:
    try:
        return json.loads(content_of(DiskVolume(root), name) or b"null")
    except (MemoracleError, OSError, ValueError, RecursionError):
        return None


def _own(record: Record, at: datetime) -> Anchor | None:
    """The number on a line of another program, as of the last time its file was written."""
    return replace(record.anchor, at=max(record.anchor.at, at)) if is_foreign(record) else None


def _alive(piece: ImportedItem, anchor: Anchor | None) -> ImportedItem:
    if anchor is None:
        return piece
    weight = replace(piece.draft.weight, anchor=anchor)
    return replace(piece, draft=replace(piece.draft, weight=weight))


def _notes(root: str, layout: str) -> Holding:
    held = []
    for place, role in list_notes(DiskVolume(root), note_homes(layout)).items():
        if role is NoteRole.HOT:
            held.append(read_memory_file(f"{root}/{place}", place, channel=Channel.AGENT))
        elif place not in _USERS and role is not NoteRole.ARCHIVED:  # those come below, with the packed ones
            held.append(_note(root, place, role))
    return gathered(held)


def _note(root: str, place: str, role: NoteRole, *, archived: bool = False) -> Holding:
    text, findings = text_at(f"{root}/{place}", place) if not place.endswith(".gz") else _packed(root, place)
    text = owners_text(text) if "memoracle:begin" in text else text
    pieces: tuple[ImportedItem, ...] = ()
    if carries(text):
        page = cut(text)
        back = pieces_in(page, place, channel=Channel.AGENT, only_carried=True)
        pieces, text = back.pieces, without(text, returning_blocks(page, place))
        if not cut(text).blocks:
            text = ""  # nothing but the headings that held the records
    if not text.strip():
        return Holding(pieces=pieces, findings=tuple(findings))
    return Holding(
        pieces=pieces, sheets=(sheet_of(place, role, text, archived=archived),), findings=tuple(findings)
    )


def _archived_notes(root: str, folder: str) -> Holding:
    places: Iterator[str] = DiskVolume(root).walk(folder, (".md", ".md.gz")) if folder else iter(())
    return gathered(_note(root, place, NoteRole.DAILY, archived=True) for place in places if date_of(place))


def _packed(root: str, place: str) -> tuple[str, list[Finding]]:
    try:
        return content_of(DiskVolume(root), place).decode("utf-8", "replace"), []
    except (MemoracleError, OSError) as problem:
        return "", [lost(place, None, f"the file cannot be read: {problem}")]
