"""The records of a root: by id, by key, with their histories and their places."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.manifest import Version
from memoracle.model.record import Record, Status, content_key_of, newest
from memoracle.model.value import replace, value
from memoracle.store import durable
from memoracle.store.journal import Damage, find_lines, read_records
from memoracle.store.keybook import OURS
from memoracle.store.line import readable
from memoracle.store.shelves import Shelves


@value
class Place:
    """Where an acknowledged line stands."""

    path: str
    line: int


class Holdings(Shelves):
    """The records of a root, as anybody may read them."""

    def versions(self, record_id: str) -> list[Record]:
        """Every version of a record in the files, oldest first; equal lines count once."""
        found: dict[bytes, Record] = {}
        for path, place in self.plain_record_files().items():
            seen = self.as_adopted(path)
            for raw in _lines_of(place, record_id):
                for own, record in readable(raw):
                    if record.id == record_id:
                        found.setdefault(own, seen(record))
        # Equal in everything else, the line itself decides: no order of files or lines may.
        return [record for _, record in sorted(found.items(), key=lambda item: (item[1].precedence, item[0]))]

    def histories(self, ids: Collection[str]) -> dict[str, list[Record]]:
        """The same for many records, with every file read once."""
        found: dict[str, dict[bytes, Record]] = {record_id: {} for record_id in ids}
        for path in self.plain_record_files():
            content, _ = self._read_settled(path)
            seen = self.as_adopted(path)
            for raw in content.split(b"\n"):
                for own, record in readable(raw) if raw.strip() else ():
                    if record.id in found:
                        found[record.id].setdefault(own, seen(record))
        return {
            record_id: [
                record for _, record in sorted(held.items(), key=lambda item: (item[1].precedence, item[0]))
            ]
            for record_id, held in found.items()
        }

    def all_versions(self) -> Iterator[tuple[str, Record]]:
        """Every version in every record file, with the path it stands in."""
        for path, place in self.plain_record_files().items():
            seen = self.as_adopted(path)
            lines = 0
            for piece in durable.pieces(place):
                reading = read_records(path, piece, after_line=lines)
                lines = reading.lines
                for version in reading.versions:
                    yield path, seen(version.record)

    def versions_in(self, path: str) -> Sequence[Version]:
        """Every version in one record file, with its line."""
        content, settled = self._read_settled(path)
        seen = self.as_adopted(path)
        versions = read_records(path, content, settled=settled).versions
        return [replace(version, record=seen(version.record)) for version in versions]

    def with_key(self, key: str) -> Record | None:
        """The standing record that carries this content or idempotency key. The caller holds the lock.

        An active record comes before an archived one, and that before all others.
        """
        if not self._keys.holds(key):
            return None
        found: dict[str, Record] = {}
        for path in self.plain_record_files().values():
            for raw in _lines_with(path, key):
                for _, record in readable(raw):
                    if record.id not in found and key in _keys_of(record):
                        standing = newest(self.versions(record.id))
                        if key in _keys_of(standing):
                            found[record.id] = standing
                        if standing.status is Status.ACTIVE and record.id in found:
                            return standing
        order = {Status.ACTIVE: 0, Status.ARCHIVED: 1}
        return min(found.values(), key=lambda record: (order.get(record.status, 2), record.id), default=None)

    def place_of(self, record: Record) -> Place | None:
        """Where the line of this very version stands, given as it is or as it is shown."""
        for path, place in self.plain_record_files().items():
            seen = self.as_adopted(path)
            for raw in _lines_of(place, record.id):
                held = [seen(found) for _, found in readable(raw)]
                if any(found == record or self._screen(found) == record for found in held):
                    lines = 0
                    for piece in durable.pieces(place):
                        if (start := piece.find(raw)) >= 0:
                            return Place(path=path, line=lines + piece.count(b"\n", 0, start) + 1)
                        lines += piece.count(b"\n")
        return None

    def damage_in(self, path: str) -> tuple[Damage, ...]:
        """The pieces of a record file that cannot be read."""
        content, settled = self._read_settled(path)
        return read_records(path, content, settled=settled).damage


def _lines_of(path: str, record_id: str) -> Iterator[bytes]:
    """The raw lines that may hold versions of a record."""
    if record_id.startswith(RECORD_PREFIX):
        return find_lines(path, f'"{record_id}"'.encode())
    # An id of another program may be spelled in several ways.
    return (
        raw
        for raw in durable.read(path).split(b"\n")
        if not raw.startswith(OURS) or record_id.encode() in raw
    )


def _lines_with(path: str, key: str) -> Iterator[bytes]:
    found = False
    for raw in find_lines(path, key.encode()):
        found = True
        yield raw
    if not found:  # lines in older shapes do not spell their keys out
        yield from (
            raw for raw in durable.read(path).split(b"\n") if raw.strip() and not raw.startswith(OURS)
        )


def _keys_of(record: Record) -> tuple[str, ...]:
    return record.keys or (content_key_of(record.kind, record.statement, record.scope),)
