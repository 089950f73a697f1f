"""The audit trail: `events.jsonl`, append-only, one chain of hashes per writer.

`Audit.log` adds entries; `read` gives them back; `rotate` moves whole months into the archive. Every entry is
written under the root's lock. Entries of record writes go into the file before the record lines do and are not synced
by themselves: a record's own line holds the same facts and is synced, so after a power cut the next writer finds the
end missing, says so in a `resumed` entry, and goes on. Everything else that is logged is synced.

Words of memory never come here; see docs/decisions/0019-audit-chain.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError
from memoracle.model.event import Event, Touched
from memoracle.model.ids import file_digest
from memoracle.model.value import replace, value
from memoracle.store.line import line_sum
from memoracle.store.volume import Volume
from memoracle.times import read_time, write_time

if TYPE_CHECKING:
    from memoracle.model.record import Record
    from memoracle.store.store import Store


# One line of the audit trail and one `Event`, with the hashes that chain it.
#
# `hash` is a digest over every byte before it, the hash of the writer's entry before included: anybody can check it.
# `seal` is the same with the root's own key, which only this root can make. `stamp` names the key, and hides it.

BEGIN = b'{"audit":'
SCHEMA = 1
_HASH = b',"hash":"'
_SEAL = b'","seal":"'
_END = b'"}'
_TAIL = len(_HASH) + 32 + len(_SEAL) + 16 + len(_END)


@value
class _Key:
    """What seals entries and hides what digests are of."""

    secret: bytes
    stamp: str


@value
class _ChainLink:
    """One line that could be read: the event, and whether a key at hand vouches for it (None: another key's)."""

    event: Event
    sealed: bool | None


def key_from(salt: bytes) -> _Key:
    """The key of a root, from its salt; neither can be found from the stamp."""
    secret = blake2b(b"memoracle audit", key=salt, digest_size=32).digest()
    return _Key(secret=secret, stamp=blake2b(b"stamp", key=secret, digest_size=4).hexdigest())


def line_digest(line: bytes, key: _Key) -> str:
    """What stands for a record line in the trail: without the key nobody can try guesses against it."""
    return blake2b(line.rstrip(b"\r\n"), key=key.secret, digest_size=8).hexdigest()


def write_entry(event: Event, key: _Key) -> tuple[bytes, str]:
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


def read_entry(raw: bytes, key: _Key | None = None) -> _ChainLink | None:
    """The entry of a line (given without its newline); None when its hash does not fit or it cannot be read."""
    if not raw.startswith(BEGIN) or raw[-_TAIL : -_TAIL + len(_HASH)] != _HASH:
        return None
    made = raw[-_TAIL + len(_HASH) :][:32].decode("ascii", "replace")
    is_shaped = raw[-_TAIL + len(_HASH) + 32 :].startswith(_SEAL) and raw.endswith(_END)
    if not is_shaped or blake2b(raw[:-_TAIL], digest_size=16).hexdigest() != made:
        return None
    try:
        fields = json.loads(raw[:-_TAIL] + b"}")
        number, writer = fields["number"], fields["writer"]
        if type(number) is not int or not isinstance(writer, str):
            return None
        event = Event(
            act=str(fields["act"]),
            at=read_time(fields["at"]),
            records=tuple(
                Touched(id=str(a), version=int(b), sequence=int(c), digest=str(d))
                for a, b, c, d in fields.get("records", ())
            ),
            facts=dict(fields.get("facts", {})),
            writer=writer,
            number=number,
            before=str(fields["before"]),
            stamp=str(fields["stamp"]),
            hash=made,
            by=str(fields.get("by", "")),
            via=str(fields.get("via", "")),
            operation=str(fields.get("operation", "")),
            about=tuple(map(str, fields.get("about", ()))),
            rules=tuple(map(str, fields.get("rules", ()))),
        )
    except (ValueError, TypeError, LookupError, RecursionError, MemoracleError):
        return None
    if key is None or event.stamp != key.stamp:
        return _ChainLink(event=event, sealed=None)
    seal = raw[-len(_END) - 16 : -len(_END)].decode("ascii", "replace")
    return _ChainLink(event=event, sealed=seal == _seal(made, key))


def is_torn(raw: bytes) -> bool:
    """True for what a write that was cut short leaves: the beginning of an entry, or zeros."""
    return not raw.strip(b"\0") or (raw.startswith(BEGIN[: len(raw)]) and not raw.endswith(_END))


def _seal(made: str, key: _Key) -> str:
    return blake2b(made.encode(), key=key.secret, digest_size=8).hexdigest()


# Where the trail ended when this machine last wrote to it: what shows that its end was cut off. It is noted in
# `state/` after the entries are in the file and not synced, so it may be older than the trail after a power cut, and
# newer only when the entries themselves did not reach the disk. It names the run of the machine (`boot`): while that
# run lasts nothing can be lost by itself. A note that is damaged or not there is passed over; the trail alone is
# believed then.

ANCHOR = "audit.json"
_ANCHOR_SUM = b', "sum": "'


@value
class Head:
    """The last entry of one writer: its number and its hash."""

    number: int = 0
    hash: str = ""


@value
class _TrailAnchor:
    """The heads of all writers as they were seen last, who wrote then, and how long the file was."""

    writer: str = ""
    size: int = -1
    boot: str = ""
    heads: Mapping[str, Head]


def read_anchor(volume: Volume, name: str) -> _TrailAnchor:
    """What was noted last; nothing when there is none."""
    try:
        note, _, proof = volume.read(name).strip().rpartition(_ANCHOR_SUM)
        if line_sum(note).encode() + b'"}' != proof:
            return _NO_ANCHOR
        kept = json.loads(note + b"}")
        heads = {writer: Head(number=int(n), hash=str(h)) for writer, (n, h) in kept["heads"].items()}
        return _TrailAnchor(
            writer=str(kept["writer"]), size=int(kept["size"]), boot=str(kept["boot"]), heads=heads
        )
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError, MemoracleError):
        return _NO_ANCHOR


def note_anchor(volume: Volume, name: str, anchor: _TrailAnchor) -> None:
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


_NO_ANCHOR = _TrailAnchor(heads={})


_MOST = 500
"""Versions that one entry names; a larger act has several entries with the same operation."""


@value
class Prepared:
    """Entries that are ready to be appended, and where the trail will end then."""

    path: str
    content: bytes
    writer: str
    heads: Mapping[str, Head]


class Audit:
    """The audit trail of one root. `pending` holds events that are written with the next change."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key: _Key | None = None
        self.pending: list[Event] = []

    def key(self) -> _Key:
        """What seals the entries."""
        if self._key is None:
            self._key = key_from(self._store.salt())
        return self._key

    # Logging

    def log_later(self, *events: Event) -> None:
        """Have these events written with the next change, and no later than its lock is let go."""
        self.pending += events

    def log_files(self, act: str, *paths: str) -> None:
        """Log later that files which are no records were written: their paths, never what they say."""
        if not any((one.act, one.about) == (act, paths) for one in self.pending):
            self.log_later(Event(act=act, at=self._store.now(), about=paths))

    def flush(self) -> None:
        """Write what is pending, as far as that is possible. The caller holds the lock."""
        if self.pending:
            pending, self.pending = self.pending, []
            self.try_log(*pending, loose=True)

    def log(self, *events: Event, loose: bool = False) -> None:
        """Add these events to the trail, durably. Takes the root's lock unless this thread holds it.

        What is logged `loose` is not synced by itself: it goes with an act that was.
        """
        if not events:
            return
        if not self._store.holds_lock():
            with self._store.writing():
                self.log(*events, loose=loose)
            return
        self.key()  # made before the writer, when neither is there yet
        ready = self.prepare(self._store.writer(), events)
        written = self._store.volume.append({ready.path: ready.content}, loose=ready.path if loose else "")
        self.settle(ready, written[ready.path].end)

    def try_log(self, *events: Event, loose: bool = False) -> bool:
        """The same for what has happened whether or not the root can be written; False when it cannot."""
        try:
            self.log(*events, loose=loose)
        except (OSError, MemoracleError):
            return False
        return True

    def log_decision(self, outcome: str, rules: Sequence[str], channel: str) -> None:
        """Log a decision of the guard: with the write it belongs to, or at once when it was a refusal."""
        facts: dict[str, int | str] = {"outcome": outcome, "channel": channel}
        event = Event(act="policy", at=self._store.now(), rules=tuple(rules), facts=facts)
        if outcome in {"refused", "stopped"} and not self._store.holds_lock():
            self.try_log(event)
            return
        for place, one in enumerate(self.pending):  # a batch may meet the same rule a thousand times
            same = {name: fact for name, fact in one.facts.items() if name != "times"} == facts
            if same and (one.act, one.rules) == ("policy", event.rules):
                times = int(one.facts.get("times", 1))
                self.pending[place] = replace(one, facts={**facts, "times": times + 1})
                return
        self.log_later(event)

    def prepare(self, writer: str, events: Iterable[Event], *, last: int | None = None) -> Prepared:
        """The lines of these acts behind the end of the writer's chain. The caller holds the lock, and calls `settle`.

        `last` is the writer's count of record lines, if the caller knows it.
        """
        key = self.key()
        heads, first = self._heads(writer, self._store.last_count() if last is None else last)
        head, lines = heads.get(writer, Head()), []
        for event in (*first, *events):
            number = head.number + 1 + int(event.facts.get("lost", 0) if event.act == "resumed" else 0)
            by, via = event.by or self._store.by, event.via or self._store.via
            # Rules are names; the one sentence that may stand here, an operator's reason, is looked at like any other.
            rules = tuple(self._store.guard.hide(rule) if " " in rule else rule for rule in event.rules)
            placed = replace(
                event, writer=writer, number=number, before=head.hash, by=by, via=via, rules=rules
            )
            line, made = write_entry(placed, key)
            lines.append(line)
            head = Head(number=number, hash=made)
        ends = {**heads, writer: head}
        return Prepared(path=self._store.layout["events"], content=b"".join(lines), writer=writer, heads=ends)

    def prepare_writes(self, writer: str, written: Sequence[tuple[Record, bytes]], *, last: int) -> Prepared:
        """What is pending, and one event per operation for record lines that are about to be written."""
        acts: dict[tuple[str, str, str], list[tuple[Record, bytes]]] = {}
        for record, line in written:
            change = record.change
            acts.setdefault((change.verb, change.by, change.operation), []).append((record, line))
        key = self.key()
        events = [
            Event(
                act=verb,
                at=held[0][0].change.at,
                by=by,
                via=self._store.via,
                operation=operation,
                records=tuple(
                    Touched(
                        id=r.id, version=r.version, sequence=r.change.sequence, digest=line_digest(line, key)
                    )
                    for r, line in held[start : start + _MOST]
                ),
            )
            for (verb, by, operation), held in acts.items()
            for start in range(0, len(held), _MOST)
        ]
        return self.prepare(writer, [*self.pending, *events], last=last)

    def settle(self, ready: Prepared, size: int) -> None:
        """Note where the trail ends, once the lines are in the file; `size` is that of its bytes, sealed or not."""
        note_anchor(
            self._store.volume,
            self._store.state_name(ANCHOR),
            _TrailAnchor(writer=ready.writer, size=size, boot=boot(), heads=ready.heads),
        )

    # Reading

    def read(
        self, *, since: datetime | None = None, act: str = "", target: str = "", by: str = ""
    ) -> Iterator[Event]:
        """The acts of the trail, each writer's in their order, the archive's first; damage is passed over."""
        seen = set()
        for event in (link.event for path in self.files() for link in self._links(path)):
            if event.hash in seen:
                continue
            seen.add(event.hash)
            if (
                (since is None or event.at >= since)
                and (not act or event.act == act)
                and (not by or event.by == by)
                and (not target or event.names(target))
            ):
                yield event

    def files(self) -> list[str]:
        """The relative paths of the trail that are there: whole months of the archive, then the live file."""
        live = self._store.layout["events"]
        found = list(self._store.volume.walk(self.archive_folder(), (".jsonl",)))
        with suppress(MemoracleError):
            if self._store.volume.has(live):
                found.append(live)
        return found

    def archive_folder(self) -> str:
        """Where whole months go."""
        return f"{self._store.layout['archive']}/events"

    # Keeping it small, and in order

    def rotate(self, now: datetime, *, dry_run: bool = False) -> int:
        """Move the entries of earlier months to the archive; how many is returned. The caller holds the lock.

        The archive has them before the live file loses them; an entry in both counts once.
        """
        volume, path, note = self._store.volume, self._store.layout["events"], self._store.state_name(ANCHOR)
        content = volume.read(path)
        lines = content.split(b"\n")
        leaving: dict[str, list[bytes]] = {}
        month, going = "", 0
        for raw in lines[:-1]:  # what follows the last newline is nothing, or torn
            if link := read_entry(raw):
                month = f"{link.event.at:%Y-%m}"
            if not month or month >= f"{now:%Y-%m}":
                break  # only the beginning goes: the order of what stays is what it was
            leaving.setdefault(month, []).append(raw)
            going += 1
        if dry_run or not going:
            return going
        for name, moved in leaving.items():
            place = f"{self.archive_folder()}/{name}.jsonl"
            held = set(volume.read(place).split(b"\n"))
            if fresh := [raw for raw in dict.fromkeys(moved) if raw not in held]:
                volume.append({place: b"".join(raw + b"\n" for raw in fresh)})
        anchor = read_anchor(volume, note)
        is_ours = anchor.size == volume.looks(path)[1]
        volume.replace(path, b"\n".join(lines[going:]), expected=file_digest(content))
        if is_ours:
            note_anchor(volume, note, replace(anchor, size=volume.looks(path)[1]))
        return going

    def put_in_order(self) -> bool:
        """Take out what a merge of two histories repeated, and give each writer's entries their order back.

        True when something had to be done. The caller holds the lock.
        """
        path = self._store.layout["events"]
        content = self._store.volume.read(path)
        kept = list(dict.fromkeys(raw for raw in content.split(b"\n") if raw.strip()))
        places: dict[str, list[int]] = {}
        numbers: dict[int, int] = {}
        for place, raw in enumerate(kept):
            if link := read_entry(raw):
                places.setdefault(link.event.writer, []).append(place)
                numbers[place] = link.event.number
        ordered = list(kept)
        for held in places.values():
            for place, source in zip(held, sorted(held, key=numbers.__getitem__), strict=True):
                ordered[place] = kept[source]
        merged = b"".join(raw + b"\n" for raw in ordered)
        if merged == content or not content:
            return False
        self._store.volume.replace(path, merged, expected=file_digest(content))
        return True

    # Underneath

    def _heads(self, writer: str, last: int) -> tuple[dict[str, Head], list[Event]]:
        """Where each writer's chain ends, and what has to be logged first: that the trail begins, or lost its end."""
        noted = read_anchor(self._store.volume, self._store.state_name(ANCHOR))
        is_same_run = noted.boot == boot()
        if (
            is_same_run
            and noted.writer == writer
            and noted.size == self._store.volume.looks(self._store.layout["events"])[1]
        ):
            return dict(noted.heads), []
        found: dict[str, Head] = {}
        logged = 0
        for link in (link for one in self.files() for link in self._links(one)):
            event = link.event
            if event.number >= found.get(event.writer, Head()).number:
                found[event.writer] = Head(number=event.number, hash=event.hash)
            if event.writer == writer:
                logged = max(logged, logged_upto(event))
        # What another writer's chain had reached is remembered, so that its loss shows too.
        heads = found | {
            other: head
            for other, head in noted.heads.items()
            if other != writer and head.number > found.get(other, Head()).number
        }
        own, known = found.get(writer, Head()), noted.heads.get(writer, Head())
        lost = max(0, known.number - own.number)
        is_cut = is_same_run and bool(noted.boot)
        # While the machine runs nothing is lost by itself: record lines without an entry stay a problem then.
        if lost or (own.number and last > logged and not is_cut):
            facts: dict[str, int | str] = {"lost": lost, "lines": max(0, last - logged), "upto": last}
            rule = "cut-tail" if is_cut else "power-cut"
            return heads, [Event(act="resumed", at=self._store.now(), rules=(rule,), facts=facts)]
        return heads, [] if own.number else [Event(act="adopted", at=self._store.now(), facts={"upto": last})]

    def _links(self, path: str) -> Iterator[_ChainLink]:
        try:
            content = self._store.volume.read(path)
        except MemoracleError:
            return  # `verify` names it
        for raw in content.split(b"\n"):
            if link := read_entry(raw.removesuffix(b"\r")):
                yield link


def logged_upto(event: Event) -> int:
    """The highest count of its writer's record lines that an entry answers for."""
    upto = int(event.facts.get("upto", 0)) if event.act in {"adopted", "resumed"} else 0
    return max([upto, *(one.sequence for one in event.records)])
