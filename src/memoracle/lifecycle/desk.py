"""Where claims are decided on: what is known so far, and what the run writes, asks and says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from memoracle.lifecycle.admit import admit
from memoracle.lifecycle.inbox import ask_about, question_id
from memoracle.lifecycle.known import Known, Overlay
from memoracle.lifecycle.said import Said
from memoracle.model.activation import Law
from memoracle.model.change import Change
from memoracle.model.ids import RECORD_PREFIX, derived_id, idempotency_key
from memoracle.model.inbox import Item, Matter
from memoracle.model.plan import Step
from memoracle.model.record import Draft, Record, content_key_of
from memoracle.model.value import replace

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
