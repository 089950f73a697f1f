"""Records as they stand, in memory: by id, by slot and by key. Reads and writes no file."""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.lifecycle.known import slot_of
from memoracle.model.record import Record, Statement, Status, content_key_of

_OPEN = frozenset({Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED})
_ORDER = {Status.ACTIVE: 0, Status.ARCHIVED: 1}


class Shelf:
    """The standing version of every record, and where to look for it."""

    def __init__(self) -> None:
        self._standing: dict[str, Record] = {}
        self._slots: dict[tuple[str, str], set[str]] = {}
        self._keys: dict[str, set[str]] = {}

    def standing(self, record_id: str) -> Record:
        """The version of a record that stands."""
        self._open()
        return self._standing[record_id]

    def find(self, record_id: str) -> Record | None:
        """The same; None when there is no such record."""
        self._open()
        return self._standing.get(record_id)

    def in_slot(self, subject: str, predicate: str) -> Sequence[Record]:
        """The records that say this sort of thing of this subject, oldest first."""
        self._open()
        slot = slot_of(
            Statement(text="", subject=subject, predicate=predicate)
            if subject
            else Statement(text="", key=predicate)
        )
        records = [self._standing[one] for one in self._slots.get(slot, ())] if slot else []
        return sorted((one for one in records if one.status in _OPEN), key=lambda one: (one.created, one.id))

    def with_key(self, key: str) -> Record | None:
        """The record that carries this key; an active one before an archived one, and that before others."""
        self._open()
        found = [
            self._standing[one] for one in self._keys.get(key, ()) if key in _keys_of(self._standing[one])
        ]
        return min(found, key=lambda one: (_ORDER.get(one.status, 2), one.id), default=None)

    def active(self) -> list[Record]:
        """Every active record, oldest first."""
        self._open()
        active = [one for one in self._standing.values() if one.status is Status.ACTIVE]
        return sorted(active, key=lambda one: (one.created, one.id))

    def every(self) -> list[Record]:
        """Every record as it stands."""
        self._open()
        return list(self._standing.values())

    def take(self, record: Record) -> None:
        """From now on a record stands like this."""
        self._standing[record.id] = record
        if slot := slot_of(record.statement):
            self._slots.setdefault(slot, set()).add(record.id)
        for key in _keys_of(record):
            self._keys.setdefault(key, set()).add(record.id)

    def _open(self) -> None:
        """Whoever keeps its records elsewhere fetches them here."""

    def _clear(self) -> None:
        self._standing.clear()
        self._slots.clear()
        self._keys.clear()


def _keys_of(record: Record) -> tuple[str, ...]:
    return record.keys or (content_key_of(record.kind, record.statement, record.scope),)
