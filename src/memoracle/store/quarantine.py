"""Damaged bytes, set aside: one JSON line per piece in `quarantine/lines.jsonl`.

A piece is kept once, however often it is met. Nothing here is ever read as a record.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from datetime import datetime

from memoracle.model.ids import file_digest
from memoracle.store.journal import Damage
from memoracle.store.volume import Volume
from memoracle.times import write_time

FILE = "lines.jsonl"


def set_aside(volume: Volume, name: str, damage: Iterable[Damage], now: datetime) -> int:
    """Copy damaged bytes into the quarantine file; how many were new is returned."""
    held = {entry.get("digest") for entry in read_quarantine(volume, name)}
    lines = []
    for piece in damage:
        digest = file_digest(piece.raw)
        if digest in held:
            continue
        held.add(digest)
        entry: dict[str, object] = {
            "digest": digest,
            "path": piece.path,
            "line": piece.line,
            "code": piece.code,
            "found": write_time(now),
        }
        try:
            entry["text"] = piece.raw.decode("utf-8")
        except UnicodeDecodeError:
            entry["base64"] = base64.b64encode(piece.raw).decode("ascii")
        lines.append(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
    if lines:
        volume.append({name: b"".join(lines)})
    return len(lines)


def read_quarantine(volume: Volume, name: str) -> list[dict[str, object]]:
    """What is set aside; a line that cannot be read is passed over."""
    entries = []
    for raw in volume.read(name).split(b"\n"):
        if raw.strip():
            try:
                entry = json.loads(raw)
            except (ValueError, RecursionError):
                continue
            if isinstance(entry, dict):
                entries.append(entry)
    return entries


def raw_bytes(entry: dict[str, object]) -> bytes:
    """The bytes of a piece, as they were found."""
    if "base64" in entry:
        return base64.b64decode(str(entry["base64"]))
    return str(entry.get("text", "")).encode("utf-8", "surrogatepass")


def raw_bytes_in(line: bytes) -> bytes | None:
    """The bytes of the piece on a line of the quarantine file; None when the line is no such thing."""
    try:
        entry = json.loads(line)
        return raw_bytes(entry) if isinstance(entry, dict) else None
    except (ValueError, RecursionError):
        return None
