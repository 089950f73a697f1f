"""Passages and rows, both ways; filters as part of the query itself."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

from memoracle.index.api import Candidate
from memoracle.model.ids import file_digest
from memoracle.model.manifest import Version
from memoracle.model.predicates import NO_LONGER
from memoracle.model.record import Record, Scope, Status, Validity
from memoracle.model.search import EvidenceSource, Filters, Passage
from memoracle.text import chunks, normalise, telling_terms
from memoracle.times import read_time, write_time

# Filters as part of the query itself.

_HIDDEN = "p.status NOT IN ('retracted', 'quarantined', 'withdrawn', 'forgotten')"
FINDABLE = (
    "(p.status = 'active' OR (p.status = 'archived' AND p.verb IN ('consolidate', 'import') AND p.kind != 'summary' "
    "AND p.confidence >= 0.2))"
)
"""Part of a default answer: what is active, and what a night put away for its age alone.

What the owner archived waits to be asked for widely; so do a summary whose sources are gone, and a belief of which
nobody is sure.
"""


def where(filters: Filters, now: datetime) -> tuple[str, list[Any]]:
    """A condition on `passages p`, and its parameters."""
    conditions, values = _in_force(filters, now)
    for column in ("user", "agent", "project", "seat"):
        if name := getattr(filters.scope, column):
            conditions.append(f"p.{column} = ?")
            values.append(name)
    seen, eyes = open_to(filters.reader, public=filters.public)
    conditions += seen
    values += eyes
    if filters.withheld:
        conditions.append(f"p.sensitivity NOT IN ({', '.join('?' * len(filters.withheld))})")
        values += filters.withheld
    for column in ("session", "channel"):
        if name := getattr(filters, column):
            conditions.append(f"p.{column} = ?")
            values.append(name)
    if filters.unasked:
        conditions.append("p.source != 'scan' AND (p.source != 'turn' OR p.channel = 'owner')")
    if filters.page_status:
        conditions.append("p.key = 'page-status' AND p.value = ?")
        values.append(filters.page_status)
    if filters.kinds:
        conditions.append(f"p.kind IN ({', '.join('?' * len(filters.kinds))})")
        values += filters.kinds
    for tag in filters.tags:
        conditions.append("p.tags LIKE ? ESCAPE '\\'")
        values.append(f"%{_literal(json.dumps(tag, ensure_ascii=False))}%")
    if filters.speaker:
        conditions.append("p.who = ? COLLATE NOCASE")
        values.append(filters.speaker)
    if filters.since:
        conditions.append("p.at >= ?")
        values.append(write_time(filters.since))
    if filters.until:
        conditions.append("p.at <= ?")
        values.append(write_time(filters.until))
    return " AND ".join(conditions), values


def open_to(reader: Scope, *, public: bool = False) -> tuple[list[str], list[str]]:
    """Conditions on `passages p` that leave out what is somebody else's, and their parameters."""
    conditions, values = [], []
    for column in ("user", "agent", "project", "seat"):
        if name := getattr(reader, column):
            # Seats read each other's pages; what one of them keeps as records is its own.
            others = "p.source != 'record' OR " if column == "seat" else ""
            names = [name, *(reader.also if column == "project" else ())]
            conditions.append(f"({others}p.{column} IN ('', {', '.join('?' * len(names))}))")
            values += names
    if public:
        conditions.append("p.sensitivity = 'public'")
    return conditions, values


def _in_force(filters: Filters, now: datetime) -> tuple[list[str], list[Any]]:
    if filters.statuses:
        places = ", ".join("?" * len(filters.statuses))
        return ["p.live = 1", "p.source = 'record'", f"p.status IN ({places})"], [*filters.statuses]
    if filters.as_of:
        then = write_time(filters.as_of)
        return (
            [
                "p.live >= 0",
                "p.known_from <= ? AND (p.known_until IS NULL OR p.known_until > ?)",
                "(p.source = 'record' OR p.at IS NULL OR p.at <= ?)",
                "(p.since IS NULL OR p.since <= ?) AND (p.until IS NULL OR p.until > ?)",
                "(p.expires IS NULL OR p.expires > ?)",
                "p.status IN ('active', 'archived')",
            ],
            [then] * 6,
        )
    if filters.wide:
        return ["p.live = 1", _HIDDEN], []
    today = write_time(now)
    return (
        [
            "p.live = 1",
            FINDABLE,
            "(p.since IS NULL OR p.since <= ?) AND (p.until IS NULL OR p.until > ?)",
            "(p.expires IS NULL OR p.expires > ?)",
        ],
        [today] * 3,
    )


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


COLUMNS = (
    "path first_line last_line ordinal digest source ref live version changed_at verb writer known_from known_until "
    "kind status pinned text title who at importance confidence trust channel confirmed_by user agent project seat "
    "session tags entities sensitivity place subject predicate object key value "
    "since until confirmed expires supersedes superseded_by anchor_value anchor_at"
).split()
SELECTED = ", ".join(f"p.{name}" for name in COLUMNS)
INSERT = f"INSERT INTO passages (rowid, {', '.join(COLUMNS)}) VALUES (?{', ?' * len(COLUMNS)})"  # noqa: S608
Row: TypeAlias = tuple[Any, ...]
_WIDTH = len(COLUMNS)
_ALWAYS = Validity()
_OLD = 0


def record_row(path: str, version: Version) -> Row:
    """The row of one version of a record; `live` is settled afterwards, beside the other versions."""
    record, validity, scope = version.record, version.record.validity, version.record.scope
    said = record.statement
    return (
        path, version.line, version.line, 0, version.digest,
        EvidenceSource.RECORD.value, record.id, _OLD,
        record.version, write_time(record.change.at), record.change.verb, record.change.writer,
        write_time(record.change.known), None,
        record.kind.value, record.status.value, int(record.pinned),
        record.text, _title(record), record.origin.who, write_time(record.origin.observed or record.created),
        record.weight.importance, record.weight.confidence, record.origin.trust, record.origin.channel.value,
        record.origin.confirmed_by,
        scope.user, scope.agent, scope.project, scope.seat, record.origin.session,
        _packed(record.tags), _packed(record.entities), record.sensitivity.value, record.origin.where,
        said.subject, said.predicate, said.object, said.key, said.value,
        _moment(validity.since), _moment(validity.until), _moment(validity.confirmed),
        _moment(validity.expires),
        _packed(validity.supersedes), validity.superseded_by,
        record.anchor.value, write_time(record.anchor.at),
    )  # fmt: skip


def passage_of(path: str, version: Version) -> Passage:
    """A version of a record as the passage it is indexed as."""
    record = version.record
    return Passage(
        ref=record.id,
        source=EvidenceSource.RECORD,
        text=record.text,
        path=path,
        first_line=version.line,
        last_line=version.line,
        kind=record.kind.value,
        title=_title(record),
        who=record.origin.who,
        at=record.origin.observed or record.created,
        channel=record.origin.channel.value,
        session=record.origin.session,
        tags=record.tags,
    )


def passage_row(passage: Passage, ordinal: int) -> Row:
    """The row of a piece of a note or a turn of a conversation."""
    return (
        passage.path, passage.first_line, passage.last_line, ordinal,
        file_digest(passage.text.encode("utf-8", "replace")),
        passage.source.value, passage.ref, 1,
        0, "", "", "", "", None,
        passage.kind, passage.status.value, int(passage.pinned),
        passage.text, passage.title, passage.who, _moment(passage.at),
        passage.importance, passage.confidence, passage.trust, passage.channel, passage.confirmed_by,
        "", "", passage.project, passage.seat, passage.session,
        _packed(passage.tags), "[]", "private", "", "", "", "", passage.key, passage.value,
        None, None, None, None, "[]", None,
        1.0, _moment(passage.at),
    )  # fmt: skip


def record_names(record: Record) -> set[str]:
    """The exact names a record answers to."""
    said = record.statement
    names = {
        fold(name)
        for name in (record.id, *record.aliases, *record.entities, said.key, said.subject)
        if name.strip()
    }
    names |= {cited_name(place) for place in (record.origin.where, *record.sources) if "#L" in place}
    return names | {slot_name(said.subject, said.predicate)} if said.subject and said.predicate else names


def cited_name(place: str) -> str:
    """The name that all records share which were made of the words at one place, `path#Lx`."""
    return f"at:{place.partition('-L')[0]}"


def slot_name(subject: str, predicate: str) -> str:
    """The name that all records share which say the same sort of thing of the same subject."""
    return f"slot:{fold(subject)}|{fold(predicate.removeprefix(NO_LONGER))}"


def passage_names(passage: Passage) -> set[str]:
    """The exact names a piece of a note answers to: its own title, its file's name."""
    file_name = passage.path.rsplit("/", 1)[-1]
    return {fold(name) for name in (passage.title, file_name, file_name.rsplit(".", 1)[0]) if name.strip()}


def fold(name: str) -> str:
    """A name as it is compared."""
    return " ".join(normalise(name).split())


def words_of(passage: Passage) -> list[list[str]]:
    """The terms of a passage, piece by piece; what stands around its words comes first."""
    around = _around(" ".join(filter(None, (passage.who, passage.title, *passage.tags))))
    said = [telling_terms(piece) for piece in chunks(passage.text, size=passage.chunk_size)]
    return [around, *said] if around else said


_around = lru_cache(maxsize=1024)(telling_terms)


def found(row: Row, score: float = 0.0) -> Candidate:
    """What a search met, from a row that selected `SELECTED`; a row may carry more behind its columns."""
    (
        path, first_line, last_line, _ordinal, _digest, source, ref, _live, version, _changed_at,
        _verb, _writer, _known_from, _known_until, kind, status, pinned, text, title, who, at, importance,
        confidence, trust, channel, confirmed_by, _user, _agent, project, seat, session, tags, entities,
        sensitivity, place, subject, predicate, said, key, given, since, until, confirmed, expires,
        supersedes, superseded_by, anchor_value, anchor_at,
    ) = row[:_WIDTH]  # fmt: skip
    said_at, anchored_at = _read(at), _read(anchor_at)
    passage = Passage(
        ref=ref,
        source=EvidenceSource(source),
        text=text,
        path=path,
        first_line=first_line,
        last_line=last_line,
        version=version,
        kind=kind,
        status=Status(status),
        pinned=bool(pinned),
        title=title,
        who=who,
        at=said_at,
        importance=importance,
        confidence=confidence,
        trust=trust,
        channel=channel,
        confirmed_by=confirmed_by,
        project=project,
        seat=seat,
        session=session,
        tags=_unpacked(tags),
        entities=_unpacked(entities),
        sensitivity=sensitivity,
        where=place,
        subject=subject,
        predicate=predicate,
        object=said,
        key=key,
        value=given,
        validity=_validity(since, until, confirmed, expires, supersedes, superseded_by),
    )
    return Candidate(passage=passage, score=score, anchor_value=anchor_value, anchor_at=anchored_at)


def _validity(
    since: str | None,
    until: str | None,
    confirmed: str | None,
    expires: str | None,
    supersedes: str,
    superseded_by: str | None,
) -> Validity:
    if since is until is confirmed is expires is superseded_by is None and supersedes == "[]":
        return _ALWAYS
    return Validity(
        since=_read(since),
        until=_read(until),
        confirmed=_read(confirmed),
        expires=_read(expires),
        supersedes=_unpacked(supersedes),
        superseded_by=superseded_by,
    )


def many(rows: Iterable[Row]) -> list[Candidate]:
    """Rows that carry their score in the last column."""
    return [found(row, score=row[-1]) for row in rows]


def _title(record: Record) -> str:
    statement = record.statement
    said = (statement.subject, statement.predicate, statement.object, statement.key, statement.value)
    return " ".join(part for part in (*said, *record.entities) if part and part not in record.text)


@lru_cache(maxsize=4096)
def _packed(values: tuple[str, ...]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


def _unpacked(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _moment(moment: datetime | None) -> str | None:
    return write_time(moment) if moment else None


def _read(text: str | None) -> datetime | None:
    return read_time(text) if text else None
