"""Records as they stand (an identity map): by id, by slot and by key; in memory, or read once from a store.

A decision is made from these records and written under the store's lock; when somebody else wrote in between, they are
read again and the decision is made anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memoracle.errors import VersionConflict
from memoracle.model.predicates import NO_LONGER
from memoracle.model.record import Record, Statement, Status, content_key_of, newest
from memoracle.text import normalise

if TYPE_CHECKING:
    from memoracle.store.store import Store

_OPEN = frozenset({Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED})
_ORDER = {Status.ACTIVE: 0, Status.ARCHIVED: 1}


def slot_of(said: Statement) -> tuple[str, str] | None:
    """The slot of a statement, as it is compared: subject and predicate, or nothing and a key."""
    if said.subject and said.predicate:
        return plain(said.subject), plain(said.predicate.removeprefix(NO_LONGER))
    return ("", plain(said.key)) if said.key else None


def first_of(records: Iterable[Record]) -> Record | None:
    """An active one before an archived one, and that before others."""
    return min(records, key=lambda one: (_ORDER.get(one.status, 2), one.id), default=None)


def plain(name: str) -> str:
    """A name as it is compared."""
    return " ".join(normalise(name).split())


class RecordSet:
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
        slot = plain(subject), plain(predicate.removeprefix(NO_LONGER) if subject else predicate)
        records = [self._standing[one] for one in self._slots.get(slot, ())]
        return sorted((one for one in records if one.status in _OPEN), key=lambda one: (one.created, one.id))

    def with_key(self, key: str) -> Record | None:
        """The record that carries this key; an active one before an archived one, and that before others."""
        self._open()
        found = [self._standing[one] for one in self._keys.get(key, ())]
        return first_of(one for one in found if key in _keys_of(one))

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


class StoredRecordSet(RecordSet):
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

    def write(self, planned: Sequence[Record]) -> int:
        """Append what is planned and not there yet: how many lines that were; `VersionConflict` if one is outdated."""
        with self._store.writing():
            self._open()
            self.refresh()
            missing = [one for one in planned if not self._is_written(one)]
            reached = {one.id: self._standing[one.id].version for one in missing if one.id in self._standing}
            for one in missing:
                if one.version != (expected := reached.get(one.id, 0) + 1):
                    raise VersionConflict(one.id, expected=expected, found=one.version)
                reached[one.id] = one.version
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

    def _open(self) -> None:
        if self._read_at is None:
            self._read()

    def _read(self) -> None:
        from memoracle.store.store import COLLECTIONS

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
