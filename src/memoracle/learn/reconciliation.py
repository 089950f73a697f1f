"""Where claims are decided on: what is known so far, and what the run writes, asks and says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from memoracle.learn.admission import admit
from memoracle.learn.evidence import Said
from memoracle.learn.inbox import ask_about, question_id
from memoracle.model.ids import RECORD_PREFIX, derived_id, idempotency_key
from memoracle.model.inbox import Item, Matter
from memoracle.model.predicates import NO_LONGER
from memoracle.model.record import Change, Draft, Law, Record, Statement, Status, content_key_of
from memoracle.model.report import Step
from memoracle.model.value import replace
from memoracle.text import normalise

# What is known, as claims meet it: the records of a store, and over them what one run has decided so far.

_MEETS = frozenset({Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED})
_FIRST = {Status.ACTIVE: 0, Status.ARCHIVED: 1}


class Known(Protocol):
    """The newest version of every record. The order of answers does not matter."""

    def in_slot(self, subject: str, predicate: str) -> Sequence[Record]:
        """The active, archived and superseded records of a slot, those that say it has ended included."""

    def with_key(self, key: str) -> Record | None:
        """The record that carries this key, whatever became of it; an active one first."""

    def standing(self, record_id: str) -> Record:
        """The version of a record that stands; `KeyError` when there is none."""


def slot_of(said: Statement) -> tuple[str, str] | None:
    """The slot of a statement, as it is compared: subject and predicate, or nothing and a key."""
    if said.subject and said.predicate:
        return _plain(said.subject), _plain(said.predicate.removeprefix(NO_LONGER))
    return ("", _plain(said.key)) if said.key else None


def _plain(name: str) -> str:
    return " ".join(normalise(name).split())


class Overlay:
    """What is known, with the versions that one run has decided on."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._latest: dict[str, Record] = {}
        self._versions: dict[tuple[str, int], Record] = {}
        self._slots: dict[tuple[str, str], dict[str, None]] = {}
        self._keys: dict[str, dict[str, None]] = {}

    @property
    def versions(self) -> tuple[Record, ...]:
        """Everything decided, in order."""
        return tuple(self._versions.values())

    def in_slot(self, subject: str, predicate: str) -> Sequence[Record]:
        """The records of a slot, oldest first."""
        slot = _plain(subject), _plain(predicate.removeprefix(NO_LONGER))
        found = {one.id: self._latest.get(one.id, one) for one in self._known.in_slot(subject, predicate)}
        found |= {one: self._latest[one] for one in self._slots.get(slot, ())}
        meets = [one for one in found.values() if one.status in _MEETS]
        return sorted(meets, key=lambda one: (one.created, one.id))

    def with_key(self, key: str) -> Record | None:
        """The record that carries a key; an active one first."""
        found = [self._latest[one] for one in self._keys.get(key, ()) if key in self._latest[one].keys]
        if (known := self._known.with_key(key)) and known.id not in self._latest:
            found.append(known)
        return min(found, key=lambda one: (_FIRST.get(one.status, 2), one.id), default=None)

    def standing(self, record_id: str) -> Record:
        """The version of a record that stands."""
        return self._latest.get(record_id) or self._known.standing(record_id)

    def holds(self, record_id: str) -> bool:
        """True when some record has this id."""
        try:
            self.standing(record_id)
        except KeyError:
            return False
        return True

    def is_decided(self, record_id: str) -> bool:
        """True when this run writes a version of it anyway."""
        return record_id in self._latest

    def add(self, record: Record) -> Record:
        """Take in a new record."""
        return self._take(record)

    def put(self, record: Record, change: Change) -> Record:
        """Take in what a record says now.

        A run writes one version of a record, and another one only when the record takes another place in
        its life: what was so, and from when on it was over, are two things that history can be asked for.
        """
        held = self._latest.get(record.id)
        if held is None:
            return self._take(replace(record, version=record.version + 1, change=change))
        if (held.status, held.kind) != (record.status, record.kind):
            return self._take(replace(record, version=held.version + 1, change=change))
        reasons = dict.fromkeys([*held.change.because.split("; "), *change.because.split("; ")])
        merged = replace(held.change, because="; ".join(filter(None, reasons)))
        return self._take(replace(record, version=held.version, change=merged))

    def _take(self, record: Record) -> Record:
        self._latest[record.id] = record
        self._versions[record.id, record.version] = record
        if slot := slot_of(record.statement):
            self._slots.setdefault(slot, {})[record.id] = None
        for key in record.keys:
            self._keys.setdefault(key, {})[record.id] = None
        return record


VERB = "consolidate"
Uses = Callable[[str], Sequence[datetime]]


class Desk:
    """One run of reconciliation. Nothing here writes files."""

    def __init__(self, known: Known, *, now: datetime, operation: str, by: str, law: Law, uses: Uses) -> None:
        self.known = Overlay(known)
        self.now = now
        self.law = law
        self.uses = uses
        self.items: dict[str, Item] = {}
        self.closed: dict[str, None] = {}
        self.steps: list[Step] = []
        self._operation = operation
        self._by = by

    def add(self, said: Said, draft: Draft, because: str) -> Record:
        """A new record; the same claim at the same moment has the same id, whoever makes it."""
        if said.claim.record:
            return self._give_slot(said, draft, because)
        record_id = derived_id(RECORD_PREFIX, self.now, said.name)
        again = 0
        while self.known.holds(record_id):
            again += 1
            record_id = derived_id(RECORD_PREFIX, self.now, said.name, str(again))
        wish = replace(draft, idempotency=said.name)
        record = admit(wish, record_id=record_id, change=self._change(because, said.at))
        return self.known.add(record)

    def _give_slot(self, said: Said, draft: Draft, because: str) -> Record:
        """The record whose words the claim was read from, now with what they say spelled out."""
        held = self.known.standing(said.claim.record)
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

    def put(self, record: Record, because: str, heard: datetime) -> Record:
        """What a record says now, and why."""
        return self.known.put(record, self._change(because, heard))

    def tell(self, act: str, record: Record, because: str) -> None:
        """Note one decision."""
        self.steps.append(Step(act=act, target=record.id, because=because))

    def ask(self, matter: Matter, old: Record, new: Record, because: str) -> None:
        """Ask the owner whether the new record shall stand in place of the old one."""
        item = ask_about(matter, old, new, because=because, since=self.now)
        self.items[item.id] = item
        self.steps.append(Step(act="ask", target=new.id, because=because))

    def settle(self, old: Record, new: Record) -> None:
        """Take back what was asked about these two: it has been answered."""
        for matter in (Matter.CHANGE, Matter.CONTRADICTION):
            question = question_id(matter, (old.id, new.id))
            if self.items.pop(question, None) is None:
                self.closed[question] = None

    def _change(self, because: str, heard: datetime) -> Change:
        earlier = heard if heard < self.now else None
        return Change(
            at=self.now,
            verb=VERB,
            by=self._by,
            because=because,
            operation=self._operation,
            heard=earlier,
        )
