"""Passages and rows, both ways."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

from memoracle.clock import read_time, write_time
from memoracle.index.api import Found
from memoracle.model.hit import Passage, Source
from memoracle.model.ids import file_digest
from memoracle.model.manifest import Version
from memoracle.model.record import Record, Status
from memoracle.model.validity import Validity
from memoracle.text import normalise, stretches, telling_terms

COLUMNS = (
    "path first_line last_line ordinal digest content source ref live version changed_at writer known_until "
    "kind status pinned text title who at importance confidence trust channel user agent project seat session "
    "tags since until confirmed expires supersedes superseded_by anchor_value anchor_at"
).split()
SELECTED = ", ".join(f"p.{name}" for name in COLUMNS)
INSERT = f"INSERT INTO passages (rowid, {', '.join(COLUMNS)}) VALUES (?{', ?' * len(COLUMNS)})"  # noqa: S608
Row: TypeAlias = tuple[Any, ...]
_OLD = 0


def record_row(path: str, version: Version) -> Row:
    """The row of one version of a record; `live` is settled afterwards, beside the other versions."""
    record, validity, scope = version.record, version.record.validity, version.record.scope
    return (
        path, version.line, version.line, 0, version.digest, content_of(record.text),
        Source.RECORD.value, record.id, _OLD,
        record.version, write_time(record.change.at), record.change.writer, None,
        record.kind.value, record.status.value, int(record.pinned),
        record.text, _title(record), record.origin.who, write_time(record.origin.observed or record.created),
        record.weight.importance, record.weight.confidence, record.origin.trust, record.origin.channel.value,
        scope.user, scope.agent, scope.project, scope.seat, record.origin.session,
        _packed(record.tags),
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
    content = content_of(passage.text)
    return (
        passage.path, passage.first_line, passage.last_line, ordinal, content, content,
        passage.source.value, passage.ref, 1,
        0, "", "", None,
        passage.kind, passage.status.value, int(passage.pinned),
        passage.text, passage.title, passage.who, _moment(passage.at),
        passage.importance, passage.confidence, passage.trust, passage.channel,
        "", "", passage.project, passage.seat, passage.session,
        _packed(passage.tags),
        None, None, None, None, "[]", None,
        1.0, _moment(passage.at),
    )  # fmt: skip


def record_names(record: Record) -> set[str]:
    """The exact names a record answers to."""
    said = (record.statement.key, record.statement.subject)
    return {fold(name) for name in (record.id, *record.aliases, *record.entities, *said) if name.strip()}


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


def content_of(text: str) -> str:
    """What identifies the words of a passage, wherever they stand."""
    return file_digest(text.encode("utf-8", "replace"))


def found(row: Row, score: float = 0.0) -> Found:
    """What a search met, from a row that selected `SELECTED`."""
    passage = Passage(
        ref=row[7],
        source=Source(row[6]),
        text=row[16],
        path=row[0],
        first_line=row[1],
        last_line=row[2],
        version=row[9],
        kind=row[13],
        status=Status(row[14]),
        pinned=bool(row[15]),
        title=row[17],
        who=row[18],
        at=_read(row[19]),
        importance=row[20],
        confidence=row[21],
        trust=row[22],
        channel=row[23],
        project=row[26],
        seat=row[27],
        session=row[28],
        tags=_unpacked(row[29]),
        validity=Validity(
            since=_read(row[30]),
            until=_read(row[31]),
            confirmed=_read(row[32]),
            expires=_read(row[33]),
            supersedes=_unpacked(row[34]),
            superseded_by=row[35],
        ),
    )
    return Found(passage=passage, score=score, anchor_value=row[36], anchor_at=_read(row[37]))


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
