"""What follows what: a record in place of others, or in its place in the past.

The one that stands names what it replaced; what was replaced names its successor and when it ended. What is
heard late, from a transcript that was read after others, finds its place between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoracle.learn.evidence import Said, confirmations, last_heard, said_at, sessions_for
from memoracle.learn.reconciliation import Desk
from memoracle.learn.sameness import is_same
from memoracle.model.record import Channel, Draft, Kind, Record, Status
from memoracle.model.value import replace

# What one stray remark does not replace: memories that were confirmed again, or kept on purpose.

FIRM_AFTER = 2
FIRM_FROM = 0.9
_OWN_ACTS = frozenset({"remember", "edit", "pin", "restore", "supersede", "accept"})


def is_firm(record: Record) -> bool:
    """True when it takes more than one plain remark to replace it."""
    if record.kind is Kind.BELIEF:
        return False
    return (
        record.pinned
        or record.weight.importance >= FIRM_FROM
        or was_kept_on_purpose(record)
        or confirmations(record) >= FIRM_AFTER
    )


def was_kept_on_purpose(record: Record) -> bool:
    """True when the owner kept it by hand, rather than mentioning it in a conversation."""
    origin = record.origin
    if origin.channel is not Channel.OWNER:
        return False
    return record.change.verb in _OWN_ACTS or not (origin.where or origin.session)


def start_of(record: Record) -> datetime:
    """From when on it holds."""
    return record.validity.since or said_at(record)


def is_older(said: Said, record: Record) -> bool:
    """True when a record was still said after this claim was."""
    return said.at < last_heard(record)


def stand_in_place(desk: Desk, said: Said, draft: Draft, rivals: Sequence[Record], because: str) -> Record:
    """A new record, and the end of those it replaces."""
    validity = replace(
        draft.validity, since=said.since, until=None, supersedes=tuple(one.id for one in rivals)
    )
    new = desk.add(said, replace(draft, validity=validity), because)
    desk.tell("supersede" if rivals else "add", new, because)
    end_all(desk, said, rivals, new, because, at=said.since)
    return new


def end_all(
    desk: Desk, said: Said, rivals: Sequence[Record], successor: Record, because: str, *, at: datetime
) -> None:
    """These ended then, and that is what stands in their place."""
    for one in rivals:
        validity = replace(one.validity, until=max(at, start_of(one)), superseded_by=successor.id)
        desk.put(replace(one, status=Status.SUPERSEDED, validity=validity), because, said.at)
        desk.settle(one, successor)


def take_over(
    desk: Desk,
    said: Said,
    record: Record,
    rivals: Sequence[Record],
    because: str,
    *,
    at: datetime | None = None,
) -> Record:
    """A record that is known already, in place of others: since it began, or from a later time on."""
    replaced = tuple(dict.fromkeys([*record.validity.supersedes, *(one.id for one in rivals)]))
    validity = replace(record.validity, since=start_of(record), until=None, supersedes=replaced)
    stands = desk.put(replace(record, validity=validity), because, said.at)
    desk.tell("supersede" if rivals else "promote", stands, because)
    end_all(desk, said, rivals, stands, because, at=at or start_of(stands))
    return stands


def is_counted(said: Said, record: Record) -> bool:
    """True when a record that says the same has this very hearing behind it."""
    if record.kind is Kind.BELIEF and said.is_explicit:
        return False  # it may be more than one more hearing
    return said.session in sessions_for(record) and said.at <= last_heard(record)


def is_in_past(desk: Desk, said: Said, record: Record) -> bool:
    """True when a record that says the same has ended, and the claim is about the time before."""
    if record.status is not Status.SUPERSEDED:
        return False
    if _has_twin(desk, record):
        return False
    # The version that ended it says from when on that could be known.
    return start_of(record) <= said.since and said.at <= record.change.known


def _has_twin(desk: Desk, record: Record) -> bool:
    """True when a record that says the very same took its place, and speaks for it."""
    successor = record.validity.superseded_by
    if not successor or not desk.known.holds(successor):
        return False
    mine, its = record.statement, desk.known.standing(successor).statement
    return mine.predicate == its.predicate and is_same(mine.object or mine.value, its.object or its.value)


def place_in_past(desk: Desk, said: Said, draft: Draft, line: Sequence[Record], rival: Record) -> None:
    """What was heard late, between what came before it and what came after.

    `line` holds what said this sort of thing at some time; `rival` was still said after the claim.
    """
    after = sorted((one for one in line if start_of(one) > said.since), key=start_of)
    successor = after[0] if after else rival
    before = _stood_then(said, line)
    because = f"said before {successor.id}, heard after it"
    if after and _says(successor, said):
        earlier = replace(successor, validity=replace(successor.validity, since=said.since))
        # What is over stays over from the day that was known: an earlier version must not hide that it held.
        heard = said.at if successor.status is Status.ACTIVE else successor.change.known
        desk.tell("extend", desk.put(earlier, because, heard), because)
        _cut(desk, before, successor.id, said, because)
        return
    begun = start_of(successor)
    until = begun if begun > said.since else max(said.since, last_heard(successor))
    replaced = (before.id,) if before else ()
    validity = replace(draft.validity, since=said.since, until=None, supersedes=replaced)
    new = desk.add(said, replace(draft, validity=validity), because)
    desk.tell("history", new, because)
    _cut(desk, before, new.id, said, because)
    ended = replace(new.validity, until=until, superseded_by=successor.id)
    desk.put(replace(new, status=Status.SUPERSEDED, validity=ended), because, max(said.at, until))
    known = [one for one in successor.validity.supersedes if one not in replaced]
    linked = replace(successor.validity, supersedes=tuple(dict.fromkeys([*known, new.id])))
    desk.put(replace(successor, validity=linked), because, successor.change.known)


def _stood_then(said: Said, line: Sequence[Record]) -> Record | None:
    """What memory thought to hold at the time of the claim, if it may say otherwise."""
    stood = [
        one
        for one in line
        if one.status is Status.SUPERSEDED
        and start_of(one) <= said.since
        and one.validity.until is not None
        and said.since < one.validity.until
        and one.origin.trust <= said.trust
        and not _says(one, said)
    ]
    return max(stood, key=start_of, default=None)


def _cut(desk: Desk, before: Record | None, successor: str, said: Said, because: str) -> None:
    if before is not None:
        validity = replace(before.validity, until=said.since, superseded_by=successor)
        desk.put(replace(before, validity=validity), because, said.at)


def _says(record: Record, said: Said) -> bool:
    return is_same(record.statement.object or record.statement.value, said.object)
