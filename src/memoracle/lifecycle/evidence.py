"""What speaks for a record: when it was said, when last, in which sessions, and what speaks against it.

A record's `sources` grow with each confirmation: `session:…` for a session that said it again, `against:…`
for one that contradicted it. A session counts once, so hearing it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from memoracle.model.origin import Channel, Origin
from memoracle.model.record import Draft, Kind, Record, content_key_of
from memoracle.model.value import replace

FOR = "session:"
AGAINST = "against:"
SAVED = "saved:"
"""Before the name of a server's run in which an agent saved it."""
OWNER_SAID_NO = f"{AGAINST}owner"
"""The owner was asked and turned it down."""

MOST_SESSIONS = 24
"""More than these are not counted: nothing depends on a larger number."""


def said_at(record: Record) -> datetime:
    """When it was said first."""
    return record.origin.observed or record.created


def last_heard(record: Record) -> datetime:
    """When it was said last."""
    first = said_at(record)
    return max(first, record.validity.confirmed) if record.validity.confirmed else first


def session_of(origin: Origin, at: datetime) -> str:
    """What makes one hearing independent of another: the session, or the day when there was none."""
    return origin.session or f"day {at.date().isoformat()}"


def sessions_for(record: Record) -> frozenset[str]:
    """The sessions in which it was said, the first one included."""
    return _listed(record, FOR) | {session_of(record.origin, said_at(record))}


def sessions_against(record: Record) -> frozenset[str]:
    """The sessions in which it was contradicted."""
    return _listed(record, AGAINST)


def confirmations(record: Record) -> int:
    """How many sessions said it again after the first."""
    return len(sessions_for(record)) - 1


def with_source(record: Record, *sources: str) -> Record:
    """The record with more to cite."""
    return replace(record, sources=tuple(dict.fromkeys([*record.sources, *sources])))


def is_second_word(held: Record, draft: Draft, *, told: Collection[str] = ()) -> bool:
    """True when another agent's session saves what one noted before, without having been told it.

    What counts as a session is the run of a server, which no call can name: saving twice in one of them is one word.
    """
    if held.origin.channel is not Channel.AGENT or draft.origin.channel is not Channel.AGENT:
        return False
    if held.origin.confirmed_by or held.id in told:
        return False
    before, now = _listed(held, SAVED), {one for one in draft.sources if one.startswith(SAVED)}
    return bool(before and now) and before.isdisjoint(one.removeprefix(SAVED) for one in now)


def vouched_for(record: Record, draft: Draft) -> Record:
    """The record as said by somebody else too, who is trusted more; that it was said before stays known.

    From then on it stands in their words: nobody else's wording is lifted by a trust that is not its own.
    """
    first = said_at(record)
    counted = with_source(record, FOR + session_of(record.origin, first))
    vouched = replace(counted, origin=replace(draft.origin, observed=first))
    if record.origin.channel is draft.origin.channel:
        return vouched
    said = replace(
        draft.statement,
        predicate=record.statement.predicate,
        object=draft.statement.object or record.statement.object,
    )
    kind = record.kind if record.kind is Kind.BELIEF or draft.kind is Kind.BELIEF else draft.kind
    content = content_key_of(kind, said, record.scope)
    keys = (content, *(key for key in record.keys if not key.startswith("c_")))
    return replace(vouched, kind=kind, statement=said, entities=draft.entities, tags=draft.tags, keys=keys)


def _listed(record: Record, side: str) -> frozenset[str]:
    return frozenset(one.removeprefix(side) for one in record.sources if one.startswith(side))
