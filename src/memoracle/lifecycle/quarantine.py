"""What is set apart: a record that nothing finds and nothing shows until its owner has decided. Pure.

It is kept whole, so nothing is lost, with the rules that set it apart in its reason. Accepted it is a record like any
other of its channel, with that channel's limits; rejected it is erased.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoracle.errors import CannotChange
from memoracle.lifecycle.admit import Finder, admit, already_kept, keys_of
from memoracle.model.activation import Anchor
from memoracle.model.change import Change
from memoracle.model.ids import content_key
from memoracle.model.inbox import Item, Matter
from memoracle.model.record import Draft, Record, Status
from memoracle.model.value import replace
from memoracle.text import shorten, visible

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
