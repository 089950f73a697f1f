"""Which content keys stand in the record files.

The book is read from the files themselves, so that recognising a repeated write never depends
on the view. It follows appended bytes; a file that was replaced is read again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from memoracle.model.record import content_key_of
from memoracle.store import durable
from memoracle.store.line import DamagedLine, decode

_FIELD = b'"keys":["'
OURS = b'{"schema":'


class Keybook:
    """The keys seen so far, and how far each file was read."""

    def __init__(self) -> None:
        self._keys: set[bytes] = set()
        self._seen: dict[str, tuple[int, int]] = {}

    def follow(self, paths: Sequence[str]) -> None:
        """Read what is new in these files."""
        for path in paths:
            self._follow(path)

    def holds(self, key: str) -> bool:
        """True when some line may carry the key; the caller looks closer."""
        return key.encode() in self._keys

    def _follow(self, path: str) -> None:
        try:
            state = os.stat(path, follow_symlinks=False)
        except FileNotFoundError:
            return
        inode, size = self._seen.get(path, (state.st_ino, 0))
        if inode == state.st_ino and size == state.st_size:
            return
        start = size if inode == state.st_ino and size < state.st_size else 0
        self._keys.update(_keys_in(durable.read(path)[start:]))
        self._seen[path] = (state.st_ino, state.st_size)


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
