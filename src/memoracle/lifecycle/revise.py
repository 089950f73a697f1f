"""The next version of a record: edit, pin, supersede, archive, restore."""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.errors import BadInput, CannotChange
from memoracle.lifecycle.draft import check_text, make_draft
from memoracle.lifecycle.evidence import vouched_for, with_source
from memoracle.model.activation import Anchor
from memoracle.model.change import Change
from memoracle.model.origin import BY_SESSION, seen_by_owner
from memoracle.model.record import AGAIN, Draft, Record, Statement, Status, content_key_of
from memoracle.model.value import replace

_WAITS = "it waits in quarantine; accept or reject it first"
_GONE = {
    Status.FORGOTTEN: "it was erased",
    Status.RETRACTED: "it was taken back by an undo",
    Status.QUARANTINED: _WAITS,
    Status.WITHDRAWN: "it was withdrawn; `memoracle trash restore` brings it back",
}


def edit(
    record: Record,
    change: Change,
    *,
    text: str | None = None,
    kind: str | None = None,
    importance: float | None = None,
    confidence: float | None = None,
    entities: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
) -> Record:
    """The record with some of what it says put differently."""
    _must_be_open(record, "edit")
    wish = make_draft(
        record.text if text is None else check_text(text),
        kind=record.kind if kind is None else kind,
        importance=record.weight.importance if importance is None else importance,
        confidence=record.weight.confidence if confidence is None else confidence,
        entities=record.entities if entities is None else entities,
        tags=record.tags if tags is None else tags,
    ).draft
    # Words that were put differently no longer are what subject, key and their kin said.
    statement = (
        record.statement if text is None or text == record.text else Statement(text=wish.statement.text)
    )
    revised = replace(
        record,
        kind=wish.kind,
        statement=statement,
        entities=wish.entities,
        tags=wish.tags,
        weight=replace(wish.weight, anchor=record.weight.anchor),
    )
    if revised == record:
        raise BadInput("the edit changes nothing", "name what should change: --text, --tags, --importance …")
    content = content_key_of(revised.kind, revised.statement, revised.scope)
    keys = (content, *(key for key in record.keys if not key.startswith("c_")))
    return _next(replace(revised, keys=keys), change)


def pin(record: Record, change: Change, *, pinned: bool) -> Record:
    """The record, kept in the live set however old it grows, or no longer so."""
    _must_be_open(record, "pin")
    return _next(replace(record, pinned=pinned), change)


def vouch(record: Record, draft: Draft, change: Change) -> Record:
    """The record as its owner's own: kept by hand now, whoever said it before."""
    return _next(vouched_for(record, draft), change)


def said_twice(record: Record, draft: Draft, change: Change) -> Record:
    """An agent's record after a second session of one said the same by itself."""
    origin = replace(record.origin, confirmed_by=BY_SESSION)
    return _next(with_source(replace(record, origin=origin), *draft.sources), change)


def seen(record: Record) -> Record:
    """The record after its owner had it before them and let it stand."""
    return replace(record, origin=seen_by_owner(record.origin))


def supersede(old: Record, new: Record, change: Change) -> tuple[Record, Record]:
    """A new record in place of an old one: both, each naming the other."""
    _must_be_open(old, "supersede")
    since = new.validity.since or change.at
    successor = replace(new, validity=replace(new.validity, since=since, supersedes=(old.id,)))
    ended = replace(old.validity, until=since, superseded_by=new.id)
    return successor, _next(replace(old, validity=ended, status=Status.SUPERSEDED), change)


def archive(record: Record, change: Change) -> Record:
    """The record, out of default answers."""
    _must_be_open(record, "archive")
    if record.status is Status.ARCHIVED:
        raise CannotChange(record.id, "archive", "it is archived already")
    return _next(replace(record, status=Status.ARCHIVED), change)


def withdraw(record: Record, change: Change, *, again: bool = False) -> Record:
    """The record, out of every answer, whole until its time is up. `again`: made of what goes, to be made anew."""
    if record.status in {Status.FORGOTTEN, Status.QUARANTINED, Status.WITHDRAWN}:
        raise CannotChange(record.id, "forget", _GONE[record.status])
    extra = {**record.extra, AGAIN: True} if again else record.extra
    return _next(replace(record, status=Status.WITHDRAWN, extra=extra), change)


def restore(record: Record, change: Change) -> Record:
    """The record, active again and as alive as a new one."""
    if record.status is Status.FORGOTTEN:
        raise CannotChange(record.id, "restore", "it was erased; nothing of it is left")
    if record.status is Status.ACTIVE:
        raise CannotChange(record.id, "restore", "it is active")
    if record.status is Status.QUARANTINED:
        raise CannotChange(record.id, "restore", _WAITS)
    anchor = Anchor(value=1.0, at=change.at)
    validity = replace(record.validity, until=None, superseded_by=None)
    return _next(
        replace(
            record, status=Status.ACTIVE, weight=replace(record.weight, anchor=anchor), validity=validity
        ),
        change,
    )


def _must_be_open(record: Record, verb: str) -> None:
    if record.status in _GONE:
        raise CannotChange(record.id, verb, _GONE[record.status])
    if record.status is Status.SUPERSEDED and verb != "pin":
        raise CannotChange(record.id, verb, f"it was superseded by {record.validity.superseded_by}")


def _next(record: Record, change: Change) -> Record:
    return replace(record, version=record.version + 1, change=change)
