"""Passages and rows, both ways."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

from memoracle.index.api import Found
from memoracle.model.hit import Passage, Source
from memoracle.model.ids import file_digest
from memoracle.model.manifest import Version
from memoracle.model.predicates import NO_LONGER
from memoracle.model.record import Record, Status, Validity
from memoracle.text import normalise, stretches, telling_terms
from memoracle.times import read_time, write_time

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
        Source.RECORD.value, record.id, _OLD,
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
        source=Source.RECORD,
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
    around = telling_terms(" ".join(filter(None, (passage.who, passage.title, *passage.tags))))
    said = [telling_terms(piece) for piece in stretches(passage.text, size=passage.stretch)]
    return [*([around] if around else []), *said]


def found(row: Row, score: float = 0.0) -> Found:
    """What a search met, from a row that selected `SELECTED`; a row may carry more behind its columns."""
    (
        path, first_line, last_line, _ordinal, _digest, source, ref, _live, version, _changed_at,
        _verb, _writer, _known_from, _known_until, kind, status, pinned, text, title, who, at, importance,
        confidence, trust, channel, confirmed_by, _user, _agent, project, seat, session, tags, entities,
        sensitivity, place, subject, predicate, said, key, given, since, until, confirmed, expires,
        supersedes, superseded_by, anchor_value, anchor_at,
    ) = row[:_WIDTH]  # fmt: skip
    passage = Passage(
        ref=ref,
        source=Source(source),
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
        at=_read(at),
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
    return Found(passage=passage, score=score, anchor_value=anchor_value, anchor_at=_read(anchor_at))


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


def many(rows: Iterable[Row]) -> list[Found]:
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
