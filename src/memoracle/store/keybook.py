"""Which content keys stand in the record files.

The book is read from the files themselves, so that recognising a repeated write never depends
on the view. It follows appended bytes; a file that was replaced is read again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from memoracle.model.record import content_key_of
from memoracle.model.value import value
from memoracle.store import durable, sealed
from memoracle.store.line import DamagedLine, decode

_FIELD = b'"keys":["'
OURS = b'{"schema":'
_END = 96


@value
class _Seen:
    """How far a file was read, and how its bytes looked then."""

    inode: int
    size: int
    modified: int
    end: bytes


class Keybook:
    """The keys seen so far, and how far each file was read."""

    def __init__(self) -> None:
        self._keys: set[bytes] = set()
        self._seen: dict[str, _Seen] = {}

    def follow(self, paths: Sequence[str]) -> None:
        """Read what is new in these files."""
        for path in paths:
            self._follow(path)

    def holds(self, key: str) -> bool:
        """True when some line may carry the key; the caller looks closer."""
        return key.encode() in self._keys

    def note_append(self, path: str, lines: bytes, end: bytes) -> None:
        """Take in lines just written to the end of a file that was followed up to there; `end` is how it ends."""
        self._keys.update(_keys_in(lines))
        try:
            found = os.stat(path, follow_symlinks=False)
        except OSError:  # the lines are durable and will be acknowledged; the book reads them next time
            self._seen.pop(path, None)
            return
        self._seen[path] = _Seen(
            inode=found.st_ino, size=found.st_size, modified=found.st_mtime_ns, end=end[-_END:]
        )

    def _follow(self, path: str) -> None:
        try:
            found = os.stat(path, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            self._seen.pop(path, None)
            return
        if not stat.S_ISREG(found.st_mode):
            return
        seen = self._seen.get(path)
        if seen and (seen.inode, seen.size, seen.modified) == (
            found.st_ino,
            found.st_size,
            found.st_mtime_ns,
        ):
            return
        content = b""
        if seen and seen.inode == found.st_ino and seen.size <= found.st_size:
            # A new file may have got the number of an old one, so its bytes have to vouch for it.
            content = durable.read_raw(path, seen.size - len(seen.end))
        if seen and content and content.startswith(seen.end):
            size, content = seen.size - len(seen.end) + len(content), content[len(seen.end) :]
            end = (seen.end + content)[-_END:]
        else:
            content, seen = durable.read_raw(path), None
            size, end = len(content), content[-_END:]
        self._keys.update(_keys_in(sealed.opened(path, content, is_whole=seen is None)))
        self._seen[path] = _Seen(inode=found.st_ino, size=size, modified=found.st_mtime_ns, end=end)


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
