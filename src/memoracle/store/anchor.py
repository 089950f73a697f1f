"""Where the audit trail ended when this machine last wrote to it: what shows that its end was cut off.

Kept in `state/`, beside the writer's count. It is noted after the entries are in the file and not synced, so it may
be older than the trail after a power cut, and newer only when the entries themselves did not reach the disk. It names
the run of the machine (`boot`): while that run lasts nothing can be lost by itself. A note that is damaged or not
there is passed over; the trail alone is believed then.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

from memoracle.errors import MemoracleError
from memoracle.model.ids import line_sum
from memoracle.model.value import value
from memoracle.store import durable

FILE = "audit.json"
_SUM = b', "sum": "'


@value
class Head:
    """The last entry of one writer: its number and its hash."""

    number: int = 0
    hash: str = ""


@value
class Anchor:
    """The heads of all writers as they were seen last, who wrote then, and how long the file was."""

    writer: str = ""
    size: int = -1
    boot: str = ""
    heads: Mapping[str, Head]


def read_anchor(path: str) -> Anchor:
    """What was noted last; nothing when there is none."""
    try:
        note, _, proof = durable.read(path).strip().rpartition(_SUM)
        if line_sum(note).encode() + b'"}' != proof:
            return _NOTHING
        kept = json.loads(note + b"}")
        heads = {writer: Head(number=int(n), hash=str(h)) for writer, (n, h) in kept["heads"].items()}
        return Anchor(writer=str(kept["writer"]), size=int(kept["size"]), boot=str(kept["boot"]), heads=heads)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError, MemoracleError):
        return _NOTHING


def note_anchor(path: str, anchor: Anchor) -> None:
    """Keep it. What it belongs to is written already, so nothing here may fail."""
    heads = {writer: [head.number, head.hash] for writer, head in anchor.heads.items()}
    kept = {"writer": anchor.writer, "size": anchor.size, "boot": anchor.boot, "heads": heads}
    note = json.dumps(kept).encode()[:-1]
    content = b'%s%s%s"}\n' % (note, _SUM, line_sum(note).encode())
    with suppress(OSError, MemoracleError):
        handle, _ = durable.open_plain(path, os.O_RDWR, create=True)
        try:
            os.pwrite(handle, content, 0)
            if os.fstat(handle).st_size != len(content):
                os.ftruncate(handle, len(content))
        finally:
            os.close(handle)


@lru_cache(maxsize=1)
def boot() -> str:
    """What names this run of the machine; empty where it cannot be told."""
    try:
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:
            return file.read(36).decode("ascii", "replace").strip()
    except OSError:
        return ""


_NOTHING = Anchor(heads={})
