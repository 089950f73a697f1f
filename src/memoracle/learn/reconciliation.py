"""Where claims are decided on: what is known so far, and what the run writes, asks and says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from memoracle.learn.draft import admit, next_version, question, question_id
from memoracle.learn.evidence import (
    ASIDE,
    SpokenEvidence,
    confirmations,
    is_same,
    last_heard,
    object_of,
    said_at,
    sessions_for,
)
from memoracle.learn.record_sets import RecordSet, first_of
from memoracle.model.ids import RECORD_PREFIX, derived_id, idempotency_key
from memoracle.model.inbox import InboxItem, Matter
from memoracle.model.record import Change, Channel, Draft, Kind, Law, Record, Status, content_key_of
from memoracle.model.report import Step
from memoracle.model.value import replace
from memoracle.text import shorten

_SHOWN = 80
Uses = Callable[[str], Sequence[datetime]]


def ask_about(matter: Matter, old: Record, new: Record, *, because: str, since: datetime) -> InboxItem:
    """The question whether a new record shall stand in place of an old one."""
    proposal = f"“{shorten(new.text, _SHOWN)}” in place of “{shorten(old.text, _SHOWN)}”"
    return question(matter, (old.id, new.id), proposal, because, since)


class Reconciliation:
    """One run: what is known, over it what the run has decided so far, what it asks and says. Writes no file."""

    def __init__(self, known: RecordSet, change: Change, law: Law, uses: Uses) -> None:
        self._known = known
        self._decided = RecordSet()
        self._versions: dict[tuple[str, int], Record] = {}
        self._change = change
        self.now = change.at
        self.law = law
        self.uses = uses
        self.items: dict[str, InboxItem] = {}
        self.closed: dict[str, None] = {}
        self.steps: list[Step] = []

    @property
    def versions(self) -> tuple[Record, ...]:
        """Everything decided, in order."""
        return tuple(self._versions.values())

    def in_slot(self, subject: str, predicate: str) -> Sequence[Record]:
        """The records of a slot, those that say it has ended included, oldest first."""
        known = self._known.in_slot(subject, predicate)
        found = {one.id: one for one in known if not self.is_decided(one.id)}
        found |= {one.id: one for one in self._decided.in_slot(subject, predicate)}
        return sorted(found.values(), key=lambda one: (one.created, one.id))

    def with_key(self, key: str) -> Record | None:
        """The record that carries a key, whatever became of it; an active one first."""
        known, decided = self._known.with_key(key), self._decided.with_key(key)
        return first_of(
            one for one in (decided, known) if one and (one is decided or not self.is_decided(one.id))
        )

    def standing(self, record_id: str) -> Record:
        """The version of a record that stands; `KeyError` when there is none."""
        return self._decided.find(record_id) or self._known.standing(record_id)

    def holds(self, record_id: str) -> bool:
        """True when some record has this id."""
        try:
            self.standing(record_id)
        except KeyError:
            return False
        return True

    def is_decided(self, record_id: str) -> bool:
        """True when this run writes a version of it anyway."""
        return self._decided.find(record_id) is not None

    def add(self, said: SpokenEvidence, draft: Draft, because: str) -> Record:
        """A new record; the same claim at the same moment has the same id, whoever makes it.

        The record whose words a claim was read from is no new one: what they say is spelled out in it.
        """
        if said.claim.record:
            held = self.standing(said.claim.record)
            content = content_key_of(draft.kind, draft.statement, draft.scope)
            read = replace(
                held,
                kind=draft.kind,
                statement=draft.statement,
                entities=tuple(dict.fromkeys((*held.entities, *draft.entities))),
                weight=replace(draft.weight, anchor=held.weight.anchor),
                validity=draft.validity,
                keys=tuple(dict.fromkeys((content, *held.keys, idempotency_key(said.name)))),
            )
            return self.put(read, because, said.at)
        record_id = derived_id(RECORD_PREFIX, self.now, said.name)
        again = 0
        while self.holds(record_id):
            again += 1
            record_id = derived_id(RECORD_PREFIX, self.now, said.name, str(again))
        wish = replace(draft, idempotency=said.name)
        return self._take(admit(wish, record_id=record_id, change=self._changed(because, said.at)))

    def put(self, record: Record, because: str, heard: datetime) -> Record:
        """What a record says now, and why.

        A run writes one version of a record, and another one only when the record takes another place in
        its life: what was so, and from when on it was over, are two things that history can be asked for.
        """
        held, change = self._decided.find(record.id), self._changed(because, heard)
        if held is None:
            return self._take(next_version(record, change))
        if (held.status, held.kind) != (record.status, record.kind):
            return self._take(replace(record, version=held.version + 1, change=change))
        reasons = dict.fromkeys([*held.change.because.split("; "), *because.split("; ")])
        merged = replace(held.change, because="; ".join(filter(None, reasons)))
        return self._take(replace(record, version=held.version, change=merged))

    def log(self, act: str, record: Record, because: str) -> None:
        """Note one decision."""
        self.steps.append(Step(act=act, target=record.id, because=because))

    def ask(self, matter: Matter, old: Record, new: Record, because: str) -> None:
        """Ask the owner whether the new record shall stand in place of the old one."""
        item = ask_about(matter, old, new, because=because, since=self.now)
        self.items[item.id] = item
        self.log("ask", new, because)

    def settle(self, old: Record, new: Record) -> None:
        """Take back what was asked about these two: it has been answered."""
        for matter in (Matter.CHANGE, Matter.CONTRADICTION):
            name = question_id(matter, (old.id, new.id))
            if self.items.pop(name, None) is None:
                self.closed[name] = None

    def set_aside(
        self, said: SpokenEvidence, draft: Draft, reasons: Sequence[tuple[Record, str]], *, asks: bool
    ) -> None:
        """Keep a remark as a belief beside what it contradicts; where it `asks`, it is put to the owner."""
        weight = replace(draft.weight, confidence=min(draft.weight.confidence, ASIDE))
        because = reasons[0][1]
        new = self.add(said, replace(draft, kind=Kind.BELIEF, weight=weight), because)
        self.log("set aside", new, because)
        for rival, why in reasons if asks else ():
            self.ask(Matter.CHANGE, rival, new, why)

    def _changed(self, because: str, heard: datetime) -> Change:
        return replace(self._change, because=because, heard=heard if heard < self.now else None)

    def _take(self, record: Record) -> Record:
        self._decided.take(record)
        self._versions[record.id, record.version] = record
        return record


# What one stray remark does not replace: memories that were confirmed again, or kept on purpose.

FIRM_AFTER = 2
FIRM_FROM = 0.9
_OWN_ACTS = frozenset({"remember", "edit", "pin", "restore", "supersede", "accept"})


def is_firm(record: Record) -> bool:
    """True when it takes more than one plain remark to replace it."""
    if record.kind is Kind.BELIEF:
        return False
    origin = record.origin
    # By hand, rather than mentioned in a conversation.
    by_hand = record.change.verb in _OWN_ACTS or not (origin.where or origin.session)
    return (
        record.pinned
        or record.weight.importance >= FIRM_FROM
        or (origin.channel is Channel.OWNER and by_hand)
        or confirmations(record) >= FIRM_AFTER
    )


# What follows what: a record in place of others, or in its place in the past.


def start_of(record: Record) -> datetime:
    """From when on it holds."""
    return record.validity.since or said_at(record)


def is_older(said: SpokenEvidence, record: Record) -> bool:
    """True when a record was still said after this claim was."""
    return said.at < last_heard(record)


def end_all(
    run: Reconciliation,
    said: SpokenEvidence,
    rivals: Sequence[Record],
    successor: Record,
    because: str,
    *,
    at: datetime,
) -> None:
    """These ended then, and that is what stands in their place."""
    for one in rivals:
        validity = replace(one.validity, until=max(at, start_of(one)), superseded_by=successor.id)
        run.put(replace(one, status=Status.SUPERSEDED, validity=validity), because, said.at)
        run.settle(one, successor)


def take_over(
    run: Reconciliation,
    said: SpokenEvidence,
    record: Record,
    rivals: Sequence[Record],
    because: str,
    *,
    at: datetime | None = None,
) -> Record:
    """A record that is known already, in place of others: since it began, or from a later time on."""
    replaced = tuple(dict.fromkeys([*record.validity.supersedes, *(one.id for one in rivals)]))
    validity = replace(record.validity, since=start_of(record), until=None, supersedes=replaced)
    stands = run.put(replace(record, validity=validity), because, said.at)
    run.log("supersede" if rivals else "promote", stands, because)
    end_all(run, said, rivals, stands, because, at=at or start_of(stands))
    return stands


def is_counted(said: SpokenEvidence, record: Record) -> bool:
    """True when a record that says the same has this very hearing behind it."""
    if record.kind is Kind.BELIEF and said.is_explicit:
        return False  # it may be more than one more hearing
    return said.session in sessions_for(record) and said.at <= last_heard(record)


def is_in_past(run: Reconciliation, said: SpokenEvidence, record: Record) -> bool:
    """True when a record that says the same has ended, and the claim is about the time before."""
    if record.status is not Status.SUPERSEDED:
        return False
    successor = record.validity.superseded_by
    if successor and run.holds(successor):
        twin = run.standing(successor)
        is_same_slot = twin.statement.predicate == record.statement.predicate
        if is_same_slot and is_same(object_of(record), object_of(twin)):
            return False  # a record that says the very same took its place, and speaks for it
    # The version that ended it says from when on that could be known.
    return start_of(record) <= said.since and said.at <= record.change.known


def place_in_past(
    run: Reconciliation, said: SpokenEvidence, draft: Draft, line: Sequence[Record], rival: Record
) -> None:
    """What was heard late, between what came before it and what came after.

    `line` holds what said this sort of thing at some time; `rival` was still said after the claim.
    """
    after = sorted((one for one in line if start_of(one) > said.since), key=start_of)
    successor = after[0] if after else rival
    stood = [one for one in line if _stood_then(one, said)]
    before = max(stood, key=start_of, default=None)
    because = f"said before {successor.id}, heard after it"
    if after and is_same(object_of(successor), said.object):
        earlier = replace(successor, validity=replace(successor.validity, since=said.since))
        # What is over stays over from the day that was known: an earlier version must not hide that it held.
        heard = said.at if successor.status is Status.ACTIVE else successor.change.known
        run.log("extend", run.put(earlier, because, heard), because)
        _cut(run, before, successor.id, said, because)
        return
    begun = start_of(successor)
    until = begun if begun > said.since else max(said.since, last_heard(successor))
    replaced = (before.id,) if before else ()
    validity = replace(draft.validity, since=said.since, until=None, supersedes=replaced)
    new = run.add(said, replace(draft, validity=validity), because)
    run.log("history", new, because)
    _cut(run, before, new.id, said, because)
    ended = replace(new.validity, until=until, superseded_by=successor.id)
    run.put(replace(new, status=Status.SUPERSEDED, validity=ended), because, max(said.at, until))
    known = [one for one in successor.validity.supersedes if one not in replaced]
    linked = replace(successor.validity, supersedes=tuple(dict.fromkeys([*known, new.id])))
    run.put(replace(successor, validity=linked), because, successor.change.known)


def _stood_then(one: Record, said: SpokenEvidence) -> bool:
    """True for what memory thought to hold at the time of the claim, if that may say otherwise."""
    until = one.validity.until
    return (
        one.status is Status.SUPERSEDED
        and until is not None
        and start_of(one) <= said.since < until
        and one.origin.trust <= said.trust
        and not is_same(object_of(one), said.object)
    )


def _cut(
    run: Reconciliation, before: Record | None, successor: str, said: SpokenEvidence, because: str
) -> None:
    if before is not None:
        validity = replace(before.validity, until=said.since, superseded_by=successor)
        run.put(replace(before, validity=validity), because, said.at)
