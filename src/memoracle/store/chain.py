"""One line of the audit trail and one `Event`, with the hashes that chain it.

`hash` is a digest over every byte before it, the hash of the writer's entry before included: anybody can check it.
`seal` is the same with the root's own key, which only this root can make. `stamp` names the key without giving it away.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.model.event import Event, Touched
from memoracle.model.ids import line_sum
from memoracle.model.value import replace, value
from memoracle.store.volume import Volume
from memoracle.times import read_time, write_time

BEGIN = b'{"audit":'
SCHEMA = 1
_HASH = b',"hash":"'
_SEAL = b'","seal":"'
_END = b'"}'
_TAIL = len(_HASH) + 32 + len(_SEAL) + 16 + len(_END)


@value
class Key:
    """What seals entries and hides what digests are of."""

    secret: bytes
    stamp: str


@value
class ChainLink:
    """One line that could be read: the event, and whether a key at hand vouches for it (None: another key's)."""

    event: Event
    sealed: bool | None


def key_from(salt: bytes) -> Key:
    """The key of a root, from its salt; neither can be found from the stamp."""
    secret = blake2b(b"memoracle audit", key=salt, digest_size=32).digest()
    return Key(secret=secret, stamp=blake2b(b"stamp", key=secret, digest_size=4).hexdigest())


def digest(line: bytes, key: Key) -> str:
    """What stands for a record line in the trail: without the key nobody can try guesses against it."""
    return blake2b(line.rstrip(b"\r\n"), key=key.secret, digest_size=8).hexdigest()


def write(event: Event, key: Key) -> tuple[bytes, str]:
    """The line of an event, newline included, and its hash."""
    fields: dict[str, Any] = {
        "audit": SCHEMA,
        "writer": event.writer,
        "number": event.number,
        "at": write_time(event.at),
        "act": event.act,
    }
    for name in ("by", "via", "operation"):
        if said := getattr(event, name):
            fields[name] = said
    if event.records:
        fields["records"] = [[one.id, one.version, one.sequence, one.digest] for one in event.records]
    if event.about:
        fields["about"] = list(event.about)
    if event.rules:
        fields["rules"] = list(event.rules)
    if event.facts:
        fields["facts"] = dict(event.facts)
    fields["stamp"] = key.stamp
    fields["before"] = event.before
    body = json.dumps(fields, separators=(",", ":")).encode()[:-1]
    made = blake2b(body, digest_size=16).hexdigest()
    return b"".join((body, _HASH, made.encode(), _SEAL, _seal(made, key).encode(), _END, b"\n")), made


def read(raw: bytes, key: Key | None = None) -> ChainLink | None:
    """The entry of a line (given without its newline); None when its hash does not fit or it cannot be read."""
    if not raw.startswith(BEGIN) or raw[-_TAIL : -_TAIL + len(_HASH)] != _HASH:
        return None
    made = raw[-_TAIL + len(_HASH) :][:32].decode("ascii", "replace")
    is_shaped = raw[-_TAIL + len(_HASH) + 32 :].startswith(_SEAL) and raw.endswith(_END)
    if not is_shaped or blake2b(raw[:-_TAIL], digest_size=16).hexdigest() != made:
        return None
    try:
        event = replace(_event(json.loads(raw[:-_TAIL] + b"}")), hash=made)
    except (ValueError, TypeError, LookupError, RecursionError, MemoracleError):
        return None
    if key is None or event.stamp != key.stamp:
        return ChainLink(event=event, sealed=None)
    seal = raw[-len(_END) - 16 : -len(_END)].decode("ascii", "replace")
    return ChainLink(event=event, sealed=seal == _seal(made, key))


def is_torn(raw: bytes) -> bool:
    """True for what a write that was cut short leaves: the beginning of an entry, or zeros."""
    return not raw.strip(b"\0") or (raw.startswith(BEGIN[: len(raw)]) and not raw.endswith(_END))


def _seal(made: str, key: Key) -> str:
    return blake2b(made.encode(), key=key.secret, digest_size=8).hexdigest()


def _event(fields: dict[str, Any]) -> Event:
    number, writer = fields["number"], fields["writer"]
    if type(number) is not int or not isinstance(writer, str):
        raise TypeError("an entry needs a writer and a number")
    return Event(
        act=str(fields["act"]),
        at=read_time(fields["at"]),
        by=str(fields.get("by", "")),
        via=str(fields.get("via", "")),
        operation=str(fields.get("operation", "")),
        records=tuple(
            Touched(id=str(a), version=int(b), sequence=int(c), digest=str(d))
            for a, b, c, d in fields.get("records", ())
        ),
        about=tuple(map(str, fields.get("about", ()))),
        rules=tuple(map(str, fields.get("rules", ()))),
        facts=dict(fields.get("facts", {})),
        writer=writer,
        number=number,
        before=str(fields["before"]),
        stamp=str(fields["stamp"]),
    )


# Where the trail ended when this machine last wrote to it: what shows that its end was cut off. It is noted in
# `state/` after the entries are in the file and not synced, so it may be older than the trail after a power cut, and
# newer only when the entries themselves did not reach the disk. It names the run of the machine (`boot`): while that
# run lasts nothing can be lost by itself. A note that is damaged or not there is passed over; the trail alone is
# believed then.

FILE = "audit.json"
_ANCHOR_SUM = b', "sum": "'


@value
class Head:
    """The last entry of one writer: its number and its hash."""

    number: int = 0
    hash: str = ""


@value
class TrailAnchor:
    """The heads of all writers as they were seen last, who wrote then, and how long the file was."""

    writer: str = ""
    size: int = -1
    boot: str = ""
    heads: Mapping[str, Head]


def read_anchor(volume: Volume, name: str) -> TrailAnchor:
    """What was noted last; nothing when there is none."""
    try:
        note, _, proof = volume.read(name).strip().rpartition(_ANCHOR_SUM)
        if line_sum(note).encode() + b'"}' != proof:
            return _NO_ANCHOR
        kept = json.loads(note + b"}")
        heads = {writer: Head(number=int(n), hash=str(h)) for writer, (n, h) in kept["heads"].items()}
        return TrailAnchor(
            writer=str(kept["writer"]), size=int(kept["size"]), boot=str(kept["boot"]), heads=heads
        )
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError, MemoracleError):
        return _NO_ANCHOR


def note_anchor(volume: Volume, name: str, anchor: TrailAnchor) -> None:
    """Keep it. What it belongs to is written already, so nothing here may fail."""
    heads = {writer: [head.number, head.hash] for writer, head in anchor.heads.items()}
    kept = {"writer": anchor.writer, "size": anchor.size, "boot": anchor.boot, "heads": heads}
    note = json.dumps(kept).encode()[:-1]
    content = b'%s%s%s"}\n' % (note, _ANCHOR_SUM, line_sum(note).encode())
    with suppress(OSError, MemoracleError):
        volume.overwrite(name, content)


@lru_cache(maxsize=1)
def boot() -> str:
    """What names this run of the machine; empty where it cannot be told."""
    try:
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:
            return file.read(36).decode("ascii", "replace").strip()
    except OSError:
        return ""


_NO_ANCHOR = TrailAnchor(heads={})
