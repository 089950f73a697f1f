"""What a source holds: pieces that become records, sheets that become notes, and what became neither."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from memoracle.errors import InvalidDraft, InvalidName, InvalidTime, MemoracleError
from memoracle.model.ids import content_key
from memoracle.model.record import (
    TRUST,
    Channel,
    Draft,
    Kind,
    Origin,
    Record,
    Scope,
    Statement,
    Status,
    Weight,
    check_name,
)
from memoracle.model.report import Finding, Severity
from memoracle.model.value import field, replace, value
from memoracle.store import sealed
from memoracle.store.layouts import NoteRole, resolve
from memoracle.store.notes import date_of
from memoracle.times import read_time

LONGEST_TEXT = 100_000
LONGEST_WORD = 500
FOREIGN = 0.5
"""How far an agent of another program is trusted: found when asked for, not told unasked."""
LARGEST_FILE = 256 * 1024 * 1024
_ODD = re.compile(r"[^\w.\-]+")


@value
class ImportedItem:
    """Something that becomes a record, with the name, the age and the standing it had where it comes from."""

    draft: Draft
    place: str
    line: int | None = None
    foreign: str = ""
    created: datetime | None = None
    status: Status = Status.ACTIVE
    aliases: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@value
class ImportedNote:
    """A note that stays a note. `name` is its own name below the role's place; `day` what a daily one begins with."""

    role: NoteRole
    name: str
    text: str
    place: str
    day: str = ""
    project: str = ""
    seat: str = ""
    archived: bool = False
    channel: str = ""
    """Whose words it is, where that is not its owner here."""


@value
class Holding:
    """All that a source holds, in its own order."""

    pieces: tuple[ImportedItem, ...] = ()
    sheets: tuple[ImportedNote, ...] = ()
    findings: tuple[Finding, ...] = ()


def gathered(parts: Iterable[Holding]) -> Holding:
    """Several holdings as one."""
    held = list(parts)
    return Holding(
        pieces=tuple(piece for part in held for piece in part.pieces),
        sheets=tuple(sheet for part in held for sheet in part.sheets),
        findings=tuple(finding for part in held for finding in part.findings),
    )


def drafted(
    text: str,
    *,
    channel: Channel,
    where: str,
    kind: Kind = Kind.FACT,
    importance: float = 0.5,
    confidence: float = 1.0,
    observed: datetime | None = None,
    tags: Iterable[str] = (),
    entities: Iterable[str] = (),
    triple: tuple[str, str, str] = ("", "", ""),
    scope: Scope | None = None,
) -> Draft:
    """A draft of these words; raises `InvalidDraft` for what no record can hold."""
    if not text.strip():
        raise InvalidDraft("there are no words")
    if len(text) > LONGEST_TEXT:
        raise InvalidDraft(f"it has {len(text):,} characters; a record holds up to {LONGEST_TEXT:,}")
    if any(ch == "\0" or "\ud800" <= ch <= "\udfff" for ch in text):
        raise InvalidDraft("it holds characters that no file can keep")
    fits = all(part and len(part) <= LONGEST_WORD for part in triple)
    subject, predicate, object_ = triple if fits else ("", "", "")
    return Draft(
        statement=Statement(text=text.strip(), subject=subject, predicate=predicate, object=object_),
        kind=kind,
        entities=_words(entities),
        tags=_words(tags),
        weight=Weight(importance=min(1.0, max(0.0, importance)), confidence=min(1.0, max(0.0, confidence))),
        origin=Origin(
            channel=channel, where=writable(where[:LONGEST_WORD]), observed=observed, trust=_trust(channel)
        ),
        scope=scope or Scope(),
    )


def _trust(channel: Channel) -> float:
    """Another program's agent is trusted less than the one that works here: nobody saw how it came by its words."""
    return min(TRUST[channel], FOREIGN) if channel is Channel.AGENT else TRUST[channel]


def piece_of(
    record: Record, *, place: str, line: int | None = None, status: Status | None = None
) -> ImportedItem:
    """A record of another root as a piece; its id becomes one of its names."""
    draft = Draft(
        statement=record.statement,
        kind=record.kind,
        entities=record.entities,
        tags=record.tags,
        weight=record.weight,
        origin=record.origin,
        scope=record.scope,
        validity=record.validity,
        sensitivity=record.sensitivity,
        pinned=record.pinned,
        sources=record.sources,
    )
    return ImportedItem(
        draft=draft,
        place=place,
        line=line,
        foreign=record.id,
        created=record.created,
        status=status or record.status,
        aliases=record.aliases,
        extra=record.extra,
    )


def lost(place: str, line: int | None, because: str, *, hint: str | None = None) -> Finding:
    """Something was left behind."""
    return Finding(
        code="not-imported",
        severity=Severity.WARNING,
        path=writable(place),
        line=line,
        message=writable(because),
        hint=hint,
    )


def differs(place: str, line: int | None, how: str) -> Finding:
    """Something is kept, in another form than it had."""
    return Finding(
        code="kept-differently",
        severity=Severity.INFO,
        path=writable(place),
        line=line,
        message=writable(how),
    )


def passed_over(place: str, because: str) -> Finding:
    """Something that is no memory, or comes in through another door."""
    return Finding(code="not-imported", severity=Severity.INFO, path=writable(place), message=because)


def writable(text: str) -> str:
    """A text that any file can keep: names of files may hold bytes that are no text."""
    return text.encode("utf-8", "replace").decode()


def text_at(path: str, place: str) -> tuple[str, list[Finding]]:
    """The text of a file; what is not UTF-8 in it is shown as \ufffd and told."""
    try:
        if os.path.getsize(path) > LARGEST_FILE:
            return "", [left_out(place, f"the file has more than {LARGEST_FILE:,} bytes")]
        raw = sealed.read(path)
    except (MemoracleError, OSError) as problem:
        return "", [left_out(place, f"the file cannot be read: {problem}")]
    try:
        return raw.decode("utf-8-sig"), []
    except UnicodeDecodeError as problem:
        line = raw[: problem.start].count(b"\n") + 1
        told = differs(place, line, "the file is not UTF-8; what cannot be read is shown as \ufffd")
        return raw.decode("utf-8-sig", "replace"), [told]


def left_out(place: str, because: str) -> Finding:
    """A whole file was left behind."""
    return replace(lost(place, None, because), severity=Severity.ERROR)


def moment(given: Any) -> datetime | None:
    """A moment as other programs write them; None for what is none."""
    if isinstance(given, str) and given.strip():
        try:
            return read_time(given)
        except InvalidTime:
            return None
    return None


def name_for(what: str, words: str) -> str:
    """A name that a project, a seat or a file may have here, as near to the words as possible."""
    for candidate in (words, _ODD.sub("-", words).strip("-._")[:80].strip("-._")):
        try:
            return check_name(what, candidate)
        except InvalidName:
            continue
    return f"{what}-{content_key(words)[2:14]}"


_FOLDERS = frozenset({"notes", "memory", "semantic", "procedural", "shared", "learnings", "projects"})


def sheet_of(place: str, role: NoteRole, text: str, *, archived: bool = False) -> ImportedNote:
    """The note at a place as a sheet, under a name that every layout can give it."""
    stem = place.rpartition("/")[2].removesuffix(".gz").removesuffix(".md")
    day = date_of(place)
    if role is NoteRole.DAILY and day:
        rest = stem[10:].strip("-_ ")
        name = name_for("note", rest) if rest else ""
        return ImportedNote(
            role=role, name=name, day=day.isoformat(), text=text, place=place, archived=archived
        )
    steps = place.removesuffix(".md").split("/")
    if role is NoteRole.PAGE and len(steps) >= 4:
        return ImportedNote(
            role=role,
            name=name_for("note", "-".join(steps[3:])),
            text=text,
            place=place,
            project=name_for("project", steps[1]),
            seat=name_for("seat", steps[2]),
        )
    kept = role if role is NoteRole.PROCEDURAL else NoteRole.SEMANTIC
    below = [step for step in steps if step not in _FOLDERS and not step.startswith(".")]
    return ImportedNote(role=kept, name=name_for("note", "-".join(below) or stem), text=text, place=place)


def home_in(layout: Mapping[str, str], sheet: ImportedNote) -> str:
    """Where a sheet belongs in a layout."""
    if sheet.day:
        path = resolve(layout, "archived_daily" if sheet.archived else "daily", date=sheet.day)
        return path.removesuffix(".md") + (f"-{sheet.name}" if sheet.name else "") + ".md"
    if sheet.role is NoteRole.PAGE:
        return resolve(layout, "page", project=sheet.project, seat=sheet.seat, name=sheet.name)
    return resolve(layout, sheet.role.value, name=sheet.name)


def _words(given: Iterable[str]) -> tuple[str, ...]:
    """Words that fit into a field, each once."""
    kept = (" ".join(word.split()) for word in given if isinstance(word, str))
    return tuple(dict.fromkeys(word for word in kept if word and len(word) <= LONGEST_WORD))[:200]
