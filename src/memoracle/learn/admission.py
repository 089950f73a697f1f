"""Room in quarantine: what the guard sets apart is kept, up to a bound for each session. No flood fills a memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.errors import CannotChange
from memoracle.model.ids import content_key, idempotency_key
from memoracle.model.inbox import Item, Matter
from memoracle.model.record import Anchor, Change, Channel, Draft, Record, Status, content_key_of
from memoracle.model.value import replace
from memoracle.text import shorten, visible

if TYPE_CHECKING:
    from memoracle.learn.draft import Drafted
    from memoracle.model.report import Receipt


# A draft beside what is already known: new, the same, or back from the archive.

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


# What is set apart: a record that nothing finds and nothing shows until its owner has decided. Pure.

MOST = 50
"""How many things of one session may wait; what comes after them is counted and not kept."""
FULL = "quarantine-full"
_SAYS = "quarantined: "
_SHOWN = 300


def set_apart(draft: Draft, rules: Sequence[str], *, record_id: str, change: Change) -> Record:
    """The first version of a record that waits."""
    because = _SAYS + ", ".join(rules)
    record = admit(draft, record_id=record_id, change=replace(change, because=because))
    return replace(record, status=Status.QUARANTINED, pinned=False)


def already_apart(draft: Draft, find: Finder, now: datetime) -> Record | None:
    """The record that says this already: one that its owner accepted, or one that waits."""
    if held := already_kept(draft, find, now):
        return held
    waits = find(keys_of(draft)[0])
    return waits if waits is not None and waits.status is Status.QUARANTINED else None


def question_about(record: Record) -> Item:
    """What the owner is asked about it: the words with hidden characters spelled out, and the rules."""
    return Item(
        id=f"ask_{content_key(Matter.QUARANTINE.value, record.id).removeprefix('c_')[:12]}",
        matter=Matter.QUARANTINE,
        about=(record.id,),
        proposal=f"keep “{shorten(visible(record.text), _SHOWN)}”",
        because=f"{record.change.because.removeprefix(_SAYS)} ({record.origin.channel.value})",
        since=record.created,
    )


def release(record: Record, change: Change) -> Record:
    """The record in use, as its owner decided."""
    if record.status is not Status.QUARANTINED:
        raise CannotChange(record.id, "accept", "it does not wait in quarantine")
    return replace(
        record,
        version=record.version + 1,
        status=Status.ACTIVE,
        weight=replace(record.weight, anchor=Anchor(value=1.0, at=change.at)),
        change=change,
    )


Count = Callable[[str, str], int]
"""How many wait of a session, or, where that is empty, of a channel."""


class Room:
    """The room that is left for what one act brings."""

    def __init__(self, wishes: Sequence[Drafted], count: Count) -> None:
        names = {_name(one.draft) for one in wishes if self.is_apart(one)}
        self._left = {name: MOST - count(*name) for name in names}

    @staticmethod
    def is_apart(wish: Drafted) -> bool:
        """True for what the guard sets apart."""
        return wish.outcome == "quarantined"

    def set_apart(
        self, wish: Drafted, find: Finder, *, record_id: str, change: Change
    ) -> tuple[Record | None, bool]:
        """The record that waits, and whether it is new; None when there is no room for it."""
        if held := already_apart(wish.draft, find, change.at):
            return held, False
        name = _name(wish.draft)
        if self._left.get(name, 0) <= 0:
            return None, False
        self._left[name] -= 1
        return set_apart(wish.draft, wish.rules, record_id=record_id, change=change), True


def not_kept(wish: Drafted) -> Receipt:
    """What is said about something that there was no room for."""
    from memoracle.model.report import Receipt

    return Receipt(
        id="",
        version=0,
        created=False,
        status=Status.QUARANTINED,
        warnings=wish.warnings,
        outcome="refused",
        rules=(*wish.rules, FULL),
    )


def _name(draft: Draft) -> tuple[str, str]:
    session = draft.origin.session
    return (session, "") if session else ("", draft.origin.channel.value)
