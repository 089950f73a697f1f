"""A draft beside what is already known: new, the same, or back from the archive."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from memoracle.model.activation import Anchor
from memoracle.model.change import Change
from memoracle.model.ids import idempotency_key
from memoracle.model.origin import Channel
from memoracle.model.record import Draft, Record, Status, content_key_of
from memoracle.model.value import replace

Finder = Callable[[str], Record | None]


def keys_of(draft: Draft) -> tuple[str, ...]:
    """The keys under which the same wish would be recognised."""
    content = content_key_of(draft.kind, draft.statement, draft.scope)
    return (content, idempotency_key(draft.idempotency)) if draft.idempotency else (content,)


def already_kept(draft: Draft, find: Finder, now: datetime) -> Record | None:
    """The record that says this already and still holds. A retry finds it whatever became of it."""
    content, *retry = keys_of(draft)
    for key in retry:
        if record := find(key):
            return record
    record = find(content)
    if record is None or record.status not in {Status.ACTIVE, Status.ARCHIVED}:
        return None
    is_over = any(end is not None and end <= now for end in (record.validity.until, record.validity.expires))
    return None if is_over else record


def is_news(held: Record, draft: Draft) -> bool:
    """True when the owner keeps by hand what memory had only heard, or had from somebody else.

    It is the same record, but it must not hang on the hearing alone: that may be forgotten one day.
    """
    origin = draft.origin
    by_hand = origin.channel is Channel.OWNER and not (origin.session or origin.where)
    heard = held.origin.channel is not Channel.OWNER or bool(held.origin.session or held.origin.where)
    is_retry = bool(draft.idempotency) and idempotency_key(draft.idempotency) in held.keys
    return by_hand and heard and not is_retry


def admit(draft: Draft, *, record_id: str, change: Change) -> Record:
    """The first version of a new record."""
    return Record(
        id=record_id,
        version=1,
        kind=draft.kind,
        statement=draft.statement,
        change=change,
        created=change.at,
        pinned=draft.pinned,
        entities=draft.entities,
        tags=draft.tags,
        weight=replace(draft.weight, anchor=draft.weight.anchor or Anchor(value=1.0, at=change.at)),
        origin=draft.origin,
        scope=draft.scope,
        validity=draft.validity,
        sensitivity=draft.sensitivity,
        sources=draft.sources,
        keys=keys_of(draft),
    )
