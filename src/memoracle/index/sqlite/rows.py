"""Passages and rows, both ways."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

from memoracle.clock import read_time, write_time
from memoracle.index.api import Found
from memoracle.model.hit import Passage, Source
from memoracle.model.manifest import Version
from memoracle.model.record import Record, Status
from memoracle.model.validity import Validity
from memoracle.text import normalise, terms

COLUMNS = [
    "path",
    "first_line",
    "last_line",
    "digest",
    "source",
    "ref",
    "live",
    "version",
    "changed_at",
    "writer",
    "known_until",
    "kind",
    "status",
    "pinned",
    "text",
    "title",
    "who",
    "at",
    "importance",
    "confidence",
    "trust",
    "channel",
    "user",
    "agent",
    "project",
    "seat",
    "session",
    "tags",
    "since",
    "until",
    "confirmed",
    "expires",
    "supersedes",
    "superseded_by",
    "anchor_value",
    "anchor_at",
]
SELECTED = ", ".join(f"p.{name}" for name in COLUMNS)
INSERT = f"INSERT INTO passages ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
_PLACE = {name: place for place, name in enumerate(COLUMNS)}
_OLD = 0


def record_row(path: str, version: Version) -> tuple[Any, ...]:
    """The row of one version of a record; `live` is settled afterwards, beside the other versions."""
    record, validity, scope = version.record, version.record.validity, version.record.scope
    return (
        path, version.line, version.line, version.digest, Source.RECORD.value, record.id, _OLD,
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


def passage_row(passage: Passage, digest: str) -> tuple[Any, ...]:
    """The row of a piece of a note or a turn of a conversation."""
    return (
        passage.path, passage.first_line, passage.last_line, digest, passage.source.value, passage.ref, 1,
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


def indexed(who: str, title: str, text: str, tags: str) -> str:
    """The terms of a passage, joined as the word index takes them."""
    tagged = " ".join(json.loads(tags)) if tags != "[]" else ""
    return " ".join(terms(f"{who}\n{title}\n{text}\n{tagged}"))


def found(row: sqlite3.Row | tuple[Any, ...], score: float = 0.0) -> Found:
    """What a search met, from a row that selected `SELECTED`."""
    passage = Passage(
        ref=row[5],
        source=Source(row[4]),
        text=row[14],
        path=row[0],
        first_line=row[1],
        last_line=row[2],
        version=row[7],
        kind=row[11],
        status=Status(row[12]),
        pinned=bool(row[13]),
        title=row[15],
        who=row[16],
        at=_read(row[17]),
        importance=row[18],
        confidence=row[19],
        trust=row[20],
        channel=row[21],
        project=row[24],
        seat=row[25],
        session=row[26],
        tags=tuple(json.loads(row[27])),
        validity=Validity(
            since=_read(row[28]),
            until=_read(row[29]),
            confirmed=_read(row[30]),
            expires=_read(row[31]),
            supersedes=tuple(json.loads(row[32])),
            superseded_by=row[33],
        ),
    )
    return Found(passage=passage, score=score, anchor_value=row[34], anchor_at=_read(row[35]))


def many(rows: Iterator[tuple[Any, ...]]) -> list[Found]:
    """Rows that carry their score in the last column."""
    return [found(row, score=row[-1]) for row in rows]


def _title(record: Record) -> str:
    statement = record.statement
    said = (statement.subject, statement.predicate, statement.object, statement.key, statement.value)
    return " ".join(part for part in (*said, *record.entities) if part and part not in record.text)


@lru_cache(maxsize=4096)
def _packed(values: tuple[str, ...]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


def _moment(moment: datetime | None) -> str | None:
    return write_time(moment) if moment else None


def _read(text: str | None) -> datetime | None:
    return read_time(text) if text else None
