"""Records in the line shapes of other designs: the way back from `older.py`. Pure.

The same record always gives the same fields, so that a design's own tools read the line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from memoracle.model.ids import RECORD_PREFIX, content_key
from memoracle.model.record import Channel, Kind, Record
from memoracle.times import write_time

Fields = dict[str, Any]
_SOURCES = {
    Channel.OWNER: "user-stated",
    Channel.PERSON: "person",
    Channel.TOOL: "tool",
    Channel.DOCUMENT: "document",
    Channel.EXTERNAL: "external",
    Channel.SYSTEM: "system",
}
_LETTER = {Kind.BELIEF: "b_", Kind.SUMMARY: "s_"}
_TITLE = 80
_SURE = ((0.8, "high"), (0.5, "medium"), (0.0, "low"))


def design_fields(layout: str, record: Record) -> Fields:
    """What a line of this design says of a record; nothing where its lines are no records."""
    return _SHAPES[layout](record) if layout in _SHAPES else {}


def _triple(record: Record) -> Fields:
    """A fact of vm-oracle. Words without a triple become one: of whom, which kind, the words."""
    said = record.statement
    if not (said.subject and said.predicate and said.object):
        about = record.entities[0] if record.entities else "user"
        spoken = (said.subject or about, said.key or record.kind.value, said.value or record.text)
    else:
        spoken = (said.subject, said.predicate, said.object)
    return {
        "id": _foreign(record, "fact-") or _uuid(record.id),
        "subject": spoken[0],
        "predicate": spoken[1],
        "object": spoken[2],
        "source": _SOURCES.get(record.origin.channel, "agent"),
        "created": _moment(record.created),
        "activation": _share(record.anchor.value),
    }


def _content(record: Record) -> Fields:
    """A line of memory-system."""
    letter = _LETTER.get(record.kind, "f_")
    digits = content_key(record.id)[2:8]
    fields: Fields = {
        "id": _foreign(record, letter) or f"{letter}{record.created:%Y%m%d}_{digits}",
        "content": record.text,
        "importance": record.weight.importance,
        "score": _share(record.anchor.value),
        "entities": list(record.entities),
        "created": _moment(record.created),
        "source": record.origin.where.replace("#L", ":") or _SOURCES.get(record.origin.channel, "agent"),
    }
    if record.kind is Kind.BELIEF:
        fields |= {"confidence": record.weight.confidence, "basis": ", ".join(record.sources)}
    if record.kind is Kind.SUMMARY:
        fields["source_facts"] = list(record.sources)
    return fields


def _page(record: Record) -> Fields:
    """A page of clawseat."""
    head = record.text.strip().split("\n", 1)[0]
    sure = next(word for least, word in _SURE if record.weight.confidence >= least)
    return {
        "schema_version": 1,
        "kind": record.kind.value,
        "id": _foreign(record, f"{record.kind.value}-")
        or f"{record.kind.value}-{content_key(record.id)[2:10]}",
        "project": record.scope.project or "_shared",
        "author": record.origin.who or "memory",
        "ts": _moment(record.created),
        "title": head[:_TITLE],
        "body": record.text,
        "related_task_ids": list(record.entities),
        "evidence": [{"trust": sure, "source_url": record.origin.where}] if record.origin.where else [],
        "supersedes": list(record.validity.supersedes),
        "confidence": sure,
        "source": _SOURCES.get(record.origin.channel, "write_api"),
    }


_SHAPES: Mapping[str, Callable[[Record], Fields]] = {
    "vm-oracle": _triple,
    "memory-system": _content,
    "clawseat": _page,
}


def _foreign(record: Record, begins: str) -> str:
    """The name the record has in that design, when it came from there."""
    return next((name for name in (record.id, *record.aliases) if name.startswith(begins)), "")


def _uuid(record_id: str) -> str:
    """A name in the design's form; one that another program gave stays what it is."""
    if not record_id.startswith(RECORD_PREFIX):
        return record_id
    digits = content_key(record_id)[2:]
    return "fact-" + "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))


def _moment(at: datetime) -> str:
    written = write_time(at)
    return written.replace(".000000Z", "Z")


def _share(number: float) -> float:
    return round(min(1.0, max(0.0, number)), 4)
