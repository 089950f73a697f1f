"""What is known, as claims meet it: the records of a store, and over them what one run has decided so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memoracle.model.change import Change
from memoracle.model.predicates import NO_LONGER
from memoracle.model.record import Record, Statement, Status
from memoracle.model.value import replace
from memoracle.text import normalise

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
