"""Records in the line shapes of other designs: the way back from `older.py`.

Pure: the same record always gives the same line. The fields a design knows come first, so that its own tools read
the line; what it has no place for is carried along in one more field, `memoracle`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memoracle.extensions.exchange import carried
from memoracle.model.record import Kind, Record, Status
from memoracle.registry import needed

Fields = dict[str, Any]


def line_in(layout: str, record: Record) -> bytes:
    """The line of a record in a design's own shape, newline included."""
    return json.dumps(fields_in(layout, record), ensure_ascii=False).encode() + b"\n"


def fields_in(layout: str, record: Record) -> Fields:
    """The same as fields."""
    fields: Fields = needed("design_fields")(layout, record)
    reads_as = needed("upgrade_line")(fields)
    fields[carried.NAME] = carried.carry(record, without_text=reads_as.text == record.text)
    return fields


def says_triple(record: Record) -> bool:
    """True for a record that has subject, predicate and object."""
    said = record.statement
    return bool(said.subject and said.predicate and said.object)


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
