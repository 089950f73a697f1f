"""The writer's running count.

Every line carries its writer (one per machine and root) and that writer's count. A gap in the
count reveals a line that vanished whole, which no checksum can. The last count is also kept in
`state/`, so that a tail cut off at a line boundary, or a file emptied, is noticed too. Losing
that state loses nothing: the count is found again at the end of the record files.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from memoracle.model.ids import WRITER_PREFIX, IdSource, file_digest
from memoracle.store import durable


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """Length and line count of a record file when it was last written."""

    size: int
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The last number used, and the files as they were then."""

    last: int
    tails: Mapping[str, Tail]


def writer_id(path: str, ids: IdSource, now: datetime) -> str:
    """This machine's writer id for this root; a folder copied to another machine gets a new one there."""
    machine = _machine()
    try:
        kept = json.loads(durable.read(path) or b"{}")
    except ValueError:
        kept = {}
    if isinstance(kept, dict) and kept.get("machine") == machine and isinstance(kept.get("writer"), str):
        return str(kept["writer"])
    writer = ids.next(WRITER_PREFIX, now)
    durable.replace(path, json.dumps({"writer": writer, "machine": machine}).encode() + b"\n")
    return writer


def read_count(path: str) -> Count:
    """The count as it was noted last; nothing noted counts as zero."""
    try:
        kept = json.loads(durable.read(path) or b"{}")
        tails = {name: Tail(size=tail[0], lines=tail[1]) for name, tail in kept.get("tails", {}).items()}
        return Count(last=int(kept.get("last", 0)), tails=tails)
    except (ValueError, TypeError, AttributeError, LookupError):
        return Count(last=0, tails={})


def note_count(path: str, count: Count) -> None:
    """Keep the count. Not synced: an older note after a crash only means looking at the files again."""
    tails = {name: [tail.size, tail.lines] for name, tail in count.tails.items()}
    content = json.dumps({"last": count.last, "tails": tails}).encode() + b"\n"
    with suppress(OSError):  # the write it belongs to is already durable and must be acknowledged
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, durable.FILE_MODE)
        try:
            os.pwrite(handle, content, 0)
            os.ftruncate(handle, len(content))
        finally:
            os.close(handle)


def last_in_files(writer: str, paths: Sequence[str]) -> int:
    """The highest count of a writer in the record files themselves."""
    needle = f'"writer":"{writer}","sequence":'.encode()
    highest = 0
    for path in paths:
        content = durable.read(path)
        place = content.find(needle)
        while place >= 0:
            digits = content[place + len(needle) : place + len(needle) + 20].split(b"}", 1)[0]
            if digits.isdigit():
                highest = max(highest, int(digits))
            place = content.find(needle, place + len(needle))
    return highest


def _machine() -> str:
    try:
        with open("/etc/machine-id", "rb") as file:
            identity = file.read().strip()
    except OSError:
        identity = b""
    return file_digest(identity + b"@" + socket.gethostname().encode())
