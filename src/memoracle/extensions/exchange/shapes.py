"""Records in the line shapes of other designs: the way back from `older.py`.

Pure: the same record always gives the same line. The fields a design knows come first, so that its own tools read
the line; what it has no place for is carried along in one more field, `memoracle`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from memoracle.extensions.exchange import carried
from memoracle.model.ids import content_key
from memoracle.model.record import Channel, Kind, Record, Status
from memoracle.registry import needed
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


def line_in(layout: str, record: Record) -> bytes:
    """The line of a record in a design's own shape, newline included."""
    return json.dumps(fields_in(layout, record), ensure_ascii=False).encode() + b"\n"


def fields_in(layout: str, record: Record) -> Fields:
    """The same as fields."""
    fields = _SHAPES[layout](record)
    reads_as = needed("upgrade_line")(fields)
    fields[carried.NAME] = carried.carry(record, without_text=reads_as.text == record.text)
    return fields


def says_triple(record: Record) -> bool:
    """True for a record that has subject, predicate and object."""
    said = record.statement
    return bool(said.subject and said.predicate and said.object)


def _triple(record: Record) -> Fields:
    """A fact of vm-oracle. Words without a triple become one: of whom, which kind, the words."""
    said = record.statement
    if not says_triple(record):
        about = record.entities[0] if record.entities else "user"
        spoken = (said.subject or about, said.key or record.kind.value, said.value or record.text)
    else:
        spoken = (said.subject, said.predicate, said.object)
    return {
        "id": _foreign(record, "fact-") or f"fact-{_uuid(record.id)}",
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
    """The name the record had in that design, when it came from there."""
    return next((alias for alias in record.aliases if alias.startswith(begins)), "")


def _uuid(record_id: str) -> str:
    digits = content_key(record_id)[2:]
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))


def _moment(at: datetime) -> str:
    written = write_time(at)
    return written.replace(".000000Z", "Z")


def _share(number: float) -> float:
    return round(min(1.0, max(0.0, number)), 4)


# Records as lines of Markdown: for designs that keep their memory in notes, and for people.
#
# Pure. A bullet is one line; what it has no place for stands in comments behind it, OpenClaw's own (`importance`,
# `trigger`, `project`) and one of ours. A cited bullet has its evidence on a line below instead.

_TRIGGER = "trigger:"

HOMES: Mapping[Kind, tuple[str, str]] = {
    **dict.fromkeys((Kind.PREFERENCE, Kind.RULE), ("semantic", "preferences")),
    **dict.fromkeys((Kind.IDENTITY, Kind.HEALTH, Kind.SAFETY, Kind.RELATIONSHIP), ("semantic", "people")),
    **dict.fromkeys((Kind.TASK, Kind.PLAN), ("semantic", "projects")),
    Kind.DECISION: ("semantic", "decisions"),
    Kind.EVENT: ("semantic", "events"),
    Kind.LESSON: ("procedural", "lessons-learned"),
    Kind.PROCEDURE: ("procedural", "how-to"),
    Kind.BELIEF: ("semantic", "beliefs"),
    Kind.SUMMARY: ("semantic", "summaries"),
}
"""Which note of v4 and OpenClaw a kind of record belongs to; everything else goes to `facts`."""


def home_of(kind: Kind) -> tuple[str, str]:
    """The role and the name of the note that a kind belongs to."""
    return HOMES.get(kind, ("semantic", "facts"))


def bullet(record: Record, *, openclaw: bool = False) -> str:
    """One line that a person reads, an agent finds and `import` takes back."""
    shown = _harmless(" ".join(record.text.split()))
    said = [f"- {shown}"]
    if openclaw:
        triggers = [tag.removeprefix(_TRIGGER) for tag in record.tags if tag.startswith(_TRIGGER)]
        said += [f"<!-- trigger: {_harmless(', '.join(triggers))} -->"] if triggers else []
        said += [f"<!-- importance: {max(1, round(record.weight.importance * 10))} -->"]
        project = str(record.extra.get("project_key") or record.scope.project)
        said += [f"<!-- project: {_harmless(project)} -->"] if project else []
    said.append(carried.as_comment(carried.carry(record, without_text=shown == record.text)))
    return " ".join(said)


def cited(record: Record, place: str) -> str:
    """The words as they are, and below them which record says so, where, since when, and who said it."""
    first, *rest = record.text.strip().split("\n")
    below = "".join(f"\n  {line}" if line.strip() else "\n" for line in rest)
    since = (record.origin.observed or record.created).date().isoformat()
    source = f"{record.id}, {place or 'records'}, {since}, {record.origin.channel.value}"
    source += ", archived" if record.status is Status.ARCHIVED else ""
    return f"- {_harmless(first)}{_harmless(below)}\n  — {source}"


def note_of(title: str, bullets: Sequence[str]) -> str:
    """A note of bullets, its tag on line 2 as v4 wants it."""
    return f"# {title}\n#tags: {title}\n\n" + "\n".join(bullets) + "\n"


def _harmless(text: str) -> str:
    """No comment begins or ends inside somebody's words."""
    return text.replace("<!--", "<! --").replace("-->", "-- >")
