"""Every record with its history, read once in a run and kept level with what the run writes.

A decision is made from these pages and written under the store's lock; when somebody else wrote in
between, the pages are read again and the decision is made anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memoracle.learn.reconciliation import slot_of
from memoracle.model.record import Record, Statement, Status, content_key_of, newest
from memoracle.model.value import value
from memoracle.store.store import COLLECTIONS, Store

# Records as they stand, in memory: by id, by slot and by key. Reads and writes no file.

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


@value
class Outdated:
    """Records that changed between the decision and its writing."""

    ids: tuple[str, ...]


class Books(Shelf):
    """The records of a store, by id, by slot and by key."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self._read_at: dict[str, tuple[int, int]] | None = None
        self._live_lines: Counter[str] = Counter()

    def refresh(self) -> None:
        """Read again what was read before, if somebody else has written since."""
        if self._read_at is not None and self._read_at != self._sizes():
            self._read()

    def forget(self) -> None:
        """Read everything again at the next question: the same files are to be read otherwise."""
        self._read_at = None

    def could_leave(self) -> tuple[int, int]:
        """How many lines of the live files could move to the archive, and how many lines there are."""
        self._open()
        live = self._live_lines
        archived = sum(self._standing[one].status is Status.ARCHIVED for one in live)
        return live.total() - len(live) + archived, live.total()

    def write(self, planned: Sequence[Record]) -> Outdated | int:
        """Append what is planned and not there yet: how many lines that were, or what has become outdated."""
        with self._store.writing():
            self._open()
            self.refresh()
            missing = [one for one in planned if not self._is_written(one)]
            if outdated := self._outdated(missing):
                return Outdated(ids=outdated)
            if missing:
                self._store.append(missing)
                for one in missing:
                    self.take(one)
                    self._live_lines[one.id] += 1
                self._read_at = self._sizes()
        return len(missing)

    def _is_written(self, planned: Record) -> bool:
        """True when this very version, or a later one that grew from it, is in the files."""
        held = self._standing.get(planned.id)
        if held is None or held.version < planned.version:
            return False
        return any(
            one.version == planned.version and one.change.operation == planned.change.operation
            for one in self._store.journal.versions(planned.id)
        )

    def _outdated(self, planned: Sequence[Record]) -> tuple[str, ...]:
        reached = {one.id: self._standing[one.id].version for one in planned if one.id in self._standing}
        outdated = []
        for one in planned:
            if one.version != reached.get(one.id, 0) + 1:
                outdated.append(one.id)
            reached[one.id] = one.version
        return tuple(outdated)

    def _open(self) -> None:
        if self._read_at is None:
            self._read()

    def _read(self) -> None:
        sizes = self._sizes()
        self._clear()
        self._live_lines.clear()
        live = {self._store.layout[name] for name in COLLECTIONS}
        versions: dict[str, list[Record]] = {}
        for path, record in self._store.journal.all_versions():
            versions.setdefault(record.id, []).append(record)
            self._live_lines[record.id] += path in live
        self._live_lines = +self._live_lines
        for held in versions.values():
            self.take(held[0] if len(held) == 1 else newest(held))
        self._read_at = sizes

    def _sizes(self) -> dict[str, tuple[int, int]]:
        return {state.path: (state.size, state.inode) for state in self._store.journal.states()}
