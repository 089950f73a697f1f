"""Receipts: which records were handed to an agent, and when. Deleting them loses no fact.

One line per recall in `usage/YYYY-MM.jsonl`, appended in one write without fsync: a receipt that
a power cut takes away costs a little activation, nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from memoracle.errors import InvalidTime, UnreadableFile
from memoracle.model.manifest import Use
from memoracle.store.packed import content_of
from memoracle.store.volume import Volume
from memoracle.times import read_time, write_time

ENDINGS = (".jsonl", ".jsonl.gz")
"""Receipts of months long past are packed, and count as before."""


def note_use(volume: Volume, name: str, refs: Sequence[str], *, by: str, now: datetime) -> None:
    """Leave one receipt for all the records of one answer."""
    line = json.dumps({"at": write_time(now), "by": by, "used": list(refs)}, ensure_ascii=False) + "\n"
    volume.append({name: line.encode()}, loose=name)


def receipts_at(volume: Volume, name: str) -> bytes:
    """The lines of a receipt file, packed or plain; one that cannot be unpacked is worth nothing."""
    try:
        return content_of(volume, name)
    except UnreadableFile:
        return b""


def read_uses(content: bytes, *, after_line: int = 0) -> list[Use]:
    """The uses in a receipt file; unreadable lines are passed over, they are worth nothing."""
    uses = []
    for number, raw in enumerate(content.split(b"\n"), start=after_line + 1):
        try:
            receipt = json.loads(raw) if raw.strip() else {}
            at = read_time(receipt["at"])
            uses += [Use(line=number, ref=str(ref), at=at) for ref in receipt["used"]]
        except (ValueError, TypeError, LookupError, RecursionError, InvalidTime):
            continue
    return uses


def without(content: bytes, refs: frozenset[str]) -> bytes:
    """The same receipts with these records taken out of them."""
    if not any(ref.encode() in content for ref in refs):
        return content
    kept = []
    for raw in content.split(b"\n"):
        try:
            receipt = json.loads(raw) if raw.strip() else {}
            remaining = [ref for ref in receipt["used"] if ref not in refs]
        except (ValueError, TypeError, LookupError, RecursionError):
            if raw.strip():
                kept.append(raw)
            continue
        if remaining:
            receipt["used"] = remaining
            kept.append(json.dumps(receipt, ensure_ascii=False).encode())
    return b"\n".join(kept) + b"\n" if kept else b""
