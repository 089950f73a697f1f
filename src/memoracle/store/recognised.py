"""`state/recognised.jsonl`: fingerprints of secrets that were recognised, so that later texts are masked as well.

A line holds a length, twelve bits of how the value begins, sixty-four of the whole, both keyed with the root's salt,
and the type. The file is this machine's own, may be lost, and never grows beyond its bound. Where it cannot be
written (a read-only disk, a locked root), what was recognised is known as long as the process lasts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from memoracle.errors import MemoracleError
from memoracle.store.volume import NO_LOOKS, Volume

FILE = "recognised.jsonl"
_MOST = 512
_PAUSE = 1.0
_Row = tuple[int, int, str, str]


class Recognised:
    """The fingerprints of one root; read again when another process has added some."""

    def __init__(self, volume: Volume, name: Callable[[], str]) -> None:
        self._volume = volume
        self._name = name
        self._seen = NO_LOOKS
        self._next = 0.0

    def load(self) -> Iterator[_Row]:
        """The rows that stand there, when there may be new ones since the last time."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        name = self._name()
        looks = self._volume.looks(name)
        if looks not in (NO_LOOKS, self._seen):
            self._seen = looks
            yield from self._rows(name)

    def keep(self, row: _Row) -> None:
        """Add one; of a full file the older half goes first."""
        name = self._name()
        with suppress(OSError, MemoracleError):
            rows = list(self._rows(name))
            line = _line(row)
            if len(rows) < _MOST:
                self._volume.append({name: line})
            else:
                self._volume.replace(name, b"".join([*map(_line, rows[-_MOST // 2 :]), line]))

    def _rows(self, name: str) -> Iterator[_Row]:
        with suppress(OSError, MemoracleError):
            for line in self._volume.read(name).splitlines():
                with suppress(ValueError, KeyError, TypeError):
                    held = json.loads(line)
                    yield int(held["length"]), int(held["begin"]), str(held["whole"]), str(held["type"])


def _line(row: _Row) -> bytes:
    return json.dumps(dict(zip(("length", "begin", "whole", "type"), row, strict=True))).encode() + b"\n"
