"""A WordPiece vocabulary that costs nothing until it is used.

`vocab.txt` holds one token per line, and a token's id is its line number. A dictionary of thirty
thousand tokens takes several milliseconds to build, more than a question's twelve words are worth: the
first lookups scan the file's bytes instead, and the dictionary is built when it begins to pay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

# A scan takes about 30 µs, the dictionary about 6 ms.
_SCANS_BEFORE_DICTIONARY = 100


class Vocabulary:
    """Token → id."""

    __slots__ = ("_ids", "_lines", "_scans", "_starts")

    def __init__(self, *, lines: bytes = b"", ids: Mapping[str, int] | None = None) -> None:
        self._lines = b"\n" + lines.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
        self._ids = ids
        self._starts = np.flatnonzero(np.frombuffer(self._lines, dtype=np.uint8) == ord("\n"))
        self._scans = 0

    @classmethod
    def read(cls, path: str) -> Vocabulary:
        """The vocabulary in the `vocab.txt` at `path`."""
        with open(path, "rb") as file:
            return cls(lines=file.read())

    def id_of(self, token: str) -> int | None:
        """The id of `token`, or None when the vocabulary has no such token."""
        if self._ids is None:
            if self._scans < _SCANS_BEFORE_DICTIONARY:
                self._scans += 1
                return self._scan(token)
            tokens = self._lines.decode("utf-8").split("\n")[1:]
            self._ids = {token: number for number, token in enumerate(tokens) if token}
        return self._ids.get(token)

    def _scan(self, token: str) -> int | None:
        line = b"\n%b\n" % token.encode("utf-8", "surrogatepass")
        place = self._lines.find(line)
        if place < 0:
            return None
        return int(np.searchsorted(self._starts, place))
