"""The journal: record files in which one line is one version of a record, and the newest version wins.

Reading takes no lock and never blocks. What is written comes through `Store.append`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

from memoracle.errors import MemoracleError, OutsideRoot
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.manifest import FileState, Loaded, Mark, Role, Version
from memoracle.model.record import Kind, Record, Status, content_key_of, newest
from memoracle.model.value import replace, value
from memoracle.store import sealed
from memoracle.store.durable import open_plain
from memoracle.store.journal import Damage, find_lines, read_records
from memoracle.store.layouts import COLLECTIONS, record_files
from memoracle.store.line import DamagedLine, decode, readable
from memoracle.store.loading import LINES, Portion, Portions, link_versions
from memoracle.store.volume import NO_LOOKS, Volume

if TYPE_CHECKING:
    from memoracle.store.store import Store

_COLLECTION_OF = {Kind.BELIEF: "beliefs", Kind.SUMMARY: "summaries"}
_LEFT_TO_THE_PARENT: list[ContentKeys] = []


@value
class RecordPlace:
    """Where an acknowledged line stands."""

    path: str
    line: int


class Journal:
    """The records of a root: by id, by key, with their histories and their places."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._files = record_files(store.layout)
        self._volume = store.volume
        self.keys = ContentKeys(self._volume, self._place_of_keys)

    @cached_property
    def _portions(self) -> Portions:
        return Portions()

    # Files

    def files(self) -> list[str]:
        """The relative paths of all record files, live ones first."""
        return list(self._files)

    def plain_files(self) -> list[str]:
        """Those that are there as plain files; `check` names the others."""
        return [state.path for state in self.states()]

    def states(self) -> list[FileState]:
        """The record files as the file system describes them, live ones first."""
        return self._store.states(dict.fromkeys(self._files, Role.RECORDS))

    def home_of(self, record: Record) -> str:
        """The live file a record's new versions go to."""
        return self._store.layout[_COLLECTION_OF.get(record.kind, "facts")]

    # Reading

    def versions(self, record_id: str) -> list[Record]:
        """Every version of a record in the files, oldest first; equal lines count once."""
        found: dict[bytes, Record] = {}
        for path in self.plain_files():
            seen = self.as_adopted(path)
            for raw in _lines_of(self._volume, path, record_id):
                for own, record in readable(raw):
                    if record.id == record_id:
                        found.setdefault(own, seen(record))
        return _in_order(found)

    def histories(self, ids: Collection[str]) -> dict[str, list[Record]]:
        """The same for many records, with every file read once."""
        found: dict[str, dict[bytes, Record]] = {record_id: {} for record_id in ids}
        for path in self.plain_files():
            content, _ = self._read_settled(path)
            seen = self.as_adopted(path)
            for raw in content.split(b"\n"):
                for own, record in readable(raw) if raw.strip() else ():
                    if record.id in found:
                        found[record.id].setdefault(own, seen(record))
        return {record_id: _in_order(held) for record_id, held in found.items()}

    def all_versions(self) -> Iterator[tuple[str, Record]]:
        """Every version in every record file, with the path it stands in."""
        for path in self.plain_files():
            seen = self.as_adopted(path)
            lines = 0
            for piece in self._volume.pieces(path):
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

    def damage_in(self, path: str) -> tuple[Damage, ...]:
        """The pieces of a record file that cannot be read."""
        content, settled = self._read_settled(path)
        return read_records(path, content, settled=settled).damage

    def with_key(self, key: str) -> Record | None:
        """The standing record that carries this content or idempotency key. The caller holds the lock.

        An active record comes before an archived one, and that before all others.
        """
        if not self.keys.holds(key):
            return None
        found: dict[str, Record] = {}
        for path in self.plain_files():
            for raw in _lines_with(self._volume, path, key):
                for _, record in readable(raw):
                    if record.id not in found and key in _keys_of(record):
                        standing = newest(self.versions(record.id))
                        if key in _keys_of(standing):
                            found[record.id] = standing
                        if standing.status is Status.ACTIVE and record.id in found:
                            return standing
        order = {Status.ACTIVE: 0, Status.ARCHIVED: 1}
        return min(found.values(), key=lambda record: (order.get(record.status, 2), record.id), default=None)

    def place_of(self, record: Record) -> RecordPlace | None:
        """Where the line of this very version stands, given as it is or as it is shown."""
        screen = self._store.guard.screen
        for path in self.plain_files():
            seen = self.as_adopted(path)
            for raw in _lines_of(self._volume, path, record.id):
                held = [seen(found) for _, found in readable(raw)]
                if any(found == record or screen(found) == record for found in held):
                    lines = 0
                    for piece in self._volume.pieces(path):
                        if (start := piece.find(raw)) >= 0:
                            return RecordPlace(path=path, line=lines + piece.count(b"\n", 0, start) + 1)
                        lines += piece.count(b"\n")
        return None

    # As a view takes it

    def load(self, path: str, after: Mark | None, *, most: int | None = None) -> Loaded:
        """What a record file says behind a mark, no more than `most` lines if named; the guard sees all of it."""
        tail, settled = self._tail_settled(path, after, most)
        reading = read_records(path, tail.content, after_line=tail.after_line, settled=settled)
        seen, screen = self.as_adopted(path), self._store.guard.screen
        screened = []
        for version in reading.versions:
            record = screen(seen(version.record))
            screened.append(version if record is version.record else replace(version, record=record))
        versions, unlinked = link_versions(path, screened, self._store.link_reader())
        mark = Mark(size=tail.size, lines=reading.lines, digest=tail.digest)
        return Loaded(
            path=path,
            role=Role.RECORDS,
            whole=tail.is_whole,
            mark=mark if reading.ends_whole else None,
            versions=versions,
            more=tail.more,
            findings=(*(piece.finding() for piece in reading.damage), *reading.notices, *unlinked),
        )

    def parts(self, path: str) -> Iterator[Loaded]:
        """A record file as it is loaded, portion by portion: of a file of any length only one is in memory."""
        loaded = self.load(path, None, most=LINES)
        yield loaded
        while loaded.more and loaded.mark:
            loaded = self.load(path, loaded.mark, most=LINES)
            yield loaded

    def forget_keys(self) -> None:
        """Begin with no keys: in a forked process their file stays with the parent."""
        _LEFT_TO_THE_PARENT.append(self.keys)
        self.keys = ContentKeys(self._volume, self._place_of_keys)

    def _place_of_keys(self) -> str | None:
        """Where the keys of many records are kept between processes: beside the view, which is derived as they are."""
        root = self._store.root
        folder = sealed.place_of_view(root, f"{root}/{self._store.layout['index']}")
        if not folder or os.path.islink(folder):
            return None
        with suppress(OSError):  # where it cannot be made, nothing is kept
            os.makedirs(folder, mode=0o700, exist_ok=True)
        return f"{folder}/{KEYS}"

    def as_adopted(self, path: str) -> Callable[[Record], Record]:
        """How a record of that file is to be read: as its line says, or as its design had it when it was adopted."""
        held = self._store.adopted()
        if held is None:
            return _as_it_is
        cold = path in self._files[len(COLLECTIONS) :]
        return lambda record: held.seen(path, record, cold=cold)

    def _tail_settled(self, path: str, after: Mark | None, most: int | None) -> tuple[Portion, bool]:
        """What follows a mark in a record file, and whether its end is final: False while somebody is writing it."""
        tail = self._portions.read(self._volume, path, after, most)
        while tail.content and not tail.more and not tail.content.endswith(b"\n"):
            if self._store.is_being_written():
                return tail, False
            # Whoever was writing when we read may have finished since; a real tear stays as it is.
            again = self._portions.read(self._volume, path, after, most)
            if again == tail:
                break
            tail = again
        return tail, True

    def _read_settled(self, path: str) -> tuple[bytes, bool]:
        """The whole of a record file, in the same way."""
        tail, settled = self._tail_settled(path, None, None)
        return tail.content, settled


def _as_it_is(record: Record) -> Record:
    return record


def _in_order(found: Mapping[bytes, Record]) -> list[Record]:
    """Oldest first. Equal in everything else, the line itself decides: no order of files or lines may."""
    return [record for _, record in sorted(found.items(), key=lambda item: (item[1].precedence, item[0]))]


def _lines_of(volume: Volume, path: str, record_id: str) -> Iterator[bytes]:
    """The raw lines that may hold versions of a record."""
    if record_id.startswith(RECORD_PREFIX):
        return find_lines(volume, path, f'"{record_id}"'.encode())
    # An id of another program may be spelled in several ways.
    return (
        raw for raw in volume.read(path).split(b"\n") if not raw.startswith(OURS) or record_id.encode() in raw
    )


def _lines_with(volume: Volume, path: str, key: str) -> Iterator[bytes]:
    found = False
    for raw in find_lines(volume, path, key.encode()):
        found = True
        yield raw
    if not found:  # lines in older shapes do not spell their keys out
        yield from _older_lines(volume.read(path))


def _older_lines(content: bytes) -> Iterator[bytes]:
    return (raw for raw in content.split(b"\n") if raw.strip() and not raw.startswith(OURS))


def _keys_of(record: Record) -> tuple[str, ...]:
    return record.keys or (content_key_of(record.kind, record.statement, record.scope),)


# Which content and idempotency keys the record files hold.
#
# Read from the record files themselves, so that recognising a repeated write never depends on the view. It follows
# appended bytes; a file that was replaced is read again. Of many records the keys stand in a file of their own between
# processes, with how far each record file was read: one transaction for both, so whatever is lost of it is read again.
# It may be deleted at any time.

KEYS = "keys.idx"
_FIELD = re.compile(rb'"keys": ?\["([^]]*)\]')
_Looks = tuple[int, int, int]
OURS = b'{"schema":'
_END = 96
_MANY = 2 * 1024 * 1024
"""From so many bytes of records on it is worth keeping their keys for the next process."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
    inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, end BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS keys (key INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (key, file)) WITHOUT ROWID;
"""


@value
class _Seen:
    """How a file looked when it was read, and its last bytes then."""

    looks: _Looks
    end: bytes


class ContentKeys:
    """The keys seen so far, and how far each file was read. `where` names the file that keeps many of them."""

    def __init__(self, volume: Volume, where: Callable[[], str | None] = lambda: None) -> None:
        self._volume = volume
        self._where = where
        self._table: _KeyTable | None = None
        self._is_opened = False
        self._keys: set[int] = set()
        self._seen: dict[str, _Seen] = {}

    def follow(self, paths: Sequence[str]) -> None:
        """Read what is new in these files."""
        found = {path: self._volume.looks(path) for path in paths}
        if not self._is_opened and sum(size for _, size, _ in found.values()) >= _MANY:
            self._is_opened = True
            # Where nobody can write, the records themselves are read.
            with suppress(MemoracleError, OSError, _problem()):
                if place := self._where():
                    os.close(open_plain(place, os.O_RDWR, create=True))  # SQLite would ask the umask
                    self._table = _KeyTable(place)
        try:
            for path, looks in found.items():
                with suppress(OutsideRoot):  # `check` names what is no plain file
                    self._follow(path, looks)
        except _problem():
            self._give_up()
            self.follow(paths)

    def holds(self, key: str) -> bool:
        """True when some line may carry the key; the caller looks closer."""
        number = _number(key.encode())
        if number in self._keys:
            return True
        return self._table is not None and self._table.holds(number)

    def note_append(self, path: str, lines: bytes, end: bytes) -> None:
        """Take in lines just written to the end of a file that was followed up to there; `end` is how it ends."""
        numbers = set(map(_number, _keys_in(lines)))
        looks = self._volume.looks(path)
        if looks == NO_LOOKS:  # the lines are durable and will be acknowledged; the book reads them next time
            self._keys |= numbers
            self._seen.pop(path, None)
            return
        seen = _Seen(looks=looks, end=end[-_END:])
        if self._table is not None:
            try:
                self._table.put(path, seen, [numbers], anew=False)
            except _problem():  # nor may this fail: what is not noted is read again
                self._keys |= numbers
                self._give_up()
        else:
            self._keys |= numbers
        self._seen[path] = seen

    def close(self) -> None:
        """Let go of the file of keys; what was read of it is read again."""
        if self._table is not None:
            self._table.close()
            self._seen.clear()
        self._table, self._is_opened = None, False

    def _give_up(self) -> None:
        """Go on without the file of keys: from here on everything is read from the records."""
        if self._table is not None:
            self._table.remove()
        self._table = None
        self._seen.clear()

    def _follow(self, path: str, found: _Looks) -> None:
        if found == NO_LOOKS:
            self._seen.pop(path, None)
            return
        seen, table = self._seen.get(path), self._table
        if (seen is None or seen.looks != found) and table is not None:
            seen = table.seen(path)  # another process may have read on since
        if seen is None or seen.looks != found:
            start = self._read_before(path, seen, found)
            size = found[1]  # what came since is read again
            end = self._volume.raw.read(path, max(0, size - _END), most=min(_END, size))
            seen = _Seen(looks=found, end=end)
            numbers = (set(map(_number, _keys_in(piece))) for piece in self._volume.pieces(path, start))
            if table is not None:
                table.put(path, seen, numbers, anew=not start)
            else:
                self._keys.update(*numbers)
        self._seen[path] = seen

    def _read_before(self, path: str, seen: _Seen | None, found: _Looks) -> int:
        """How much of a file was read and is the same; one of the same size that changed was changed in place."""
        if seen is None or seen.looks[0] != found[0] or not 0 < seen.looks[1] < found[1]:
            return 0
        # A new file may have got the number of an old one, so its bytes have to vouch for it.
        size = seen.looks[1]
        held = self._volume.raw.read(path, size - len(seen.end), most=len(seen.end))
        return size if held == seen.end else 0


class _KeyTable:
    """The keys of many records in a file beside the view; every change is one transaction."""

    def __init__(self, path: str) -> None:
        self._path = path
        import sqlite3

        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
        for line in (
            "journal_mode = WAL",
            "synchronous = NORMAL",
            "secure_delete = ON",
            "cache_size = -4000",
        ):
            self._connection.execute(f"PRAGMA {line}")
        self._connection.executescript(_SCHEMA)

    def holds(self, number: int) -> bool:
        try:
            found = self._connection.execute("SELECT 1 FROM keys WHERE key = ? LIMIT 1", (number,)).fetchone()
        except _problem():
            return True  # the caller looks closer
        return found is not None

    def seen(self, path: str) -> _Seen | None:
        query = "SELECT inode, size, modified, end FROM files WHERE path = ?"
        found = self._connection.execute(query, (path,)).fetchone()
        return found and _Seen(looks=found[:3], end=found[3])

    def put(self, path: str, seen: _Seen, numbers: Iterable[set[int]], *, anew: bool) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.execute(
                "INSERT INTO files (path, inode, size, modified, end) VALUES (?, ?, ?, ?, ?) ON CONFLICT (path) "
                "DO UPDATE SET inode = excluded.inode, size = excluded.size, modified = excluded.modified, "
                "end = excluded.end",
                (path, *seen.looks, seen.end),
            )
            query = "SELECT id FROM files WHERE path = ?"
            (file,) = self._connection.execute(query, (path,)).fetchone()
            if anew:
                self._connection.execute("DELETE FROM keys WHERE file = ?", (file,))
            for some in numbers:
                rows = [(number, file) for number in sorted(some)]
                self._connection.executemany("INSERT OR IGNORE INTO keys VALUES (?, ?)", rows)
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(_problem()):
                self._connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        with suppress(_problem()):
            self._connection.close()

    def remove(self) -> None:
        self.close()
        for side in ("", "-wal", "-shm"):
            with suppress(OSError):
                os.unlink(self._path + side)


def _problem() -> type[Exception]:
    """What a damaged or busy file of keys raises. Small memories have none, and never load SQLite for it."""
    import sqlite3

    return sqlite3.Error


def _number(key: bytes) -> int:
    """A key as 63 bits: enough to know which keys are not there."""
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "big") >> 1


def _keys_in(content: bytes) -> Iterator[bytes]:
    for found in _FIELD.finditer(content):
        yield from (key.strip(b'" ') for key in found[1].split(b","))
    if content.count(OURS) < content.count(b"\n"):
        for raw in _older_lines(content):
            with suppress(DamagedLine):
                yield from (key.encode() for key in _keys_of(decode(raw).record))
