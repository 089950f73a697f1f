"""Lines in shapes that were written before this format; each is read as a `Record`.

The same line always gives the same record: no clock, no new id, no file. A foreign id stays the
record's id. A value that is carried unchanged is not kept twice; every other field stays in
`extra` under its own name, or under `older` where that name is one of ours, so that nothing is
lost when a new version is written. How far the words are trusted follows from the kind of line
and the source it names, and is never more than an agent's unless the line says the owner spoke.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from memoracle.errors import InvalidName, InvalidTime
from memoracle.model.ids import content_key
from memoracle.model.predicates import vital_kind, vital_triple
from memoracle.model.record import (
    OUTSIDE,
    TRUST,
    Anchor,
    Change,
    Channel,
    Kind,
    Origin,
    Record,
    Scope,
    Sensitivity,
    Statement,
    Validity,
    Weight,
    check_name,
)
from memoracle.times import read_span, read_time

Fields = Mapping[str, Any]

OURS = frozenset(
    """
    schema id version kind status text subject predicate object key value entities tags sources aliases keys
    importance confidence anchor pinned sensitivity origin scope validity created change sum older
    """.split()
)
"""Names a line of our own format already uses."""

_CHANNELS = {
    **dict.fromkeys(("user", "user-stated", "user_stated", "owner", "manual", "explicit"), Channel.OWNER),
    **dict.fromkeys(("tool", "tool_result", "command"), Channel.TOOL),
    **dict.fromkeys(("system", "scanner", "event_derived"), Channel.SYSTEM),
    **dict.fromkeys(("external", "web", "email", "research"), Channel.EXTERNAL),
    "document": Channel.DOCUMENT,
    "person": Channel.PERSON,
}
_KIND_OF_PREFIX = {"f_": Kind.FACT, "b_": Kind.BELIEF, "s_": Kind.SUMMARY}
_KIND_OF_PAGE = {
    "issue": Kind.FINDING,
    "delivery": Kind.EVENT,
    "reflection": Kind.LESSON,
    "example": Kind.PROCEDURE,
    "pattern": Kind.PROCEDURE,
}
_SURE = {"high": 0.9, "medium": 0.65, "low": 0.3}
_CAREFUL = {
    "public": Sensitivity.PUBLIC,
    **dict.fromkeys(("", "low", "medium", "normal", "private"), Sensitivity.PRIVATE),
}


def upgrade(fields: Fields) -> Record:
    """The record that an older line stands for; raises ValueError for a shape nobody knows or a bad value."""
    for marks, read in _SHAPES:
        if fields.keys() >= marks:
            try:
                json.dumps(fields, ensure_ascii=False).encode()  # half a character could not be written back
                return read(fields)
            except (InvalidTime, InvalidName, OverflowError, RecursionError) as problem:
                raise ValueError(str(problem)) from None
    raise ValueError(f"unknown shape with the fields {', '.join(sorted(fields)[:6])}")


def _triple(fields: Fields) -> Record:
    """A fact of vm-oracle: subject, predicate, object, source, created, activation."""
    subject, predicate = _words(fields, "subject"), _words(fields, "predicate")
    value = _plain(fields["object"])
    created = _moment(fields, "created")
    source = _text(fields, "source")
    origin = _origin(source, observed=created)
    vital = None if origin.channel in OUTSIDE else vital_triple(subject, predicate, value)
    return Record(
        id=_id(fields, "id"),
        version=1,
        kind=vital or Kind.FACT,
        statement=Statement(
            text=" ".join(f"{subject} {predicate.replace('_', ' ')} {value}".split()),
            subject=subject,
            predicate=predicate,
            object=value,
        ),
        weight=Weight(
            importance=1.0 if vital else Weight().importance, anchor=_anchor(fields, "activation", created)
        ),
        origin=origin,
        created=created,
        change=Change(at=created, verb="import", by=source),
        extra=_rest(
            fields,
            {"id", "subject", "predicate", "created", "activation"}
            | _if(value == fields["object"], "object"),
        ),
    )


def _content(fields: Fields) -> Record:
    """A fact, belief or summary of memory-system: content, importance, score, entities, source."""
    record_id, created = _id(fields, "id"), _moment(fields, "created")
    kind = _content_kind(record_id, fields)
    source = _text(fields, "source")
    session, _, line = source.rpartition(":")
    is_place = bool(session) and line.isdecimal()
    stated = kind is Kind.FACT and (is_place or not source or source == "manual")
    text = _words(fields, "content")
    origin = _origin(
        "user-stated" if stated else source,
        observed=created,
        session=session if is_place else "",
        where=f"{session}#L{line}" if is_place else "",
    )
    vital = vital_kind(text) if kind is Kind.FACT and origin.channel not in OUTSIDE else None
    return Record(
        id=record_id,
        version=1,
        kind=vital or kind,
        statement=Statement(text=text),
        entities=_names(fields, "entities"),
        weight=Weight(
            importance=_share(fields, "importance", 0.5),
            confidence=_share(fields, "confidence", 0.5 if kind is Kind.BELIEF else 1.0),
            anchor=_anchor(fields, "score", created),
        ),
        origin=origin,
        created=created,
        change=Change(at=created, verb="import", by=source),
        sources=_names(fields, "source_facts"),
        extra=_rest(
            fields,
            {"id", "content", "importance", "confidence", "score", "entities", "created", "source_facts"}
            | _if(fields.get("type") == kind, "type"),
        ),
    )


def _content_kind(record_id: str, fields: Fields) -> Kind:
    named = _KIND_OF_PREFIX.get(record_id[:2]) or _kind(fields.get("type"))
    if named:
        return named
    if "source_facts" in fields:
        return Kind.SUMMARY
    return Kind.BELIEF if "basis" in fields else Kind.FACT


def _keyed(fields: Fields) -> Record:
    """A record of the openclaw guide: memory_id, key, value, confidence, source, ttl, version."""
    created = _moment(fields, "created_at", "updated_at", "last_confirmed_at")
    updated = _moment(fields, "updated_at", "created_at", "last_confirmed_at")
    confirmed = _moment(fields, "last_confirmed_at") if fields.get("last_confirmed_at") else None
    key, value = _words(fields, "key"), _plain(fields["value"])
    source = fields.get("source") or {}
    if not isinstance(source, Mapping):
        source = {"kind": _text(fields, "source")}
    kind = _kind(fields.get("type"))
    user = _text(fields, "user_id")
    scope = Scope(user=_scope_name("user", user))
    return Record(
        id=_id(fields, "memory_id"),
        version=_version(fields),
        kind=kind or Kind.FACT,
        statement=Statement(text=f"{key}: {value}", key=key, value=value),
        weight=Weight(
            confidence=_share(fields, "confidence", 1.0), anchor=Anchor(value=1.0, at=confirmed or updated)
        ),
        origin=_origin(
            _text(source, "kind"),
            observed=_moment(source, "observed_at") if source.get("observed_at") else created,
            where=_text(source, "ref"),
        ),
        scope=scope,
        validity=Validity(confirmed=confirmed, expires=_expiry(fields.get("ttl"), confirmed or updated)),
        # A level we do not know is handled with the greatest care.
        sensitivity=_CAREFUL.get(_text(fields, "sensitivity").lower(), Sensitivity.SECRET),
        created=created,
        change=Change(at=updated, verb="import", by=_text(source, "kind")),
        extra=_rest(
            fields,
            {"memory_id", "key", "confidence", "version", "created_at", "updated_at", "last_confirmed_at"}
            | _if(value == fields["value"], "value")
            | _if(kind is not None, "type")
            | _if(scope.user == user, "user_id"),
        ),
    )


def _page(fields: Fields) -> Record:
    """A record of clawseat: kind, id, project, author, ts, title, body, evidence, supersedes."""
    if fields["schema_version"] != 1:
        raise ValueError(f"schema_version {fields['schema_version']!r} is not known")
    at = _moment(fields, "ts")
    named, project, author = _words(fields, "kind"), _text(fields, "project"), _text(fields, "author")
    title, body = _text(fields, "title"), _text(fields, "body")
    scope = Scope(project="" if project == "_shared" else _scope_name("project", project))
    text = "\n\n".join(filter(str.strip, (title, body))) or f"{named} of {project}".strip()
    sure = _SURE.get(str(fields.get("confidence") or "medium"))
    supersedes = fields.get("supersedes") or ()
    return Record(
        id=_id(fields, "id"),
        version=1,
        kind=_kind(named) or _KIND_OF_PAGE.get(named, Kind.FACT),
        statement=Statement(text=text),
        entities=_names(fields, "related_task_ids"),
        weight=Weight(confidence=sure or _share(fields, "confidence", 0.65)),
        origin=_origin(_text(fields, "source"), who=author, observed=at, where=_first_evidence(fields)),
        scope=scope,
        validity=Validity(
            supersedes=(supersedes,) if isinstance(supersedes, str) else _names(fields, "supersedes")
        ),
        created=at,
        change=Change(at=at, verb="import", by=author or _text(fields, "source")),
        extra=_rest(
            fields,
            {"schema_version", "id", "ts", "author", "supersedes", "related_task_ids"}
            | _if(sure is None, "confidence")
            | _if(text.endswith(body), "body")
            | _if(_kind(named) is not None, "kind")
            | _if(scope.project == project, "project"),
        ),
    )


_SHAPES: Sequence[tuple[frozenset[str], Callable[[Fields], Record]]] = (
    (frozenset({"schema_version", "kind"}), _page),
    (frozenset({"memory_id", "key", "value"}), _keyed),
    (frozenset({"subject", "predicate", "object"}), _triple),
    (frozenset({"content"}), _content),
)


def _rest(fields: Fields, carried: set[str]) -> dict[str, Any]:
    left = {name: value for name, value in fields.items() if name not in carried}
    extra = {name: value for name, value in left.items() if name not in OURS}
    if hidden := {name: value for name, value in left.items() if name in OURS}:
        extra["older"] = hidden
    return extra


def _if(condition: bool, name: str) -> set[str]:
    return {name} if condition else set()


def _id(fields: Fields, name: str) -> str:
    value = _words(fields, name)
    if len(value) > 200 or not value.isprintable() or value != value.strip():
        raise ValueError(f"`{name}` cannot be an id")
    return value


def _text(fields: Fields, name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"`{name}` is not text")  # noqa: TRY004 - every bad value of a line is a ValueError
    return value


def _words(fields: Fields, name: str) -> str:
    value = _text(fields, name)
    if not value.strip():
        raise ValueError(f"`{name}` is missing")
    return value


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _names(fields: Fields, name: str) -> tuple[str, ...]:
    many = fields.get(name) or ()
    if not isinstance(many, list | tuple) or not all(isinstance(one, str) for one in many):
        raise ValueError(f"`{name}` is not a list of words")
    return tuple(many)


def _share(fields: Fields, name: str, default: float) -> float:
    value = fields.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"`{name}` lies between 0 and 1, not at {value!r}")
    return float(value)


def _version(fields: Fields) -> int:
    value = fields.get("version", 1)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"`version` counts from 1, not {value!r}")
    return value


def _moment(fields: Fields, *names: str) -> datetime:
    """The first of these moments that the line has."""
    for name in names:
        if fields.get(name) is not None:
            return read_time(_words(fields, name))
    raise ValueError(f"`{names[0]}` is missing")


def _anchor(fields: Fields, name: str, created: datetime) -> Anchor | None:
    """The activation as the line gives it, at the latest moment the line knows of itself."""
    if fields.get(name) is None:
        return None
    touched = ("last_accessed", "last_access", "updated", "updated_at")
    moments = [read_time(text) for field in touched if isinstance(text := fields.get(field), str) and text]
    return Anchor(value=_share(fields, name, 1.0), at=max([created, *moments]))


def _origin(source: str, *, who: str = "", observed: datetime, session: str = "", where: str = "") -> Origin:
    channel = _CHANNELS.get(source.lower(), Channel.AGENT)
    return Origin(
        channel=channel, who=who, observed=observed, session=session, where=where, trust=TRUST[channel]
    )


def _kind(named: Any) -> Kind | None:
    return Kind(named) if isinstance(named, str) and named in Kind.__members__.values() else None


def _scope_name(what: str, name: str) -> str:
    """The name itself, or a stable stand-in for one that cannot be a name here; both keep memories apart."""
    if not name:
        return ""
    try:
        return check_name(what, name)
    except InvalidName:
        return f"{what}-{content_key(name)[2:14]}"


def _expiry(ttl: Any, start: datetime) -> datetime | None:
    """When a time to live ends: seconds, a span such as `30d`, or the moment itself."""
    if ttl is None or ttl == "":
        return None
    if isinstance(ttl, str):
        try:
            return start + read_span(ttl)
        except InvalidTime:
            return read_time(ttl)
    if isinstance(ttl, bool) or not isinstance(ttl, int | float) or ttl < 0:
        raise ValueError(f"`ttl` is not a length of time: {ttl!r}")
    return start + timedelta(seconds=ttl)


def _first_evidence(fields: Fields) -> str:
    evidence = fields.get("evidence")
    first = evidence[0] if isinstance(evidence, list) and evidence else {}
    place = first.get("source_url") or first.get("file") if isinstance(first, Mapping) else first
    return place if isinstance(place, str) else ""
