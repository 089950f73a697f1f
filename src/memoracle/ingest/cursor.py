"""How far a source has been read.

A watermark is a plain value: whoever reads gets one, keeps it where it likes, and hands it back next
time. A file that only grew is read from there. A file that was replaced, cut or rewritten no longer
fits its watermark and is read whole; turns then keep their ids, so the caller counts them once. A change
in the middle that keeps inode, head, and the last bytes read is not seen: hosts append or replace.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any, NamedTuple

from memoracle.model.report import Finding
from memoracle.model.turn import Turn
from memoracle.model.value import value

_SAMPLE = 1024


class State(NamedTuple):
    """A file as its folder shows it."""

    size: int
    mtime_ns: int
    inode: int


@value
class Watermark:
    """The place in one source up to which everything has been read.

    `offset` counts consumed bytes and `line` is the number of the next line; in a database they are the
    last row and unused. `ends` are the ids a continuation hangs under. `memo` is the reader's own.
    """

    path: str
    shape: str
    size: int
    mtime_ns: int
    inode: int
    offset: int = 0
    line: int = 1
    head: str = ""
    tail: str = ""
    ends: tuple[str, ...] = ()
    memo: tuple[tuple[str, str], ...] = ()

    def is_current(self, state: State) -> bool:
        """Nothing has happened to the file since."""
        return State(self.size, self.mtime_ns, self.inode) == state

    def fits(self, stream: IO[bytes], state: State) -> bool:
        """The file still begins with the bytes that were read: it only grew."""
        if self.inode != state.inode or state.size < self.offset:
            return False
        return sample(stream, self.offset) == (self.head, self.tail)

    def to_dict(self) -> dict[str, Any]:
        """As it can be written to JSON."""
        return {
            "path": self.path,
            "shape": self.shape,
            "size": self.size,
            "mtime_ns": self.mtime_ns,
            "inode": self.inode,
            "offset": self.offset,
            "line": self.line,
            "head": self.head,
            "tail": self.tail,
            "ends": list(self.ends),
            "memo": dict(self.memo),
        }

    @classmethod
    def from_dict(cls, kept: object) -> Watermark | None:
        """The watermark that was written; None when it is not one, which means reading whole."""
        if not isinstance(kept, dict):
            return None
        ends, memo = kept.get("ends", []), kept.get("memo", {})
        if not isinstance(ends, list) or not isinstance(memo, dict):
            return None
        texts = {key: kept.get(key, "") for key in ("path", "shape", "head", "tail")}
        numbers = {key: kept.get(key, 0) for key in ("size", "mtime_ns", "inode", "offset", "line")}
        if not all(isinstance(text, str) for text in (*texts.values(), *ends, *memo, *memo.values())):
            return None
        if not all(isinstance(number, int) and number >= 0 for number in numbers.values()):
            return None
        return cls(**texts, **numbers, ends=tuple(ends), memo=tuple(memo.items()))


@value
class Reading:
    """What one reading of one source gave.

    `turns` are new on the live branch; `withdrawn` are ids given earlier that a rewind has since
    abandoned. `whole` says that the source was read from its start, so ids known from it that are not
    among `turns` are gone from it.
    """

    watermark: Watermark | None
    turns: tuple[Turn, ...] = ()
    findings: tuple[Finding, ...] = ()
    withdrawn: tuple[str, ...] = ()
    whole: bool = False


def look(path: Path) -> State:
    """The state of a file; a database's log counts as part of it, because news may stand there alone."""
    seen = os.stat(path)
    try:
        log = os.stat(f"{path}-wal")
    except OSError:
        return State(seen.st_size, seen.st_mtime_ns, seen.st_ino)
    return State(seen.st_size + log.st_size, max(seen.st_mtime_ns, log.st_mtime_ns), seen.st_ino)


def sample(stream: IO[bytes], offset: int) -> tuple[str, str]:
    """Digests of the first bytes and of the last bytes before `offset`."""
    stream.seek(0)
    head = stream.read(min(_SAMPLE, offset))
    stream.seek(max(0, offset - _SAMPLE))
    return digest(head), digest(stream.read(min(_SAMPLE, offset)))


def digest(content: bytes) -> str:
    """A short name for some bytes."""
    return hashlib.sha256(content).hexdigest()[:24]


def digest_ids(turns: Iterable[Turn]) -> str:
    """A short name for a sequence of turns."""
    return digest("\n".join(turn.id for turn in turns).encode("utf-8", "replace"))
