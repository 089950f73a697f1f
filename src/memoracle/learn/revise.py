"""The next version of a record: edit, pin, supersede, archive, restore."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Unpack

from memoracle.errors import BadInput, CannotChange, NothingToUndo, VersionConflict
from memoracle.learn.draft import Fields, make_draft, next_version
from memoracle.learn.evidence import last_heard, rekeyed, vouched_for, with_source
from memoracle.model.record import (
    AGAIN,
    BY_SESSION,
    KEPT_WITHDRAWN,
    Anchor,
    Change,
    Draft,
    Kind,
    Record,
    Sensitivity,
    Statement,
    Status,
    newest,
    seen_by_owner,
)
from memoracle.model.report import Step
from memoracle.model.value import replace, value

if TYPE_CHECKING:
    from memoracle.settings import Settings
    from memoracle.store.adopted import Adopted
    from memoracle.store.store import RecordPlace

# What may not be kept for ever: what was withdrawn, and records past the time that their sensitivity allows. Pure.


def past_retention(standing: Iterable[Record], settings: Settings, now: datetime) -> list[Step]:
    """The records that are to be erased, each with the setting that says so; 0 days mean for ever."""
    days = {one: int(getattr(settings, f"retention_{one.value}_days")) for one in Sensitivity}
    found = {}
    for record in standing:
        most, age = days[record.sensitivity], now - max(last_heard(record), record.created)
        if record.status is Status.WITHDRAWN:
            if now - record.change.at > KEPT_WITHDRAWN:
                since = record.change.at.date().isoformat()
                found[record.id] = f"withdrawn on {since}, and nobody brought it back"
        elif record.pinned or record.status is Status.FORGOTTEN or record.kind is Kind.SUMMARY:
            continue
        elif most and age > timedelta(days=most):
            setting = f"retention_{record.sensitivity.value}_days"
            found[record.id] = f"{setting} = {most}: last said {age.days} days ago"
    return [Step(act="erase", target=one, because=because) for one, because in sorted(found.items())]


def made_of(versions: Iterable[Record], ids: Iterable[str]) -> list[Record]:
    """The summaries, as they stand, whose words come or came from these records."""
    wanted = set(ids)
    held: dict[str, list[Record]] = {}
    for version in versions:
        if version.kind is Kind.SUMMARY and version.id not in wanted:
            held.setdefault(version.id, []).append(version)
    return [
        newest(found)
        for found in held.values()
        if newest(found).status is not Status.FORGOTTEN
        and any(wanted.intersection(version.sources) for version in found)
    ]


# Why a record is there: what it came from, what it replaced, what replaced it.


@value
class Ancestor:
    """A record in the lineage of another: its words, its place, and how they hang together."""

    id: str
    relation: str
    text: str
    cite: str


@value
class Lineage:
    """A record, the place it stands at, and the records it hangs together with, oldest first."""

    record: Record
    cite: str
    versions: int
    related: tuple[Ancestor, ...]


def trace_lineage(
    record_id: str,
    versions_of: Callable[[str], Sequence[Record]],
    place_of: Callable[[Record], RecordPlace | None],
) -> Lineage:
    """Follow what a record replaced, cites and was replaced by, as far as it goes."""

    def cite_of(one: Record) -> str:
        place = place_of(one)
        return f"{place.path}#L{place.line}" if place else ""

    versions = versions_of(record_id)
    record = newest(versions)
    related: dict[str, tuple[Record, Ancestor]] = {}
    waiting = [(source, "source") for source in record.sources]
    waiting += [(one, "replaced") for one in record.validity.supersedes]
    if record.validity.superseded_by:
        waiting.append((record.validity.superseded_by, "replaced by"))
    while waiting:
        other_id, relation = waiting.pop(0)
        if other_id in related or other_id == record_id or not (others := versions_of(other_id)):
            continue
        other = newest(others)
        ancestor = Ancestor(id=other_id, relation=relation, text=other.text, cite=cite_of(other))
        related[other_id] = other, ancestor
        if relation == "replaced":
            waiting += [(one, "replaced") for one in other.validity.supersedes]
        if relation == "replaced by" and other.validity.superseded_by:
            waiting.append((other.validity.superseded_by, "replaced by"))
    return Lineage(
        record=record,
        cite=cite_of(record),
        versions=len(versions),
        related=tuple(one for _, one in sorted(related.values(), key=lambda pair: pair[0].created)),
    )


_WAITS = "it waits in quarantine; accept or reject it first"
_GONE = {
    Status.FORGOTTEN: "it was erased",
    Status.RETRACTED: "it was taken back by an undo",
    Status.QUARANTINED: _WAITS,
    Status.WITHDRAWN: "it was withdrawn; `memoracle trash restore` brings it back",
}


def edit(record: Record, change: Change, *, text: str | None = None, **said: Unpack[Fields]) -> Record:
    """The record with some of what it says put differently: words, kind, weight, entities, tags."""
    _must_be_open(record, "edit")
    as_it_is: Fields = {
        "kind": record.kind,
        "importance": record.weight.importance,
        "confidence": record.weight.confidence,
        "entities": record.entities,
        "tags": record.tags,
    }
    wish = make_draft(record.text if text is None else text, **as_it_is | said).draft
    # Words that were put differently no longer are what subject, key and their kin said.
    statement = record.statement if text in {None, record.text} else Statement(text=wish.statement.text)
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
    return next_version(rekeyed(revised), change)


def pin(record: Record, change: Change, *, pinned: bool) -> Record:
    """The record, kept in the live set however old it grows, or no longer so."""
    _must_be_open(record, "pin")
    return next_version(replace(record, pinned=pinned), change)


def vouch(record: Record, draft: Draft, change: Change) -> Record:
    """The record as its owner's own: kept by hand now, whoever said it before."""
    return next_version(vouched_for(record, draft), change)


def said_twice(record: Record, draft: Draft, change: Change) -> Record:
    """An agent's record after a second session of one said the same by itself."""
    origin = replace(record.origin, confirmed_by=BY_SESSION)
    return next_version(with_source(replace(record, origin=origin), *draft.sources), change)


def seen(record: Record) -> Record:
    """The record after its owner had it before them and let it stand."""
    return replace(record, origin=seen_by_owner(record.origin))


def supersede(old: Record, new: Record, change: Change) -> tuple[Record, Record]:
    """A new record in place of an old one: both, each naming the other."""
    _must_be_open(old, "supersede")
    since = new.validity.since or change.at
    successor = replace(new, validity=replace(new.validity, since=since, supersedes=(old.id,)))
    ended = replace(old.validity, until=since, superseded_by=new.id)
    return successor, next_version(replace(old, validity=ended, status=Status.SUPERSEDED), change)


def archive(record: Record, change: Change) -> Record:
    """The record, out of default answers."""
    _must_be_open(record, "archive")
    if record.status is Status.ARCHIVED:
        raise CannotChange(record.id, "archive", "it is archived already")
    return next_version(replace(record, status=Status.ARCHIVED), change)


def archive_aged(
    steps: Sequence[Step], standing: Callable[[str], Record], adopted: Adopted | None, change: Change
) -> tuple[list[Record], list[Step]]:
    """The versions that age makes, and the steps that the owner of an adopted directory has not agreed to."""
    versions, left = [], []
    for step in steps:
        record = standing(step.target)
        if adopted and not adopted.may_tend(change.at) and adopted.holds(record.created):
            left.append(step)
        else:
            versions.append(archive(record, replace(change, because=step.because)))
    return versions, left


def withdraw(record: Record, change: Change, *, again: bool = False) -> Record:
    """The record, out of every answer, whole until its time is up. `again`: made of what goes, to be made anew."""
    if record.status in {Status.FORGOTTEN, Status.QUARANTINED, Status.WITHDRAWN}:
        raise CannotChange(record.id, "forget", _GONE[record.status])
    extra = {**record.extra, AGAIN: True} if again else record.extra
    return next_version(replace(record, status=Status.WITHDRAWN, extra=extra), change)


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
    return next_version(
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


# The versions that reverse an act.


def last_operation(versions: Sequence[Record]) -> str:
    """The latest act: not itself an undo, and not undone before. Erasing cannot be undone, nor is it stepped over."""
    undone = _undone(versions)
    acts = [
        version
        for version in versions
        if version.change.operation and not version.change.undoes and version.change.operation not in undone
    ]
    if not acts:
        raise NothingToUndo("no change is left that could be reversed")
    last = max(acts, key=lambda version: (version.change.at, version.change.operation))
    if last.status is Status.FORGOTTEN:
        raise NothingToUndo("the last change erased, and erased is erased; an earlier one can be named")
    return last.change.operation


def undo(operation: str, histories: Mapping[str, Sequence[Record]], change: Change) -> list[Record]:
    """New versions of every record the act touched, each saying what it said before.

    `histories` holds all versions, oldest first, of the records the act touched.
    """
    reversed_: list[Record] = []
    for record_id, versions in sorted(histories.items()):
        made = next((version for version in versions if version.change.operation == operation), None)
        if made is None:
            continue
        if versions[-1].status is Status.FORGOTTEN:
            raise NothingToUndo(f"{record_id} was erased, and erased is erased")
        before = _before(operation, versions)
        if before is None:
            raise VersionConflict(record_id, expected=made.version, found=versions[-1].version)
        reversed_.append(replace(before, version=versions[-1].version + 1, change=change))
    if not reversed_:
        raise NothingToUndo(f"no change is called {operation}")
    return reversed_


def _undone(versions: Sequence[Record]) -> set[str]:
    """The acts that do not stand: an undo counts unless a later undo reversed it."""
    undone: set[str] = set()
    undos = {version.change for version in versions if version.change.undoes}
    for change in sorted(undos, key=lambda change: (change.at, change.operation), reverse=True):
        if change.operation not in undone:
            undone.add(change.undoes)
    return undone


def _before(operation: str, versions: Sequence[Record]) -> Record | None:
    """What a record said before an act; None when something else has happened to it since.

    Acts lie on a stack. An undo takes the top one away, the undo of an undo puts it back; an act
    that was put back answers to its own name and to the name of what put it back.
    """
    stack: list[tuple[frozenset[str], Record]] = []
    taken: dict[str, tuple[frozenset[str], Record]] = {}
    for version in versions:
        name, undoes = version.change.operation, version.change.undoes
        if undoes and stack and undoes in stack[-1][0]:
            taken[name] = stack.pop()
            if stack:  # a line may have been changed by hand since: the undo tells what stood after it
                stack[-1] = (stack[-1][0], version)
        elif undoes in taken:
            stack.append((taken[undoes][0] | {name}, version))
        elif stack and name and name in stack[-1][0]:  # one act may write a record more than once
            stack[-1] = (stack[-1][0], version)
        else:
            stack.append((frozenset({name}), version))
    if operation in taken:
        return taken[operation][1] if versions[-1].change.operation == operation else None
    if not stack or operation not in stack[-1][0]:
        return None
    return stack[-2][1] if len(stack) > 1 else replace(stack[-1][1], status=Status.RETRACTED)
