"""Which content and idempotency keys the record files hold.

Read from the record files themselves, so that recognising a repeated write never depends
on the view. It follows appended bytes; a file that was replaced is read again. Of many records the
keys stand in a file of their own between processes, with how far each record file was read: one
transaction for both, so whatever is lost of it is read again. It may be deleted at any time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import TypeGuard

from memoracle.errors import MemoracleError, OutsideRoot
from memoracle.model.record import content_key_of
from memoracle.model.value import value
from memoracle.store.line import DamagedLine, decode
from memoracle.store.volume import NO_LOOKS, Volume

KEYS = "keys.idx"
_FIELD = b'"keys":["'
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
    """How far a file was read, and how its bytes looked then."""

    inode: int
    size: int
    modified: int
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
            self._table = _open_table(self._where())
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
        numbers = {_number(key) for key in _keys_in(lines)}
        looks = self._volume.looks(path)
        if looks == NO_LOOKS:  # the lines are durable and will be acknowledged; the book reads them next time
            self._keys |= numbers
            self._seen.pop(path, None)
            return
        seen = _seen(looks, end[-_END:])
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

    def _follow(self, path: str, found: tuple[int, int, int]) -> None:
        table = self._table
        if found == NO_LOOKS:
            self._seen.pop(path, None)
            return
        seen = self._seen.get(path)
        if not _is_as_seen(seen, found) and table is not None:
            seen = table.seen(path)  # another process may have read on since
        if _is_as_seen(seen, found):
            self._seen[path] = seen
            return
        reading = _Reading(self._volume, path, seen if _has_grown(seen, found) else None)
        if table is not None:
            table.put(path, reading.seen(found), reading.numbers(), anew=reading.is_whole)
        else:
            for numbers in reading.numbers():
                self._keys |= numbers
        self._seen[path] = reading.seen(found)


class _Reading:
    """The part of a file that was not read before, in pieces; the whole file where its beginning changed."""

    def __init__(self, volume: Volume, path: str, seen: _Seen | None) -> None:
        self._volume = volume
        self._path = path
        self._start = 0
        # A new file may have got the number of an old one, so its bytes have to vouch for it.
        if seen and volume.raw.read(path, seen.size - len(seen.end), most=len(seen.end)) == seen.end:
            self._start = seen.size
        self.is_whole = not self._start

    def numbers(self) -> Iterator[set[int]]:
        """The keys of each piece."""
        for piece in self._volume.pieces(self._path, self._start):
            yield {_number(key) for key in _keys_in(piece)}

    def seen(self, found: _Looks) -> _Seen:
        """How far it was read: up to the size that was found before; what came since is read again."""
        size = found[1]
        return _seen(found, self._volume.raw.read(self._path, max(0, size - _END), most=min(_END, size)))


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
        return found and _Seen(inode=found[0], size=found[1], modified=found[2], end=found[3])

    def put(self, path: str, seen: _Seen, numbers: Iterable[set[int]], *, anew: bool) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.execute(
                "INSERT INTO files (path, inode, size, modified, end) VALUES (?, ?, ?, ?, ?) ON CONFLICT (path) "
                "DO UPDATE SET inode = excluded.inode, size = excluded.size, modified = excluded.modified, "
                "end = excluded.end",
                (path, seen.inode, seen.size, seen.modified, seen.end),
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


def _open_table(path: str | None) -> _KeyTable | None:
    if path is None:
        return None
    from memoracle.store.disk import make_file

    try:
        make_file(path)
        return _KeyTable(path)
    except (MemoracleError, _problem()):
        return None  # nobody can write here: the records themselves are read


def _seen(looks: _Looks, end: bytes) -> _Seen:
    return _Seen(inode=looks[0], size=looks[1], modified=looks[2], end=end)


def _is_as_seen(seen: _Seen | None, found: _Looks) -> TypeGuard[_Seen]:
    return seen is not None and (seen.inode, seen.size, seen.modified) == found


def _has_grown(seen: _Seen | None, found: _Looks) -> bool:
    """True when a file may have been added to since; one of the same size that changed was changed in place."""
    return seen is not None and seen.inode == found[0] and 0 < seen.size < found[1]


def _number(key: bytes) -> int:
    """A key as 63 bits: enough to know which keys are not there."""
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "big") >> 1


def _keys_in(content: bytes) -> Iterator[bytes]:
    place = content.find(_FIELD)
    while place >= 0:
        end = content.find(b"]", place)
        yield from content[place + len(_FIELD) : end].rstrip(b'"').split(b'","')
        place = content.find(_FIELD, end) if end >= 0 else -1
    if content.count(OURS) < content.count(b"\n"):
        yield from _keys_of_older(content)


def _keys_of_older(content: bytes) -> Iterator[bytes]:
    """The keys of lines in older shapes, which do not spell them out."""
    for raw in content.split(b"\n"):
        if raw.strip() and not raw.startswith(OURS):
            try:
                record = decode(raw).record
            except DamagedLine:
                continue
            yield content_key_of(record.kind, record.statement, record.scope).encode()
