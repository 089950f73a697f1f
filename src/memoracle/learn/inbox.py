"""Questions for the owner: how they are put, and what accepting or turning down writes. Pure.

The same question has the same id, so it is asked once, whatever the answer was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from memoracle.errors import AmbiguousReference, CannotChange, UnknownQuestion, UnknownRecord
from memoracle.learn.draft import admit, make_draft, next_version, question, release
from memoracle.learn.evidence import OWNER_SAID_NO, promote, rekeyed, with_source
from memoracle.model.ids import RECORD_PREFIX, derived_id
from memoracle.model.inbox import InboxItem, Matter
from memoracle.model.predicates import predicate_named
from memoracle.model.record import TRUST, Change, Channel, Kind, Record, Status, seen_by_owner
from memoracle.model.value import replace
from memoracle.text import shorten

PINNED = "pinned"
_SHOWN = 80
MOST_TO_CONFIRM = 50
"""More of an agent's notes than these do not wait for their owner's word; they stay notes."""
_KINDS = frozenset(kind.value for kind in Kind)

Find = Callable[[str], Record]
"""The standing version of a record; `UnknownRecord` or a `LookupError` when there is none."""


def ask_to_tend(place: str, layout: str, *, found: int, faded: int, old: int, since: datetime) -> InboxItem:
    """The one question about everything that stood in a directory before it was adopted."""
    what = [f"{faded:,} of {found:,} memories look faded"] if faded else []
    what += [f"{old:,} file{'s' * (old != 1)} {'have' if old != 1 else 'has'} grown old"] if old else []
    seems = f"{' and '.join(what)}: archive them" if what else "bring its derived files up to date"
    return question(
        Matter.ADOPTION,
        (place,),
        f"{seems}, and tend this {layout} directory like any other memory from now on",
        "it was adopted: nothing that stood in it is archived, moved or replaced without your word; "
        "`memoracle consolidate --dry-run` shows what would be",
        since,
        named_by=(layout, place),
    )


def ask_to_confirm(record: Record, kind: str, *, since: datetime) -> InboxItem:
    """The question whether an agent's note is what the owner says themselves."""
    because = f"{record.origin.who or 'an agent'} noted it, and only you can say it"
    return question(Matter.CONFIRMATION, (record.id,), kind, because, since)


def ask_to_withdraw(record: Record, *, by: str, because: str, since: datetime) -> InboxItem:
    """The question whether something of the owner's shall leave memory, as an agent wishes."""
    why = f"{by or 'an agent'} asked for it{f': {shorten(because, _SHOWN)}' if because else ''}"
    return question(Matter.WITHDRAWAL, (record.id,), "withdraw", why, since)


def is_moot(item: InboxItem, find: Find) -> bool:
    """True when what was asked about has been settled otherwise: a record of it no longer stands."""
    if item.matter is Matter.ADOPTION or new_words(item):
        return False
    stands = Status.QUARANTINED if item.matter is Matter.QUARANTINE else Status.ACTIVE
    try:
        found = [find(one) for one in item.about]
        if item.matter is Matter.CONFIRMATION and found[0].origin.channel is not Channel.AGENT:
            return True
        return any(one.status is not stands for one in found)
    except (UnknownRecord, LookupError):
        return True


def choose(items: Sequence[InboxItem], references: Sequence[str]) -> list[InboxItem]:
    """The questions that answer to these ids, or to unique beginnings of them."""
    chosen: dict[str, InboxItem] = {}
    for reference in references:
        # By its own id, or by that of the record that waits.
        found = [
            item
            for item in items
            if reference
            and (
                item.id.startswith(reference)
                or (item.matter is Matter.QUARANTINE and reference in item.about)
            )
        ]
        if not found:
            raise UnknownQuestion(reference)
        if len(found) > 1:
            raise AmbiguousReference(reference, [item.id for item in found])
        chosen[found[0].id] = found[0]
    return list(chosen.values())


# Standing answers: what the owner always says to questions of one matter, about one sort of thing, in one voice.

_ALWAYS_YES = frozenset({Matter.CHANGE, Matter.CONTRADICTION, Matter.PROMOTION})
_ALWAYS_NO = _ALWAYS_YES | {Matter.CONFIRMATION, Matter.WITHDRAWAL}


def may_always(item: InboxItem, *, yes: bool) -> bool:
    """True where one answer can stand for all: a yes for the owner's own words alone, others' are looked at."""
    is_owners = item.rule.endswith(f":{Channel.OWNER}")
    return bool(item.rule) and (
        item.matter in _ALWAYS_YES and is_owners if yes else item.matter in _ALWAYS_NO
    )


def rule_of(item: InboxItem, held: Mapping[str, Record]) -> str:
    """What a standing answer is named by: matter, predicate or kind, and channel; empty where there can be none."""
    record = held.get(item.about[-1])
    if record is None or item.matter not in _ALWAYS_NO:
        return ""
    predicate = record.statement.predicate
    what = predicate if predicate_named(predicate) else record.kind.value
    return f"{item.matter.value}:{what}:{record.origin.channel.value}"


def diff_of(item: InboxItem, held: Mapping[str, Record]) -> tuple[str, ...]:
    """What a yes changes, line by line."""
    found = [held[one] for one in item.about if one in held]
    if words := new_words(item):
        return (f"+ {words[0]}: {words[1]}",)
    if item.matter is Matter.ADOPTION or len(found) < len(item.about):
        return ()
    old, new = f"- {found[0].text}", f"+ {found[-1].text}"
    if item.matter in {Matter.QUARANTINE, Matter.WITHDRAWAL}:
        return (new,) if item.matter is Matter.QUARANTINE else (old,)
    if item.matter in {Matter.CHANGE, Matter.CONTRADICTION}:
        return old, new
    return f"- {found[0].kind.value}: {found[0].text}", f"+ {item.proposal}: {found[0].text}"


def answer_all(items: Sequence[InboxItem], find: Find, change: Change, *, yes: bool) -> list[Record]:
    """The versions that follow from the answers, each seeing what the one before it made."""
    made: dict[str, Record] = {}
    versions: list[Record] = []
    for item in items:
        given = accept if yes else reject
        for version in given(item, lambda one: made.get(one) or find(one), change):
            made[version.id] = version
            versions.append(version)
    return versions


def accept(item: InboxItem, find: Find, change: Change) -> list[Record]:
    """The versions that make the proposal true."""
    if is_moot(item, find):
        raise CannotChange(item.id, "accept", "what it asks about no longer stands")
    if item.matter is Matter.ADOPTION:
        return []  # no record changes now: from the next run on upkeep may
    if item.matter is Matter.QUARANTINE:
        return [release(find(item.about[0]), change)]
    if item.matter is Matter.WITHDRAWAL:
        return []  # what is made of it goes along: see `Memory.withdraw`
    if item.matter is Matter.CONFIRMATION:
        return [next_version(owned(find(item.about[0]), Kind(item.proposal)), change)]
    if words := new_words(item):
        draft = make_draft(words[1], kind=words[0], where=item.about[0], idempotency=item.id).draft
        return [admit(draft, record_id=derived_id(RECORD_PREFIX, change.at, item.id), change=change)]
    if item.matter is Matter.PROMOTION:
        return [next_version(_promoted(find(item.about[0]), item.proposal), change)]
    old, new = find(item.about[0]), find(item.about[1])
    since = new.validity.since or new.origin.observed or change.at
    sure = promote(new, confidence=1.0) if new.kind is Kind.BELIEF else new
    stands = replace(
        sure,
        origin=seen_by_owner(sure.origin),
        validity=replace(sure.validity, since=since, supersedes=(*sure.validity.supersedes, old.id)),
        sources=tuple(one for one in sure.sources if one != OWNER_SAID_NO),
    )
    until = max(since, old.validity.since) if old.validity.since else since
    ended = replace(
        old,
        status=Status.SUPERSEDED,
        validity=replace(old.validity, until=until, superseded_by=new.id),
    )
    return [next_version(stands, change), next_version(ended, change)]


def reject(item: InboxItem, find: Find, change: Change) -> list[Record]:
    """The versions that follow when the owner says no: a mere belief is put away, two facts both stay."""
    if item.matter not in {Matter.CONFIRMATION, Matter.CHANGE} or is_moot(item, find):
        return []
    doubted = find(item.about[-1])
    if item.matter is Matter.CHANGE:
        if doubted.kind is not Kind.BELIEF:
            return []
        doubted = replace(doubted, weight=replace(doubted.weight, confidence=0.0))
    archived = replace(doubted, status=Status.ARCHIVED)
    return [next_version(with_source(archived, OWNER_SAID_NO), change)]


def owned(record: Record, kind: Kind) -> Record:
    """The record as its owner's own word."""
    origin = replace(record.origin, channel=Channel.OWNER, who="", trust=TRUST[Channel.OWNER])
    return rekeyed(replace(record, kind=kind, origin=origin))


def _promoted(record: Record, proposal: str) -> Record:
    record = replace(record, origin=seen_by_owner(record.origin))
    if proposal == PINNED:
        return replace(record, pinned=True)
    sure = promote(record, confidence=1.0) if record.kind is Kind.BELIEF else record
    return replace(sure, kind=Kind(proposal)) if proposal in _KINDS else sure


def new_words(item: InboxItem) -> tuple[str, str] | None:
    """Kind and words of something that stands in a note and is to become a record."""
    kind, colon, text = item.proposal.partition(": ")
    is_place = item.matter is Matter.PROMOTION and "#L" in item.about[0]
    return (kind, text) if is_place and colon and kind in _KINDS else None
